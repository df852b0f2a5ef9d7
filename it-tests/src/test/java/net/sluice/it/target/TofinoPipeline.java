package net.sluice.it.target;

import com.google.protobuf.ByteString;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.pipeconf.CounterCodec;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.V1ModelPipeline;
import net.sluice.pipeconf.p4info.ProgramDescriptor;
import net.sluice.pipeconf.table.EntryCodec;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.config.v1.P4InfoOuterClass.Preamble;
import stratum.barefoot.BfPipelineConfig;

/**
 * The tables of the program for v1model in the form in which Stratum takes programs for Tofino: for
 * a server that keeps entries and runs nothing.
 */
final class TofinoPipeline implements SwitchPipeline {
  private final V1ModelPipeline program = V1ModelPipeline.load();
  private final P4Info p4Info;

  /** With changes to its P4Info. */
  TofinoPipeline(UnaryOperator<P4Info> changes) {
    p4Info = changes.apply(program.p4Info());
  }

  @Override
  public String name() {
    return "sluice-v1model for Stratum on Tofino";
  }

  @Override
  public P4Info p4Info() {
    return p4Info;
  }

  @Override
  public ProgramDescriptor descriptor() {
    return program.descriptor();
  }

  @Override
  public ByteString deviceConfig() {
    List<Preamble> entities = new ArrayList<>();
    p4Info.getTablesList().forEach(table -> entities.add(table.getPreamble()));
    p4Info.getCountersList().forEach(counter -> entities.add(counter.getPreamble()));
    p4Info.getRegistersList().forEach(register -> entities.add(register.getPreamble()));
    String tables =
        entities.stream()
            .map(entity -> "{\"name\": \"pipe." + entity.getName() + "\"}")
            .collect(Collectors.joining(", "));
    return BfPipelineConfig.newBuilder()
        .setP4Name("sluice")
        .setBfruntimeInfo(ByteString.copyFromUtf8("{\"tables\": [" + tables + "]}"))
        .addProfiles(
            BfPipelineConfig.Profile.newBuilder()
                .setProfileName("pipe")
                .setContext(ByteString.copyFromUtf8("{}"))
                .setBinary(ByteString.copyFromUtf8("binary"))
                .addPipeScope(0)
                .addPipeScope(1))
        .build()
        .toByteString();
  }

  @Override
  public URL p4InfoFile() {
    return program.p4InfoFile();
  }

  @Override
  public URL deviceConfigFile() {
    return program.deviceConfigFile();
  }

  @Override
  public long cookie() {
    return program.cookie() ^ p4Info.hashCode();
  }

  @Override
  public SwitchProfile profile() {
    return program.profile();
  }

  @Override
  public EntryCodec entries() {
    return program.entries();
  }

  @Override
  public CounterCodec counters() {
    return program.counters();
  }
}
