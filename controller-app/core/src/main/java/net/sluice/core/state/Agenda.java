package net.sluice.core.state;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.Optional;
import java.util.PriorityQueue;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;

/**
 * The changes that time brings to the declarations of one switch, up to a moment, in the order in
 * which they are made: one moment after the other, and after each that has changed something all
 * that is out of force again. A controller that runs makes them as they come, one that starts makes
 * those of the time since the one before it, with the same result: which changes there are depends
 * only on what is stored and on the moment.
 *
 * <p>{@link net.sluice.intents.compile.Compiler#coming} decides about each. The caller holds the
 * memory, and makes each before it asks for the next. Other changes may be made in between.
 */
public final class Agenda {
  /** Schedules repeat themselves after a week: moments that are longer past are left out. */
  private static final Duration FARTHEST = Duration.ofDays(8);

  private final CompactSlaState state;
  private final Instant now;
  private final boolean all;
  private final PriorityQueue<Item> due = new PriorityQueue<>();
  private final Deque<Due.Out> trying = new ArrayDeque<>();

  /** The moment that has been got to, as milliseconds of the epoch. */
  private long moment = Long.MIN_VALUE;

  /** The one that was given out and not looked at since; null if there is none. */
  private Item given;

  /** Whether something has come into force since what is out of force was tried. */
  private boolean hasChanged = true;

  /**
   * A declaration to look at.
   *
   * @param at when it is due, as milliseconds of the epoch
   * @param kind of a subscriber or a rate limit
   * @param index of the subscriber
   * @param limitId of the rate limit
   */
  private record Item(long at, Kind kind, int index, String limitId) implements Comparable<Item> {
    private static final Comparator<Item> ORDER =
        Comparator.comparingLong(Item::at)
            .thenComparing(Item::kind)
            .thenComparingInt(Item::index)
            .thenComparing(Item::limitId);

    @Override
    public int compareTo(Item other) {
      return ORDER.compare(this, other);
    }
  }

  /**
   * The changes up to now.
   *
   * @param all whether every declaration is looked at, because the clock was put back
   */
  Agenda(CompactSlaState state, Instant now, boolean all) {
    this.state = state;
    this.now = now;
    this.all = all;
    state.takeDue(
        now,
        all,
        (index, at) -> due.add(new Item(moment(at), Kind.SUBSCRIBER, index, "")),
        (id, at) -> due.add(new Item(moment(at), Kind.RATE_LIMIT, 0, id)));
  }

  private long moment(long at) {
    return all ? now.toEpochMilli() : Math.max(at, now.minus(FARTHEST).toEpochMilli());
  }

  /** Whether it is about that state: another one takes its place when the store is read again. */
  public boolean isOf(CompactSlaState other) {
    return state == other;
  }

  /** The next change; empty at the end. */
  public Optional<Change.Put> next() {
    lookAtGiven();
    Optional<Change.Put> next = Optional.empty();
    while (next.isEmpty()) {
      if (trying.isEmpty() && hasChanged && isAtEndOfMoment()) {
        hasChanged = false;
        trying.addAll(Arrays.asList(state.outOfForce()));
      }
      if (!trying.isEmpty()) {
        next = again(trying.remove());
      } else if (!due.isEmpty()) {
        next = first(due.remove());
      } else {
        return next;
      }
    }
    return next;
  }

  private boolean isAtEndOfMoment() {
    return due.isEmpty() || due.peek().at > moment;
  }

  /** Looks at the change before: it may have made room, and be due again by now. */
  private void lookAtGiven() {
    if (given == null) {
      return;
    }
    Item item = given;
    given = null;
    Optional<? extends Declaration> is = declared(item.kind, item.index, item.limitId);
    hasChanged |= is.isPresent() && is.get().outSince().isEmpty();
    is.flatMap(Declaration::changesAt)
        .map(Instant::toEpochMilli)
        .filter(next -> next > item.at && next <= now.toEpochMilli())
        .ifPresent(next -> due.add(new Item(next, item.kind, item.index, item.limitId)));
  }

  /** The change of a declaration that is due. */
  private Optional<Change.Put> first(Item item) {
    moment = item.at;
    Instant at = Instant.ofEpochMilli(moment);
    return declared(item.kind, item.index, item.limitId)
        .filter(known -> all || known.changesAt().filter(next -> !next.isAfter(at)).isPresent())
        .flatMap(known -> change(item, known, at));
  }

  /** The change of a declaration that is out of force. */
  private Optional<Change.Put> again(Due.Out out) {
    return declared(out.kind(), out.index(), out.limitId())
        .filter(known -> known.outSince().isPresent())
        .flatMap(
            known ->
                change(
                    new Item(Long.MAX_VALUE, out.kind(), out.index(), out.limitId()),
                    known,
                    whenOut(known)));
  }

  /** A moment for which is declared what is out of force: just before something else is due. */
  private Instant whenOut(Declaration known) {
    return known
        .changesAt()
        .map(next -> next.minusMillis(1))
        .filter(before -> before.isBefore(now))
        .orElse(now);
  }

  private Optional<Change.Put> change(Item item, Declaration known, Instant at) {
    Declaration next = known.at(at);
    if (next.equals(known)) {
      return Optional.empty();
    }
    given = item;
    return Optional.of(Change.Put.due(next, at));
  }

  private Optional<? extends Declaration> declared(Kind kind, int index, String limitId) {
    return kind == Kind.SUBSCRIBER
        ? state.timedSubscriber(index)
        : state.rateLimit(limitId).filter(limit -> state.isInForce(kind, limitId));
  }
}
