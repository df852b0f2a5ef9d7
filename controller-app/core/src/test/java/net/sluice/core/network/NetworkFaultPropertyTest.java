package net.sluice.core.network;

import static net.sluice.core.testing.NetworkRig.at;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.sluice.core.Conflict;
import net.sluice.core.ControllerConfig;
import net.sluice.core.ControllerException;
import net.sluice.core.Declared;
import net.sluice.core.InstallSummary.PerTarget;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.Outcome;
import net.sluice.core.Page;
import net.sluice.core.Selection;
import net.sluice.core.SwitchStatus;
import net.sluice.core.TargetState;
import net.sluice.core.network.NetworkModel.Key;
import net.sluice.core.network.NetworkModel.Placed;
import net.sluice.core.network.NetworkModel.Refusals;
import net.sluice.core.store.InMemoryNetworkStore;
import net.sluice.core.store.InMemoryNetworkStore.Fate;
import net.sluice.core.testing.FaultPlan;
import net.sluice.core.testing.MemoryTarget;
import net.sluice.core.testing.NetworkRig;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Expected;
import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.FpgaSetting.RateWord;
import net.sluice.intents.plan.QueueId;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.marker.PolicyValueEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.plan.entry.subscriber.SubscriberPrefixEntry;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.state.InMemorySlaState;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;

/**
 * Three switches, and all that can happen to them, to their controller and to its store, while
 * subscribers come, move with their limits and go. Whoever is told to be served is served by some
 * switch at every moment until deleted. Whenever nothing is wrong any more, everyone is at the
 * switch, and only there, that was acknowledged last, as declared; whatever was refused had a
 * reason by what was acknowledged.
 */
class NetworkFaultPropertyTest {
  private static final List<String> SWITCHES = List.of("bng1", "bng2", "bng3");
  private static final int ROUNDS = 3;
  private static final int STEPS = 40;

  @Property(tries = 60, shrinking = ShrinkingMode.OFF, seed = "1")
  void whatWasAcknowledgedIsServedAtOneSwitch(@ForAll long seed) {
    new Run(seed).run();
  }

  @Tag("long")
  @Property(tries = 1000, shrinking = ShrinkingMode.OFF, seed = "2")
  void whatWasAcknowledgedIsServedAtOneSwitchByFarMoreSeeds(@ForAll long seed) {
    new Run(seed).run();
  }

  /**
   * How a switch serves a subscriber.
   *
   * @param at the switch
   * @param index of the subscriber
   * @param policySlot of its policy
   * @param words its rates at the FPGAs, as far as the switch passes its packets there
   */
  private record Service(String at, int index, int policySlot, List<Integer> words) {}

  private static final class Run {
    private static final int SUBSCRIBERS = 6;
    private static final int LIMITS = 4;
    private static final int SHARED_PREFIXES = 2;
    private static final int SMALL = 4;
    private static final List<BuiltInFunction> CURVES = List.of(BuiltInFunction.values());

    private final Random random;
    private final InMemoryNetworkStore store = new InMemoryNetworkStore();
    private final NetworkRig rig = NetworkRig.over(store);
    private final NetworkModel model = new NetworkModel();

    /** A switch with room for few subscribers, if there is one. */
    private final String small;

    private final SwitchProfile profile = TestNetwork.switchProfile(100_000);
    private final Compiler compiler =
        new Compiler(TestNetwork.topology(), profile, TestNetwork.fpgaProfile());
    private final Map<Policy, List<PolicyValueEntry>> curves = new HashMap<>();

    /** Subscribers that were told to be served since they were declared last. */
    private final Set<String> promised = new HashSet<>();

    /** What should not have happened at a moment. */
    private final List<String> broken = new ArrayList<>();

    /** How each subscriber was served when it was last told to be. */
    private final Map<String, Service> seen = new HashMap<>();

    /** How those who leave a switch are served there, by id and switch. */
    private final Map<String, Service> left = new HashMap<>();

    private final List<String> diary = new ArrayList<>();

