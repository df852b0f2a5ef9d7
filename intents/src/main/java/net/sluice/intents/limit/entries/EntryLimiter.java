package net.sluice.intents.limit.entries;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.sluice.intents.limit.AppliedLimits;
import net.sluice.intents.limit.LimitPlanner;
import net.sluice.intents.limit.LimitedSubscriber;
import net.sluice.intents.limit.Limiter;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.plan.Expected;
import net.sluice.intents.plan.OwnerIds;
import net.sluice.intents.plan.PlanBuilder;
import net.sluice.intents.plan.QueueId;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Problems;
import net.sluice.intents.value.Direction;

/**
 * A limiter whose limits are entries of the switch's tables: each is one of a subscriber, tree or
 * port, and whoever is under a limit has an entry by which its packets find these.
 */
public abstract class EntryLimiter implements Limiter {
  private static final Direction[] DIRECTIONS = Direction.values();

  private final Words words;
  private final Table table;
  private final int capacity;
  private final Class<? extends EntryLedger> ledger;
  private final Function<RateLimit, Optional<RateLimit>> part;

  /**
   * How a limiter is spoken of: {@code polices} and {@code policed}.
   *
   * @param does its verb
   * @param done what is done to subscribers
   */
  public record Words(String does, String done) {}

  /**
   * A limiter of one switch.
   *
   * @param table the one with an entry for each direction of a subscriber that is limited
   * @param capacity entries that it has room for
   * @param ledger the class of its ledgers
   * @param part of a limit the directions that it enforces
   */
  protected EntryLimiter(
      Words words,
      Table table,
      int capacity,
      Class<? extends EntryLedger> ledger,
      Function<RateLimit, Optional<RateLimit>> part) {
    this.words = words;
    this.table = table;
    this.capacity = capacity;
    this.ledger = ledger;
    this.part = part;
  }

  /**
   * The entry of a subscriber under a limit in a direction.
   *
   * @param own its own limit, if that has the direction
   */
  protected abstract SwitchEntry ofSubscriber(
      LimitedSubscriber subscriber, Direction direction, Optional<RateLimit> own);

  /** The entry of a tree's limit in a direction that it has. */
  protected abstract SwitchEntry ofTree(Attachment at, Direction direction, RateLimit limit);

  /** The entry of a port's limit in a direction that it has. */
  protected abstract SwitchEntry ofPort(int port, Direction direction, RateLimit limit);

  @Override
  public final Optional<RateLimit> part(RateLimit limit) {
    return part.apply(limit);
  }

  @Override
  public final LimitPlanner planner(SlaState state, PlanBuilder plan) {
    return new EntryPlanner(this, state, plan);
  }

  /** The part of a limit that is the limiter's; of a direction, empty if it is not limited. */
  protected final Optional<RateLimit> part(Optional<RateLimit> limit, Direction direction) {
    return limit.flatMap(part).filter(of -> of.rateBps(direction).isPresent());
  }

  private EntryLedger ledger(SlaState state) {
    return state.ledger(ledger);
  }

  // ---------------------------------------------------------------- admission

  @Override
  public final void readmit(SlaState state, LimitedSubscriber stored, Problems problems) {
    checkRoom(state, entries(stored.limits()), "attachment", treeText(stored), problems);
  }

  private static String treeText(LimitedSubscriber subscriber) {
    Attachment at = subscriber.state().subscriber().attachment();
    return at.port() + "/" + at.tree();
  }

  /** Adds a problem if there is no room for that many more limited directions. */
  void checkRoom(SlaState state, long more, String field, Object value, Problems problems) {
    long used = ledger(state).limited();
    if (more > 0 && used + more > capacity) {
      problems.add(
          Code.CAPACITY,
          field,
          value,
          "at most "
              + Math.max(0, capacity - used)
              + " more directions of "
              + words.done()
              + " subscribers",
          String.format(
              Locale.ROOT,
              "The switch %s %d directions of subscribers, %d are %s, and this needs %d more.",
              words.does(),
              capacity,
              used,
              words.done(),
              more));
    }
  }

  int capacity() {
    return capacity;
  }

  @Override
  public final OptionalInt capacity(Table of) {
    return of == table ? OptionalInt.of(capacity) : OptionalInt.empty();
  }

  /** Entries of a subscriber under those limits. */
  int entries(AppliedLimits limits) {
    AppliedLimits parts = limits.parts(part);
    int entries = 0;
    for (Direction direction : DIRECTIONS) {
      entries += parts.in(direction) ? 1 : 0;
    }
    return entries;
  }

