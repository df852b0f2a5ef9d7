package net.sluice.emulator.cli.stf;

import com.google.protobuf.ByteString;
import com.google.protobuf.TextFormat;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import net.sluice.cli.ListenAddress;
import net.sluice.cli.StartFailure;
import net.sluice.emulator.ports.stf.StfException;
import net.sluice.emulator.ports.stf.StfRunner;
import net.sluice.emulator.server.p4runtime.OfflineControl;
import net.sluice.emulator.v1model.V1modelSwitch;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a packet test in STF, the format of p4c's own tests, against a compiled program. */
@Command(
    name = "stf",
    description = {
      "Runs a packet test in STF against a compiled program.",
      "Exit codes: 0 it passes, 1 it fails, 2 program or test cannot be used."
    },
    mixinStandardHelpOptions = true)
public final class StfCommand implements Callable<Integer> {

  private static final long DEVICE_ID = 1;
  private static final long SEED = 1;

  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "PROGRAM.json", description = "p4c's BMv2 JSON")
  private Path json;

  @Parameters(
      index = "1",
      paramLabel = "PROGRAM.p4info.txtpb",
      description = "the program's P4Info in text format")
  private Path p4info;

  @Parameters(index = "2", paramLabel = "TEST.stf", description = "the test")
  private Path test;

  @Override
  public Integer call() throws StartFailure {
    ForwardingPipelineConfig config =
        ForwardingPipelineConfig.newBuilder()
            .setP4Info(info())
            .setP4DeviceConfig(ByteString.copyFrom(bytes(json)))
            .build();
    String commands = text(test);
    V1modelSwitch device = new V1modelSwitch(DEVICE_ID, SEED);
    try {
      OfflineControl.load(device, config);
    } catch (IllegalArgumentException e) {
      throw new StartFailure(json + " with " + p4info + ": " + e.getMessage(), e);
    }
    List<String> failures;
    try {
      failures = StfRunner.run(device.loaded().orElseThrow(), commands);
    } catch (StfException e) {
      throw new StartFailure(test + ": " + e.getMessage(), e);
    }
    PrintWriter out = spec.commandLine().getOut();
    failures.forEach(failure -> out.println(test + ": " + failure));
    out.println(failures.isEmpty() ? "passed" : "failed");
    out.flush();
    return failures.isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }

  /** Fields newer than the P4Runtime classes in use do not matter here. */
  private P4Info info() throws StartFailure {
    P4Info.Builder info = P4Info.newBuilder();
    try {
      TextFormat.Parser.newBuilder().setAllowUnknownFields(true).build().merge(text(p4info), info);
    } catch (TextFormat.ParseException e) {
      throw new StartFailure(
          "%s: not a P4Info in text format: line %s"
              .formatted(p4info, e.getMessage().lines().findFirst().orElse("")),
          e);
    }
    return info.build();
  }

  private static byte[] bytes(Path file) throws StartFailure {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new StartFailure(file + ": cannot be read: " + ListenAddress.reason(e), e);
    }
  }

  private static String text(Path file) throws StartFailure {
    try {
      return Files.readString(file);
    } catch (CharacterCodingException e) {
      throw new StartFailure(file + ": not UTF-8 text", e);
    } catch (IOException e) {
      throw new StartFailure(file + ": cannot be read: " + ListenAddress.reason(e), e);
    }
  }
}
