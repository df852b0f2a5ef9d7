package net.sluice.intents.limit.fpga;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.sluice.intents.limit.AppliedLimits;
import net.sluice.intents.limit.LimitPlanner;
import net.sluice.intents.limit.LimitedSubscriber;
import net.sluice.intents.limit.Limiter;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.Gate;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.plan.Expected;
import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.FpgaSetting.BucketSize;
import net.sluice.intents.plan.FpgaSetting.ClassShares;
import net.sluice.intents.plan.FpgaSetting.CustomerBurst;
import net.sluice.intents.plan.FpgaSetting.QueueDepth;
import net.sluice.intents.plan.FpgaSetting.RateWord;
import net.sluice.intents.plan.Grant;
import net.sluice.intents.plan.Grants;
import net.sluice.intents.plan.OwnerIds;
import net.sluice.intents.plan.PlanBuilder;
import net.sluice.intents.plan.QueueId;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.plan.entry.limit.SidecarEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.RateGrant;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.state.Ledger;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.validate.Problems;
import net.sluice.intents.value.Direction;

/**
 * Shaping by the FPGA of a direction: each limit is the bucket of a customer, tree or port there,
 * and a subscriber under a limit has a queue, to which the switch sends its packets.
 */
public final class FpgaShaping implements Limiter {
  private static final Direction[] DIRECTIONS = Direction.values();

  /** Stands for the prefixes of a subscriber whose policy alone matters. */
  private static final List<IpPrefix> ANY_PREFIX = List.of(IpPrefix.v4(0, 32));

  private final Topology topology;
  private final FpgaProfile fpga;
  private final Function<RateLimit, Optional<RateLimit>> part;
  private final BucketSizes buckets;
  private final CustomerDelays delays;
  private final FpgaAdmission admission;

  /**
   * The FPGAs beside one switch.
   *
   * @param part of a limit the directions that the FPGAs enforce
   */
  public FpgaShaping(
      Topology topology, FpgaProfile fpga, Function<RateLimit, Optional<RateLimit>> part) {
    this.topology = topology;
    this.fpga = fpga;
    this.part = part;
    this.buckets = new BucketSizes(fpga);
    this.delays = new CustomerDelays(fpga);
    this.admission = new FpgaAdmission(topology, fpga, part);
  }

  @Override
  public Optional<RateLimit> part(RateLimit limit) {
    return part.apply(limit);
  }

  @Override
  public boolean hasGate() {
    return true;
  }

  @Override
  public Ledger newLedger() {
    return new QueueLedger(part);
  }

  @Override
  public LimitPlanner planner(SlaState state, PlanBuilder plan) {
    return new ShapingPlanner(this, state, plan);
  }

  FpgaProfile profile() {
    return fpga;
  }

  BucketSizes buckets() {
    return buckets;
  }

  CustomerDelays delays() {
    return delays;
  }

  FpgaAdmission admission() {
    return admission;
  }

  @Override
  public void admit(SlaState state, RateLimit limit, Problems problems) {
    admission.admit(limit, problems);
  }

  @Override
  public void readmit(SlaState state, LimitedSubscriber stored, Problems problems) {
    admission.readmit(stored, problems);
  }

  // ---------------------------------------------------------------- grants

  @Override
  public void grant(SlaState state, RateLimit limit, Grants out) {
    buckets.grant(state, limit, out);
    grantRates(limit, out);
  }

  void grantRates(RateLimit limit, Grants out) {
    for (Direction direction : DIRECTIONS) {
      rateGrant(Optional.of(limit), direction).ifPresent(out::grant);
    }
  }

  /** The rate that a limit gets in a direction; empty if it does not limit it. */
  Optional<Grant> rateGrant(Optional<RateLimit> limit, Direction direction) {
    if (limit.isEmpty() || limit.get().rateBps(direction).isEmpty()) {
      return Optional.empty();
    }
    RateGrant rate = fpga.grant(limit.get().rateBps(direction).getAsLong());
    String note =
        limit.get().gate() == Gate.OPEN
            ? rate.note()
            : (rate.note().isEmpty() ? "" : rate.note() + "; ")
                + "held back while the gate is closed";
    return Optional.of(
        new Grant(direction, rate.requestedBps(), rate.grantedBps(), note, Enforcement.FPGA));
  }

