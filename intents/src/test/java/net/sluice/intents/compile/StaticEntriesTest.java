package net.sluice.intents.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Expected;
import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.FpgaSetting.RateWord;
import net.sluice.intents.plan.Grant;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.entry.queue.CongestionThresholdEntry;
import net.sluice.intents.plan.entry.queue.Gain;
import net.sluice.intents.state.InMemorySlaState;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.value.Direction;
import net.sluice.testing.Golden;
import org.junit.jupiter.api.Test;

class StaticEntriesTest {

  @Test
  void baseEntriesOfANetwork() {
    List<SwitchEntry> entries = Network.compiler().baseEntries().toList();
    assertThat(entries).filteredOn(e -> e.table() == Table.RATE_BIN).hasSize(1024);
    assertThat(entries).filteredOn(e -> e.table() == Table.RANDOM_RATE).hasSize(676);
    assertThat(entries.stream().map(SwitchEntry::key)).doesNotHaveDuplicates();
    Golden.check(
        "base-entries.txt",
        entries.stream()
            .filter(e -> e.table() != Table.RATE_BIN && e.table() != Table.RANDOM_RATE)
            .map(e -> e + "\n")
            .collect(Collectors.joining()));
  }

  @Test
  void emptyStateOpensEveryBucket() {
    Compiler compiler = Network.compiler();
    List<FpgaSetting> settings =
        compiler
            .expectedSettings(new InMemorySlaState(), Direction.UP)
            .map(Expected::entity)
            .toList();
    assertThat(settings).hasSize(3 + 8 + 8 + 512 + 32_768);
    assertThat(settings).allMatch(s -> s.direction() == Direction.UP);
    assertThat(settings)
        .filteredOn(RateWord.class::isInstance)
        .allMatch(s -> s.value() == 262_143)
        .hasSize(8 + 512 + 32_768);
    assertThat(settings).noneMatch(FpgaSetting::isOfDelay);
    assertThat(settings.stream().limit(11).map(s -> s + "\n").collect(Collectors.joining()))
        .isEqualTo(
            "BucketSize[direction=UP, level=CUSTOMER, bytes=2000]\n"
                + "BucketSize[direction=UP, level=TREE, bytes=32767]\n"
                + "BucketSize[direction=UP, level=PORT, bytes=32767]\n"
                + java.util.stream.IntStream.range(0, 8)
                    .mapToObj(c -> "QueueDepth[direction=UP, queueClass=" + c + ", bytes=262144]\n")
                    .collect(Collectors.joining()));
  }

  @Test
  void limitsAppearInTheSettings() {
    Compiler compiler = Network.compiler();
    InMemorySlaState state = Network.withPolicies(compiler);
    Network.apply(
        compiler, state, Network.put(Network.subscriber("a", "gold", 1, 2, "10.0.0.1/32")));
    Network.apply(
        compiler, state, Network.limit("l1", new Scope.OfSubscriber("a"), 3 * 1_001_603, 0, 9000));
    Network.apply(compiler, state, Network.limit("l2", new Scope.OfTree(1, 2), 5_008_013, 0, 0));
    Network.apply(compiler, state, Network.limit("l3", new Scope.OfPort(1), 7_011_218, 0, 0));
    assertThat(compiler.expectedSettings(state, Direction.DOWN).map(Expected::entity))
        .contains(
            new RateWord(Direction.DOWN, FpgaLevel.CUSTOMER, (1 << 12) | (2 << 6), 3),
            new RateWord(Direction.DOWN, FpgaLevel.TREE, (1 << 6) | 2, 5),
            new RateWord(Direction.DOWN, FpgaLevel.PORT, 1, 7),
            new FpgaSetting.BucketSize(Direction.DOWN, FpgaLevel.CUSTOMER, 9000));
    assertThat(
            compiler
                .expectedSettings(state, Direction.UP)
                .map(Expected::entity)
                .filter(setting -> setting.value() != 0 || !setting.isOfDelay())
                .toList())
        .isEqualTo(
            compiler
                .expectedSettings(new InMemorySlaState(), Direction.UP)
                .map(Expected::entity)
                .toList());
    // In a direction without a limit a customer has what its classes have.
    assertThat(compiler.expectedSettings(state, Direction.DOWN).map(Expected::entity))
        .filteredOn(FpgaSetting::isOfDelay)
        .hasSize(2)
        .allMatch(s -> s.value() != 0);
  }

  @Test
  void binsWithoutKeysAreNoted() {
    assertThat(Network.compiler().baseNotes()).isEmpty();
    Compiler narrow =
        new Compiler(
            Network.topology(),
            Network.SWITCH.withMarker(100_000_000, RandomRates.BITS_16),
            Network.FPGA);
    assertThat(narrow.baseNotes())
        .hasSize(1)
        .first()
        .asString()
        .matches(
            "\\d+ of 1024 rate bins contain no rate the switch can measure and have no entry; the"
                + " lowest resolved rate is 1000 bit/s");
  }