    Run(long seed) {
      random = new Random(seed);
      small = random.nextInt(3) == 0 ? anySwitch() : "";
      boolean isCramped = random.nextInt(3) == 0;
      boolean overtakes = random.nextBoolean();
      for (String name : SWITCHES) {
        ControllerConfig.Builder config =
            TestNetwork.smallConfig(TestNetwork.switchProfile(name.equals(small) ? SMALL : 100_000))
                .batchSize(1 + random.nextInt(20))
                .window(1 + random.nextInt(5))
                .refusedRetry(Duration.ofSeconds(1))
                .auditInterval(Optional.empty());
        if (isCramped) {
          config.queueCapacity(40).roomWait(Duration.ofNanos(1));
        }
        rig.add(name, config.build());
        rig.switches.get(name).onDelete(this::deleted);
        if (overtakes) {
          Duration slowest = Duration.ofMillis(1 + random.nextInt(30));
          rig.switches.get(name).overtake(random, slowest);
          fpgas(name).forEach(fpga -> fpga.overtake(random, slowest));
        }
      }
      rig.open();
      change(TestNetwork.policy("gold", BuiltInFunction.GOLD));
    }

    private String anySwitch() {
      return SWITCHES.get(random.nextInt(SWITCHES.size()));
    }

    private Stream<MemoryTarget<FpgaSetting>> fpgas(String name) {
      return Stream.of(Direction.values()).map(direction -> rig.fpga(name, direction));
    }

    private List<String> present() {
      return SWITCHES.stream().filter(name -> !model.isAway(name)).toList();
    }

    void run() {
      try {
        for (int round = 0; round < ROUNDS; round++) {
          comeOrLeave();
          for (int step = 0; step < STEPS; step++) {
            step();
            letTimePass();
            lookAround();
          }
          calmDown();
          check();
        }
        rig.close();
      } catch (RuntimeException | AssertionError e) {
        int from = Math.max(0, diary.size() - 400);
        throw new AssertionError(
            e.getMessage() + "\n" + String.join("\n", diary.subList(from, diary.size())), e);
      }
    }

    private void note(String words) {
      diary.add(rig.time.instant() + " " + words);
    }

    // -------------------------------------------------------------- what happens

    private void letTimePass() {
      switch (random.nextInt(4)) {
        case 0 -> rig.time.pass(Duration.ofMillis(random.nextInt(400)));
        case 1 -> rig.time.settle();
        case 2 ->
            IntStream.range(0, random.nextInt(30))
                .takeWhile(unused -> rig.time.step())
                .forEach(unused -> {});
        default -> {}
      }
    }

    private void step() {
      String name = anySwitch();
      MemoryTarget<SwitchEntry> target = rig.switches.get(name);
      switch (random.nextInt(36)) {
        case 0 -> reachable(name, false);
        case 1, 2 -> reachable(name, true);
        case 3 -> {
          // Its session only; the others stand.
          reachable(name, false);
          reachable(name, true);
        }
        case 4 -> {
          note(name + " holds answers back");
          target.holdAnswers();
          fpgas(name).forEach(MemoryTarget::holdAnswers);
        }
        case 5 -> answer(name);
        case 6 -> {
          note("an FPGA of " + name + " blips");
          MemoryTarget<FpgaSetting> fpga = rig.fpga(name, Direction.DOWN);
          fpga.reachable(false);
          fpga.reachable(true);
        }
        case 7 -> faults(name);
        case 8 -> calm(name);
        case 9 -> {
          reachable(name, false);
          note(name + " forgets all it holds");
          promised.removeIf(id -> serves(name, id));
          target.content().clear();
        }
        case 10 -> putSwitch(name);
        case 11 -> deleteSwitch(name);
        case 12 -> rig.controller.reconcile();
        case 13 -> rig.time.pass(Duration.ofMillis(random.nextInt(5_000)));
        case 14 -> kill();
        case 15 -> {
          breakStore();
          change(anyChange());
          kill();
        }
        case 16 -> breakStore();
        case 17 -> {
          boolean full = random.nextBoolean();
          note("store is full: " + full);
          store.full(full);
        }
        case 18, 19 -> bulk();
        case 20 -> mendConflict();
        case 21 -> comeBack();
        default -> change(anyChange());
      }
    }

