package net.sluice.it.fpga;

import static net.sluice.it.fpga.ShapedNetwork.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import net.sluice.intents.model.Scope.OfPort;
import net.sluice.intents.model.Scope.OfSubscriber;
import net.sluice.intents.model.Scope.OfTree;
import net.sluice.intents.plan.FpgaLevel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a rate limit is granted is what the FPGA lets through in the long run: from declaration over
 * plan and register bus to packets, in virtual time. The only error allowed is what a bucket may
 * hold more at one end of the measurement than at the other, and one packet.
 */
class GrantedRatesTest {
  private static final long MEASURED = SECOND / 2;

  private final ShapedNetwork network = new ShapedNetwork();

  private static double bytes(double rateBps) {
    return rateBps / 8 * MEASURED / SECOND;
  }

  private void assertGranted(
      long bytes, double grantedBps, FpgaLevel level, int packetBytes, String what) {
    double expected = bytes(grantedBps);
    double physics = (double) network.bucketBytes(level) + packetBytes;
    assertThat(physics).as("what a bucket may hold, of %s", what).isLessThan(expected / 10);
    assertThat((double) bytes).as("bytes of %s", what).isCloseTo(expected, within(physics));
  }

  @ParameterizedTest
  @CsvSource({
    "10000000, 1500",
    "50000000, 1500",
    "500000000, 1500",
    "2000000000, 1500",
    "2000000000, 1474",
    "500000000, 200",
    "3900000000, 1500",
    "3902744391, 1500",
    "1, 64"
  })
  void aLimitOfItsOwn(long limitBps, int packetBytes) {
    network.subscriber("alice", 1, 0, 0);
    double grantedBps = network.limit("cap", new OfSubscriber("alice"), limitBps);
    network.offer("alice", packetBytes, 1.3 * grantedBps);
    network.runFor(SECOND / 5);
    long[] got = network.bytesWithin(MEASURED, List.of(List.of("alice")));
    assertThat(network.waiting("alice")).isPositive();
    assertGranted(got[0], grantedBps, FpgaLevel.CUSTOMER, packetBytes, "alice");
  }

  @Test
  void limitsOfTheirOwnSideBySide() {
    long[] limitsBps = {10_000_000, 50_000_000, 500_000_000, 2_000_000_000};
    double[] grantedBps = new double[limitsBps.length];
    List<List<String>> ids = new ArrayList<>();
    for (int i = 0; i < limitsBps.length; i++) {
      String id = "s" + i;
      // The last two share a tree.
      network.subscriber(id, i, i / 3, i / 2);
      grantedBps[i] = network.limit("cap-" + i, new OfSubscriber(id), limitsBps[i]);
      ids.add(List.of(id));
    }
    for (int i = 0; i < limitsBps.length; i++) {
      network.offer("s" + i, 1_400, 1.3 * grantedBps[i]);
    }
    network.runFor(SECOND / 5);
    long[] got = network.bytesWithin(MEASURED, ids);
    for (int i = 0; i < limitsBps.length; i++) {
      assertGranted(got[i], grantedBps[i], FpgaLevel.CUSTOMER, 1_400, "s" + i);
    }
  }

  @Test
  void limitsOnAllPortsThatTakeASixthOfTheLine() {
    List<List<String>> ids = new ArrayList<>();
    double[] grantedBps = new double[8];
    for (int port = 0; port < 8; port++) {
      String id = "s" + port;
      network.subscriber(id, port, port, 9 * port);
      grantedBps[port] = network.limit("cap-" + port, new OfSubscriber(id), 2_080_000_000L);
      ids.add(List.of(id));
    }
    for (int port = 0; port < 8; port++) {
      network.offer("s" + port, 1_500, 1.2 * grantedBps[port]);
    }
    network.runFor(SECOND / 10);
    long[] got = network.bytesWithin(MEASURED, ids);
    for (int port = 0; port < 8; port++) {
      assertGranted(got[port], grantedBps[port], FpgaLevel.CUSTOMER, 1_500, "s" + port);
    }
  }

