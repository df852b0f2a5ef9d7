package net.sluice.core.network;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import net.sluice.core.Outcome;
import net.sluice.core.change.ShardChanges;
import net.sluice.core.shard.SwitchShard;
import net.sluice.core.state.Agenda;
import net.sluice.core.time.Backoff;
import net.sluice.core.time.Scheduler;
import net.sluice.intents.validate.Problem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings into force what subscribers and rate limits declare for other times. When each of them is
 * due, and what is out of force, is state of its shard, made of what is stored: nothing is kept
 * here. {@link Agenda} says which changes that takes, of a switch that comes as of one that is
 * there.
 */
public final class ScheduledChanges implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ScheduledChanges.class);

  /** The clock may be put: it is looked at this often as long as anything is due at some time. */
  private static final Duration LONGEST_SLEEP = Duration.ofSeconds(30);

  private static final Duration FIRST_RETRY = Duration.ofSeconds(1);

  /** Time to the next look at a switch whose targets have no room: one that is behind, say. */
  private static final Duration ROOM_RETRY = Duration.ofMillis(100);

  private static final long NEVER = Long.MAX_VALUE;

  /** An import whose last line is older has ended. */
  private static final Duration RESTORING = Duration.ofSeconds(10);

  /** Out of force this many are tried again at once; more are in a while, to be so together. */
  private static final int FEW = 1_000;

  private static final long MILLIS_PER_FEW = 10;

  private final Network network;
  private final Clock clock;
  private final Scheduler scheduler;
  private final Consumer<Outcome> refusals;
  private final Backoff backoff = new Backoff(FIRST_RETRY, LONGEST_SLEEP);

  /** When the next look is, as milliseconds of the epoch; a look that runs is in the past. */
  private final AtomicLong nextLook = new AtomicLong(NEVER);

  /** Whether something has changed since what is out of force was tried. */
  private final AtomicBoolean mayBeFree = new AtomicBoolean();

  /** When the last of what is being restored has come; {@link #NEVER} if nothing is. */
  private final AtomicLong restoredUntil = new AtomicLong(NEVER);

  private long lastLookMillis = Long.MIN_VALUE;

  /** Switches whose changes could not all be made, and whether all declarations are looked at. */
  private final Map<SwitchShard, Boolean> unfinished = new HashMap<>();

  /**
   * Looks after the schedules of a network.
   *
   * @param refusals gets each change that stays out of force when it is due
   */
  public ScheduledChanges(
      Network network, Clock clock, Scheduler scheduler, Consumer<Outcome> refusals) {
    this.network = network;
    this.clock = clock;
    this.scheduler = scheduler;
    this.refusals = refusals;
  }

  /** Words on how many scheduled changes are out of force, with one of them. */
  public static String text(int outOfForce, String suchAs) {
    return (outOfForce == 1 ? "1 scheduled change is" : outOfForce + " scheduled changes are")
        + " out of force, such as: "
        + suchAs;
  }

  /** Something may be due sooner than it was known; takes no lock and holds nobody up. */
  public void wake() {
    long due = restoredUntil.get();
    for (SwitchShard shard : network.all()) {
      due = Math.min(due, shard.dueMillis());
    }
    lookAt(due);
  }

  /** Has what is out of force tried again; takes no lock and does not wait. */
  public void freed(ShardChanges.Freed why) {
    if (why == ShardChanges.Freed.BY_TIME) {
      long until = clock.millis() + RESTORING.toMillis();
      restoredUntil.set(until);
      lookAt(until);
      return;
    }
    mayBeFree.set(true);
    int out = network.all().stream().mapToInt(SwitchShard::outOfForce).sum();
    lookAt(clock.millis() + out / FEW * MILLIS_PER_FEW);
  }

  /** Whether all that was being restored has come. */
  private boolean isRestored() {
    long until = restoredUntil.get();
    return until <= lastLookMillis && restoredUntil.compareAndSet(until, NEVER);
  }

  private void lookAt(long due) {
    if (due == NEVER) {
      return;
    }
    long now = clock.millis();
    long at = Math.max(now, Math.min(due, now + LONGEST_SLEEP.toMillis()));
    // An earlier one that is planned looks at this, too, and plans the next.
    if (at < nextLook.getAndAccumulate(at, Math::min)) {
      scheduler.schedule(Duration.ofMillis(at - now), () -> look(at));
    }
  }

  private void look(long planned) {
    // Whoever comes from here on plans another look.
    if (!nextLook.compareAndSet(planned, NEVER)) {
      return;
    }
    Instant now = clock.instant();
    boolean wasPutBack = now.toEpochMilli() < lastLookMillis;
    lastLookMillis = now.toEpochMilli();
    boolean triesAgain = mayBeFree.getAndSet(false) | isRestored();
    boolean lacksOnlyRoom = true;
    for (SwitchShard shard : network.all()) {
      try {
        if (wasPutBack
            || unfinished.containsKey(shard)
            || shard.dueMillis() <= lastLookMillis
            || triesAgain && shard.outOfForce() > 0) {
          lacksOnlyRoom &=
              look(shard, now, unfinished.merge(shard, wasPutBack, Boolean::logicalOr));
        }
      } catch (RuntimeException e) {
        lacksOnlyRoom = false;
        // The store, for one, may be away.
        LOG.warn(
            "switch {}: schedules cannot be followed now: {}; trying again",
            shard.name(),
            e.toString());
      } catch (Error e) {
        lacksOnlyRoom = false;
        // Without another look no schedule would be followed any more.
        LOG.error("switch {}: schedules cannot be followed now; trying again", shard.name(), e);
      }
    }
    unfinished.keySet().retainAll(network.all());
    if (!unfinished.isEmpty()) {
      Duration wait = lacksOnlyRoom ? ROOM_RETRY : backoff.next();
      lookAt(clock.millis() + wait.toMillis());
      return;
    }
    backoff.reset();
    wake();
  }

  /**
   * Makes what is due at a switch as long as it has room: it does not keep other switches waiting.
   *
   * @return false if the store cannot be read
   */
  private boolean look(SwitchShard shard, Instant now, boolean all) {
    if (!shard.isReadable()) {
      return false;
    }
    Agenda agenda = shard.agenda(now, all);
    List<Outcome> made;
    do {
      if (!shard.changes().hasSpaceForBulk()) {
        return true;
      }
      made =
          network.held(
              () ->
                  network.named(shard.name()).filter(shard::equals).isPresent()
                      ? shard.changes().applyDue(agenda)
                      : List.of());
      made.forEach(this::settle);
    } while (!made.isEmpty());
    unfinished.remove(shard);
    return true;
  }

  /**
   * Brings what has come due while a switch was not driven into force, before it is driven. The
   * caller holds the network.
   *
   * @param out is given each change
   */
  public void catchUp(SwitchShard shard, Consumer<Outcome> out) {
    Agenda agenda = shard.agenda(clock.instant(), false);
    List<Outcome> made;
    do {
      made = shard.changes().applyDue(agenda);
      made.forEach(
          outcome -> {
            settle(outcome);
            out.accept(outcome);
          });
    } while (!made.isEmpty());
  }

  private void settle(Outcome outcome) {
    if (outcome instanceof Outcome.Refused refused) {
      refusals.accept(outcome);
      LOG.warn(
          "{} {} stays as it is, what is due is out of force: {}",
          refused.change().kind().words(),
          refused.change().id(),
          refused.problems().stream().map(Problem::naming).collect(Collectors.joining(" ")));
    }
  }

  @Override
  public void close() {
    scheduler.close();
  }
}
