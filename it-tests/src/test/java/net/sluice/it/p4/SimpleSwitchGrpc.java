package net.sluice.it.p4;

import io.grpc.ManagedChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.BiFunction;
import net.sluice.pipeconf.SwitchPipeline;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;

/** A simple_switch_grpc of its own process, from PATH. */
final class SimpleSwitchGrpc implements SwitchUnderTest {
  private static final int START_ATTEMPTS = 3;

  private final SimpleSwitchProcess process;
  private final DataPlaneClient dataPlane;
  private final ControlClient control;

  private SimpleSwitchGrpc(
      BiFunction<ManagedChannel, Long, ControlClient> controller, List<String> options)
      throws IOException {
    process = SimpleSwitchProcess.start(options);
    dataPlane = process.dataPlane();
    try {
      control = controller.apply(process.control(), SimpleSwitchProcess.DEVICE_ID);
    } catch (RuntimeException e) {
      String output = process.output();
      process.close();
      throw new IllegalStateException("simple_switch_grpc does not serve; it said: " + output, e);
    }
  }

  /** Skips the test, and says so, where there is no bmv2. */
  static void assumeInstalled() {
    SimpleSwitchProcess.assumeInstalled("the P4 program is not tested on bmv2");
  }

  /**
   * Starts one and loads the program.
   *
   * @throws IllegalStateException if it does not come up, with what it printed
   */
  static SimpleSwitchGrpc start(SwitchPipeline program) {
    return start((channel, device) -> new ControlClient(channel, device, program), List.of());
  }

  /**
   * Starts one and loads any program.
   *
   * @param options of the target
   */
  static SimpleSwitchGrpc start(ForwardingPipelineConfig config, List<String> options) {
    return start((channel, device) -> new ControlClient(channel, device, config), options);
  }

  private static SimpleSwitchGrpc start(
      BiFunction<ManagedChannel, Long, ControlClient> controller, List<String> options) {
    IllegalStateException last = null;
    // Another process may take a free port before the switch does.
    for (int attempt = 0; attempt < START_ATTEMPTS; attempt++) {
      try {
        return new SimpleSwitchGrpc(controller, options);
      } catch (IllegalStateException e) {
        last = e;
      } catch (IOException e) {
        throw new UncheckedIOException("cannot start simple_switch_grpc", e);
      }
    }
    throw last;
  }

  @Override
  public String name() {
    return "bmv2";
  }

  @Override
  public ControlClient control() {
    return control;
  }

  @Override
  public List<List<PortFrame>> pass(List<PortFrame> frames) {
    return dataPlane.pass(frames);
  }

  /** The order in which frames leave, see {@link DataPlaneClient#order}. */
  List<Integer> order(List<PortFrame> frames) {
    return dataPlane.order(frames);
  }

  @Override
  public void close() {
    control.close();
    process.close();
  }
}
