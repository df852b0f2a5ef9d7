package net.sluice.pipeconf.testing;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import net.sluice.pipeconf.TnaPipeline;
import p4.config.v1.P4InfoOuterClass.P4Info;
import stratum.barefoot.BfPipelineConfig;

/** What a server takes for the compiled program for TNA that runs nothing of it. */
public final class TnaDeviceConfig {
  private TnaDeviceConfig() {}

  /** The program with it. */
  public static TnaPipeline pipeline() {
    try {
      Path file = Files.createTempFile("sluice-tna", ".pb.bin");
      try {
        return TnaPipeline.load(write(file));
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes it to a file. */
  public static Path write(Path file) {
    try {
      Files.write(file, config("[]").toByteArray());
      P4Info info = TnaPipeline.load(file).p4Info();
      List<String> names = new ArrayList<>();
      info.getTablesList().forEach(table -> names.add(table.getPreamble().getName()));
      info.getCountersList().forEach(counter -> names.add(counter.getPreamble().getName()));
      info.getRegistersList().forEach(register -> names.add(register.getPreamble().getName()));
      String tables =
          names.stream()
              .map(name -> "{\"name\": \"pipe." + name + "\"}")
              .collect(Collectors.joining(", ", "[", "]"));
      return Files.write(file, config(tables).toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static BfPipelineConfig config(String tables) {
    return BfPipelineConfig.newBuilder()
        .setP4Name("sluice")
        .setBfruntimeInfo(ByteString.copyFromUtf8("{\"tables\": " + tables + "}"))
        .addProfiles(
            BfPipelineConfig.Profile.newBuilder()
                .setProfileName("pipe")
                .setContext(ByteString.copyFromUtf8("{}"))
                .setBinary(ByteString.copyFromUtf8("binary"))
                .addPipeScope(0)
                .addPipeScope(1))
        .build();
  }
}