  /**
   * The rate word of a bucket under a limit: the largest if that direction is not limited, 0 if it
   * is and the gate is closed.
   */
  int word(Optional<RateLimit> limit, Direction direction) {
    if (limit.isPresent()) {
      OptionalLong rateBps = limit.get().rateBps(direction);
      if (rateBps.isPresent()) {
        return limit.get().gate() == Gate.CLOSED ? 0 : fpga.word(rateBps.getAsLong());
      }
    }
    return fpga.maxRateWord();
  }

  /** The owner of what is written for a limit; {@link OwnerIds#NONE} without one. */
  static int owner(SlaState state, Optional<RateLimit> limit) {
    return limit.isEmpty() ? OwnerIds.NONE : OwnerIds.limit(state.limitNumber(limit.get().id()));
  }

  // ---------------------------------------------------------------- what targets should hold

  @Override
  public Set<TargetKey<?>> targets(RateLimit limit) {
    Set<TargetKey<?>> targets = new LinkedHashSet<>();
    for (Direction direction : DIRECTIONS) {
      if (limit.rateBps(direction).isPresent()) {
        targets.add(TargetKey.fpga(direction));
      }
    }
    return targets;
  }

  /** Every subscriber under a limit has a queue: there is no need to look at all subscribers. */
  @Override
  public IntStream limited(SlaState state, Scope scope) {
    QueueLedger queues = state.ledger(QueueLedger.class);
    return scope instanceof Scope.OfTree of
        ? queues.withQueues(QueueId.treeIndex(of.port(), of.tree()), 1)
        : queues.withQueues(
            QueueId.treeIndex(((Scope.OfPort) scope).port(), 0), Attachment.MAX_TREE + 1);
  }

  @Override
  public IntStream limited(SlaState state) {
    return state.ledger(QueueLedger.class).withQueues(0, Attachment.TREES);
  }

  @Override
  public SubscriberData data(SubscriberData data, LimitedSubscriber subscriber) {
    AppliedLimits limits = subscriber.limits().parts(part);
    return new SubscriberData(
        data.index(),
        data.policySlot(),
        data.egressPort(),
        subscriber.state().hasAllotment() ? subscriber.state().allotment() : 0,
        limits.in(Direction.DOWN),
        limits.in(Direction.UP),
        data.hasLine());
  }

  // ---------------------------------------------------------------- classes

  @Override
  public Set<TargetKey<?>> targets(Policy policy) {
    Set<TargetKey<?>> targets = new LinkedHashSet<>();
    if (ClassNumbers.shares(policy) != 0) {
      directionsWithClasses().forEach(direction -> targets.add(TargetKey.fpga(direction)));
    }
    return targets;
  }

  /** The directions whose FPGA lets classes have priorities and shares. */
  List<Direction> directionsWithClasses() {
    return Arrays.stream(DIRECTIONS)
        .filter(direction -> fpga.classShares() && topology.sidecar(direction).isPresent())
        .toList();
  }

  /** The setting of a customer's classes under a policy; empty for a customer of nobody. */
  Expected<FpgaSetting> classes(Direction direction, int customer, Optional<PolicyState> policy) {
    Optional<PolicyState> declared = policy.filter(each -> ClassNumbers.shares(each.policy()) != 0);
    return new Expected<>(
        new ClassShares(
            direction,
            customer,
            declared.map(each -> ClassNumbers.shares(each.policy())).orElse(0)),
        declared.map(each -> OwnerIds.policy(each.slot())).orElse(OwnerIds.NONE));
  }

  @Override
  public void replace(SlaState state, PolicyState before, PolicyState after, PlanBuilder plan) {
    if (before == null || after == null) {
      return;
    }
    boolean classes = ClassNumbers.shares(before.policy()) != ClassNumbers.shares(after.policy());
    boolean delay = !before.policy().limitDelay().equals(after.policy().limitDelay());
    if (!classes && !delay) {
      return;
    }
    for (Direction direction : DIRECTIONS) {
      if (topology.sidecar(direction).isEmpty()) {
        continue;
      }
      indices(FpgaLevel.CUSTOMER)
          .filter(
              customer -> policyOf(state, customer, direction).filter(before::equals).isPresent())
          .forEach(
              customer -> {
                if (classes && fpga.classShares()) {
                  int was = classes(direction, customer, Optional.of(before)).entity().value();
                  Expected<FpgaSetting> is = classes(direction, customer, Optional.of(after));
                  plan.set(is.entity(), was, OwnerIds.policy(after.slot()), Optional.empty());
                }
                if (delay) {
                  replaceDelay(state, direction, customer, before, after, plan);
                }
              });
    }
  }