    private void reachable(String name, boolean can) {
      note(name + " is reachable: " + can);
      rig.switches.get(name).reachable(can);
    }

    private void answer(String name) {
      note(name + " answers");
      rig.switches.get(name).answerAll();
      fpgas(name).forEach(MemoryTarget::answerAll);
    }

    private void faults(String name) {
      note(name + " misbehaves");
      rig.plan(
          name,
          new FaultPlan(
              random.nextLong(),
              random.nextInt(3) * 0.2,
              random.nextInt(3) * 0.05,
              random.nextInt(3) * 0.05,
              random.nextInt(3) * 0.005,
              random.nextInt(3) * 0.1,
              Duration.ofMillis(random.nextInt(3) * 20)));
    }

    private void calm(String name) {
      note(name + " behaves");
      rig.plan(name, FaultPlan.none());
      reachable(name, true);
      answer(name);
    }

    private void breakStore() {
      Fate fate = random.nextBoolean() ? Fate.KEPT : Fate.LOST;
      note("next commit fails and is " + fate);
      store.breakNext(fate);
    }

    private void kill() {
      note("the controller is killed");
      store.full(false);
      store.reopen();
      rig.open(present());
    }

    private void putSwitch(String name) {
      if (model.isAway(name)) {
        return;
      }
      boolean isWell = store.isWell();
      note("PUT " + name);
      try {
        boolean created = rig.controller.put(rig.member(name));
        assertThat(created).isFalse();
      } catch (ControllerException e) {
        assertExpected(e, isWell);
        note("failed: " + e.getMessage());
      } catch (Refusal e) {
        throw new AssertionError("switch " + name + " is as it was", e);
      }
    }

    private void deleteSwitch(String name) {
      if (present().size() < SWITCHES.size() || !model.isCertain() || model.mayBeMended()) {
        return;
      }
      boolean isWell = store.isWell();
      boolean isUsed =
          model.inForce().values().stream().anyMatch(placed -> placed.at().equals(name))
              || model.hasConflicts(name);
      note("DELETE " + name);
      try {
        rig.controller.remove(name);
        assertThat(isUsed).as(name + " is used").isFalse();
        model.isDeleted(name);
      } catch (ControllerException e) {
        assertExpected(e, isWell);
        assertThat(rig.controller.switches()).hasSize(SWITCHES.size());
        note("failed: " + e.getMessage());
      } catch (Refusal e) {
        note("refused: " + e.getMessage());
        assertThat(isUsed || model.mayLeave(name)).as(e.getMessage()).isTrue();
      }
    }

    /** At a moment at which nothing is in doubt and all is installed. */
    private void comeOrLeave() {
      if (present().size() < SWITCHES.size()) {
        if (random.nextBoolean()) {
          comeBack();
        }
      } else if (random.nextInt(3) == 0) {
        // Some are on their way as it leaves.
        reachable(anySwitch(), false);
        for (int i = random.nextInt(6); i > 0; i--) {
          change(anyChange());
          letTimePass();
          lookAround();
        }
        if (model.isCertain()) {
          String name = anySwitch();
          note(name + " is left out");
          model.leaves(name);
          kill();
        }
      }
    }

    private void comeBack() {
      if (present().size() == SWITCHES.size() || !model.isCertain() || !store.isWell()) {
        return;
      }
      String name = SWITCHES.stream().filter(model::isAway).findAny().orElseThrow();
      note(name + " comes back");
      if (random.nextBoolean()) {
        model.comesBack(name);
        kill();
      } else {
        try {
          boolean created = rig.controller.put(rig.member(name));
          assertThat(created).isTrue();
          model.comesBack(name);
        } catch (ControllerException e) {
          // The store has not been opened again yet.
          note("failed: " + e.getMessage());
          return;
        } catch (Refusal e) {
          throw new AssertionError(name + " has room for all", e);
        }
      }
      // What it is not to serve any more it may forget at once.
      promised.removeIf(
          id ->
              SWITCHES.stream().filter(each -> !each.equals(name)).noneMatch(at -> serves(at, id)));
      left.clear();
    }

