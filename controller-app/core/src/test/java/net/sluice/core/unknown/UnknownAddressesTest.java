package net.sluice.core.unknown;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import net.sluice.core.ControllerException;
import net.sluice.core.target.CounterSource;
import net.sluice.core.testing.ControllerRig;
import net.sluice.core.testing.TestNetwork;
import net.sluice.core.testing.VirtualTime;
import net.sluice.core.traffic.DropStatus;
import net.sluice.core.traffic.QueueCounters;
import net.sluice.core.traffic.SubscriberCounters;
import net.sluice.core.traffic.SubscriberCounters.Count;
import net.sluice.core.traffic.SwitchReadings;
import net.sluice.core.traffic.UnknownStatus;
import net.sluice.intents.model.PortQueue;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.PacketCodec.Reason;
import org.junit.jupiter.api.Test;

class UnknownAddressesTest {
  private static final String MACS = "0200000000020200000000 01".replace(" ", "");
  private static final String V4 = "45000054000000004001 0000".replace(" ", "");

  private final VirtualTime time = new VirtualTime();
  private final Switch at = new Switch();
  private final UnknownAddresses unknown =
      new UnknownAddresses(Map.of(1, Direction.UP, 2, Direction.DOWN), at, time.scheduler(), time);

  /** A switch whose counters a test sets. */
  private static final class Switch implements CounterSource {
    private final Map<Integer, Count> counts = new TreeMap<>();
    private int sessions;
    private int readings;
    private boolean fails;
    private boolean tells = true;

    void count(int port, long packets, long bytes) {
      counts.merge(
          port,
          new Count(packets, bytes),
          (a, b) -> new Count(a.packets() + b.packets(), a.bytes() + b.bytes()));
    }

    @Override
    public boolean tellsUnknown() {
      return tells;
    }

    @Override
    public void copyUnknown() {
      sessions++;
    }

    @Override
    public CompletableFuture<Map<Integer, Count>> readUnknown(List<Integer> ports) {
      assertThat(ports).containsExactly(1, 2);
      readings++;
      return fails
          ? CompletableFuture.failedFuture(new ControllerException("it is away"))
          : CompletableFuture.completedFuture(Map.copyOf(counts));
    }

    @Override
    public CompletableFuture<SubscriberCounters> readCounters(int subscriberIndex) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<List<QueueCounters>> readQueues(List<PortQueue> queues) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<List<DropStatus>> readDrops() {
      throw new UnsupportedOperationException();
    }
  }

  private static byte[] frame(String header, int length) {
    byte[] bytes = HexFormat.of().parseHex(MACS + header.replace(" ", ""));
    return Arrays.copyOf(bytes, length);
  }

  /** A packet of 10.9.9.SENDER. */
  private void copied(int sender, int length) {
    unknown.seen(1, frame("0800" + V4 + "0a0909%02x c6336401".formatted(sender), length));
  }

  private List<UnknownStatus> last() {
    return unknown.last().join();
  }

  /** The first copy begins it; from then on counters are read. */
  private void begin() {
    copied(1, 100);
    time.settle();
  }

  @Test
  void anAddressHasItsPartOfWhatThePortCounted() {
    begin();
    assertThat(last()).isEmpty();
    for (int i = 0; i < 75; i++) {
      copied(1, 1_000);
    }
    for (int i = 0; i < 25; i++) {
      copied(2, 1_000);
    }
    at.count(1, 30_000, 30_000_000);
    time.pass(UnknownAddresses.WINDOW);
    assertThat(last())
        .singleElement()
        .satisfies(
            port -> {
              assertThat(port.port()).isEqualTo(1);
              assertThat(port.direction()).isEqualTo(Direction.UP);
              assertThat(Duration.between(port.from(), port.to()))
                  .isEqualTo(UnknownAddresses.WINDOW);
              assertThat(port.bps()).isEqualTo(8_000_000);
              assertThat(port.packetsPerSecond()).isEqualTo(1_000);
              assertThat(port.addresses())
                  .containsExactly(
                      new UnknownStatus.Address("10.9.9.1", 6_000_000, 1_385_641),
                      new UnknownStatus.Address("10.9.9.2", 2_000_000, 800_000));
            });
  }