  // ---------------------------------------------------------------- what targets should hold

  @Override
  public final Set<TargetKey<?>> targets(RateLimit limit) {
    Set<TargetKey<?>> targets = new LinkedHashSet<>();
    if (!(limit.scope() instanceof Scope.OfSubscriber)) {
      targets.add(TargetKey.SWITCH);
    }
    return targets;
  }

  @Override
  public final IntStream limited(SlaState state, Scope scope) {
    if (state.rateLimitOf(scope).flatMap(part).isEmpty()) {
      return IntStream.empty();
    }
    return scope instanceof Scope.OfTree of
        ? ledger(state).attachedTo(QueueId.treeIndex(of.port(), of.tree()), 1)
        : ledger(state)
            .attachedTo(
                QueueId.treeIndex(((Scope.OfPort) scope).port(), 0), Attachment.MAX_TREE + 1);
  }

  @Override
  public final IntStream limited(SlaState state) {
    return ledger(state).attachedTo(0, Attachment.TREES).filter(index -> entries(state, index) > 0);
  }

  @Override
  public final void entries(LimitedSubscriber subscriber, Consumer<? super SwitchEntry> out) {
    AppliedLimits parts = subscriber.limits().parts(part);
    for (Direction direction : DIRECTIONS) {
      if (parts.in(direction)) {
        out.accept(ofSubscriber(subscriber, direction, part(subscriber.limits().own(), direction)));
      }
    }
  }

  @Override
  public final int entries(SlaState state, int subscriberIndex) {
    EntryLedger ledger = ledger(state);
    int entries = 0;
    for (Direction direction : DIRECTIONS) {
      boolean limited =
          ledger.isLimitedWithTree(subscriberIndex, direction)
              || ledger.areOthersLimited(subscriberIndex, direction)
                  && ownPart(state, subscriberIndex)
                      .filter(limit -> limit.rateBps(direction).isPresent())
                      .isPresent();
      entries += limited ? 1 : 0;
    }
    return entries;
  }

  private Optional<RateLimit> ownPart(SlaState state, int subscriberIndex) {
    return state.rateLimitOf(new Scope.OfSubscriber(state.idOf(subscriberIndex))).flatMap(part);
  }

  @Override
  public final long entries(SlaState state, Table of) {
    return of == table ? ledger(state).limited() : 0;
  }

  @Override
  public final Stream<Expected<SwitchEntry>> sharedEntries(SlaState state) {
    EntryLedger ledger = ledger(state);
    List<Scope> scopes = new ArrayList<>();
    for (int port = 0; port <= Attachment.MAX_PORT; port++) {
      if (ledger.isPortLimited(port, Direction.DOWN) || ledger.isPortLimited(port, Direction.UP)) {
        scopes.add(new Scope.OfPort(port));
      }
    }
    for (int tree = 0; tree < Attachment.TREES; tree++) {
      if (ledger.isTreeLimited(tree, Direction.DOWN) || ledger.isTreeLimited(tree, Direction.UP)) {
        Attachment at = Attachment.ofTreeIndex(tree);
        scopes.add(new Scope.OfTree(at.port(), at.tree()));
      }
    }
    return scopes.stream()
        .map(scope -> state.rateLimitOf(scope).orElseThrow())
        .flatMap(
            limit ->
                shared(Optional.of(limit)).stream()
                    .map(entry -> new Expected<>(entry, owner(state, limit))));
  }

  /** The owner of what is written for a limit. */
  static int owner(SlaState state, RateLimit limit) {
    return OwnerIds.limit(state.limitNumber(limit.id()));
  }

  /** The entries of a limit of a tree or port itself. */
  List<SwitchEntry> shared(Optional<RateLimit> limit) {
    List<SwitchEntry> entries = new ArrayList<>();
    for (Direction direction : DIRECTIONS) {
      Optional<RateLimit> of = part(limit, direction);
      if (of.isEmpty()) {
        continue;
      }
      if (of.get().scope() instanceof Scope.OfTree tree) {
        entries.add(ofTree(new Attachment(tree.port(), tree.tree()), direction, of.get()));
      } else if (of.get().scope() instanceof Scope.OfPort port) {
        entries.add(ofPort(port.port(), direction, of.get()));
      }
    }
    return entries;
  }
}
