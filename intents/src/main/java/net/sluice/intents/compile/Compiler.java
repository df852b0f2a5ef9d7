package net.sluice.intents.compile;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.sluice.intents.limit.CommittedRates;
import net.sluice.intents.limit.LimitedSubscriber;
import net.sluice.intents.limit.Limiter;
import net.sluice.intents.limit.LimiterChoice;
import net.sluice.intents.limit.Limiters;
import net.sluice.intents.limit.delay.PolicyDelays;
import net.sluice.intents.limit.delay.PolicyFlows;
import net.sluice.intents.limit.fpga.FpgaShaping;
import net.sluice.intents.limit.police.Policing;
import net.sluice.intents.limit.shape.SwitchShaping;
import net.sluice.intents.marker.Marker;
import net.sluice.intents.marker.Markers;
import net.sluice.intents.marker.aggregate.AggregateMarking;
import net.sluice.intents.marker.csaqm.CsaqmMarker;
import net.sluice.intents.marker.trafficclass.ClassMarking;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.PortQueue;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Expected;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.GrantsInForce;
import net.sluice.intents.plan.OwnerIds;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.TableUse;
import net.sluice.intents.plan.entry.subscriber.SubscriberPrefixEntry;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Wire;
import net.sluice.intents.state.Ledger;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.intents.verdict.SwitchSharing;

/**
 * Compiles declarations for one switch and its FPGAs: a pure function of the state, the change and
 * what was given to the constructor. Thread-safe as long as the state it reads is not changed
 * meanwhile.
 *
 * <p>What a target should hold is {@link #sharedEntries} and what is {@link #expected} of each
 * subscriber for the switch, and {@link #expectedSettings} for each FPGA. Applying the plans of any
 * sequence of changes to an empty target leads to just that.
 */
public class Compiler {
  /** Stands for the prefixes of a subscriber where other entries of it are looked at. */
  private static final List<IpPrefix> ANY_PREFIX = List.of(IpPrefix.v4(0, 32));

  private final Topology topology;
  private final SwitchProfile switchProfile;
  private final FpgaProfile fpgaProfile;
  private final FpgaShaping shaping;
  private final Limiters limiters;
  private final Markers markers;
  private final WireEntries wires;
  private final StaticEntries staticEntries;
  private final SubscriberEntries entries;
  private final ManagedQueues queues;
  private final TableUses uses;
  private final PolicyCompiler policies;
  private final SubscriberCompiler subscribers;
  private final RateLimitCompiler rateLimits;
  private final TariffCompiler tariffs;

  /**
   * A compiler for one cabled switch; profiles as the targets report them.
   *
   * @throws InvalidValueException if the switch cannot manage the ports' queues as the topology
   *     says, has no use for its loop ports, no wires, or answers for no addresses
   */
  public Compiler(Topology topology, SwitchProfile profile, FpgaProfile fpgaProfile) {
    this.topology = topology;
    switchProfile = profile.withoutSubscribers(topology.wires().size());
    this.fpgaProfile = fpgaProfile;
    LimiterChoice choice = new LimiterChoice(topology, switchProfile, fpgaProfile);
    shaping = new FpgaShaping(topology, fpgaProfile, limit -> choice.part(limit, Enforcement.FPGA));
    List<Limiter> all = new ArrayList<>(List.of(shaping));
    if (!topology.loopPorts().isEmpty()) {
      if (!switchProfile.shaping().any()) {
        throw new InvalidValueException(
            "loopPorts", topology.loopPorts(), "absent: the switch's program shapes no limits");
      }
      all.add(
          new SwitchShaping(
              switchProfile.shaping(),
              topology.loopPorts(),
              limit -> choice.part(limit, Enforcement.SHAPE)));
    }
    if (switchProfile.meters().any()) {
      all.add(
          new Policing(switchProfile.meters(), limit -> choice.part(limit, Enforcement.POLICE)));
    }
    limiters = new Limiters(choice, all);
    List<Marker> each =
        new ArrayList<>(
            List.of(
                new CsaqmMarker(switchProfile),
                new AggregateMarking(topology, switchProfile),
                new ClassMarking(
                    topology, switchProfile, fpgaProfile, choice, all.subList(1, all.size()))));
    if (!topology.loopPorts().isEmpty()) {
      each.add(new PolicyDelays());
    }
    // The programs that shape are those that tell flows apart.
    if (switchProfile.shaping().any()) {
      each.add(new PolicyFlows());
    }
    requireNeighbours(topology, switchProfile);
    wires = new WireEntries(topology, switchProfile);
    each.add(wires);
    markers = new Markers(each);
    entries = new SubscriberEntries(topology, switchProfile, limiters, markers);
    EntryDiff entryDiff = new EntryDiff(entries);
    staticEntries = new StaticEntries(topology, wires, switchProfile, markers, limiters);
    queues = new ManagedQueues(topology, switchProfile.aqm());
    uses = new TableUses(switchProfile, limiters, markers);
    policies = new PolicyCompiler(limiters, markers, queues);
    subscribers =
        new SubscriberCompiler(
            topology, switchProfile, entries, entryDiff, limiters, markers, queues);
    rateLimits = new RateLimitCompiler(topology, entryDiff, limiters, markers);
    tariffs = new TariffCompiler(switchProfile);
  }