    private void mendConflict() {
      List<Conflict> conflicts = rig.controller.conflicts(Page.MAX_LIMIT);
      if (conflicts.isEmpty() || !model.isCertain()) {
        return;
      }
      Conflict conflict = conflicts.get(random.nextInt(conflicts.size()));
      Declaration declaration = conflict.declared();
      String name = conflict.switchName();
      boolean isWell = store.isWell();
      boolean declares = random.nextBoolean();
      note((declares ? "declare " : "forget ") + conflict);
      seen.clear();
      left.clear();
      Change.Put put =
          new Change.Put(
              declaration,
              declaration.kind() == Kind.POLICY || isOwnLimit(declaration)
                  ? Optional.empty()
                  : Optional.of(name));
      try {
        if (declares) {
          Optional<Refusals> refusals = model.refusals(put, name.equals(small));
          Outcome outcome =
              rig.controller.declareConflict(name, declaration.kind(), declaration.id());
          made(put, outcome, refusals);
          if (!outcome.isAccepted()) {
            return;
          }
        } else {
          rig.controller.forgetConflict(name, declaration.kind(), declaration.id());
        }
        model.mended(name, declaration.kind(), declaration.id());
      } catch (ControllerException e) {
        failed(declares ? List.of(put) : List.of(), e.getMessage());
        model.mayBeMended(name, declaration);
        assertExpected(e, isWell);
      } catch (Refusal e) {
        throw new AssertionError("there is " + conflict, e);
      }
    }

    // -------------------------------------------------------------- changes

    private Change anyChange() {
      String id = "s" + random.nextInt(SUBSCRIBERS);
      String limit = "l" + random.nextInt(LIMITS);
      String name = present().get(random.nextInt(present().size()));
      return switch (random.nextInt(20)) {
        case 0, 1 -> new Change.Delete(Kind.SUBSCRIBER, id);
        case 2, 3 -> new Change.Delete(Kind.RATE_LIMIT, limit);
        case 4, 5, 6 -> limit(limit, new Scope.OfSubscriber(id));
        case 7 -> at(name, limit("tree", new Scope.OfTree(0, random.nextInt(2))));
        case 8 -> new Change.Delete(Kind.RATE_LIMIT, "tree");
        case 9 -> TestNetwork.policy("gold", CURVES.get(random.nextInt(CURVES.size())));
        case 10 -> TestNetwork.policy("silver", CURVES.get(random.nextInt(CURVES.size())));
        case 11 -> new Change.Delete(Kind.POLICY, "silver");
        default -> at(name, subscriber(id));
      };
    }

    private Change.Put subscriber(String id) {
      List<IpPrefix> prefixes = new ArrayList<>(List.of(prefixOf(id)));
      if (random.nextInt(3) == 0) {
        prefixes.add(IpPrefix.v4(0x0a090000 + random.nextInt(SHARED_PREFIXES), 32));
      }
      return new Change.Put(
          new Subscriber(
              id,
              random.nextInt(3) == 0 ? "silver" : "gold",
              prefixes,
              Optional.empty(),
              new Attachment(0, random.nextInt(2))));
    }

    /** A prefix that the subscriber of that id always has. */
    private static IpPrefix prefixOf(String id) {
      return IpPrefix.v4(0x0a000000 + id.charAt(1) - '0', 32);
    }

    private Change.Put limit(String id, Scope scope) {
      int which = random.nextInt(3);
      return new Change.Put(
          new RateLimit(
              id,
              scope,
              which == 1
                  ? OptionalLong.empty()
                  : OptionalLong.of(10_000_000L * (1 + random.nextInt(9))),
              which == 2
                  ? OptionalLong.empty()
                  : OptionalLong.of(10_000_000L * (1 + random.nextInt(9))),
              OptionalInt.empty()));
    }

    private static boolean isOwnLimit(Declaration declaration) {
      return declaration instanceof RateLimit limit && limit.scope() instanceof Scope.OfSubscriber;
    }

