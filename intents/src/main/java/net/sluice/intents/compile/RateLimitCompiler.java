package net.sluice.intents.compile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.plan.FpgaSetting.RateWord;
import net.sluice.intents.plan.Grants;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.PlanBuilder;
import net.sluice.intents.plan.QueueId;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Problems;
import net.sluice.intents.validate.Refusal;

/**
 * Compiles rate limits: the bucket that is limited, the level's bucket size, and the subscribers
 * that start or stop being shaped because of it.
 */
final class RateLimitCompiler extends KindCompiler<RateLimit, RateLimit> {
  private static final Direction[] DIRECTIONS = Direction.values();

  private final Topology topology;
  private final FpgaProfile fpga;
  private final EntryDiff entryDiff;
  private final BucketSizes buckets;

  RateLimitCompiler(Topology topology, FpgaProfile fpga, EntryDiff entryDiff, BucketSizes buckets) {
    super(Kind.RATE_LIMIT, RateLimit.class);
    this.topology = topology;
    this.fpga = fpga;
    this.entryDiff = entryDiff;
    this.buckets = buckets;
  }

  @Override
  Optional<RateLimit> find(SlaState state, String id) {
    return state.rateLimit(id);
  }

  @Override
  void admit(SlaState state, RateLimit limit, Optional<RateLimit> old, Problems problems) {
    checkScope(state, limit, problems);
    checkRates(limit, problems);
  }

  @Override
  void readmit(SlaState state, RateLimit stored, Problems problems) {
    admit(state, stored, Optional.of(stored), problems);
  }

  @Override
  void grant(SlaState state, RateLimit limit, Grants out) {
    buckets.grant(state, limit, out);
    grantRates(limit, out);
  }

  private void grantRates(RateLimit limit, Grants out) {
    for (Direction direction : DIRECTIONS) {
      EntryDiff.rateGrant(fpga, Optional.of(limit), direction).ifPresent(out::grant);
    }
  }

  @Override
  Plan put(
      SlaState state, Change.Put put, RateLimit limit, Optional<RateLimit> old, Problems problems)
      throws Refusal {
    return plan(state, put, old.orElse(null), limit, problems);
  }

  @Override
  Plan delete(SlaState state, Change delete, RateLimit old) throws Refusal {
    return plan(state, delete, old, null, new Problems());
  }

  private Plan plan(
      SlaState state, Change change, RateLimit old, RateLimit added, Problems problems)
      throws Refusal {
    LimitView before = state::rateLimitOf;
    LimitView after = LimitView.after(state, old, added);
    problems.refuseIfAny();
    List<Shaped> affected = affected(state, old, added, before, after, problems);
    problems.refuseIfAny();

    PlanBuilder plan = new PlanBuilder();
    if (old != null) {
      aggregateWords(state, plan, old.scope(), before, after);
    }
    if (added != null && (old == null || !old.scope().equals(added.scope()))) {
      aggregateWords(state, plan, added.scope(), before, after);
    }
    int[] opened = new int[DIRECTIONS.length];
    for (Shaped shaped : affected) {
      replace(state, plan, shaped);
      BucketSizes.countOpened(shaped.before, shaped.after, opened);
    }
    buckets.replace(state, plan, old, added, opened);
    if (added != null) {
      grantRates(added, plan.grants());
    }
    return plan.build(change, old != null, 0);
  }

  // ---------------------------------------------------------------- checks

  private void checkScope(SlaState state, RateLimit limit, Problems problems) {
    int port = -1;
    int tree = 0;
    if (limit.scope() instanceof Scope.OfSubscriber of) {
      if (state.subscriber(of.subscriberId()).isEmpty()) {
        problems.add(
            Code.INVALID,
            "scope.subscriber",
            of.subscriberId(),
            "the id of an existing subscriber",
            "There is no subscriber " + of.subscriberId() + ".");
      }
    } else if (limit.scope() instanceof Scope.OfTree of) {
      port = of.port();
      tree = of.tree();
    } else if (limit.scope() instanceof Scope.OfPort of) {
      port = of.port();
    }
    if (port >= 0) {
      if (topology.switchPort(port).isEmpty()) {
        problems.add(
            Code.INVALID,
            "scope.port",
            port,
            topology.connectedBngPorts(),
            String.format(
                Locale.ROOT,
                "BNG port %d is not connected to the switch; connected: %s.",
                port,
                topology.connectedBngPorts()));
      } else {
        CustomerSlots.checkShape(fpga, port, tree, "scope", problems);
      }
    }
    Optional<RateLimit> other = state.rateLimitOf(limit.scope());
    if (other.isPresent() && !other.get().id().equals(limit.id())) {
      problems.add(
          Code.CONFLICT,
          "scope",
          limit.scope(),
          "a scope without another rate limit",
          String.format(
              Locale.ROOT, "Rate limit %s already limits %s.", other.get().id(), limit.scope()));
    }
  }