  /** Replaces what a customer's limit has by its policy. */
  private void replaceDelay(
      SlaState state,
      Direction direction,
      int customer,
      PolicyState before,
      PolicyState after,
      PlanBuilder plan) {
    Optional<RateLimit> limit = limitOf(state, FpgaLevel.CUSTOMER, customer).flatMap(part);
    List<FpgaSetting> was = delays.settings(direction, customer, limit, Optional.of(before));
    List<FpgaSetting> is = delays.settings(direction, customer, limit, Optional.of(after));
    for (int i = 0; i < is.size(); i++) {
      plan.set(is.get(i), was.get(i).value(), owner(state, limit), Optional.empty());
    }
  }

  private static Optional<PolicyState> policyOf(SlaState state, int customer, Direction direction) {
    int owner = state.ledger(QueueLedger.class).ownerOf(customer);
    return owner == 0
        ? Optional.empty()
        : state.policy(state.outline(owner, ANY_PREFIX).subscriber().policyId(direction));
  }

  private Stream<Expected<FpgaSetting>> classes(SlaState state, Direction direction) {
    if (!directionsWithClasses().contains(direction)) {
      return Stream.empty();
    }
    boolean any = state.allPolicies().anyMatch(each -> ClassNumbers.shares(each.policy()) != 0);
    return indices(FpgaLevel.CUSTOMER)
        .mapToObj(
            customer ->
                classes(
                    direction,
                    customer,
                    any ? policyOf(state, customer, direction) : Optional.empty()));
  }

  // ---------------------------------------------------------------- settings

  @Override
  public Stream<SwitchEntry> baseEntries() {
    return Arrays.stream(DIRECTIONS)
        .filter(direction -> topology.sidecar(direction).isPresent())
        .map(direction -> new SidecarEntry(direction, topology.sidecar(direction).getAsInt()));
  }

  @Override
  public Stream<Expected<FpgaSetting>> settings(SlaState state, Direction direction) {
    if (topology.sidecar(direction).isEmpty()) {
      return Stream.empty();
    }
    Stream<FpgaSetting> sizes =
        Arrays.stream(FpgaLevel.values())
            .map(level -> new BucketSize(direction, level, buckets.bytes(state, level, direction)));
    Stream<FpgaSetting> depths =
        IntStream.range(0, fpga.classes())
            .mapToObj(queueClass -> new QueueDepth(direction, queueClass, fpga.queueDepthBytes()));
    Stream<Expected<FpgaSetting>> waits =
        indices(FpgaLevel.CUSTOMER).boxed().flatMap(customer -> delays(state, direction, customer));
    Stream<Expected<FpgaSetting>> words =
        Stream.of(FpgaLevel.PORT, FpgaLevel.TREE, FpgaLevel.CUSTOMER)
            .flatMap(
                level -> indices(level).mapToObj(index -> word(state, direction, level, index)));
    Stream<Expected<FpgaSetting>> bursts =
        fpga.customerBursts()
            ? indices(FpgaLevel.CUSTOMER).mapToObj(index -> burst(state, direction, index))
            : Stream.empty();
    Stream<Expected<FpgaSetting>> others =
        Stream.of(sizes, depths)
            .flatMap(each -> each)
            .map(setting -> new Expected<>(setting, OwnerIds.NONE));
    return Stream.of(others, bursts, waits, classes(state, direction), words).flatMap(each -> each);
  }

  /** The buckets of a level that the FPGA has. */
  private IntStream indices(FpgaLevel level) {
    IntStream ports = IntStream.range(0, fpga.ports());
    if (level == FpgaLevel.PORT) {
      return ports;
    }
    IntStream trees =
        ports.flatMap(
            port ->
                IntStream.range(0, fpga.treesPerPort()).map(tree -> QueueId.treeIndex(port, tree)));
    return level == FpgaLevel.TREE
        ? trees
        : trees.flatMap(
            tree ->
                IntStream.range(0, fpga.customersPerTree())
                    .map(customer -> tree * QueueId.CUSTOMERS + customer));
  }

