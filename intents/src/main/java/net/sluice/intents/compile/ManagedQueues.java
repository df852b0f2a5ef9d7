package net.sluice.intents.compile;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.PortQueue;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.policy.Aqm;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.intents.plan.Expected;
import net.sluice.intents.plan.Grants;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.OwnerIds;
import net.sluice.intents.plan.PlanBuilder;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.queue.QueueAqmEntry;
import net.sluice.intents.plan.entry.queue.QueueRioEntry;
import net.sluice.intents.profile.AqmProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Topology.SwitchPort;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Problems;
import net.sluice.intents.value.InvalidValueException;

/**
 * How the class queues of the switch's ports are managed: as the port says, but the one that
 * packets use as the policies say whose subscribers are behind the port. Policies that say
 * something else of one queue exclude each other there.
 */
final class ManagedQueues {
  /** The class queue of every packet: the program picks no other. */
  private static final int USED = 0;

  private final Topology topology;
  private final AqmProfile profile;

  /** The state as a change leaves it; what the change does not touch is null. */
  private record View(SlaState state, Policy put, Subscriber leaving, Subscriber joining) {
    View(SlaState state) {
      this(state, null, null, null);
    }

    Optional<Aqm> aqm(PolicyState policy) {
      return put != null && put.id().equals(policy.policy().id())
          ? put.aqm()
          : policy.policy().aqm();
    }
  }

  /**
   * The queues of a cabled switch.
   *
   * @throws InvalidValueException if the switch cannot manage the ports' queues as they say
   */
  ManagedQueues(Topology topology, AqmProfile profile) {
    this.topology = topology;
    this.profile = profile;
    for (SwitchPort port : topology.ports()) {
      if (!profile.has(port.aqm())) {
        Problem problem = unable(port.aqm());
        throw new InvalidValueException(
            "ports." + problem.field(),
            problem.value() + " on port " + port.number(),
            problem.allowed());
      }
    }
    if (topology.mirrorPort().isPresent() && !profile.has(AqmKind.CODEL_ACT)) {
      throw new InvalidValueException(
          "mirrorPort",
          topology.mirrorPort().getAsInt(),
          "absent: the switch's program mirrors no packet");
    }
    long managed = topology.ports().stream().filter(p -> p.aqm() != Aqm.NONE).count();
    if (managed * profile.queuesPerPort() > profile.queues()) {
      throw new InvalidValueException(
          "ports.aqm",
          managed * profile.queuesPerPort() + " class queues of " + managed + " ports",
          "at most " + profile.queues() + " class queues");
    }
  }

  /** All managed queues, by port and queue. */
  Stream<ManagedQueue> managed(SlaState state) {
    View view = new View(state);
    return topology.ports().stream()
        .sorted(Comparator.comparingInt(SwitchPort::number))
        .flatMap(
            port ->
                IntStream.range(0, profile.queuesPerPort())
                    .mapToObj(queue -> managed(view, port, queue))
                    .flatMap(Optional::stream));
  }

  private Optional<ManagedQueue> managed(View view, SwitchPort port, int queue) {
    Optional<PolicyState> decider = queue == USED ? decider(view, port.number()) : Optional.empty();
    Aqm aqm = decider.flatMap(view::aqm).orElse(port.aqm());
    return aqm.equals(Aqm.NONE)
        ? Optional.empty()
        : Optional.of(new ManagedQueue(new PortQueue(port.number(), queue), aqm, decider));
  }

  /** The entries of all managed queues. */
  Stream<Expected<SwitchEntry>> entries(SlaState state) {
    return managed(state).map(this::expected);
  }

  /** The queue that an entry manages; empty if it manages none. */
  static Optional<PortQueue> queue(SwitchEntry entry) {
    if (entry instanceof QueueAqmEntry aqm) {
      return Optional.of(new PortQueue(aqm.port(), aqm.queue()));
    }
    return entry instanceof QueueRioEntry rio
        ? Optional.of(new PortQueue(rio.port(), rio.queue()))
        : Optional.empty();
  }

  /** The entry with the key of one that manages {@code queue}; empty if there should be none. */
  Optional<Expected<SwitchEntry>> entry(SlaState state, PortQueue queue, SwitchEntry actual) {
    return topology
        .port(queue.port())
        .filter(p -> queue.queue() >= 0 && queue.queue() < profile.queuesPerPort())
        .flatMap(p -> managed(new View(state), p, queue.queue()))
        .map(this::expected)
        .filter(expected -> expected.entity().sameKey(actual));
  }

  private Expected<SwitchEntry> expected(ManagedQueue managed) {
    int owner = managed.policy().map(p -> OwnerIds.policy(p.slot())).orElse(OwnerIds.NONE);
    return new Expected<>(entry(managed), owner);
  }