  @Test
  void whereNothingComesAnyMoreNothingIsAskedNorTold() {
    begin();
    copied(1, 100);
    time.pass(UnknownAddresses.WINDOW);
    assertThat(last()).hasSize(1);
    time.pass(UnknownAddresses.WINDOW);
    assertThat(last()).isEmpty();
    int readings = at.readings;
    time.pass(Duration.ofHours(1));
    assertThat(at.readings).isEqualTo(readings);
    begin();
    assertThat(at.readings).isEqualTo(readings + 1);
  }

  @Test
  void aCounterThatBeganAnewMakesNoSpikeAndOneThatCannotBeReadIsToldAndGoneOver() {
    at.count(1, 1_000, 1_000_000_000);
    begin();
    copied(1, 100);
    at.counts.clear();
    at.count(1, 30, 3_000);
    time.pass(UnknownAddresses.WINDOW);
    assertThat(last().get(0).bps()).isEqualTo(800);
    at.fails = true;
    copied(1, 100);
    time.pass(UnknownAddresses.WINDOW);
    assertThatThrownBy(this::last).hasMessageContaining("it is away");
    at.fails = false;
    at.count(1, 30, 1_000_000_000);
    copied(1, 100);
    time.pass(UnknownAddresses.WINDOW);
    assertThat(last()).isEmpty();
    copied(1, 100);
    at.count(1, 30, 3_000);
    time.pass(UnknownAddresses.WINDOW);
    assertThat(last().get(0).bps()).isEqualTo(800);
  }

  @Test
  void eachSessionIsToldOnceAndAProgramThatTellsNothingSaysSo() {
    unknown.follow(true);
    unknown.follow(true);
    unknown.follow(false);
    unknown.follow(true);
    assertThat(at.sessions).isEqualTo(2);
    at.tells = false;
    assertThatThrownBy(this::last).hasMessageContaining("tells no addresses");
  }

  @Test
  void aControllerTellsThemOfItsSwitch() {
    ControllerRig rig = ControllerRig.settled();
    int port =
        TestNetwork.config(Path.of("unused")).build().topology().entrances().entrySet().stream()
            .filter(each -> each.getValue() == Direction.UP)
            .findFirst()
            .orElseThrow()
            .getKey();
    String frame = MACS + "0800" + V4 + "0a090907c6336401";
    for (int i = 0; i < 2; i++) {
      rig.lines.come(port, Reason.OF_NO_SUBSCRIBER, frame);
      rig.time.settle();
    }
    rig.time.pass(UnknownAddresses.WINDOW);
    SwitchReadings<UnknownStatus> told = rig.controller.unknown().join();
    assertThat(told.unread()).isEmpty();
    assertThat(told.read().get(0).port()).isEqualTo(port);
    assertThat(told.read().get(0).addresses())
        .containsExactly(new UnknownStatus.Address("10.9.9.7", 0, 0));
  }

  @Test
  void addressesAreReadAsTheSwitchReadsThem() {
    String v4 = V4 + "0a090901 0a090902";
    String v6 =
        "6000000000003b40" + "20010db8000000000000000000000001" + "20010db8%024x".formatted(2);
    for (String header :
        List.of(
            "0800" + v4,
            "8100 2064 0800" + v4,
            "88a8 0064 8100 0007 0800" + v4,
            "9100 2064 8864 1100 0c1f 0048 0021" + v4,
            "8847 000100f0 7d001f40" + v4,
            "88b5 1234 8100 0007 0800" + v4)) {
      assertAddress(header, Direction.UP, "10.9.9.1");
      assertAddress(header, Direction.DOWN, "10.9.9.2");
    }
    for (String header :
        List.of("86dd" + v6, "8864 1100 0c1f 0048 0057" + v6, "8847 7d001f40" + v6)) {
      assertAddress(header, Direction.UP, "2001:db8::1");
      assertAddress(header, Direction.DOWN, "2001:db8::2");
    }
    for (String none : List.of("0806" + v4, "8864 1100 0c1f 0048 c021" + v4, "8847 7d001f40 00")) {
      assertThat(SampledFrame.address(frame(none, 100), Direction.UP)).isEmpty();
    }
    byte[] whole = frame("88a8 0064 8100 0007 0800" + v4, 42);
    for (int length = 0; length < whole.length; length++) {
      assertThat(SampledFrame.address(Arrays.copyOf(whole, length), Direction.UP)).isEmpty();
    }
  }

  private static void assertAddress(String header, Direction direction, String address) {
    assertThat(SampledFrame.address(frame(header, 120), direction).orElseThrow().addressText())
        .as(header)
        .isEqualTo(address);
  }
}
