package net.sluice.core.network;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import net.sluice.core.Outcome;
import net.sluice.core.shard.SwitchShard;
import net.sluice.core.state.Due;
import net.sluice.core.time.Backoff;
import net.sluice.core.time.Scheduler;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Precondition;
import net.sluice.intents.validate.Problem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings into force what subscribers and rate limits declare for other times. When each of them is
 * due is state of its shard, made of what is stored: nothing else is kept here, but which changes
 * were refused. A change is made like a client's that had read the declaration before, so that it
 * undoes nothing that is declared meanwhile, and only where the declaration is.
 */
public final class ScheduledChanges implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ScheduledChanges.class);
  private static final int AT_ONCE = 1_000;

  /** The clock may be put: it is looked at this often as long as anything is due at some time. */
  private static final Duration LONGEST_SLEEP = Duration.ofSeconds(30);

  private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
  private static final long NEVER = Due.NEVER;

  private final Network network;
  private final NetworkChanges changes;
  private final Clock clock;
  private final Scheduler scheduler;
  private final Consumer<Outcome> refusals;
  private final Backoff backoff = new Backoff(FIRST_RETRY, LONGEST_SLEEP);
  private final Map<Name, Refused> refused = new ConcurrentHashMap<>();

  /** When the next look is, as milliseconds of the epoch; a look that runs is in the past. */
  private final AtomicLong nextLook = new AtomicLong(NEVER);

  private long lastLookMillis = Long.MIN_VALUE;
  private boolean mustRetry;

  private record Name(Kind kind, String id) {}

  /**
   * A change that was refused.
   *
   * @param since when it was first
   * @param reason the details of the problems
   */
  public record Refused(Kind kind, String id, Instant since, String reason) {
    /** The note about it. */
    public String text() {
      return "what its schedule says since " + since + " was refused and is tried again: " + reason;
    }
  }

  /**
   * Looks after the schedules of a network.
   *
   * @param refusals told once of each change that is refused, or refused for another reason
   */
  public ScheduledChanges(
      Network network,
      NetworkChanges changes,
      Clock clock,
      Scheduler scheduler,
      Consumer<Outcome> refusals) {
    this.network = network;
    this.changes = changes;
    this.clock = clock;
    this.scheduler = scheduler;
    this.refusals = refusals;
  }

  /** Something may be due sooner than it was known; takes no lock and holds nobody up. */
  public void wake() {
    long due = NEVER;
    for (SwitchShard shard : network.all()) {
      due = Math.min(due, shard.dueMillis());
    }
    lookAt(due);
  }

  /** The change of a declaration that was refused last. */
  public Optional<Refused> refused(Kind kind, String id) {
    return refused.isEmpty()
        ? Optional.empty()
        : Optional.ofNullable(refused.get(new Name(kind, id)));
  }

  /** The changes that were refused and are still due, the latest first. */
  public List<Refused> refused() {
    return refused.values().stream()
        .sorted(Comparator.comparing(Refused::since).reversed().thenComparing(Refused::id))
        .toList();
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
    mustRetry = false;
    try {
      Instant now = clock.instant();
      long nowMillis = now.toEpochMilli();
      Due.Moment moment = new Due.Moment(nowMillis, nowMillis < lastLookMillis);
      lastLookMillis = nowMillis;
      for (SwitchShard shard : network.all()) {
        look(shard, moment);
      }
      refused.keySet().removeIf(name -> !isThere(name));
    } catch (RuntimeException e) {
      // The store, for one, may be away.
      LOG.warn("schedules cannot be followed now: {}; trying again", e.toString());
      mustRetry = true;
    } catch (Error e) {
      // Without another look no schedule would be followed any more, and nobody would know.
      LOG.error("schedules cannot be followed now; trying again", e);
      mustRetry = true;
    }
    if (mustRetry) {
      lookAt(clock.millis() + backoff.next().toMillis());
      return;
    }
    backoff.reset();
    if (!refused.isEmpty()) {
      lookAt(clock.millis() + LONGEST_SLEEP.toMillis());
    }
    wake();
  }

  private boolean isThere(Name name) {
    return network.all().stream().anyMatch(shard -> shard.has(name.kind, name.id));
  }

  private void look(SwitchShard shard, Due.Moment moment) {
    if (!shard.isReadable()) {
      mustRetry = true;
      return;
    }
    List<String> ids = new ArrayList<>();
    for (int from = 0; from >= 0; ids.clear()) {
      from = shard.due(moment, from, AT_ONCE, ids);
      bringIntoForce(shard, Kind.SUBSCRIBER, ids);
    }
    List<String> limits = shard.dueLimits(moment);
    for (int from = 0; from < limits.size(); from += AT_ONCE) {
      bringIntoForce(
          shard, Kind.RATE_LIMIT, limits.subList(from, Math.min(from + AT_ONCE, limits.size())));
    }
  }

  private void bringIntoForce(SwitchShard shard, Kind kind, List<String> ids) {
    // Later than the look began, if that takes long.
    Instant now = clock.instant();
    Optional<String> at = network.isOne() ? Optional.empty() : Optional.of(shard.name());
    List<Change> due = new ArrayList<>();
    for (String id : ids) {
      Optional<? extends Declaration> known = shard.declaration(kind, id);
      if (known.isEmpty()) {
        continue;
      }
      Declaration next = known.get().at(now);
      if (next.equals(known.get())) {
        refused.remove(new Name(kind, id));
      } else {
        due.add(new Change.Put(next, at, new Precondition.InForce(known.get(), at)));
      }
    }
    if (!due.isEmpty()) {
      changes.applyInPlace(due, outcome -> settle(outcome, now));
    }
  }

  private void settle(Outcome outcome, Instant now) {
    Name name = new Name(outcome.change().kind(), outcome.change().id());
    if (outcome instanceof Outcome.Accepted) {
      refused.remove(name);
    } else if (outcome instanceof Outcome.Refused problem) {
      refuse(name, problem, now);
    } else {
      mustRetry = true;
    }
  }

  private void refuse(Name name, Outcome.Refused outcome, Instant now) {
    if (hasChanged((Change.Put) outcome.change())) {
      mustRetry = true;
      return;
    }
    String reason =
        outcome.problems().stream().map(Problem::detail).collect(Collectors.joining(" "));
    Refused before = refused.get(name);
    if (before == null || !before.reason.equals(reason)) {
      Instant since = before == null ? now : before.since;
      refused.put(name, new Refused(name.kind, name.id, since, reason));
      refusals.accept(outcome);
      LOG.warn(
          "what the schedule of {} {} says cannot be in force: {}",
          name.kind.words(),
          name.id,
          reason);
    }
  }

  /** True if a change is out of date: the declaration is another one by now, or somewhere else. */
  private boolean hasChanged(Change.Put put) {
    return network.all().stream()
        .filter(shard -> put.switchName().isEmpty() || put.switchName().get().equals(shard.name()))
        .flatMap(shard -> shard.declaration(put.kind(), put.id()).stream())
        .noneMatch(now -> now.asDeclared().equals(put.declaration().asDeclared()));
  }

  @Override
  public void close() {
    scheduler.close();
  }
}
