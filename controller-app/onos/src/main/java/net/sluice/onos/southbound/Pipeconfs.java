package net.sluice.onos.southbound;

import java.util.List;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.V1ModelPipeline;
import org.onosproject.net.pi.model.DefaultPiPipeconf;
import org.onosproject.net.pi.model.PiPipeconf;
import org.onosproject.net.pi.model.PiPipeconf.ExtensionType;
import org.onosproject.net.pi.model.PiPipeconfId;
import org.onosproject.p4runtime.model.P4InfoParser;
import org.onosproject.p4runtime.model.P4InfoParserException;

/**
 * The compiled programs as ONOS's pipeconfs. They have no behaviours: nothing but this application
 * writes to such a switch.
 */
public final class Pipeconfs {
  /** The program for v1model: bmv2, Stratum on bmv2, and the emulated switch. */
  public static final PiPipeconfId V1MODEL = new PiPipeconfId("net.sluice.v1model");

  private Pipeconfs() {}

  /**
   * Every program that comes with what a switch loads. That for Tofino does not: the compiler's
   * output has to be that of the switch's driver.
   */
  public static List<PiPipeconf> all() {
    return List.of(pipeconf(V1MODEL, V1ModelPipeline.load(), ExtensionType.BMV2_JSON));
  }

  /** A program as a pipeconf. */
  static PiPipeconf pipeconf(PiPipeconfId id, SwitchPipeline pipeline, ExtensionType device) {
    try {
      return new MarkedPipeconf(
          DefaultPiPipeconf.builder()
              .withId(id)
              .withPipelineModel(P4InfoParser.parse(pipeline.p4InfoFile()))
              .addExtension(ExtensionType.P4_INFO_TEXT, pipeline.p4InfoFile())
              .addExtension(device, pipeline.deviceConfigFile())
              .build(),
          pipeline.cookie());
    } catch (P4InfoParserException e) {
      throw new IllegalStateException("ONOS cannot read the packaged P4Info of " + id, e);
    }
  }
}