  private static void requireNeighbours(Topology topology, SwitchProfile profile) {
    if (!profile.answersNeighbours()) {
      topology.ports().stream()
          .flatMap(port -> port.line().own().stream())
          .findFirst()
          .ifPresent(
              own -> {
                throw new InvalidValueException(
                    "ports.addresses", own, "absent: the switch's program answers for none");
              });
    }
  }

  /** Empty ledgers of all limiters and markers, for a state that is empty. */
  public List<Ledger> newLedgers() {
    List<Ledger> ledgers = new ArrayList<>();
    ledgers.add(new CommittedRates());
    limiters.all().forEach(limiter -> ledgers.add(limiter.newLedger()));
    ledgers.addAll(markers.newLedgers());
    return ledgers;
  }

  /** How full the switch is with what {@code state} uses. */
  public List<TableUse> uses(SlaState state) {
    return uses.of(state);
  }

  /**
   * A note for each resource that a plan takes more of and that is nearly full with it; before the
   * plan is applied to {@code state}.
   */
  public List<String> useNotes(SlaState state, Plan plan) {
    return uses.notes(state, plan);
  }

  /**
   * Whether a table has no room for that many entries beside those that {@code state} has in it.
   */
  public boolean isFullWith(SlaState state, Table table, int more) {
    return subscribers.isFullWith(state, table, more);
  }

  /** The switch profile given to the constructor, but for the indices that wires take. */
  public SwitchProfile switchProfile() {
    return switchProfile;
  }

  /** The FPGA profile given to the constructor. */
  public FpgaProfile fpgaProfile() {
    return fpgaProfile;
  }

  /**
   * Plans what {@code change} does to the targets and to the state's allocations. The state is not
   * changed: apply {@link Plan#delta()} to it once the plan is accepted. Of a request of what is
   * not always the same, what it declares for now is out of force if it cannot be in force and
   * another treatment that it declares can, so that it is accepted at one time as at another; the
   * change of the delta is what comes to be then.
   *
   * @throws Refusal if the change is not acceptable, with every problem found
   */
  public Plan compile(SlaState state, Change change) throws Refusal {
    try {
      Optional<Plan> restored =
          change instanceof Change.Put put
              ? of(put.kind()).asElsewhere(state, put)
              : Optional.empty();
      return restored.isPresent() ? restored.get() : of(change.kind()).compile(state, change);
    } catch (Refusal refusal) {
      if (refusal.code() == Problem.Code.PRECONDITION
          || !(change instanceof Change.Put put)
          || put.askedAt().isEmpty()) {
        throw refusal;
      }
      Plan plan = of(put.kind()).putOut(state, put).orElseThrow(() -> refusal);
      Declaration inForce = ((Change.Put) plan.delta().change()).declaration();
      List<String> notes = new ArrayList<>(plan.notes());
      notes.add(outText(inForce.outSince().orElseThrow(), refusal.problems()));
      return plan.withNotes(notes);
    }
  }