    private void change(Change change) {
      boolean isSmall =
          change instanceof Change.Put put && put.switchName().filter(small::equals).isPresent();
      Optional<Refusals> refusals = model.refusals(change, isSmall);
      boolean isWell = store.isWell();
      note(change.toString());
      Optional<Outcome> outlook = random.nextInt(3) == 0 ? outlook(change) : Optional.empty();
      try {
        ends(change);
        Outcome outcome = rig.controller.apply(change);
        made(change, outcome, refusals);
        outlook.ifPresent(would -> assertThat(problems(outcome)).isEqualTo(problems(would)));
      } catch (ControllerException e) {
        assertExpected(e, isWell);
        failed(List.of(change), e.getMessage());
      }
    }

    private Optional<Outcome> outlook(Change change) {
      try {
        return Optional.of(rig.controller.dryRun(change));
      } catch (ControllerException e) {
        assertThat(e).hasMessageStartingWith(CLOSED);
        return Optional.empty();
      }
    }

    private static List<Problem> problems(Outcome outcome) {
      return outcome instanceof Outcome.Refused refused ? refused.problems() : List.of();
    }

    private static final String FULL = "the queue of ";
    private static final String CLOSED = "the store takes no changes";

    /** Whoever is deleted is promised nothing more, even if that fails. */
    private void ends(Change change) {
      if (change.id().equals("tree")) {
        // It limits those who leave, too.
        seen.clear();
        left.clear();
      }
      if (change instanceof Change.Delete && change.kind() == Kind.SUBSCRIBER) {
        promised.remove(change.id());
      }
    }

    private void made(Change change, Outcome outcome, Optional<Refusals> refusals) {
      note("  " + (outcome.isAccepted() ? "accepted" : outcome));
      if (outcome.isAccepted()) {
        refusals.ifPresent(
            expected -> assertThat(expected.must()).as(expected + " " + change).isFalse());
        model.acknowledged(change);
      } else if (outcome instanceof Outcome.Refused refused) {
        refusals.ifPresent(
            expected -> assertThat(expected.may()).as(refused.toString()).contains(refused.code()));
      }
    }

    private static void assertExpected(ControllerException e, boolean isWell) {
      if (!e.getMessage().startsWith(FULL) && !e.getMessage().startsWith(CLOSED)) {
        assertThat(isWell).as(e.toString()).isFalse();
      }
    }

    /** What was not answered, or not for a reason of the client's. */
    private void failed(List<Change> changes, String reason) {
      note("  failed: " + reason);
      if (!reason.startsWith(FULL) && !reason.startsWith(CLOSED)) {
        changes.forEach(model::inDoubt);
      }
    }

    private void bulk() {
      List<Change> changes = Stream.generate(this::anyChange).limit(1 + random.nextInt(8)).toList();
      boolean isWell = store.isWell();
      note("bulk " + changes);
      changes.forEach(this::ends);
      seen.clear();
      left.clear();
      int[] told = {0};
      try {
        rig.controller.applyAll(
            changes,
            outcome -> {
              assertThat(outcome.change()).isEqualTo(changes.get(told[0]++));
              if (outcome instanceof Outcome.Unmade unmade) {
                failed(List.of(unmade.change()), unmade.reason());
              } else {
                made(outcome.change(), outcome, refusalsInBulk(outcome.change()));
              }
            });
        assertThat(told[0]).isEqualTo(changes.size());
      } catch (ControllerException e) {
        assertExpected(e, isWell);
        List<Change> untold = changes.subList(told[0], changes.size());
        failed(untold, e.getMessage());
      }
    }

    private Optional<Refusals> refusalsInBulk(Change change) {
      return model.refusals(
          change,
          change instanceof Change.Put put && put.switchName().filter(small::equals).isPresent());
    }

    // -------------------------------------------------------------- at every moment

    private boolean serves(String name, String id) {
      return dataOf(name, prefixOf(id)).isPresent();
    }

    private boolean isServed(String id) {
      return SWITCHES.stream().anyMatch(name -> serves(name, id));
    }

    private Optional<SubscriberData> dataOf(String name, IpPrefix prefix) {
      return rig.switches.get(name).content().values().stream()
          .filter(entry -> entry instanceof SubscriberPrefixEntry)
          .map(SubscriberPrefixEntry.class::cast)
          .filter(entry -> entry.prefix().equals(prefix))
          .map(SubscriberPrefixEntry::data)
          .findAny();
    }

