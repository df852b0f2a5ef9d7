package net.sluice.emulator.netsim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import net.sluice.emulator.netsim.traffic.CapturingSink;
import net.sluice.emulator.switching.SwitchPacket;
import org.junit.jupiter.api.Test;

class SwitchNodeTest {

  private final Simulation simulation = new Simulation(1);
  private final TestDevice device = new TestDevice();
  private final CapturingSink sink = new CapturingSink();
  private SwitchNode node;
  private SwitchPort in;
  private SwitchPort out;

  private void build(long rateBps, long queueLimitBytes) {
    node = new SwitchNode(simulation, device);
    in = node.addPort(0, 100_000_000_000L, 1_000_000);
    out = node.addPort(1, rateBps, queueLimitBytes);
    out.connect(sink);
  }

  private void inject(long atNanos, int bytes, long tag) {
    simulation.schedule(atNanos, (now, a) -> in.receive(new byte[bytes], 0, bytes, tag, now), 0);
  }

  private java.util.List<String> arrivals() {
    return sink.captures().stream().map(c -> c.nanos() + ":" + c.tag()).toList();
  }

  @Test
  void aFrameTakesItsLineTime() {
    build(1_000_000_000, 100_000);
    inject(500, 1_250, 7);
    simulation.runUntil(20_000);
    assertThat(arrivals()).containsExactly("10500:7");
    assertThat(device.pipeline().outstanding()).isZero();
  }

  @Test
  void aFrameThatGoesRoundTakesItsLineTimeEachTime() {
    build(1_000_000_000, 2_500);
    device.load(
        p -> {},
        p -> {
          if (p.tag < 2) {
            p.requests |= SwitchPacket.REENTER;
          }
          p.tag++;
        });
    inject(0, 1_250, 0);
    // In the way of the first when it comes round; the last is the third that would wait.
    inject(1_000, 1_250, 5);
    inject(2_000, 1_250, 6);
    inject(3_000, 1_250, 7);
    simulation.runUntil(200_000);
    // On the line 0..10, 30..40 and 41..51 us: 1 us to come in again.
    assertThat(arrivals()).containsExactly("20000:6", "30000:7", "51000:3");
    assertThat(out.statistics().tailDropPackets()).isEqualTo(1);
    assertThat(device.pipeline().outstanding()).isZero();
  }

  @Test
  void overheadTakesLineTimeToo() {
    build(1_000_000_000, 100_000);
    out.setOverheadBytes(24);
    inject(0, 101, 1);
    simulation.runUntil(20_000);
    assertThat(arrivals()).containsExactly("1000:1");
    assertThat(out.statistics().sentBytes()).isEqualTo(101);
  }

  @Test
  void framesWaitForEachOtherAndEgressIsToldAboutIt() {
    build(100_000_000, 100_000);
    device.pipeline().logging = true;
    // 100 us each; the third comes when the second is being sent.
    inject(1_000, 1_250, 1);
    inject(2_000, 1_250, 2);
    inject(3_000, 1_250, 3);
    inject(150_500, 1_250, 4);
    simulation.runUntil(1_000_000);
    assertThat(arrivals()).containsExactly("101000:1", "201000:2", "301000:3", "401000:4");
    assertThat(device.pipeline().egressLog)
        .containsExactly(
            "enq=1 depth=0 delta=0 left=0 now=1",
            "enq=2 depth=0 delta=99 left=1 now=101",
            "enq=3 depth=1 delta=198 left=1 now=201",
            "enq=150 depth=1 delta=151 left=0 now=301");
    assertThat(out.statistics().queueDelayNanos().getMaxValue()).isCloseTo(198_000, within(200L));
    assertThat(out.statistics().queueDelayNanos().getTotalCount()).isEqualTo(4);
  }

  @Test
  void theQueueHoldsUpToItsLimitInBytes() {
    build(100_000_000, 3_000);
    for (int i = 1; i <= 5; i++) {
      inject(i, 1_000, i);
    }
    inject(10, 1, 6);
    // One is sent, three wait and fill the queue to the byte, the rest does not fit.
    simulation.runUntil(20);
    PortStatistics full = out.statistics();
    assertThat(full.queuedBytes()).isEqualTo(3_000);
    assertThat(full.queuedPackets()).isEqualTo(3);
    assertThat(full.tailDropPackets()).isEqualTo(2);
    assertThat(full.tailDropBytes()).isEqualTo(1_001);
    assertThat(full.enqueuedPackets()).isEqualTo(4);
    simulation.runUntil(10_000_000);
    assertThat(sink.captures())
        .extracting(CapturingSink.Capture::tag)
        .containsExactly(1L, 2L, 3L, 4L);
    assertThat(device.pipeline().outstanding()).isZero();
  }

  @Test
  void aFrameThatEgressDropsTakesNoLineTime() {
    device.load(p -> {}, p -> p.dropped = p.tag % 2 == 0);
    build(100_000_000, 100_000);
    for (int i = 1; i <= 5; i++) {
      inject(0, 1_250, i);
    }
    simulation.runUntil(1_000_000);
    assertThat(arrivals()).containsExactly("100000:1", "200000:3", "300000:5");
    PortStatistics statistics = out.statistics();
    assertThat(statistics.egressDropPackets()).isEqualTo(2);
    assertThat(statistics.sentPackets()).isEqualTo(3);
    assertThat(statistics.busyNanos()).isEqualTo(300_000);
    assertThat(statistics.utilisation()).isEqualTo(0.3);
  }