  @ParameterizedTest
  @CsvSource({"1500", "1474", "200"})
  void aPortWithoutALimitPassesABucketARoundAndMore(int packetBytes) {
    List<List<String>> ids = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      String id = "s" + i;
      network.subscriber(id, i, 7, 20 * i);
      network.limit("cap-" + i, new OfSubscriber(id), 3_800_000_000L);
      ids.add(List.of(id));
    }
    ids.forEach(id -> network.offer(id.get(0), packetBytes, 4e9));
    network.runFor(SECOND / 20);
    long[] got = network.bytesWithin(SECOND / 10, ids);
    double bps = (got[0] + got[1] + got[2]) * 8 * 10.0;
    // A round is as much longer as the line is in use: 4.8 to 10 Gbit/s of its 100.
    assertThat(bps).isBetween(network.unlimitedBps() * 0.9, network.unlimitedBps() * 2.0);
  }

  @ParameterizedTest
  @CsvSource({"1, 1000000000", "1, 3900000000", "2, 1000000000", "40, 1000000000", "3, 20000000"})
  void aTreeOfUnlimitedSubscribers(int subscribers, long limitBps) {
    List<String> ids = subscribers(subscribers, 7, false);
    double grantedBps = network.limit("tree", new OfTree(7, 5), limitBps);
    ids.forEach(id -> network.offer(id, 1_500, 1.3 * grantedBps));
    network.runFor(SECOND / 5);
    long[] got = network.bytesWithin(MEASURED, List.of(ids));
    assertGranted(got[0], grantedBps, FpgaLevel.TREE, 1_500, "the tree");
  }

  @ParameterizedTest
  @CsvSource({"1, 3000000000", "12, 3000000000", "12, 3900000000", "5, 30000000"})
  void aPortOfUnlimitedTrees(int subscribers, long limitBps) {
    List<String> ids = subscribers(subscribers, 7, true);
    double grantedBps = network.limit("port", new OfPort(7), limitBps);
    ids.forEach(id -> network.offer(id, 1_500, 1.3 * grantedBps));
    network.runFor(SECOND / 5);
    long[] got = network.bytesWithin(MEASURED, List.of(ids));
    assertGranted(got[0], grantedBps, FpgaLevel.PORT, 1_500, "the port");
  }

  @Test
  void everyLevelLimitedAtOnce() {
    List<String> ids = subscribers(6, 7, false);
    network.subscriber("other", 100, 7, 60);
    double ownBps = network.limit("own", new OfSubscriber("s0"), 10_000_000);
    double treeBps = network.limit("tree", new OfTree(7, 5), 1_000_000_000);
    double portBps = network.limit("port", new OfPort(7), 3_000_000_000L);
    ids.forEach(id -> network.offer(id, 1_500, 400e6));
    network.offer("other", 1_500, 3.5e9);
    network.runFor(SECOND / 5);
    long[] got = network.bytesWithin(MEASURED, List.of(List.of("s0"), ids, List.of("other")));
    assertGranted(got[0], ownBps, FpgaLevel.CUSTOMER, 1_500, "s0");
    assertGranted(got[1], treeBps, FpgaLevel.TREE, 1_500, "the tree");
    assertGranted(got[1] + got[2], portBps, FpgaLevel.PORT, 1_500, "the port");
  }

  @Test
  void limitsThatComeAndGoLeaveTheOthersTheirs() {
    network.subscriber("alice", 1, 0, 0);
    network.subscriber("bob", 2, 0, 0);
    double aliceBps = network.limit("a", new OfSubscriber("alice"), 50_000_000);
    network.offer("alice", 1_500, 100e6);
    assertThat(network.bucketBytes(FpgaLevel.CUSTOMER)).isEqualTo(2_000);
    network.limit("b", new OfSubscriber("bob"), 500_000_000);
    assertThat(network.bucketBytes(FpgaLevel.CUSTOMER)).isEqualTo(1_599 + 8 * 500);
    network.assertHoldsWhatIsExpected();
    long[] both = network.bytesWithin(MEASURED, List.of(List.of("alice")));
    network.limit("t", new OfTree(0, 0), 1_000_000_000);
    network.unlimit("b");
    assertThat(network.bucketBytes(FpgaLevel.CUSTOMER)).isEqualTo(32_767);
    double treeBps = network.limit("t", new OfTree(0, 0), 600_000_000);
    network.offer("bob", 1_500, 900e6);
    network.runFor(SECOND / 5);
    network.assertHoldsWhatIsExpected();
    List<List<String>> groups = List.of(List.of("alice"), List.of("alice", "bob"));
    long[] tree = network.bytesWithin(MEASURED, groups);
    network.unlimit("t");
    assertThat(network.bucketBytes(FpgaLevel.CUSTOMER)).isEqualTo(2_000);
    network.assertHoldsWhatIsExpected();
    assertGranted(both[0], aliceBps, FpgaLevel.CUSTOMER, 1_500, "alice beside bob");
    assertGranted(tree[0], aliceBps, FpgaLevel.TREE, 1_500, "alice in the tree");
    assertGranted(tree[1], treeBps, FpgaLevel.TREE, 1_500, "the tree");
  }

  /** Subscribers of a port: in tree 5, or each in a tree of its own. */
  private List<String> subscribers(int count, int port, boolean spread) {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      network.subscriber("s" + i, i, port, spread ? 5 * i : 5);
      ids.add("s" + i);
    }
    return ids;
  }
}