    private void deleted(SwitchEntry entry) {
      if (entry instanceof SubscriberPrefixEntry prefix) {
        promised.stream()
            .filter(id -> prefixOf(id).equals(prefix.prefix()) && !isServed(id))
            .forEach(id -> broken.add(rig.time.instant() + " nobody serves " + id));
      }
    }

    private void lookAround() {
      assertThat(broken).isEmpty();
      for (int i = 0; i < SUBSCRIBERS; i++) {
        String id = "s" + i;
        Optional<Declared> found;
        try {
          found = rig.controller.find(Kind.SUBSCRIBER, id);
        } catch (ControllerException e) {
          assertThat(store.isWell()).as(e.toString()).isFalse();
          return;
        }
        found.ifPresent(this::lookAt);
        if (found.isEmpty()) {
          left.keySet().removeIf(key -> key.startsWith(id + " "));
        }
      }
    }

    private void lookAt(Declared subscriber) {
      String id = subscriber.id();
      String at = subscriber.switchName().orElseThrow();
      boolean isInstalled =
          subscriber.targets().stream().allMatch(t -> t.state() == TargetState.INSTALLED);
      if (isInstalled) {
        for (IpPrefix prefix : ((Subscriber) subscriber.declared()).prefixes()) {
          assertThat(dataOf(at, prefix)).as(id + " is INSTALLED at " + at).isPresent();
        }
        // What was deleted in doubt may be gone when the store is opened again.
        if (!model.possible(new Key(Kind.SUBSCRIBER, id)).contains(Optional.<Placed>empty())) {
          promised.add(id);
        }
      }
      Set<String> leaving =
          subscriber.leaving().stream()
              .map(each -> id + " " + each.switchName())
              .collect(Collectors.toSet());
      left.keySet().removeIf(key -> key.startsWith(id + " ") && !leaving.contains(key));
      subscriber.leaving().forEach(each -> lookAtLeaver(id, each.switchName()));
      if (isInstalled) {
        seen.put(id, service(at, id).orElseThrow());
      } else if (leaving.isEmpty()) {
        seen.remove(id);
      }
    }

    private Optional<Service> service(String name, String id) {
      return dataOf(name, prefixOf(id))
          .map(
              data ->
                  new Service(
                      name,
                      data.index(),
                      data.policySlot(),
                      Stream.of(Direction.values())
                          .filter(
                              direction ->
                                  direction == Direction.DOWN ? data.shapeDown() : data.shapeUp())
                          .map(direction -> word(name, direction, data.queueId()))
                          .toList()));
    }

    private int word(String name, Direction direction, int queueId) {
      int customer = QueueId.customerIndex(queueId);
      return rig.fpga(name, direction).content().values().stream()
          .filter(setting -> setting instanceof RateWord)
          .map(RateWord.class::cast)
          .filter(word -> word.level() == FpgaLevel.CUSTOMER && word.index() == customer)
          .mapToInt(RateWord::word)
          .findAny()
          .orElse(UNLIMITED);
    }

    /** Whoever leaves is served as before, but for what others who are there have to do with. */
    private void lookAtLeaver(String id, String name) {
      String key = id + " " + name;
      Service before = seen.get(id);
      if (before != null && before.at().equals(name)) {
        left.putIfAbsent(key, before);
        seen.remove(id);
      }
      if (left.containsKey(key)) {
        service(name, id)
            .ifPresent(now -> assertThat(now).as(id + " leaves " + name).isEqualTo(left.get(key)));
      }
    }

    // -------------------------------------------------------------- when all is well

    private void calmDown() {
      note("all is well");
      SWITCHES.forEach(this::calm);
      store.full(false);
      rig.time.pass(Duration.ofMinutes(3));
      for (PerTarget target : rig.controller.summary().targets()) {
        if (target.session() == SessionState.REFUSING) {
          // What a controller that was killed still had to delete it does not know any more.
          adopt(target.target());
        }
      }
      rig.time.pass(Duration.ofMinutes(1));
      assertThat(broken).isEmpty();
    }

