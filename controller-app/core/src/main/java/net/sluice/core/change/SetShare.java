package net.sluice.core.change;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.status.Arrivals;
import net.sluice.core.status.Sessions;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Entity;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.GrantsInForce;
import net.sluice.intents.plan.MergedWrites;
import net.sluice.intents.plan.MergedWrites.Placed;
import net.sluice.intents.plan.OwnerIds;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.StateDelta;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.plan.Write;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.value.Direction;

/**
 * A switch's share of changes that are made together: the steps by which they are planned, and what
 * these come to.
 */
final class SetShare {
  private final MergedWrites merged = new MergedWrites();
  private final Map<Name, Integer> numbers = new HashMap<>();
  private final Map<TargetKey<FpgaSetting>, List<Placed<FpgaSetting>>> toFpgas =
      new LinkedHashMap<>();

  /** The writes of each change, by its number. */
  private final Map<Integer, Map<TargetKey<?>, List<? extends Write<?>>>> byCause = new HashMap<>();

  private final Map<Integer, Integer> doneFor = new HashMap<>();
  private List<Placed<SwitchEntry>> toSwitch = List.of();
  private BitSet freed = new BitSet();
  private boolean replaces;

  private record Name(Kind kind, String id) {
    static Name of(Change change) {
      return new Name(change.kind(), change.id());
    }
  }

  /** A step has been planned and applied; its declaration has that number then. */
  void add(Plan plan, int number, int cause) {
    merged.add(plan, cause);
    replaces |= plan.delta().replaces();
    numbers.put(Name.of(plan.delta().change()), number);
  }

  /** All steps are planned: the writes are what they come to; parameters as of the compiler. */
  void end(BiPredicate<Table, Integer> isFullWith, BitSet givenBack) {
    Map<TargetKey<FpgaSetting>, List<Placed<FpgaSetting>>> ofFpgas = new LinkedHashMap<>();
    for (Direction direction : Direction.values()) {
      ofFpgas.put(TargetKey.fpga(direction), merged.ofFpga(direction));
    }
    end(merged.ofSwitch(isFullWith), ofFpgas, givenBack);
  }

  /** The writes are these. */
  void end(
      List<Placed<SwitchEntry>> ofSwitch,
      Map<TargetKey<FpgaSetting>, List<Placed<FpgaSetting>>> ofFpgas,
      BitSet givenBack) {
    toSwitch = ofSwitch;
    toFpgas.putAll(ofFpgas);
    freed = givenBack;
    sort(TargetKey.SWITCH, toSwitch);
    toFpgas.forEach(this::sort);
  }

  private <E extends Entity> void sort(TargetKey<E> target, List<Placed<E>> placed) {
    Map<Integer, List<Write<E>>> own = new HashMap<>();
    for (Placed<E> each : placed) {
      own.computeIfAbsent(each.cause(), unused -> new ArrayList<>()).add(each.write());
    }
    own.forEach(
        (cause, writes) ->
            byCause.computeIfAbsent(cause, unused -> new LinkedHashMap<>()).put(target, writes));
  }

  /** Whether a step takes something out or replaces it. */
  boolean replaces() {
    return replaces;
  }

  /** Number of writes. */
  int writes() {
    return toSwitch.size() + toFpgas.values().stream().mapToInt(List::size).sum();
  }

  /** The number by which the status of a declaration is kept. */
  int number(Change change) {
    return numbers.get(Name.of(change));
  }

  /**
   * The plan of one of the changes.
   *
   * @param grants what it gets; of a deletion nothing
   */
  Plan plan(CompactSlaState state, Change change, int cause, GrantsInForce grants) {
    return new Plan(
        byCause.getOrDefault(cause, Map.of()),
        false,
        grants.grants(),
        grants.notes(),
        delta(state, change));
  }

  private StateDelta delta(CompactSlaState state, Change change) {
    int number = number(change);
    int left = 0;
    int contract = SubscriberState.NONE;
    if (change instanceof Change.Put && change.kind() == Kind.SUBSCRIBER) {
      Optional<SubscriberState> had = state.formerly(change.id());
      left = had.map(SubscriberState::index).filter(index -> index != number).orElse(0);
      contract = state.subscriber(change.id()).orElseThrow().contract();
    }
    return new StateDelta(
        change, change instanceof Change.Delete, number, left, contract, List.of());
  }

  /** The writes that a change is the cause of are also done for that owner. */
  void doneFor(int cause, int owner) {
    if (owner != OwnerIds.NONE) {
      doneFor.put(cause, owner);
    }
  }

  void submit(Sessions sessions, Optional<Arrivals> arrivals) {
    sessions.submit(
        toSwitch, toFpgas, cause -> doneFor.getOrDefault(cause, OwnerIds.NONE), freed, arrivals);
  }
}
