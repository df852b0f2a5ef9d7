package net.sluice.intents.compile;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import net.sluice.intents.marker.RateBins;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.GrantsInForce;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.SwitchEntry.QueueAqmEntry;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.validate.Refusal;

/**
 * Compiles declarations for one switch and its FPGAs: a pure function of the state, the change and
 * what was given to the constructor. Thread-safe as long as the state it reads is not changed
 * meanwhile.
 *
 * <p>What a target should hold is {@link #baseEntries} + {@link #queueEntries} + {@link #expected}
 * of each policy and subscriber for the switch, and {@link #expectedSettings} for each FPGA.
 * Applying the plans of any sequence of changes to an empty target leads to just that.
 */
public class Compiler {
  private final SwitchProfile switchProfile;
  private final FpgaProfile fpgaProfile;
  private final Infrastructure infrastructure;
  private final SubscriberEntries entries;
  private final BucketSizes buckets;
  private final ManagedQueues queues;
  private final PolicyCompiler policies;
  private final SubscriberCompiler subscribers;
  private final RateLimitCompiler rateLimits;

  /**
   * A compiler for one cabled switch; profiles as the targets report them.
   *
   * @throws InvalidValueException if the switch cannot manage the ports' queues as the topology
   *     says
   */
  public Compiler(Topology topology, SwitchProfile switchProfile, FpgaProfile fpgaProfile) {
    this.switchProfile = switchProfile;
    this.fpgaProfile = fpgaProfile;
    RateBins bins = switchProfile.rateBins();
    entries = new SubscriberEntries(topology, switchProfile.markers());
    Transition transition = new Transition(entries, fpgaProfile);
    buckets = new BucketSizes(fpgaProfile);
    infrastructure =
        new Infrastructure(topology, bins, switchProfile.randomRates(), fpgaProfile, buckets);
    queues = new ManagedQueues(topology, switchProfile.aqm());
    policies = new PolicyCompiler(switchProfile, bins, queues);
    subscribers =
        new SubscriberCompiler(topology, switchProfile, fpgaProfile, transition, buckets, queues);
    rateLimits = new RateLimitCompiler(topology, fpgaProfile, transition, buckets);
  }

  /** The switch profile given to the constructor. */
  public SwitchProfile switchProfile() {
    return switchProfile;
  }

  /** The FPGA profile given to the constructor. */
  public FpgaProfile fpgaProfile() {
    return fpgaProfile;
  }

  /**
   * What {@code change} does to the targets and to the state's allocations. The state is not
   * changed: apply {@link Plan#delta()} to it once the plan is accepted.
   *
   * @throws Refusal if the change is not acceptable, with every problem found
   */
  public Plan compile(SlaState state, Change change) throws Refusal {
    return of(change.kind()).compile(state, change);
  }

  /**
   * What a declaration in force gets under the state's other declarations now: what putting it
   * again would be granted, without planning that.
   */
  public GrantsInForce inForce(SlaState state, Declaration declaration) {
    return of(declaration.kind()).inForce(state, declaration);
  }

  /** Begins to admit what is stored, for this topology and these profiles. */
  public Readmission readmission() {
    return new Readmission(policies, subscribers, rateLimits);
  }

  private KindCompiler<?, ?> of(Kind kind) {
    return switch (kind) {
      case POLICY -> policies;
      case SUBSCRIBER -> subscribers;
      case RATE_LIMIT -> rateLimits;
    };
  }

  /**
   * The bucket size in bytes that all buckets of a level have under the state's declarations: the
   * smallest, from the reset value on, that holds the bursts asked for there and keeps every rate
   * in use there.
   */
  public int bucketBytes(SlaState state, FpgaLevel level, Direction direction) {
    return buckets.bytes(state, level, direction);
  }

  /** What people should know of the switch's layout; empty if nothing is lost. */
  public List<String> baseNotes() {
    return infrastructure.notes();
  }

  /** The switch entries that depend on no declaration, in the order to install them. */
  public Stream<SwitchEntry> baseEntries() {
    return infrastructure.entries();
  }

  /** The entries of all queues whose delay is managed under the state's policies. */
  public Stream<QueueAqmEntry> queueEntries(SlaState state) {
    return queues.entries(state);
  }

  /** How a class queue is managed under the state's policies; empty if it is not. */
  public Optional<QueueAqmEntry> queueEntry(SlaState state, int port, int queue) {
    return queues.entry(state, port, queue);
  }

  /**
   * The policy that says how class queue {@code queue} of switch port {@code port} is managed, one
   * of several that agree; empty if the topology does, or nobody.
   */
  public Optional<PolicyState> queueDecider(SlaState state, int port, int queue) {
    return queues.decider(state, port, queue);
  }

  /** The switch entries of a policy. */
  public Stream<SwitchEntry> expected(PolicyState policy) {
    return policies.entries(policy);
  }

  /**
   * Emits the switch entries of a subscriber under the state's rate limits.
   *
   * @throws IllegalStateException if the state does not fit: the subscriber's policy is missing or
   *     its BNG port is not connected
   */
  public void expected(
      SlaState state, SubscriberState subscriber, Consumer<? super SwitchEntry> out) {
    entries.emit(
        subscriber.subscriber(),
        subscriber.index(),
        Transition.policySlot(state, subscriber.subscriber()),
        subscriber.queueId(),
        Shaping.of(subscriber.subscriber(), state::rateLimitOf),
        out);
  }

  /**
   * Every setting of the FPGA of {@code direction} under the state's rate limits: bucket sizes,
   * queue depths, and one rate word for each bucket, the largest where nothing is limited. With an
   * empty state, what to initialise the FPGA with. Empty if the direction has no sidecar.
   */
  public Stream<FpgaSetting> expectedSettings(SlaState state, Direction direction) {
    return infrastructure.settings(state, direction);
  }
}
