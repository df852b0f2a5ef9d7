package net.sluice.it.p4;

import java.util.List;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;

/** Sluice's own switch with its traffic manager. */
final class EmulatedNode implements SwitchUnderTest {
  private final FramesThrough node;
  private final ControlClient control;

  private EmulatedNode(ForwardingPipelineConfig config, int cpuPort) {
    node = new FramesThrough(cpuPort);
    control = new ControlClient(node.channel(), FramesThrough.DEVICE_ID, config);
  }

  /** Starts one and loads the program. */
  static EmulatedNode start(ForwardingPipelineConfig config) {
    return start(config, 0);
  }

  /** Starts one with a CPU port, or 0 for none, and loads the program. */
  static EmulatedNode start(ForwardingPipelineConfig config, int cpuPort) {
    return new EmulatedNode(config, cpuPort);
  }

  /** Lets some time pass. */
  void pass() {
    List<PortFrame> unused = node.pass();
  }

  @Override
  public String name() {
    return "the emulated switch";
  }

  @Override
  public ControlClient control() {
    return control;
  }

  @Override
  public List<List<PortFrame>> pass(List<PortFrame> frames) {
    return node.pass(frames);
  }

  @Override
  public void close() {
    control.close();
    node.close();
  }
}
