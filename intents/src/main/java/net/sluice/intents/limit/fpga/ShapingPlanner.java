package net.sluice.intents.limit.fpga;

import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;
import net.sluice.intents.limit.AppliedLimits;
import net.sluice.intents.limit.LimitPlanner;
import net.sluice.intents.limit.LimitedSubscriber;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.plan.Expected;
import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.FpgaSetting.CustomerBurst;
import net.sluice.intents.plan.FpgaSetting.CustomerCodel;
import net.sluice.intents.plan.FpgaSetting.CustomerDepth;
import net.sluice.intents.plan.FpgaSetting.RateWord;
import net.sluice.intents.plan.Grant;
import net.sluice.intents.plan.OwnerIds;
import net.sluice.intents.plan.PlanBuilder;
import net.sluice.intents.plan.QueueId;
import net.sluice.intents.plan.entry.limit.WaitSetting;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Problems;
import net.sluice.intents.value.Direction;

/** Gives queues out and back, and sets what their customers have. */
final class ShapingPlanner implements LimitPlanner {
  private static final Direction[] DIRECTIONS = Direction.values();

  private final FpgaShaping shaping;
  private final SlaState state;
  private final PlanBuilder plan;

  /** By direction, see {@link BucketSizes#countOpened}. */
  private final int[] opened = new int[DIRECTIONS.length];

  /** Those of which queues are given back or handed out, by index. */
  private final SortedMap<Integer, Tree> trees = new TreeMap<>();

  ShapingPlanner(FpgaShaping shaping, SlaState state, PlanBuilder plan) {
    this.shaping = shaping;
    this.state = state;
    this.plan = plan;
  }

  /** A tree's customers while queues are given back and handed out. */
  private static final class Tree {
    private long inUse;
    private int needed;

    Tree(long inUse) {
      this.inUse = inUse;
    }
  }

  private Tree tree(Attachment at) {
    return trees.computeIfAbsent(at.treeIndex(), index -> new Tree(customersInUse(index)));
  }

  private long customersInUse(int tree) {
    return state.ledger(QueueLedger.class).customersInUse(tree);
  }

  private AppliedLimits parts(AppliedLimits limits) {
    return limits.parts(shaping::part);
  }

  @Override
  public boolean expect(SubscriberState member, AppliedLimits after) {
    boolean shaped = parts(after).any();
    if (shaped && !member.hasAllotment()) {
      Tree tree = tree(member.subscriber().attachment());
      tree.needed++;
      // Queues given back later may still make room, so only what can never fit counts here.
      return tree.needed <= shaping.profile().customersPerTree();
    } else if (!shaped && member.hasAllotment()) {
      tree(member.subscriber().attachment()).inUse &= ~(1L << QueueId.customer(member.allotment()));
    }
    return true;
  }

  @Override
  public void check(RateLimit added, Problems problems) {
    int customers = shaping.profile().customersPerTree();
    trees.forEach(
        (index, tree) -> {
          Attachment at = Attachment.ofTreeIndex(index);
          if (tree.needed > 0 && !shaping.admission().checkTree(at, "scope", problems)) {
            return;
          }
          int used = Long.bitCount(tree.inUse);
          if (tree.needed + used > customers) {
            problems.add(
                Code.CAPACITY,
                "scope",
                added == null ? "" : added.scope(),
                "trees with at most " + customers + " limited subscribers",
                String.format(
                    Locale.ROOT,
                    "Port %d tree %d has %d queues, %d are in use, and this needs %d more.",
                    at.port(),
                    at.tree(),
                    customers,
                    used,
                    tree.needed));
          }
        });
  }

  @Override
  public int allot(SubscriberState member, AppliedLimits after) {
    if (!parts(after).any()) {
      return SubscriberState.NONE;
    } else if (member.hasAllotment()) {
      return member.allotment();
    }
    Tree tree = tree(member.subscriber().attachment());
    int customer = free(member.subscriber(), tree.inUse);
    tree.inUse |= 1L << customer;
    return QueueId.of(member.subscriber().attachment(), customer);
  }

  /** The queue it has if it stays in its tree, else the tree's lowest free. */
  @Override
  public int allot(SubscriberState old, Subscriber put, AppliedLimits after, Problems problems) {
    AppliedLimits limits = parts(after);
    Attachment at = put.attachment();
    if (!limits.any()) {
      return SubscriberState.NONE;
    } else if (old != null && old.hasAllotment() && old.subscriber().attachment().equals(at)) {
      return old.allotment();
    } else if (!shaping.admission().checkTree(at, "attachment", problems)) {
      return SubscriberState.NONE;
    }
    int customer = free(put, customersInUse(at.treeIndex()));
    return shaping.admission().checkCustomer(put, limits, customer, problems)
        ? QueueId.of(at, customer)
        : SubscriberState.NONE;
  }

  /**
   * The customer that a subscriber formerly was of its tree, if that is free, else the lowest clear
   * bit of {@code inUse}; 64 if there is none.
   */
  private int free(Subscriber subscriber, long inUse) {
    int had =
        state
            .formerly(subscriber.id())
            .map(SubscriberState::allotment)
            .orElse(SubscriberState.NONE);
    boolean again =
        had != SubscriberState.NONE
            && QueueId.treeIndex(had) == subscriber.attachment().treeIndex()
            && (inUse >>> QueueId.customer(had) & 1) == 0;
    return again ? QueueId.customer(had) : Long.numberOfTrailingZeros(~inUse);
  }