  /**
   * Plans a request with another of its treatments in force than that for now, which {@link
   * #coming} may bring: it yields to what always is as it is declared.
   *
   * @param asked has an {@code askedAt}
   * @throws Refusal if none of its treatments can be in force
   */
  public Plan yielding(SlaState state, Change.Put asked) throws Refusal {
    KindCompiler<?, ?> kind = of(asked.kind());
    Optional<Plan> plan = kind.asElsewhere(state, asked).or(() -> kind.putOut(state, asked));
    return plan.isPresent() ? plan.get() : compile(state, asked);
  }

  private static String outText(Instant since, List<Problem> problems) {
    return "out of force since "
        + since
        + ": "
        + problems.stream().map(Problem::naming).collect(Collectors.joining(" "));
  }

  /**
   * The outcome of a moment for a declaration that is not always the same.
   *
   * @param plan brings what is declared for it into force, or keeps what is in force; empty if
   *     nothing of that is new
   * @param outOfForce why it is kept out of force; empty if it is in force
   */
  public record Coming(Optional<Plan> plan, List<Problem> outOfForce) {}

  /**
   * Decides what is in force of a declaration from a moment on: what it declares for that moment,
   * if that can be admitted now beside what others have in force; else what is in force of it
   * already, and that what is due is out of force is stored with it. Each moment of each
   * declaration is decided here, for a controller that runs, one that starts or takes over, and a
   * check.
   *
   * @param due has a {@code dueAt}, and the declaration as it is to be then
   * @throws Refusal if the declaration is another one by now, or gone
   */
  public Coming coming(SlaState state, Change.Put due) throws Refusal {
    try {
      return new Coming(Optional.of(compile(state, due)), List.of());
    } catch (Refusal refusal) {
      if (refusal.code() == Problem.Code.PRECONDITION) {
        throw refusal;
      }
      return new Coming(of(due.kind()).keep(state, due), refusal.problems());
    }
  }

  /** Words on a declaration of which something is out of force: since when, what, and why. */
  public String outText(SlaState state, Declaration inForce, Instant now) {
    Instant since = inForce.outSince().orElse(now);
    try {
      Plan unused = compile(state, Change.Put.due(inForce.at(now), now));
      return "out of force since "
          + since
          + ": nothing is in its way any more, and it comes into force";
    } catch (Refusal refusal) {
      return outText(since, refusal.problems());
    }
  }

  /**
   * The grants of a declaration in force under the state's other declarations now: those that
   * putting it again would get, without planning that.
   */
  public GrantsInForce inForce(SlaState state, Declaration declaration) {
    return of(declaration.kind()).inForce(state, declaration);
  }

  /** Begins to admit what is stored, for this topology and these profiles. */
  public Revalidation readmission() {
    return new Revalidation(policies, subscribers, rateLimits, tariffs);
  }

  private KindCompiler<?, ?> of(Kind kind) {
    return switch (kind) {
      case POLICY -> policies;
      case SUBSCRIBER -> subscribers;
      case RATE_LIMIT -> rateLimits;
      case TARIFF -> tariffs;
    };
  }

  /** Notes for people about the switch's layout; empty if nothing is lost. */
  public List<String> baseNotes() {
    return markers.baseNotes();
  }

  /** The switch entries that depend on no declaration, in the order to install them. */
  public Stream<SwitchEntry> baseEntries() {
    return staticEntries.entries();
  }

  /** The ends of wires, in the order of the wires. */
  public List<Wire.End> wireEnds() {
    return wires.ends();
  }

  /** The sharing of the switch's subscribers under a state. */
  public SwitchSharing sharing(SlaState state) {
    return new SwitchSharing(state, limiters, topology);
  }

