package net.sluice.core.reconcile;

import static net.sluice.core.testing.TestNetwork.limit;
import static net.sluice.core.testing.TestNetwork.numbered;
import static net.sluice.core.testing.TestNetwork.policy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.sluice.core.ControllerConfig;
import net.sluice.core.InstallSummary.PerTarget;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.UnavailableException;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.store.InMemoryIntentStore;
import net.sluice.core.store.Revision;
import net.sluice.core.store.StoreException;
import net.sluice.core.testing.ControllerRig;
import net.sluice.core.testing.FaultyStore;
import net.sluice.core.testing.RandomChanges;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.FpgaSetting.StoreWord;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberPrefixEntry;
import net.sluice.intents.state.StoreIdentity;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A store that was put back from an older copy of itself takes nothing from a target unasked. */
class StoreGoneBackTest {
  private static final ControllerConfig CONFIG = TestNetwork.smallConfig().build();

  /** Ten of them more are far below what may be deleted unasked. */
  private static final int SUBSCRIBERS = 40;

  private static final String NOTHING = "";

  private InMemoryIntentStore store;
  private ControllerRig rig;

  @BeforeEach
  void fill() {
    store = new InMemoryIntentStore();
    rig = ControllerRig.create(TestNetwork.smallConfig(), store);
    rig.accept(policy("gold", BuiltInFunction.GOLD));
    declare(0, SUBSCRIBERS);
    rig.accept(limit("one", "sub-1"));
    pass();
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }

  private void declare(int from, int to) {
    for (int i = from; i < to; i++) {
      rig.accept(numbered(i));
    }
  }

  private void pass() {
    rig.time.pass(Duration.ofMinutes(1));
  }

  private void restart(InMemoryIntentStore with) {
    store = with;
    rig = rig.restart(CONFIG, with);
    pass();
  }

  private PerTarget target(String name) {
    return rig.controller.summary().target(name).orElseThrow();
  }

  private static void adopt(ControllerRig rig, String name) {
    try {
      rig.controller.adopt(name);
    } catch (Refusal e) {
      throw new AssertionError(e);
    }
    rig.time.pass(Duration.ofMinutes(1));
  }

  private static Optional<Revision> kept(ControllerRig rig) {
    // The old one goes when the new one is there.
    return rig.switchTarget.revision().values().stream()
        .map(entry -> Revision.of(StoreIdentity.revisionOf(entry).orElseThrow()))
        .max(Comparator.comparingLong(Revision::number));
  }

  private static String ifRevision(SwitchEntry entry, String words) {
    return StoreIdentity.revisionOf(entry).isPresent() ? words : NOTHING;
  }

  private void assertFilledFromStore() {
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
    CompactSlaState stored = TestNetwork.load(store);
    assertThat(rig.switchTarget.content()).isEqualTo(rig.expectedSwitch(stored));
    assertThat(rig.down.content().values())
        .containsExactlyInAnyOrderElementsOf(rig.expectedFpga(stored, Direction.DOWN));
    assertThat(kept(rig)).hasValue(store.history().revision());
    assertThat(rig.switchTarget.revision()).hasSize(1);
  }

