package net.sluice.it.corpus;

import com.google.protobuf.ByteString;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import net.sluice.it.p4.PortFrame;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;

/**
 * Whether the simple_switch_grpc on PATH leaves a counter, meter or register alone when a packet
 * asks for a cell that it does not have. One that was built with {@code NDEBUG}, as CMake's build
 * type Release has it, reads and writes whatever memory is there instead: such programs cannot be
 * compared with it.
 */
final class IndexChecks {

  /** Far beyond all memory that the switch has. */
  private static final int CELL = Integer.MAX_VALUE;

  private static final Path FOLDER =
      Path.of("..", "emulator", "v1model", "src", "test", "resources", "stf");
  private static final String PROGRAM = "commands";

  private IndexChecks() {}

  /** Lets a bmv2 of its own read a cell that is not there, and sees whether it ends. */
  static boolean inBmv2() {
    Corpus.Compiled program =
        new Corpus.Compiled(
            PROGRAM,
            FOLDER.resolve(PROGRAM + ".json"),
            FOLDER.resolve(PROGRAM + ".p4info.txtpb"),
            Optional.empty());
    P4Info info = program.info();
    ForwardingPipelineConfig config =
        ForwardingPipelineConfig.newBuilder()
            .setP4Info(info)
            .setP4DeviceConfig(
                ByteString.copyFrom(
                    RegisterProbe.program(DeterministicProgram.program(program.deviceConfig()))))
            .build();
    PortFrame asks = RegisterProbe.asks(info.getRegisters(0).getPreamble().getName(), CELL);
    try (AnySwitch.Reference bmv2 = AnySwitch.Reference.start(config, AnySwitch.CPU_PORT)) {
      try {
        bmv2.pass(List.of(asks));
        return true;
      } catch (IllegalStateException e) {
        if (bmv2.hasEnded()) {
          return false;
        }
        throw e;
      }
    }
  }

  /** Whether a program has counters, meters or registers that packets choose cells of. */
  static boolean concern(P4Info info) {
    return info.getCountersCount() + info.getMetersCount() + info.getRegistersCount() > 0;
  }
}