  /** The limiters of the switch. */
  public Limiters limiters() {
    return limiters;
  }

  /** The queues whose delay is managed under the state's policies, by port and queue. */
  public Stream<ManagedQueue> managedQueues(SlaState state) {
    return queues.managed(state);
  }

  /**
   * The switch entries that are of no single subscriber, in the order to install them: those of
   * {@link #baseEntries}, of limits, of managed queues and of policies.
   */
  public Stream<Expected<SwitchEntry>> sharedEntries(SlaState state) {
    return Stream.of(
            baseEntries().map(entry -> new Expected<>(entry, OwnerIds.NONE)),
            limiters.sharedEntries(state),
            queues.entries(state),
            state.allPolicies().flatMap(markers::expected))
        .flatMap(entries -> entries);
  }

  /**
   * The entry that the switch should hold with the key of one that it holds; empty if it should
   * hold none.
   */
  public Optional<Expected<SwitchEntry>> expected(SlaState state, SwitchEntry actual) {
    if (actual.table().isOfSubscribers()) {
      int index = entries.index(state, actual);
      return index == 0 ? Optional.empty() : expected(state, index, actual);
    }
    Optional<PortQueue> queue = ManagedQueues.queue(actual);
    if (queue.isPresent()) {
      return queues.entry(state, queue.get(), actual);
    }
    SwitchEntry known = staticEntries.find(actual);
    if (known != null) {
      return Optional.of(new Expected<>(known, OwnerIds.NONE));
    }
    return markers
        .expected(state, actual)
        .or(
            () ->
                limiters
                    .sharedEntries(state)
                    .filter(each -> each.entity().sameKey(actual))
                    .findAny());
  }

  private Optional<Expected<SwitchEntry>> expected(SlaState state, int index, SwitchEntry actual) {
    List<IpPrefix> prefixes =
        actual instanceof SubscriberPrefixEntry of ? List.of(of.prefix()) : ANY_PREFIX;
    SwitchEntry[] found = new SwitchEntry[1];
    expected(
        state,
        state.outline(index, prefixes),
        entry -> {
          if (entry.sameKey(actual)) {
            found[0] = entry;
          }
        });
    return found[0] == null
        ? Optional.empty()
        : Optional.of(new Expected<>(found[0], OwnerIds.subscriber(index)));
  }

  /** Number of entries that a table should hold. */
  public long entries(SlaState state, Table table) {
    return table.isOfSubscribers()
        ? subscribers.entries(state, table)
        : sharedEntries(state).filter(expected -> expected.entity().table() == table).count();
  }

  /** Number of entries of the subscriber with that index. */
  public int entries(SlaState state, int subscriberIndex) {
    return entries.count(state, subscriberIndex);
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
        LimitedSubscriber.of(state, subscriber),
        PolicySlots.of(state, subscriber.subscriber()),
        out);
  }

  /**
   * Every setting of the FPGA of {@code direction} under the state's rate limits: bucket sizes,
   * queue depths, and one rate word for each bucket, the largest where nothing is limited. Settings
   * of delay are those of customers with a limit: the others are 0, as an FPGA has them after a
   * reset. With an empty state, what to initialise the FPGA with. Empty if the direction has no
   * sidecar.
   */
  public Stream<Expected<FpgaSetting>> expectedSettings(SlaState state, Direction direction) {
    return limiters.settings(state, direction);
  }

  /** The settings of the FPGA of {@code direction} that hold a limit. */
  public Stream<FpgaSetting> settingsOf(SlaState state, RateLimit limit, Direction direction) {
    return limiters.settingsOf(state, limit, direction);
  }

  /** True if a setting limits something, rather than being what a bucket holds that nobody set. */
  public boolean isLimit(FpgaSetting setting) {
    return shaping.isLimit(setting);
  }

  /** True if a setting is that of a bucket without a limit. */
  public boolean isLifted(FpgaSetting setting) {
    return shaping.isLifted(setting);
  }
}