    private void adopt(String target) {
      try {
        note("adopt " + target);
        rig.controller.adopt(target);
      } catch (Refusal e) {
        throw new AssertionError(e);
      }
    }

    private void check() {
      resolve();
      checkConflicts();
      Map<String, Set<String>> leavers = leavers();
      if (leavers.isEmpty()) {
        assertThat(rig.controller.summary().isAllInstalled())
            .as(rig.controller.summary().toString())
            .isTrue();
      }
      for (String name : present()) {
        checkContent(name, leavers.getOrDefault(name, Set.of()));
      }
      checkLists();
      checkDrift();
      if (leavers.isEmpty() && present().size() == SWITCHES.size()) {
        model.allMovesEnded();
      }
    }

    /** What is found is what was acknowledged, or may have been made. */
    private void resolve() {
      Stream<Key> keys =
          Stream.of(
                  IntStream.range(0, SUBSCRIBERS).mapToObj(i -> new Key(Kind.SUBSCRIBER, "s" + i)),
                  IntStream.range(0, LIMITS).mapToObj(i -> new Key(Kind.RATE_LIMIT, "l" + i)),
                  Stream.of(
                      new Key(Kind.RATE_LIMIT, "tree"),
                      new Key(Kind.POLICY, "gold"),
                      new Key(Kind.POLICY, "silver")))
              .flatMap(each -> each);
      keys.forEach(
          key -> {
            Optional<Placed> found = rig.controller.find(key.kind(), key.id()).map(this::placed);
            Set<Optional<Placed>> possible = Set.copyOf(model.possible(key));
            assertThat(model.found(key, found))
                .as(key + " is " + found + "; expected one of " + possible)
                .isTrue();
          });
    }

    private Placed placed(Declared found) {
      Declaration declaration = found.declared();
      return new Placed(declaration, isOwnLimit(declaration) ? "" : found.switchName().orElse(""));
    }

    private void checkConflicts() {
      Set<String> found = new TreeSet<>();
      for (Conflict conflict : rig.controller.conflicts(Page.MAX_LIMIT)) {
        found.add(NetworkModel.words(conflict.switchName(), conflict.declared()));
      }
      assertThat(found).isEqualTo(model.conflicts(found));
    }

    /** Who leaves a switch for one that is not there, by switch. */
    private Map<String, Set<String>> leavers() {
      Map<String, Set<String>> leavers = new TreeMap<>();
      for (SwitchStatus each : rig.controller.switches()) {
        if (each.leaving() > 0) {
          Set<String> ids = new TreeSet<>();
          for (int i = 0; i < SUBSCRIBERS; i++) {
            String id = "s" + i;
            boolean isElsewhere = model.subscribersAt(each.name()).containsKey(id);
            if (serves(each.name(), id) && !isElsewhere) {
              ids.add(id);
            }
          }
          assertThat(ids).hasSize((int) each.leaving());
          assertThat(present()).as(ids + " leave " + each.name()).hasSizeLessThan(SWITCHES.size());
          assertThat(ids)
              .allMatch(id -> !model.inForce().containsKey(new Key(Kind.SUBSCRIBER, id)));
          leavers.put(each.name(), ids);
        }
      }
      return leavers;
    }

    private void checkContent(String name, Set<String> leavers) {
      Map<IpPrefix, SubscriberData> content = new HashMap<>();
      for (SwitchEntry entry : rig.switches.get(name).content().values()) {
        if (entry instanceof SubscriberPrefixEntry prefix) {
          content.put(prefix.prefix(), prefix.data());
        }
      }
      Map<String, Subscriber> subscribers = model.subscribersAt(name);
      Set<IpPrefix> expected =
          subscribers.values().stream()
              .flatMap(each -> each.prefixes().stream())
              .collect(Collectors.toCollection(HashSet::new));
      if (leavers.isEmpty()) {
        assertThat(content.keySet()).as("prefixes at " + name).isEqualTo(expected);
      } else {
        leavers.forEach(id -> expected.add(prefixOf(id)));
        assertThat(content.keySet()).as("prefixes at " + name).containsAll(expected);
      }
      subscribers
          .values()
          .forEach(each -> each.prefixes().forEach(p -> checkServed(name, each, content.get(p))));
      if (leavers.isEmpty()) {
        checkLimited(name, subscribers.values().stream().toList(), content);
      }
    }