  @Test
  void anOlderCopyChangesNothingBeforeItIsTold() throws Refusal {
    InMemoryIntentStore copy = store.copy();
    declare(64, 74);
    rig.accept(limit("two", "sub-64"));
    pass();
    Map<Object, SwitchEntry> before = new HashMap<>(rig.switchTarget.content());
    Map<Object, FpgaSetting> limits = new HashMap<>(rig.down.content());
    int writes = rig.switchTarget.writes().size();
    restart(copy);

    assertThat(target("switch").session()).isEqualTo(SessionState.REFUSING);
    assertThat(target("switch").sessionDetail())
        .contains(
            "refuses to correct the target: the store has gone back. It was known to have commits"
                + " up to revision 53, of which it has those up to 42. It is store"
                + " 5eed00005eed0001. The target holds "
                + (before.size() - 1)
                + " entries, of which 30 would be deleted."
                + " Nothing is written. If the store was put back on purpose, as from a backup,"
                + " adopt the target: POST /sluice/v1/targets/switch/adopt, or start the controller"
                + " with --adopt; if not, stop this controller and start it with the store as it"
                + " was");
    assertThat(target("fpga-down").sessionDetail().orElseThrow())
        .contains("state of the switch: refuses to correct");
    assertThat(rig.switchTarget.content()).isEqualTo(before);
    assertThat(rig.switchTarget.writes()).hasSize(writes);
    assertThat(rig.controller.drift("switch").repairs()).isZero();
    assertThat(rig.down.content()).isEqualTo(limits);

    // Each target is asked about on its own.
    adopt(rig, "switch");
    assertThat(target("fpga-down").session()).isEqualTo(SessionState.REFUSING);
    assertThat(target("fpga-down").sessionDetail().orElseThrow())
        .contains("up to revision 53, of which it has those up to 42", "1 would be deleted");
    assertThat(rig.down.content()).isEqualTo(limits);
    adopt(rig, "fpga-down");
    adopt(rig, "fpga-up");
    assertFilledFromStore();
    // From then on it is as any other store.
    restart(store);
    assertFilledFromStore();
  }

  @Test
  void whatIsDeclaredSinceDoesNotHideIt() throws Refusal {
    InMemoryIntentStore copy = store.copy();
    declare(SUBSCRIBERS, SUBSCRIBERS + 10);
    pass();
    Map<Object, SwitchEntry> before = new HashMap<>(rig.switchTarget.content());
    restart(copy);
    // More than were lost, and others, but for one.
    declare(100, 130);
    rig.accept(numbered(SUBSCRIBERS));
    rig.time.pass(Duration.ofHours(1));
    assertThat(target("switch").session()).as("audited").isEqualTo(SessionState.REFUSING);
    restart(store.copy());
    assertThat(target("switch").session()).as("restarted").isEqualTo(SessionState.REFUSING);
    assertThat(target("switch").sessionDetail().orElseThrow())
        .contains("revision 52, of which it has those up to 42; it has gone on to 73. ")
        .contains("18 would be deleted");
    assertThat(rig.switchTarget.content()).isEqualTo(before);
    assertThat(rig.controller.drift("switch").compared().revisionKept()).hasValue(52);
    assertThat(rig.controller.drift("switch").compared().revision()).isEqualTo(73);
  }

  @Test
  void whoStartsWithAdoptIsNotAsked() {
    InMemoryIntentStore copy = store.copy();
    declare(SUBSCRIBERS, SUBSCRIBERS + 10);
    pass();
    store = copy;
    rig = rig.restart(TestNetwork.smallConfig().comparing(TestNetwork.ADOPTING).build(), copy);
    pass();
    assertFilledFromStore();
  }

  @Test
  void anEmptyTargetIsFilledFromWhatThereIs() {
    InMemoryIntentStore copy = store.copy();
    declare(SUBSCRIBERS, SUBSCRIBERS + 10);
    pass();
    rig.switchTarget.content().clear();
    rig.down.content().clear();
    rig.up.content().clear();
    restart(copy);
    assertFilledFromStore();
  }

  /** The most that can go unnoticed: what was committed in the second after the last writing. */
  @Test
  void theTargetKeepsWhatWasCommittedUpToASecondAgo() {
    long last = store.history().revision().number();
    rig.accept(numbered(100));
    rig.time.pass(Duration.ofMillis(10));
    assertThat(kept(rig)).as("at once").hasValue(new Revision(1, last + 1));
    rig.accept(numbered(101));
    rig.accept(numbered(102));
    rig.time.pass(Duration.ofMillis(980));
    assertThat(kept(rig)).as("once a second").hasValue(new Revision(1, last + 1));
    rig.time.pass(Duration.ofMillis(10));
    assertThat(kept(rig)).hasValue(new Revision(1, last + 3));
    assertThat(rig.down.revision().values())
        .containsExactlyInAnyOrder(
            new StoreWord(Direction.DOWN, 2, (int) last + 3),
            new StoreWord(Direction.DOWN, 3, 1 << 8));
    // Nothing more is written while nothing is committed.
    rig.switchTarget.refuse((op, entity) -> ifRevision(entity, "no"));
    pass();
    assertThat(target("switch").sessionDetail()).isEmpty();
  }