  private void checkRates(RateLimit limit, Problems problems) {
    for (Direction direction : DIRECTIONS) {
      OptionalLong rateBps = limit.rateBps(direction);
      if (rateBps.isEmpty()) {
        continue;
      }
      String field = direction.text() + "Bps";
      if (topology.sidecar(direction).isEmpty()) {
        problems.add(
            Code.INVALID,
            field,
            rateBps.getAsLong(),
            "no limit in this direction",
            String.format(
                Locale.ROOT,
                "No shaping sidecar is connected for the %s direction, so %s cannot be limited.",
                direction.text(),
                field));
      }
      if (!fpga.canRepresent(rateBps.getAsLong())) {
        problems.add(
            Code.INVALID,
            field,
            rateBps.getAsLong(),
            "1 to " + fpga.maxRateBps() + " bit/s",
            String.format(
                Locale.ROOT,
                "%s of %d bit/s is beyond what the FPGA can represent, %d bit/s.",
                field,
                rateBps.getAsLong(),
                fpga.maxRateBps()));
      }
    }
    OptionalInt burst = limit.burstBytes();
    if (burst.isPresent()
        && (burst.getAsInt() < fpga.minBurstBytes() || burst.getAsInt() > fpga.maxBurstBytes())) {
      problems.add(
          Code.INVALID,
          "burstBytes",
          burst.getAsInt(),
          fpga.minBurstBytes() + " to " + fpga.maxBurstBytes() + " bytes",
          String.format(
              Locale.ROOT,
              "burstBytes is %d; the FPGA's buckets hold %d (one packet) to %d bytes.",
              burst.getAsInt(),
              fpga.minBurstBytes(),
              fpga.maxBurstBytes()));
    }
  }

  // ---------------------------------------------------------------- subscribers

  /** A subscriber whose shaping or own bucket the change may touch. */
  private record Shaped(
      SubscriberState state, AppliedLimits before, AppliedLimits after, int queueAfter) {}

  private List<Shaped> affected(
      SlaState state,
      RateLimit old,
      RateLimit added,
      LimitView before,
      LimitView after,
      Problems problems) {
    if (old != null && added != null && onlyRatesDiffer(old, added)) {
      return List.of();
    }
    Trees trees = new Trees(state);
    List<SubscriberState> members = new ArrayList<>();
    if (old != null) {
      try (Stream<SubscriberState> of = members(state, old.scope())) {
        of.forEach(s -> collect(s, after, trees, members));
      }
    }
    if (added != null && (old == null || !old.scope().equals(added.scope()))) {
      try (Stream<SubscriberState> of = members(state, added.scope())) {
        of.filter(s -> old == null || !covers(old.scope(), s.subscriber()))
            .forEach(s -> collect(s, after, trees, members));
      }
    }
    trees.check(added, problems);
    if (!problems.isEmpty()) {
      return List.of();
    }
    // The order must not depend on the store's: it decides who gets which queue. Queues are given
    // back before they are handed out again.
    members.sort(
        Comparator.comparing((SubscriberState s) -> !s.hasQueue())
            .thenComparingInt(SubscriberState::index));
    List<Shaped> affected = new ArrayList<>(members.size());
    for (SubscriberState member : members) {
      AppliedLimits now = AppliedLimits.of(member.subscriber(), before);
      AppliedLimits then = AppliedLimits.of(member.subscriber(), after);
      int queueAfter = then.any() ? trees.queue(member) : QueueId.NONE;
      affected.add(new Shaped(member, now, then, queueAfter));
    }
    return affected;
  }

  /** A tree's or port's other rate changes its own bucket and no subscriber's. */
  private static boolean onlyRatesDiffer(RateLimit old, RateLimit added) {
    return old.scope().equals(added.scope())
        && !(old.scope() instanceof Scope.OfSubscriber)
        && old.downBps().isPresent() == added.downBps().isPresent()
        && old.upBps().isPresent() == added.upBps().isPresent();
  }

  private static void collect(
      SubscriberState member, LimitView after, Trees trees, List<SubscriberState> members) {
    boolean shapedAfter = AppliedLimits.of(member.subscriber(), after).any();
    if (shapedAfter && !member.hasQueue()) {
      trees.need(member);
    } else if (!shapedAfter && member.hasQueue()) {
      trees.release(member);
    }
    if (!trees.overflown()) {
      members.add(member);
    }
  }

