package net.sluice.lab.experiment.fsam;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import net.sluice.emulator.netsim.LineClock;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.aggregate.Aggregate;
import org.junit.jupiter.api.Test;

/** RIO of the compiled program. */
class RioTest {
  private static final IpPrefix SINKS = IpPrefix.parse("203.0.113.0/24");
  private static final int FRAME_BYTES = 1_000;
  private static final long LINE_BPS = 5_000_000;

  /** A core switch, and what comes out of it. */
  private static final class Core {
    final Simulation simulation = new Simulation(5);
    final SwitchPort in;
    final SwitchPort out;
    int passedIn;
    int passedOut;

    Core(int weightShift) {
      SwitchNode node =
          new SwitchNode(simulation, DiffservSwitch.core(5, SINKS, weightShift).device());
      in = node.addPort(DiffservSwitch.IN_PORT, LineClock.UNLIMITED_BPS, 1 << 20);
      out = node.addPort(DiffservSwitch.OUT_PORT, LINE_BPS, 1 << 20);
      out.connect(
          (bytes, offset, length, tag, now) -> {
            if (Frames.dscp(bytes, offset) == Aggregate.IN_DSCP) {
              passedIn++;
            } else {
              passedOut++;
            }
          });
    }

    void send(int dscp, long nanos) {
      simulation.runUntil(nanos);
      in.receive(Frames.udp(FRAME_BYTES, 1, dscp), 0, FRAME_BYTES, 0, nanos);
    }

    long waiting() {
      return out.queueStatistics(0).packets();
    }
  }

  /** With a weight of 1 the averages are what waits; nothing leaves here. */
  @Test
  void outIsJudgedByAllThatWaitsAndInByInAlone() {
    Core core = new Core(0);
    core.out.setHeldBack(true);
    long now = 1_000_000_000;
    for (int i = 0; i < 5; i++) {
      core.send(Aggregate.OUT_DSCP, now++);
    }
    assertThat(core.waiting()).isEqualTo(5);
    for (int i = 0; i < 1_000; i++) {
      core.send(Aggregate.OUT_DSCP, now++);
    }
    assertThat(core.waiting()).isEqualTo(15);
    for (int i = 0; i < 15; i++) {
      core.send(Aggregate.IN_DSCP, now++);
    }
    assertThat(core.waiting()).isEqualTo(30);
    core.send(Aggregate.OUT_DSCP, now++);
    assertThat(core.waiting()).isEqualTo(30);
    for (int i = 0; i < 10_000; i++) {
      core.send(Aggregate.IN_DSCP, now++);
    }
    assertThat(core.waiting()).isEqualTo(45);
  }

  /** 3 Mbit/s IN and 6 Mbit/s OUT into 5, with averages quick enough that nothing overflows. */
  @Test
  void inPassesAndOutHasWhatIsLeft() {
    Core core = new Core(4);
    long begin = 1_000_000_000;
    int packets = 0;
    for (int i = 0; i < 20_000; i++) {
      long now = begin + i * (8L * FRAME_BYTES * 1_000_000_000L / 9_000_000);
      core.send(i % 3 == 0 ? Aggregate.IN_DSCP : Aggregate.OUT_DSCP, now);
      packets += i % 3 == 0 ? 1 : 0;
    }
    core.simulation.runUntil(begin + 60_000_000_000L);
    assertThat(core.passedIn).isEqualTo(packets);
    assertThat(core.passedIn + core.passedOut).isCloseTo(20_000 * 5 / 9, within(60));
  }
}