  private Expected<FpgaSetting> word(
      SlaState state, Direction direction, FpgaLevel level, int index) {
    Optional<RateLimit> limit = limitOf(state, level, index).flatMap(part);
    return new Expected<>(
        new RateWord(direction, level, index, word(limit, direction)), owner(state, limit));
  }

  private Expected<FpgaSetting> burst(SlaState state, Direction direction, int index) {
    Optional<RateLimit> limit = limitOf(state, FpgaLevel.CUSTOMER, index).flatMap(part);
    return new Expected<>(
        new CustomerBurst(direction, index, buckets.customerBytes(limit, direction)),
        owner(state, limit));
  }

  private Stream<Expected<FpgaSetting>> delays(SlaState state, Direction direction, int customer) {
    Optional<RateLimit> limit = limitOf(state, FpgaLevel.CUSTOMER, customer).flatMap(part);
    if (limit.isEmpty()) {
      return Stream.empty();
    }
    Optional<PolicyState> policy = policyOf(state, customer, direction);
    int owner = owner(state, limit);
    return delays.settings(direction, customer, limit, policy).stream()
        .map(setting -> new Expected<>(setting, owner));
  }

  private static Optional<RateLimit> limitOf(SlaState state, FpgaLevel level, int index) {
    if (level == FpgaLevel.PORT) {
      return state.rateLimitOf(new Scope.OfPort(index));
    } else if (level == FpgaLevel.TREE) {
      Attachment at = Attachment.ofTreeIndex(index);
      return state.rateLimitOf(new Scope.OfTree(at.port(), at.tree()));
    }
    int owner = state.ledger(QueueLedger.class).ownerOf(index);
    return owner == 0
        ? Optional.empty()
        : state.rateLimitOf(new Scope.OfSubscriber(state.idOf(owner)));
  }

  @Override
  public Stream<FpgaSetting> settingsOf(SlaState state, RateLimit limit, Direction direction) {
    if (limit.rateBps(direction).isEmpty()) {
      return Stream.empty();
    }
    FpgaLevel level = FpgaLevel.of(limit.scope());
    Stream<FpgaSetting> size =
        Stream.of(new BucketSize(direction, level, buckets.bytes(state, level, direction)));
    OptionalInt index = bucketOf(state, limit.scope());
    if (index.isEmpty()) {
      return size;
    }
    Optional<RateLimit> own = Optional.of(limit);
    Stream<FpgaSetting> word =
        Stream.of(new RateWord(direction, level, index.getAsInt(), word(own, direction)));
    Stream<FpgaSetting> burst =
        level == FpgaLevel.CUSTOMER && fpga.customerBursts()
            ? Stream.of(
                new CustomerBurst(
                    direction, index.getAsInt(), buckets.customerBytes(own, direction)))
            : Stream.empty();
    Stream<FpgaSetting> waits =
        level == FpgaLevel.CUSTOMER
            ? delays(state, direction, index.getAsInt()).map(Expected::entity)
            : Stream.empty();
    return Stream.of(burst, waits, word, size).flatMap(each -> each);
  }

  private static OptionalInt bucketOf(SlaState state, Scope scope) {
    if (scope instanceof Scope.OfPort of) {
      return OptionalInt.of(of.port());
    } else if (scope instanceof Scope.OfTree of) {
      return OptionalInt.of(QueueId.treeIndex(of.port(), of.tree()));
    }
    return state
        .subscriber(((Scope.OfSubscriber) scope).subscriberId())
        .filter(SubscriberState::hasAllotment)
        .map(subscriber -> OptionalInt.of(QueueId.customerIndex(subscriber.allotment())))
        .orElse(OptionalInt.empty());
  }

  /** True if a setting limits something, rather than being what a bucket holds that nobody set. */
  public boolean isLimit(FpgaSetting setting) {
    return setting instanceof RateWord word
        && word.word() > FpgaProfile.RESET_RATE_WORD
        && !isLifted(setting);
  }

  /** True if a setting is that of a bucket without a limit. */
  public boolean isLifted(FpgaSetting setting) {
    return setting instanceof RateWord word && word.word() == fpga.maxRateWord();
  }
}