  @Test
  void aTargetThatRefusesToKeepItKeepsWhatItHas() {
    Revision last = store.history().revision();
    rig.switchTarget.refuse(
        (op, entity) -> op == Op.DELETE ? NOTHING : ifRevision(entity, "no room"));
    rig.accept(numbered(100));
    pass();
    assertThat(kept(rig)).hasValue(last);
    assertThat(target("switch").sessionDetail())
        .hasValue("it refuses to keep how far the store has got: no room");
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
    rig.switchTarget.refuse((op, entity) -> NOTHING);
    rig.time.pass(Duration.ofHours(1));
    assertThat(target("switch").sessionDetail()).isEmpty();
    assertFilledFromStore();
  }

  @Test
  void anFpgaThatKeepsTheIdentityOnlyIsTaken() {
    rig.down.keepIdentityOnly();
    rig.down.revision().clear();
    rig.controller.reconcile();
    pass();
    InMemoryIntentStore copy = store.copy();
    rig.accept(numbered(100));
    pass();
    restart(copy);
    adopt(rig, "switch");
    assertThat(target("fpga-down").session()).isEqualTo(SessionState.READY);
    assertThat(target("fpga-up").session()).isEqualTo(SessionState.REFUSING);
    assertThat(rig.down.revision()).isEmpty();
  }

  /** While one half of a commit's bits is written, the words stand for none. */
  @Test
  void anFpgaThatIsLeftInTheMidstOfItIsNotTakenForAhead() {
    rig.down.place(new StoreWord(Direction.DOWN, 2, 99));
    rig.down.place(new StoreWord(Direction.DOWN, 3, 0));
    restart(store);
    assertFilledFromStore();
  }

  /** Nothing was written to the switch, which is away, of what the disk then lost. */
  @Test
  void aStoreThatComesBackOlderIsNoticedByWhoHasKnownItNewer() {
    FaultyStore disk = new FaultyStore();
    ControllerRig own = ControllerRig.create(TestNetwork.smallConfig(), disk);
    own.accept(policy("gold", BuiltInFunction.GOLD));
    own.accept(numbered(1));
    own.time.pass(Duration.ofMinutes(1));
    disk.keepCopy();
    own.switchTarget.reachable(false);
    own.accept(numbered(2));
    own.accept(numbered(3));
    disk.failWith(() -> new StoreException("input/output error"));
    assertThatThrownBy(() -> own.controller.apply(numbered(4)))
        .isInstanceOf(UnavailableException.class);
    disk.failWith(null);
    own.time.pass(Duration.ofMinutes(1));
    assertThat(own.controller.find(Kind.SUBSCRIBER, "sub-2")).as("lost").isEmpty();
    own.switchTarget.reachable(true);
    own.accept(numbered(5));
    own.time.pass(Duration.ofMinutes(1));

    PerTarget refusing = own.controller.summary().target("switch").orElseThrow();
    assertThat(refusing.session()).isEqualTo(SessionState.REFUSING);
    assertThat(refusing.sessionDetail().orElseThrow())
        .contains("up to revision 4, of which it has those up to 2; it has gone on to 3. ");
    adopt(own, "switch");
    own.controller.reconcile();
    own.time.pass(Duration.ofMinutes(1));
    assertThat(own.controller.summary().target("switch").orElseThrow().session())
        .isEqualTo(SessionState.READY);
    own.close();
  }

  /** From the opening of an older copy to the end of the session, say. */
  @Test
  void aTargetGoesOnKeepingWhatTheStoreHasLostUnderItsSession() {
    FaultyStore disk = new FaultyStore();
    ControllerRig own = ControllerRig.create(TestNetwork.smallConfig(), disk);
    own.accept(policy("gold", BuiltInFunction.GOLD));
    disk.keepCopy();
    own.accept(numbered(1));
    own.time.pass(Duration.ofMinutes(1));
    Revision last = disk.history().revision();
    disk.reopen();
    own.accept(numbered(2));
    own.time.pass(Duration.ofMinutes(1));
    assertThat(kept(own)).hasValue(last);
    own.controller.reconcile();
    own.time.pass(Duration.ofMinutes(1));
    assertThat(own.controller.summary().target("switch").orElseThrow().session())
        .isEqualTo(SessionState.REFUSING);
    own.close();
  }