  @Override
  public void replace(LimitedSubscriber before, LimitedSubscriber after) {
    AppliedLimits was = before == null ? AppliedLimits.NONE : parts(before.limits());
    AppliedLimits is = after == null ? AppliedLimits.NONE : parts(after.limits());
    BucketSizes.countOpened(was, is, opened);
    Queues queues =
        new Queues(
            before == null ? SubscriberState.NONE : before.state().allotment(),
            after == null ? SubscriberState.NONE : after.state().allotment());
    int owner = FpgaShaping.owner(state, is.own());
    for (Direction direction : DIRECTIONS) {
      set(
          queues,
          customer ->
              new RateWord(
                  direction, FpgaLevel.CUSTOMER, customer, shaping.profile().maxRateWord()),
          shaping.word(was.own(), direction),
          shaping.word(is.own(), direction),
          owner,
          shaping.rateGrant(is.own(), direction));
      if (shaping.profile().customerBursts()) {
        BucketSizes buckets = shaping.buckets();
        set(
            queues,
            customer -> new CustomerBurst(direction, customer, CustomerBurst.OF_LEVEL),
            buckets.customerBytes(was.own(), direction),
            buckets.customerBytes(is.own(), direction),
            owner,
            buckets.customerGrant(is.own(), direction));
      }
      WaitSetting oldWait = CustomerDelays.wait(was.own(), policy(before, direction));
      WaitSetting wait = CustomerDelays.wait(is.own(), policy(after, direction));
      CustomerDelays delays = shaping.delays();
      set(
          queues,
          customer -> new CustomerCodel(direction, customer, CustomerCodel.OF_CLASS),
          delays.codel(direction, was.own(), oldWait),
          delays.codel(direction, is.own(), wait),
          owner,
          Optional.empty());
      set(
          queues,
          customer -> new CustomerDepth(direction, customer, CustomerDepth.OF_CLASS),
          delays.depthBytes(direction, was.own(), oldWait),
          delays.depthBytes(direction, is.own(), wait),
          owner,
          Optional.empty());
    }
    for (Direction direction : shaping.directionsWithClasses()) {
      Expected<FpgaSetting> classes = shaping.classes(direction, 0, policy(after, direction));
      set(
          queues,
          customer -> shaping.classes(direction, customer, Optional.empty()).entity(),
          shaping.classes(direction, 0, policy(before, direction)).entity().value(),
          classes.entity().value(),
          classes.owner(),
          Optional.empty());
    }
  }

  /** The queues of a subscriber before and after a change; NONE where it has none. */
  private record Queues(int was, int is) {}

  /**
   * Sets what a customer has. A queue that is left gets what a free one has, so that its next owner
   * begins anew.
   *
   * @param free the setting of a free customer
   */
  private void set(
      Queues queues,
      IntFunction<FpgaSetting> free,
      int was,
      int is,
      int owner,
      Optional<Grant> grant) {
    boolean stays = queues.was == queues.is;
    if (queues.was != SubscriberState.NONE && !stays) {
      FpgaSetting left = free.apply(QueueId.customerIndex(queues.was));
      plan.set(left, was, OwnerIds.NONE, Optional.empty());
    }
    if (queues.is != SubscriberState.NONE) {
      FpgaSetting setting = free.apply(QueueId.customerIndex(queues.is));
      plan.set(setting.withValue(is), stays ? was : setting.value(), owner, grant);
    }
  }

  private Optional<PolicyState> policy(LimitedSubscriber subscriber, Direction direction) {
    return subscriber == null
        ? Optional.empty()
        : state.policy(subscriber.state().subscriber().policyId(direction));
  }

  private RateLimit part(RateLimit limit) {
    return limit == null ? null : shaping.part(limit).orElse(null);
  }

  @Override
  public void replace(RateLimit old, RateLimit added) {
    RateLimit was = part(old);
    RateLimit is = part(added);
    if (was != null && (is == null || !is.scope().equals(was.scope()))) {
      words(was.scope(), was, null);
    }
    if (is != null) {
      words(is.scope(), was != null && was.scope().equals(is.scope()) ? was : null, is);
    }
  }

  @Override
  public void finish(RateLimit old, RateLimit added) {
    RateLimit is = part(added);
    shaping.buckets().replace(state, plan, part(old), is, opened);
    if (is != null) {
      shaping.grantRates(is, plan.grants());
    }
  }

  /** Sets the words of a tree or port. */
  private void words(Scope scope, RateLimit before, RateLimit after) {
    FpgaLevel level = FpgaLevel.of(scope);
    if (level == FpgaLevel.CUSTOMER) {
      return;
    }
    int index =
        scope instanceof Scope.OfTree of
            ? QueueId.treeIndex(of.port(), of.tree())
            : ((Scope.OfPort) scope).port();
    Optional<RateLimit> is = Optional.ofNullable(after);
    for (Direction direction : DIRECTIONS) {
      plan.set(
          new RateWord(direction, level, index, shaping.word(is, direction)),
          shaping.word(Optional.ofNullable(before), direction),
          FpgaShaping.owner(state, is),
          shaping.rateGrant(is, direction));
    }
  }
}