  private SwitchEntry entry(ManagedQueue managed) {
    if (managed.aqm() instanceof Aqm.Rio rio) {
      long rateBps = topology.port(managed.queue().port()).orElseThrow().rateBps();
      return RioTuning.entry(managed.queue(), rio, rateBps);
    }
    Aqm.CoDel codel = (Aqm.CoDel) managed.aqm();
    return new QueueAqmEntry(
        managed.queue().port(),
        managed.queue().queue(),
        codel.kind(),
        codel.targetMicros(),
        codel.intervalMicros(),
        codel.ecn());
  }

  private Optional<PolicyState> decider(View view, int port) {
    return view.state
        .allPolicies()
        .filter(p -> view.aqm(p).isPresent() && users(view, p.policy().id(), port) > 0)
        .findFirst();
  }

  private Aqm used(View view, SwitchPort port) {
    return decider(view, port.number()).flatMap(view::aqm).orElse(port.aqm());
  }

  /** Number of a policy's subscribers behind a switch port. */
  private int users(View view, String policyId, int port) {
    int users = 0;
    for (int bngPort : topology.bngPorts().keySet()) {
      if (topology.leadsTo(bngPort, port)) {
        users += view.state.subscribersUsing(policyId, bngPort);
      }
    }
    return users + isUser(view.joining, policyId, port) - isUser(view.leaving, policyId, port);
  }

  private int isUser(Subscriber subscriber, String policyId, int port) {
    return subscriber != null
            && subscriber.policyId().equals(policyId)
            && topology.leadsTo(subscriber.attachment().port(), port)
        ? 1
        : 0;
  }

  // ---------------------------------------------------------------- policies

  /** Adds what stands against a policy's setting. */
  void admit(SlaState state, Policy policy, Problems problems) {
    if (policy.aqm().isEmpty()) {
      return;
    }
    if (!profile.has(policy.aqm().get())) {
      problems.add(unable(policy.aqm().get()));
    }
    View after = new View(state, policy, null, null);
    for (SwitchPort port : portsOf(state, policy.id())) {
      Optional<PolicyState> other = opponent(after, policy, port);
      if (other.isPresent()) {
        problems.add(
            Code.CONFLICT,
            field(policy.aqm().get()),
            policy.aqm().get().text(),
            "absent, or " + text(other.get()) + " as of policy " + id(other.get()),
            String.format(
                Locale.ROOT,
                "Subscribers of policy %s share class queue %d of switch port %d with those of"
                    + " policy %s, whose aqm is %s.",
                policy.id(),
                USED,
                port.number(),
                id(other.get()),
                text(other.get())));
      }
    }
    checkRoom(state, after, field(policy.aqm().get()), problems);
  }

  /** Plans what a policy's new setting changes; the policy is the {@code owner}. */
  void put(SlaState state, Policy policy, int owner, PlanBuilder plan) {
    change(state, new View(state, policy, null, null), portsOf(state, policy.id()), owner, plan);
  }

  /** Adds what people should know of a policy's setting. */
  void grant(SlaState state, Policy policy, Grants out) {
    if (policy.aqm().isEmpty()) {
      return;
    }
    List<SwitchPort> ports = portsOf(state, policy.id());
    String field = field(policy.aqm().get());
    if (ports.isEmpty()) {
      out.note(field + ": applies where this policy has subscribers; there are none yet");
      return;
    }
    out.note(field + ": applies to class queue " + USED + " of " + text(ports));
    if (!(policy.aqm().get() instanceof Aqm.CoDel codel)) {
      return;
    }
    List<SwitchPort> byValue = ports.stream().filter(SwitchPort::valueDropping).toList();
    if (!byValue.isEmpty()) {
      out.note("aqm: drops by packet value on " + text(byValue) + ": CoDel raises the threshold");
    }
    if (codel.kind() == AqmKind.CODEL_ACT && topology.mirrorPort().isEmpty()) {
      out.note("aqm: without a mirrorPort each congestion cycle begins with a count of 1");
    }
  }

  private static String text(List<SwitchPort> ports) {
    return ports.stream()
        .map(port -> Integer.toString(port.number()))
        .collect(
            Collectors.joining(", ", ports.size() == 1 ? "switch port " : "switch ports ", ""));
  }

  /** The ports that subscribers of a policy are behind, by number. */
  private List<SwitchPort> portsOf(SlaState state, String policyId) {
    View view = new View(state);
    return new TreeSet<>(topology.bngPorts().values())
        .stream()
            .filter(port -> users(view, policyId, port) > 0)
            .flatMap(port -> topology.port(port).stream())
            .toList();
  }

  // ---------------------------------------------------------------- subscribers

