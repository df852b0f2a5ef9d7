package net.sluice.onos.southbound.driver;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.sluice.pipeconf.CompiledProgram;
import net.sluice.pipeconf.TnaPipeline;
import net.sluice.pipeconf.V1ModelPipeline;
import net.sluice.pipeconf.profile.SwitchTargetProfile;
import org.onosproject.net.pi.model.PiPipeconf;
import org.onosproject.net.pi.model.PiPipeconf.ExtensionType;
import org.onosproject.net.pi.model.PiPipeconfId;

/** The compiled programs as ONOS's pipeconfs, named as the profiles of switches name them. */
public final class Pipeconfs {
  /** The program for v1model: bmv2, Stratum on bmv2, and the emulated switch. */
  public static final PiPipeconfId V1MODEL = new PiPipeconfId("net.sluice.v1model");

  /** The same with the markers of aggregates, and RIO. */
  public static final PiPipeconfId AGGREGATE = new PiPipeconfId("net.sluice.aggregate");

  /** The program for Stratum on Tofino. */
  public static final PiPipeconfId TOFINO = new PiPipeconfId("net.sluice.tofino");

  /** The file that a switch loads, as it is. */
  static final ExtensionType LOADED = ExtensionType.RAW_DEVICE_CONFIG;

  private static final Map<PiPipeconfId, CompiledProgram> PROGRAMS =
      Map.of(
          V1MODEL, CompiledProgram.V1MODEL,
          AGGREGATE, CompiledProgram.AGGREGATE,
          TOFINO, CompiledProgram.TNA);

  private Pipeconfs() {}

  /**
   * All of them.
   *
   * @param tofino the program for Tofino, perhaps without what a switch loads: that has to be made
   *     by the compiler of the switch's driver
   */
  public static List<PiPipeconf> all(TnaPipeline tofino) {
    return List.of(
        new SwitchPipeconf(V1MODEL, V1ModelPipeline.load()),
        new SwitchPipeconf(AGGREGATE, V1ModelPipeline.withAggregates()),
        new SwitchPipeconf(TOFINO, tofino));
  }

  /** The pipeconf of switches of a kind, which has a program. */
  public static PiPipeconfId of(SwitchTargetProfile profile) {
    return new PiPipeconfId(profile.management().onosPipeconf());
  }

  /** The program of one of these pipeconfs. */
  public static CompiledProgram program(PiPipeconfId id) {
    return PROGRAMS.get(id);
  }

  /** The packets between a pipeconf's program and its controller; empty if it has none. */
  public static Optional<PiPackets> packets(PiPipeconf pipeconf) {
    return pipeconf instanceof SwitchPipeconf ours ? ours.packets() : Optional.empty();
  }

  /** Whether a pipeconf has what a switch loads. */
  public static boolean canBeLoaded(PiPipeconf pipeconf) {
    return pipeconf.extension(LOADED).isPresent();
  }

  /** Whether it is one of these. */
  public static boolean isOurs(PiPipeconfId id) {
    return PROGRAMS.containsKey(id);
  }
}
