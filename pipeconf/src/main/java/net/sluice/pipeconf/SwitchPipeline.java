package net.sluice.pipeconf;

import com.google.protobuf.ByteString;
import java.net.URL;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.pipeconf.p4info.ProgramDescriptor;
import net.sluice.pipeconf.table.EntryCodec;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;

/**
 * A compiled P4 program: what a switch must be given to run it, what it can hold, and how entries
 * and counters look in P4Runtime. One implementation per architecture; thread-safe.
 */
public interface SwitchPipeline {
  /** Name for people and logs, e.g. {@code sluice-v1model}. */
  String name();

  /** The program's P4Info. */
  P4Info p4Info();

  /** Its tables and counters, as P4Info describes them. */
  ProgramDescriptor descriptor();

  /** The binary that the target loads. */
  ByteString deviceConfig();

  /**
   * Where the P4Info is as a file, in protobuf's text format, for those that read it themselves.
   */
  URL p4InfoFile();

  /** Where {@link #deviceConfig} is as a file. */
  URL deviceConfigFile();

  /** Derived from P4Info and device config: differs when either differs; never 0. */
  long cookie();

  /** The capacities of the program, with bins up to 100 Gbit/s as in paper 000. */
  SwitchProfile profile();

  /** Table entries to P4Runtime and back. */
  EntryCodec entries();

  /** Counters of P4Runtime. */
  CounterCodec counters();

  /** The message that puts the program on a switch. */
  default ForwardingPipelineConfig forwardingPipelineConfig() {
    return ForwardingPipelineConfig.newBuilder()
        .setP4Info(p4Info())
        .setP4DeviceConfig(deviceConfig())
        .setCookie(ForwardingPipelineConfig.Cookie.newBuilder().setCookie(cookie()))
        .build();
  }
}
