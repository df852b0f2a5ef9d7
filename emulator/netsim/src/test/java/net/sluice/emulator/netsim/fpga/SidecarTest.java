package net.sluice.emulator.netsim.fpga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.netsim.TestDevice;
import net.sluice.emulator.netsim.traffic.FlowSink;
import net.sluice.emulator.netsim.traffic.FlowSpec;
import net.sluice.emulator.netsim.traffic.FrameBuilder;
import net.sluice.emulator.netsim.traffic.FrameTemplate;
import net.sluice.emulator.netsim.traffic.TrafficSource;
import org.junit.jupiter.api.Test;

/** An FPGA on a port of a switch: half of the flows make the detour, half do not. */
class SidecarTest {

  private static final long SECOND = 1_000_000_000L;
  private static final int FLOWS = 20;
  private static final int WORD = 10;

  @Test
  void flowsThroughTheSidecarGetTheirRateAndTheOthersAll() {
    Simulation simulation = new Simulation(5);
    TestDevice device = new TestDevice();
    device.load(
        p -> {
          boolean shaped = (p.tag & 1) == 0;
          p.egressPort = p.ingressPort == 0 && shaped ? 2 : 1;
        },
        p -> {
          if (p.egressPort == 2) {
            p.push(QueueNumbers.of(1, 2, (int) (p.tag & 63), 0));
          }
        });
    SwitchNode node = new SwitchNode(simulation, device);
    node.addPort(0, 100_000_000_000L, 0);
    node.addPort(1, 10_000_000_000L, 1_000_000);
    node.addPort(2, 100_000_000_000L, 1_000_000);
    FpgaModel fpga = new FpgaModel(simulation, node.port(2));
    node.port(2).connect(fpga);
    FlowSink sink = new FlowSink();
    node.port(1).connect(sink);
    Registers.openUpperLevels(fpga);
    fpga.writeRegister(Registers.depth(0), 20_000);
    for (int c = 0; c < 64; c++) {
      int customer = QueueNumbers.customer(QueueNumbers.of(1, 2, c, 0));
      fpga.writeRegister(Registers.rate(Registers.CUSTOMER, customer), WORD);
    }

    TrafficSource source = new TrafficSource(simulation, node.port(0), 1);
    for (int i = 0; i < FLOWS; i++) {
      FrameTemplate template =
          new FrameBuilder().addresses("192.0.2.1", "10.0.0." + i).frameBytes(1_000).build();
      source.addFlow(FlowSpec.cbr(template, 30_000_000));
    }
    simulation.runUntil(SECOND);
    source.resetStatistics();
    sink.resetStatistics();
    simulation.runUntil(5 * SECOND);

    double granted = WORD * 8 * 156.25e6 / 1_248;
    for (int i = 0; i < FLOWS; i++) {
      double got = sink.deliveredBytes(i) * 8 / 4.0;
      double expected = i % 2 == 0 ? granted : 30_000_000;
      assertThat(got).as("flow %d", i).isCloseTo(expected, within(3 * 1_000 * 8 / 4.0));
      assertThat(source.offeredBytes(i) * 8 / 4.0).isCloseTo(30_000_000, within(2_000.0));
    }
    assertThat(fpga.statistics().malformedPackets()).isZero();
    assertThat(fpga.statistics().droppedPackets()).isPositive();
    // A full queue of 20,000 bytes and one packet at 10 Mbit/s.
    assertThat(sink.meanDelayNanos(0)).isCloseTo(21_000 * 8 / granted * 1e9, within(1e6));
  }
}
