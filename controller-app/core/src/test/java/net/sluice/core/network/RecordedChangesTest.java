package net.sluice.core.network;

import static net.sluice.core.testing.NetworkRig.at;
import static net.sluice.core.testing.TestNetwork.limit;
import static net.sluice.core.testing.TestNetwork.numbered;
import static net.sluice.core.testing.TestNetwork.policy;
import static net.sluice.core.testing.TestNetwork.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.sluice.core.ControllerEvent;
import net.sluice.core.ControllerException;
import net.sluice.core.store.InMemoryNetworkStore;
import net.sluice.core.store.InMemoryNetworkStore.Fate;
import net.sluice.core.store.Journal;
import net.sluice.core.testing.NetworkRig;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which changes are recorded with a commit: those of which listeners are told. */
class RecordedChangesTest {
  private static final String JOURNAL = "events";
  private static final Change GOLD = policy("gold", BuiltInFunction.GOLD);

  private final InMemoryNetworkStore store = new InMemoryNetworkStore();
  private final List<String> told = new ArrayList<>();
  private final List<Integer> commits = new ArrayList<>();
  private NetworkRig rig;

  @BeforeEach
  void connect() {
    store.recordChanges(JOURNAL, this::records);
    rig = NetworkRig.create(store, "bng1", "bng2");
    rig.controller.listen(
        event -> {
          if (event instanceof ControllerEvent.ChangeAccepted of) {
            told.add(text(of.change()));
          }
        });
    rig.time.pass(Duration.ofSeconds(1));
    rig.accept(GOLD);
  }

  @AfterEach
  void close() {
    rig.close();
  }

  private List<Journal.Item> records(List<Change> changes) {
    commits.add(changes.size());
    return changes.stream()
        .map(each -> new Journal.Item(1, text(each).getBytes(StandardCharsets.UTF_8)))
        .toList();
  }

  private static String text(Change change) {
    return (change instanceof Change.Put ? "put " : "delete ") + change.kind() + " " + change.id();
  }

  private List<String> recorded() {
    return store.journal(JOURNAL).read(0, Integer.MAX_VALUE).stream()
        .map(entry -> new String(entry.bytes(), StandardCharsets.UTF_8))
        .toList();
  }

  private static Change delete(Kind kind, String id) {
    return new Change.Delete(kind, id);
  }

  private void assertRecordedSince(int before, String... texts) {
    rig.time.settle();
    assertThat(recorded()).isEqualTo(told);
    assertThat(recorded().subList(before, recorded().size())).containsExactly(texts);
  }

  @Test
  void aChangeOfSeveralSwitchesIsRecordedOnce() {
    assertRecordedSince(0, "put POLICY gold");
    rig.accept(at("bng1", put("alice", "10.0.0.1/32")));
    rig.accept(limit("limit", "alice"));
    assertRecordedSince(1, "put SUBSCRIBER alice", "put RATE_LIMIT limit");
    // It moves with its limit, and is deleted where it was once it is at the other switch.
    rig.accept(at("bng2", put("alice", "10.0.0.1/32")));
    rig.time.pass(Duration.ofSeconds(1));
    assertRecordedSince(3, "put SUBSCRIBER alice", "put RATE_LIMIT limit");
    rig.accept(delete(Kind.RATE_LIMIT, "limit"));
    rig.accept(delete(Kind.SUBSCRIBER, "alice"));
    rig.accept(delete(Kind.POLICY, "gold"));
    assertRecordedSince(
        5, "delete RATE_LIMIT limit", "delete SUBSCRIBER alice", "delete POLICY gold");
  }

  @Test
  void aLimitThatMovesIsRecordedOnce() {
    Scope port = new Scope.OfPort(1);
    rig.accept(at("bng1", limit("port", port, 1_000_000, 1_000_000)));
    rig.accept(at("bng2", limit("port", port, 1_000_000, 1_000_000)));
    assertRecordedSince(1, "put RATE_LIMIT port", "put RATE_LIMIT port");
  }

  @Test
  void aChangeThatStoresNothingIsRecordedAndARefusedOneIsNot() {
    rig.accept(GOLD);
    rig.accept(GOLD);
    assertThat(rig.controller.apply(delete(Kind.POLICY, "silver")).isAccepted()).isFalse();
    assertThat(rig.controller.dryRun(policy("silver", BuiltInFunction.SILVER)).isAccepted())
        .isTrue();
    assertRecordedSince(1, "put POLICY gold", "put POLICY gold");
  }

  @Test
  void theRecordsOfABulkAreMadeTogether() {
    List<Change> bulk = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      bulk.add(at(i % 2 == 0 ? "bng1" : "bng2", numbered(i)));
    }
    commits.clear();
    rig.controller.applyAll(bulk).forEach(outcome -> assertThat(outcome.isAccepted()).isTrue());
    assertThat(commits).containsExactly(100);
    rig.time.settle();
    assertThat(recorded()).isEqualTo(told).hasSize(101);
  }

  @Test
  void aSetIsRecordedChangeByChange() {
    rig.accept(at("bng1", put("alice", "10.0.0.1/32")));
    commits.clear();
    rig.controller.applyTogether(
        List.of(
            at("bng2", put("alice", "10.0.0.1/32")),
            at("bng1", put("bob", "10.0.0.2/32")),
            policy("silver", BuiltInFunction.SILVER)),
        false);
    assertThat(commits).containsExactly(3);
    rig.time.settle();
    assertThat(recorded()).isEqualTo(told);
    assertThat(recorded().subList(2, 5))
        .containsExactlyInAnyOrder(
            "put SUBSCRIBER alice", "put SUBSCRIBER bob", "put POLICY silver");
  }

  @Test
  void aCommitThatFailsIsRecordedIfItCountsAfterAll() {
    for (Fate fate : Fate.values()) {
      store.breakNext(fate);
      assertThatThrownBy(() -> rig.accept(policy(fate.name(), BuiltInFunction.SILVER)))
          .isInstanceOf(ControllerException.class);
      rig.time.pass(Duration.ofMinutes(1));
    }
    assertThat(rig.controller.find(Kind.POLICY, "KEPT")).isPresent();
    assertThat(recorded()).containsExactly("put POLICY gold", "put POLICY KEPT");
  }
}