  /**
   * Adds what stands against the setting of a subscriber's policy at its port.
   *
   * @param old the subscriber as it was; null if it is new
   */
  void admit(SlaState state, Subscriber subscriber, Subscriber old, Problems problems) {
    Optional<PolicyState> policy = state.policy(subscriber.policyId());
    if (policy.isEmpty() || policy.get().policy().aqm().isEmpty()) {
      return;
    }
    OptionalInt number = topology.switchPort(subscriber.attachment().port());
    if (number.isEmpty()) {
      return;
    }
    View after = new View(state, null, old, subscriber);
    SwitchPort port = topology.port(number.getAsInt()).orElseThrow();
    Optional<PolicyState> other = opponent(after, policy.get().policy(), port);
    if (other.isPresent()) {
      problems.add(
          Code.CONFLICT,
          "policy",
          subscriber.policyId(),
          "a policy without aqm, or with " + text(other.get()) + " as policy " + id(other.get()),
          String.format(
              Locale.ROOT,
              "Policy %s has aqm %s, and policy %s, with subscribers behind the same switch port"
                  + " %d, has aqm %s: both would manage class queue %d.",
              subscriber.policyId(),
              text(policy.get()),
              id(other.get()),
              port.number(),
              text(other.get()),
              USED));
    }
    checkRoom(state, after, field(policy.get().policy().aqm().get()), problems);
  }

  /**
   * Plans what a subscriber's coming and going changes.
   *
   * @param old the subscriber as it was; null if it is new
   * @param put the subscriber as it will be; null if it goes
   */
  void move(SlaState state, Subscriber old, Subscriber put, PlanBuilder plan) {
    if (!decides(state, old) && !decides(state, put)) {
      return;
    }
    List<SwitchPort> ports =
        Stream.of(Optional.ofNullable(old), Optional.ofNullable(put))
            .flatMap(Optional::stream)
            .map(subscriber -> topology.switchPort(subscriber.attachment().port()))
            .flatMapToInt(OptionalInt::stream)
            .distinct()
            .mapToObj(port -> topology.port(port).orElseThrow())
            .toList();
    int owner =
        put == null
            ? OwnerIds.NONE
            : OwnerIds.policy(state.policy(put.policyId()).orElseThrow().slot());
    change(state, new View(state, null, old, put), ports, owner, plan);
  }

  private static boolean decides(SlaState state, Subscriber subscriber) {
    return subscriber != null
        && state.policy(subscriber.policyId()).flatMap(p -> p.policy().aqm()).isPresent();
  }

  // ---------------------------------------------------------------- both

  /** Another policy that says something else of the used queue of a port. */
  private Optional<PolicyState> opponent(View after, Policy policy, SwitchPort port) {
    return after
        .state
        .allPolicies()
        .filter(p -> !p.policy().id().equals(policy.id()))
        .filter(p -> p.policy().aqm().isPresent() && !p.policy().aqm().equals(policy.aqm()))
        .filter(p -> users(after, p.policy().id(), port.number()) > 0)
        .findFirst();
  }

  private void checkRoom(SlaState state, View after, String field, Problems problems) {
    long managed = count(after);
    if (managed > profile.queues() && managed > count(new View(state))) {
      problems.add(
          Code.CAPACITY,
          field,
          managed + " class queues",
          "at most " + profile.queues(),
          String.format(
              Locale.ROOT,
              "The switch manages at most %d class queues, and this makes them %d.",
              profile.queues(),
              managed));
    }
  }

  private long count(View view) {
    return topology.ports().stream()
        .mapToLong(
            port ->
                (used(view, port) == Aqm.NONE ? 0 : 1)
                    + (port.aqm() == Aqm.NONE ? 0 : profile.queuesPerPort() - 1))
        .sum();
  }

  private void change(
      SlaState state, View after, List<SwitchPort> ports, int owner, PlanBuilder plan) {
    View before = new View(state);
    for (SwitchPort port : ports) {
      Optional<SwitchEntry> was = managed(before, port, USED).map(this::entry);
      Optional<SwitchEntry> is = managed(after, port, USED).map(this::entry);
      if (was.equals(is)) {
        continue;
      }
      boolean same = was.isPresent() && is.isPresent() && was.get().sameKey(is.get());
      if (was.isPresent() && !same) {
        plan.add(Op.DELETE, was.get(), owner);
      }
      if (is.isPresent()) {
        plan.add(same ? Op.MODIFY : Op.INSERT, is.get(), owner);
      }
      plan.grants()
          .note(
              String.format(
                  Locale.ROOT,
                  "class queue %d of switch port %d: its management changes from %s to %s",
                  USED,
                  port.number(),
                  used(before, port).text(),
                  used(after, port).text()));
    }
  }

  /** The problem that the switch cannot manage a queue so. */
  private Problem unable(Aqm aqm) {
    return aqm instanceof Aqm.CoDel codel
        ? Problem.of(Code.INVALID, "aqm.kind", codel.kind().text(), profile.allowed())
        : Problem.of(
            Code.INVALID, Aqm.Rio.FIELD, "given", "absent: the switch's program has no RIO");
  }

  /** The field of a policy that says so. */
  static String field(Aqm aqm) {
    return aqm instanceof Aqm.Rio ? Aqm.Rio.FIELD : "aqm";
  }

  private static String id(PolicyState policy) {
    return policy.policy().id();
  }

  private static String text(PolicyState policy) {
    return policy.policy().aqm().map(Aqm::text).orElseThrow();
  }
}