  /**
   * Changes, lost sessions and restarts, then an older copy at a random moment: what the target is
   * known to have of the store by then it still has afterwards, until it is adopted. Restarts with
   * the store as it was, however suddenly, are never taken for that.
   */
  @Property(tries = 100, shrinking = ShrinkingMode.OFF, seed = "1")
  void nothingThatTheTargetKnowsOfIsDeletedByAnOlderCopy(@ForAll long seed) {
    Random random = new Random(seed);
    InMemoryIntentStore current = new InMemoryIntentStore();
    ControllerRig each =
        ControllerRig.create(TestNetwork.smallConfig().batchSize(1 + random.nextInt(20)), current);
    each.switchTarget.overtake(random, Duration.ofMillis(1 + random.nextInt(30)));
    RandomChanges changes = new RandomChanges(seed, 12);
    InMemoryIntentStore copy = current.copy();
    Map<Long, Set<SwitchEntry.Key>> inForce = new LinkedHashMap<>();
    inForce.put(0L, Set.of());
    int copied = random.nextInt(60);
    for (int step = 0; step < 60; step++) {
      if (step == copied) {
        copy = current.copy();
      }
      each.controller.applyAll(List.of(changes.next()));
      inForce.put(current.history().revision().number(), prefixes(each, current));
      switch (random.nextInt(12)) {
        case 0 -> each.switchTarget.reachable(false);
        case 1, 2 -> each.switchTarget.reachable(true);
        case 3 -> {
          each = each.restart();
          each.time.pass(Duration.ofMillis(100));
          assertThat(goneBack(each)).isFalse();
          adoptAll(each);
        }
        default -> each.time.pass(Duration.ofMillis(random.nextInt(500)));
      }
    }
    each.switchTarget.reachable(true);
    each.time.pass(Duration.ofMillis(random.nextInt(200)));
    assertThat(goneBack(each)).isFalse();
    Set<Object> known = new HashSet<>(each.switchTarget.content().keySet());
    known.retainAll(inForce.get(kept(each).map(Revision::number).orElse(0L)));
    known.retainAll(prefixes(each, current));
    Optional<Revision> kept = kept(each);

    each = each.restart(CONFIG, copy);
    each.time.pass(Duration.ofHours(1));
    assertThat(each.switchTarget.content().keySet()).containsAll(known);
    assertThat(goneBack(each)).isEqualTo(kept.isPresent() && !copy.history().has(kept.get()));
    adoptAll(each);
    assertThat(each.switchTarget.content()).isEqualTo(each.expectedSwitch(TestNetwork.load(copy)));
    each.close();
  }

  private static boolean goneBack(ControllerRig rig) {
    return rig.controller.summary().targets().stream()
        .filter(target -> target.session() == SessionState.REFUSING)
        .anyMatch(target -> target.sessionDetail().orElseThrow().contains("has gone back"));
  }

  /** Also what is refused because a controller that was killed does not know what it had to do. */
  private static void adoptAll(ControllerRig rig) {
    for (PerTarget target : rig.controller.summary().targets()) {
      if (target.session() == SessionState.REFUSING) {
        adopt(rig, target.target());
      }
    }
  }

  private static Set<SwitchEntry.Key> prefixes(ControllerRig rig, InMemoryIntentStore of) {
    return rig.expectedSwitch(TestNetwork.load(of)).values().stream()
        .filter(SubscriberPrefixEntry.class::isInstance)
        .map(SwitchEntry::key)
        .collect(Collectors.toSet());
  }

  @Test
  void deletionsOfTheLostPartAreNotUndoneEither() {
    InMemoryIntentStore copy = store.copy();
    rig.accept(new Change.Delete(Kind.SUBSCRIBER, "sub-7"));
    pass();
    Map<Object, SwitchEntry> before = new HashMap<>(rig.switchTarget.content());
    restart(copy);
    assertThat(target("switch").sessionDetail().orElseThrow())
        .contains("of which 0 would be deleted");
    assertThat(rig.switchTarget.content()).isEqualTo(before);
  }
}