  private static Stream<SubscriberState> members(SlaState state, Scope scope) {
    if (scope instanceof Scope.OfSubscriber of) {
      return state.subscriber(of.subscriberId()).stream();
    } else if (scope instanceof Scope.OfTree of) {
      return state.attachedTo(of.port(), of.tree());
    }
    return state.attachedTo(((Scope.OfPort) scope).port());
  }

  private static boolean covers(Scope scope, Subscriber subscriber) {
    if (scope instanceof Scope.OfSubscriber of) {
      return of.subscriberId().equals(subscriber.id());
    } else if (scope instanceof Scope.OfTree of) {
      return of.port() == subscriber.attachment().port()
          && of.tree() == subscriber.attachment().tree();
    }
    return ((Scope.OfPort) scope).port() == subscriber.attachment().port();
  }

  private void replace(SlaState state, PlanBuilder plan, Shaped shaped) {
    SubscriberState now = shaped.state;
    int slot = EntryDiff.policySlot(state, now.subscriber());
    SubscriberState then = now.withQueue(shaped.queueAfter);
    entryDiff.replace(
        state,
        plan,
        new EntryDiff.Side(now, slot, shaped.before),
        new EntryDiff.Side(then, slot, shaped.after));
    if (now.queueId() != then.queueId()) {
      plan.assign(now.index(), then.queueId());
    }
  }

  /** Customers in use per tree while queues are given back and handed out. */
  private final class Trees {
    private final SlaState state;
    private final long[] inUse = new long[512];
    private final boolean[] loaded = new boolean[512];
    private final int[] needed = new int[512];
    private boolean overflown;

    Trees(SlaState state) {
      this.state = state;
    }

    private int load(SubscriberState member) {
      int port = member.subscriber().attachment().port();
      int tree = member.subscriber().attachment().tree();
      int index = QueueId.treeIndex(port, tree);
      if (!loaded[index]) {
        inUse[index] = state.customersInUse(port, tree);
        loaded[index] = true;
      }
      return index;
    }

    void need(SubscriberState member) {
      int index = load(member);
      needed[index]++;
      // Queues given back later may still make room, so only what can never fit counts here.
      overflown |= needed[index] > fpga.customersPerTree();
    }

    void release(SubscriberState member) {
      inUse[load(member)] &= ~(1L << QueueId.customer(member.queueId()));
    }

    boolean overflown() {
      return overflown;
    }

    void check(RateLimit added, Problems problems) {
      for (int index = 0; index < needed.length; index++) {
        if (needed[index] > 0
            && !CustomerSlots.checkShape(fpga, index >>> 6, index & 63, "scope", problems)) {
          continue;
        }
        int used = Long.bitCount(inUse[index]);
        if (needed[index] + used > fpga.customersPerTree()) {
          problems.add(
              Code.CAPACITY,
              "scope",
              added == null ? "" : added.scope(),
              "trees with at most " + fpga.customersPerTree() + " limited subscribers",
              String.format(
                  Locale.ROOT,
                  "Port %d tree %d has %d queues, %d are in use, and this needs %d more.",
                  index >>> 6,
                  index & 63,
                  fpga.customersPerTree(),
                  used,
                  needed[index]));
        }
      }
    }

    int queue(SubscriberState member) {
      if (member.hasQueue()) {
        return member.queueId();
      }
      int index = load(member);
      int customer = CustomerSlots.lowestFree(inUse[index]);
      inUse[index] |= 1L << customer;
      return QueueId.of(member.subscriber().attachment(), customer);
    }
  }

  // ---------------------------------------------------------------- trees and ports

  private void aggregateWords(
      SlaState state, PlanBuilder plan, Scope scope, LimitView before, LimitView after) {
    FpgaLevel level = FpgaLevel.of(scope);
    if (level == FpgaLevel.CUSTOMER) {
      return;
    }
    int index =
        scope instanceof Scope.OfTree of
            ? QueueId.treeIndex(of.port(), of.tree())
            : ((Scope.OfPort) scope).port();
    for (Direction direction : DIRECTIONS) {
      int word = EntryDiff.word(fpga, after.of(scope), direction);
      plan.set(
          new RateWord(direction, level, index, word),
          EntryDiff.word(fpga, before.of(scope), direction),
          EntryDiff.owner(state, after.of(scope)),
          EntryDiff.rateGrant(fpga, after.of(scope), direction));
    }
  }
}