  @Test
  void theLineTimeIsThatOfTheFrameAfterEgress() {
    device.load(p -> {}, p -> p.resize(625));
    build(1_000_000_000, 100_000);
    inject(0, 1_250, 1);
    simulation.runUntil(100_000);
    assertThat(arrivals()).containsExactly("5000:1");
    assertThat(sink.captures().get(0).bytes()).hasSize(625);
    assertThat(out.statistics().sentBytes()).isEqualTo(625);
  }

  @Test
  void anOverloadedLineIsBusyAllTheTimeAndSendsItsRateExactly() {
    // A rate that divides nothing: 7 ns and a fraction per byte.
    build(1_111_111_111, 10_000);
    EventHandler[] self = new EventHandler[1];
    byte[] frame = new byte[777];
    self[0] =
        (now, a) -> {
          in.receive(frame, 0, frame.length, 0, now);
          simulation.schedule(now + 4_000, self[0], 0);
        };
    simulation.schedule(0, self[0], 0);
    simulation.runUntil(10_000_000);
    node.resetStatistics();
    simulation.runUntil(1_010_000_000);
    PortStatistics statistics = out.statistics();
    assertThat(statistics.utilisation()).isEqualTo(1.0);
    assertThat(statistics.tailDropPackets()).isPositive();
    assertThat(statistics.intervalNanos()).isEqualTo(1_000_000_000);
    // Frames end at multiples of 777 * 8 / rate; a second holds 178,749 of them or one more.
    assertThat(statistics.sentPackets()).isBetween(178_749L, 178_750L);
    assertThat(statistics.sentBps()).isCloseTo(1_111_111_111, within(777 * 8.0));
    // Against drift: the n-th frame of the whole run ends at the exact time, rounded up.
    int n = sink.captures().size();
    long exact = (long) Math.ceil(n * 777 * 8 * 1e9 / 1_111_111_111.0);
    assertThat(sink.captures().get(n - 1).nanos()).isEqualTo(exact);
  }

  @Test
  void theRateCanBeChangedWhileFramesWait() {
    build(100_000_000, 100_000);
    for (int i = 1; i <= 3; i++) {
      inject(0, 1_250, i);
    }
    simulation.schedule(50_000, (now, a) -> out.setRateBps(1_000_000_000), 0);
    simulation.runUntil(1_000_000);
    // The first goes on at the old rate.
    assertThat(arrivals()).containsExactly("100000:1", "110000:2", "120000:3");
    assertThat(out.rateBps()).isEqualTo(1_000_000_000);
  }

  @Test
  void dropsInIngressAndToUnknownPortsAreCounted() {
    device.load(
        p -> {
          p.dropped = p.tag == 1;
          p.egressPort = p.tag == 2 ? 511 : 1;
        },
        p -> {});
    build(1_000_000_000, 100_000);
    inject(0, 100, 1);
    inject(0, 100, 2);
    inject(0, 100, 3);
    simulation.runUntil(100_000);
    assertThat(in.statistics().receivedPackets()).isEqualTo(3);
    assertThat(in.statistics().receivedBytes()).isEqualTo(300);
    assertThat(in.statistics().ingressDrops()).isEqualTo(1);
    assertThat(node.unknownEgressPortDrops()).isEqualTo(1);
    assertThat(sink.captures()).hasSize(1);
    assertThat(device.pipeline().outstanding()).isZero();
  }

  @Test
  void aNewProgramLosesWhatWaitsButNotWhatIsBeingSent() {
    build(100_000_000, 100_000);
    TestDevice.TestPipeline old = device.pipeline();
    for (int i = 1; i <= 3; i++) {
      inject(0, 1_250, i);
    }
    simulation.runUntil(10);
    device.load(p -> {}, p -> {});
    inject(20, 1_250, 4);
    simulation.runUntil(1_000_000);
    assertThat(arrivals()).containsExactly("100000:1", "200000:4");
    assertThat(node.replacedProgramDrops()).isEqualTo(2);
    assertThat(old.outstanding()).isZero();
  }

  @Test
  void theQueueGrowsRoundItsRing() {
    build(1_000_000_000, 1_000_000);
    for (int i = 0; i < 500; i++) {
      inject(i * 1_000L, 250 + i % 50, i);
    }
    simulation.runUntil(10_000_000);
    assertThat(sink.captures()).extracting(CapturingSink.Capture::tag).isSorted().hasSize(500);
  }

  @Test
  void refusesPortsThatCannotBe() {
    build(1_000, 0);
    assertThatThrownBy(() -> node.addPort(512, 1, 0)).hasMessage("port 512: must be 0..511");
    assertThatThrownBy(() -> node.addPort(1, 1, 0)).hasMessage("port 1: exists already");
    assertThatThrownBy(() -> node.addPort(2, 0, 0))
        .hasMessage("rateBps 0: must be 1..10000000000000");
    assertThatThrownBy(() -> node.addPort(2, 1, -1))
        .hasMessage("queueLimitBytes -1 of port 2: must be at least 0");
    assertThatThrownBy(() -> node.port(2)).hasMessage("port 2: does not exist");
    assertThatThrownBy(() -> out.setOverheadBytes(-1))
        .hasMessage("overheadBytes -1 of port 1: must be at least 0");
    assertThat(node.ports()).containsExactly(in, out);
  }
}