  @Test
  void limitInForceIsGrantedWhatItsPlanSaidUntilAnothersBurstGoes() {
    Compiler compiler = Network.compiler();
    InMemorySlaState state = Network.withPolicies(compiler);
    for (int i = 1; i <= 2; i++) {
      Network.apply(
          compiler,
          state,
          Network.put(Network.subscriber("s" + i, "gold", 0, 3, "10.0.0." + i + "/32")));
    }
    Network.apply(compiler, state, Network.limit("big", new Scope.OfSubscriber("s1"), 5, 0, 6000));
    Plan plan =
        Network.apply(
            compiler, state, Network.limit("l", new Scope.OfSubscriber("s2"), 5, 5_008_013, 3000));
    RateLimit limit = state.rateLimit("l").orElseThrow();
    assertThat(compiler.inForce(state, limit).grants()).isEqualTo(plan.grants());
    assertThat(compiler.inForce(state, limit).grants().stream().map(Grant::granted))
        .containsExactly(6000.0, 3000.0, 1_001_603.0, 5_008_013.0);
    Network.apply(compiler, state, new Change.Delete(Kind.RATE_LIMIT, "big"));
    // s1 has lost its queue: nobody is in need of more than what was asked for.
    assertThat(compiler.inForce(state, limit).grants().stream().map(Grant::granted))
        .containsExactly(3000.0, 3000.0, 1_001_603.0, 5_008_013.0);
    Network.apply(compiler, state, Network.limit("tree", new Scope.OfTree(0, 3), 0, 5, 0));
    assertThat(compiler.inForce(state, limit).grants().stream().map(Grant::granted))
        .containsExactly(3000.0, 32_767.0, 1_001_603.0, 5_008_013.0);
  }

  @Test
  void noSidecarMeansNoSettings() {
    Compiler compiler =
        new Compiler(
            Network.topology(OptionalInt.of(4), OptionalInt.empty()), Network.SWITCH, Network.FPGA);
    assertThat(compiler.expectedSettings(new InMemorySlaState(), Direction.UP)).isEmpty();
    assertThat(compiler.baseEntries().filter(e -> e.table() == Table.SIDECAR)).hasSize(1);
  }

  @Test
  void subscriberOnAPortThatIsGoneIsAFault() {
    Compiler compiler = Network.compiler();
    InMemorySlaState state = Network.withPolicies(compiler);
    SubscriberState stray =
        new SubscriberState(Network.subscriber("x", "gold", 7, 0, "10.0.0.1/32"), 1, -1);
    assertThatThrownBy(() -> compiler.expected(state, stray, entry -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "subscriber x is attached to BNG port 7, which this topology does not connect;"
                + " connected: 0, 1, 2");
    SubscriberState orphan =
        new SubscriberState(Network.subscriber("x", "tin", 0, 0, "10.0.0.1/32"), 1, -1);
    assertThatThrownBy(() -> compiler.expected(state, orphan, entry -> {}))
        .hasMessage("subscriber x has policy tin, which the store does not hold");
  }

  @Test
  void tuningFollowsThePortsRate() {
    assertThat(AqmTuning.forPort(1, 1_000_000_000))
        .isEqualTo(new CongestionThresholdEntry(1, Gain.FAST, 5_000, 20_000, 1_000, 1_000, 10_000));
    assertThat(AqmTuning.forPort(1, 500_000_000).gain()).isEqualTo(Gain.FAST);
    assertThat(AqmTuning.forPort(1, 499_999_999).gain()).isEqualTo(Gain.MEDIUM);
    assertThat(AqmTuning.forPort(1, 50_000_000))
        .isEqualTo(
            new CongestionThresholdEntry(1, Gain.MEDIUM, 9_600, 38_400, 1_000, 1_000, 19_200));
    assertThat(AqmTuning.forPort(1, 10_000_000))
        .isEqualTo(
            new CongestionThresholdEntry(1, Gain.MEDIUM, 48_000, 192_000, 1_000, 3_600, 96_000));
    assertThat(AqmTuning.forPort(1, 8_000_000).gain()).isEqualTo(Gain.MEDIUM);
    assertThat(AqmTuning.forPort(1, 7_999_999).gain()).isEqualTo(Gain.SLOW);
    assertThat(AqmTuning.forPort(1, 1))
        .isEqualTo(
            new CongestionThresholdEntry(
                1, Gain.SLOW, 100_000, 400_000, 1_000, (1L << 32) - 1, 200_000));
  }
}
