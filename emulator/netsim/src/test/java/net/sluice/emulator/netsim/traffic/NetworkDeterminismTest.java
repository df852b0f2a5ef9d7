package net.sluice.emulator.netsim.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import net.sluice.emulator.netsim.Link;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.emulator.netsim.TestDevice;
import org.junit.jupiter.api.Test;

/** A small network with everything random in it: overload, jitter, Poisson arrivals, loss. */
class NetworkDeterminismTest {

  private static final int FLOWS = 60;

  /** Digest of every delivered byte, with its time and tag. */
  private static String run(long seed, long stopNanos) throws NoSuchAlgorithmException {
    Simulation simulation = new Simulation(seed);
    SwitchNode node = new SwitchNode(simulation, new TestDevice());
    SwitchPort in = node.addPort(0, 10_000_000_000L, 0);
    SwitchPort out = node.addPort(1, 100_000_000, 50_000);
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    ByteBuffer head = ByteBuffer.allocate(16);
    out.connect(
        Link.in(simulation)
            .propagationNanos(1_234_567)
            .loss(0.02, 11)
            .to(
                (bytes, offset, length, tag, now) -> {
                  head.clear().putLong(now).putLong(tag);
                  digest.update(head.array());
                  digest.update(bytes, offset, length);
                }));
    TrafficSource source = new TrafficSource(simulation, in, 1);
    for (int i = 0; i < FLOWS; i++) {
      FrameTemplate template =
          new FrameBuilder().addresses("192.0.2.1", "10.0.0." + i).frameBytes(200 + 20 * i).build();
      ArrivalProcess arrivals =
          i % 2 == 0 ? new ArrivalProcess.Cbr(true, 0.3) : ArrivalProcess.poisson();
      source.addFlow(new FlowSpec(template, 2_000_000, 0, Long.MAX_VALUE, arrivals));
    }
    // In two legs, which must not matter.
    simulation.runUntil(stopNanos);
    simulation.runUntil(300_000_000);
    assertThat(out.statistics().tailDropPackets()).isPositive();
    return HexFormat.of().formatHex(digest.digest());
  }

  @Test
  void theSameSeedGivesTheSameBytes() throws NoSuchAlgorithmException {
    String first = run(1, 100_000_000);
    assertThat(run(1, 100_000_000)).isEqualTo(first);
    assertThat(run(1, 7)).isEqualTo(first);
    assertThat(run(2, 100_000_000)).isNotEqualTo(first);
  }
}
