package net.sluice.intents.limit;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.plan.Grants;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Problems;
import net.sluice.intents.value.Direction;

/**
 * The rule of {@link RateLimit#maxCommittedPercent}: what the limits of subscribers below a tree or
 * port add up to, against the limit of that tree or port. Rates are those declared, whatever they
 * are granted, of a limit with a schedule its highest and of the tree's or port's its lowest. A
 * change that adds nothing to a sum is not refused for it.
 */
final class Oversubscription {
  private static final Direction[] DIRECTIONS = Direction.values();

  private Oversubscription() {}

  /** Adds what the rule has against a limit that is put. */
  static void admit(SlaState state, RateLimit limit, Problems problems) {
    if (!(limit.scope() instanceof Scope.OfSubscriber of)) {
      admitShared(state, limit, problems);
      return;
    }
    Optional<RateLimit> old = state.rateLimit(limit.id());
    state
        .subscriber(of.subscriberId())
        .map(subscriber -> subscriber.subscriber().attachment())
        .ifPresent(
            at -> {
              for (Scope scope : above(at)) {
                Optional<RateLimit> leaving = old.filter(each -> isBelow(state, each, scope));
                admit(state, scope, limit, leaving, problems);
              }
            });
  }

  /**
   * Adds what the rule has against a subscriber with a limit that comes to another tree or port.
   */
  static void admit(SlaState state, Subscriber put, Subscriber before, Problems problems) {
    if (before == null || before.attachment().equals(put.attachment())) {
      return;
    }
    Optional<RateLimit> own = state.rateLimitOf(new Scope.OfSubscriber(put.id()));
    if (own.isEmpty()) {
      return;
    }
    List<Scope> left = above(before.attachment());
    for (Scope scope : above(put.attachment())) {
      if (!left.contains(scope)) {
        admit(state, scope, own.get(), Optional.empty(), problems);
      }
    }
  }

  private static List<Scope> above(Attachment at) {
    return List.of(new Scope.OfTree(at.port(), at.tree()), new Scope.OfPort(at.port()));
  }

  private static boolean isBelow(SlaState state, RateLimit limit, Scope scope) {
    return limit.scope() instanceof Scope.OfSubscriber of
        && state
            .subscriber(of.subscriberId())
            .filter(subscriber -> above(subscriber.subscriber().attachment()).contains(scope))
            .isPresent();
  }

  private static void admit(
      SlaState state,
      Scope scope,
      RateLimit coming,
      Optional<RateLimit> leaving,
      Problems problems) {
    Optional<RateLimit> shared =
        state.rateLimitOf(scope).filter(each -> each.maxCommittedPercent().isPresent());
    if (shared.isEmpty()) {
      return;
    }
    for (Direction direction : DIRECTIONS) {
      long mostBps = mostBps(shared.get(), direction);
      long comingBps = coming.mostBps(direction);
      long leavingBps = leaving.map(each -> each.mostBps(direction)).orElse(0L);
      long others = committed(state, scope, direction) - leavingBps;
      if (comingBps > leavingBps && others + comingBps > mostBps) {
        problems.add(
            Code.CONFLICT,
            direction.text() + "Bps",
            comingBps,
            "at most " + Math.max(0, mostBps - others) + " bit/s",
            String.format(
                Locale.ROOT,
                "Rate limit %s lets the limits of subscribers of %s add up to %d bit/s %s; %d are"
                    + " committed, and this would add %d.",
                shared.get().id(),
                scope,
                mostBps,
                direction.text(),
                others,
                comingBps));
      }
    }
  }

  private static void admitShared(SlaState state, RateLimit limit, Problems problems) {
    if (limit.maxCommittedPercent().isEmpty()) {
      return;
    }
    // One that was of a subscriber there commits nothing any more.
    Optional<RateLimit> replaced =
        state.rateLimit(limit.id()).filter(old -> isBelow(state, old, limit.scope()));
    for (Direction direction : DIRECTIONS) {
      long committed =
          committed(state, limit.scope(), direction)
              - replaced.map(old -> old.mostBps(direction)).orElse(0L);
      if (committed > mostBps(limit, direction) && !isKept(state, limit, direction)) {
        problems.add(
            Code.CONFLICT,
            "maxCommittedPercent",
            limit.maxCommittedPercent().getAsInt(),
            "as much as is committed already",
            String.format(
                Locale.ROOT,
                "The limits of subscribers of %s add up to %d bit/s %s already; with %d %% they"
                    + " may add up to %d.",
                limit.scope(),
                committed,
                direction.text(),
                limit.maxCommittedPercent().getAsInt(),
                mostBps(limit, direction)));
      }
    }
  }

  /** The same limit once more changes nothing. */
  private static boolean isKept(SlaState state, RateLimit limit, Direction direction) {
    return state
        .rateLimit(limit.id())
        .filter(old -> old.scope().equals(limit.scope()))
        .filter(old -> mostBps(old, direction) <= mostBps(limit, direction))
        .isPresent();
  }

  /** Where the limit never sets a rate there is none to add up to. */
  private static long mostBps(RateLimit shared, Direction direction) {
    OptionalLong leastBps = shared.leastBps(direction);
    return shared.maxCommittedPercent().isPresent() && leastBps.isPresent()
        ? leastBps.getAsLong() / 100 * shared.maxCommittedPercent().getAsInt()
            + leastBps.getAsLong() % 100 * shared.maxCommittedPercent().getAsInt() / 100
        : Long.MAX_VALUE;
  }

  private static long committed(SlaState state, Scope scope, Direction direction) {
    return state.ledger(CommittedRates.class).bps(scope, direction);
  }

  /** Notes how much of what a limit lets its subscribers' limits add up to is committed. */
  static void note(SlaState state, RateLimit limit, Grants out) {
    if (limit.maxCommittedPercent().isEmpty()) {
      return;
    }
    for (Direction direction : DIRECTIONS) {
      if (limit.rateBps(direction).isPresent()) {
        out.note(
            String.format(
                Locale.ROOT,
                "%sBps: limits of subscribers add up to %d bit/s, at most %d",
                direction.text(),
                committed(state, limit.scope(), direction),
                mostBps(limit, direction)));
      }
    }
  }
}