    private void checkServed(String name, Subscriber subscriber, SubscriberData data) {
      Map<Object, SwitchEntry> content = rig.switches.get(name).content();
      curve(model.policy(subscriber.policyId()))
          .map(value -> new PolicyValueEntry(data.policySlot(), value.bin(), value.packetValue()))
          .forEach(value -> assertThat(content.get(value.key())).isEqualTo(value));
      List<RateLimit> limits = model.limitsOf(subscriber, name);
      assertThat(data.shapeDown())
          .as(subscriber.id() + " at " + name + " limited down")
          .isEqualTo(limits.stream().anyMatch(limit -> limit.downBps().isPresent()));
      assertThat(data.shapeUp())
          .as(subscriber.id() + " at " + name + " limited up")
          .isEqualTo(limits.stream().anyMatch(limit -> limit.upBps().isPresent()));
    }

    /** What a policy is compiled to by itself. */
    private Stream<PolicyValueEntry> curve(Policy policy) {
      return curves
          .computeIfAbsent(
              policy,
              unused -> {
                InMemorySlaState state = new InMemorySlaState(profile.markers());
                try {
                  state.apply(compiler.compile(state, new Change.Put(policy)));
                } catch (Refusal e) {
                  throw new AssertionError(e);
                }
                return compiler
                    .sharedEntries(state)
                    .map(Expected::entity)
                    .filter(entry -> entry instanceof PolicyValueEntry)
                    .map(PolicyValueEntry.class::cast)
                    .toList();
              })
          .stream();
    }

    /** Of each FPGA the customers that have a rate, and which. */
    private void checkLimited(
        String name, List<Subscriber> subscribers, Map<IpPrefix, SubscriberData> content) {
      for (Direction direction : Direction.values()) {
        Map<Integer, Long> expected = new TreeMap<>();
        for (Subscriber subscriber : subscribers) {
          int queue = content.get(subscriber.prefixes().get(0)).queueId();
          model.limitsOf(subscriber, name).stream()
              .filter(limit -> isOwnLimit(limit) && limit.rateBps(direction).isPresent())
              .forEach(
                  limit ->
                      expected.put(
                          QueueId.customerIndex(queue),
                          steps(limit.rateBps(direction).getAsLong())));
        }
        Map<Integer, Long> found = new TreeMap<>();
        rig.fpga(name, direction).content().values().stream()
            .filter(setting -> setting instanceof RateWord)
            .map(RateWord.class::cast)
            .filter(word -> word.level() == FpgaLevel.CUSTOMER && word.word() != UNLIMITED)
            .forEach(word -> found.put(word.index(), (long) word.word()));
        assertThat(found).as("customers limited " + direction + " at " + name).isEqualTo(expected);
      }
    }

    private static final int UNLIMITED = (1 << 18) - 1;

    private static long steps(long rateBps) {
      double step = 8 * 156.25e6 / 1248;
      return Math.round(rateBps / step);
    }

    private void checkLists() {
      for (Kind kind : Kind.values()) {
        Set<String> expected =
            model.inForce().keySet().stream()
                .filter(key -> key.kind() == kind)
                .map(Key::id)
                .collect(Collectors.toCollection(TreeSet::new));
        Page page = rig.controller.list(kind, Selection.ALL, "", Page.MAX_LIMIT);
        assertThat(page.total()).hasValue(expected.size());
        assertThat(page.items().stream().map(Declared::id).toList())
            .containsExactlyElementsOf(expected);
      }
    }

    private void checkDrift() {
      rig.controller.reconcile();
      rig.time.pass(Duration.ofSeconds(10));
      for (PerTarget target : rig.controller.summary().targets()) {
        try {
          assertThat(rig.controller.drift(target.target()).compared().tables())
              .as(target.target())
              .isEmpty();
        } catch (Refusal e) {
          throw new AssertionError(e);
        }
      }
    }
  }
}
