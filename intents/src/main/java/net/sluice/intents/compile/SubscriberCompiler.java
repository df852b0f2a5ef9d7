package net.sluice.intents.compile;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.IpPrefix.Family;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Grants;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.PlanBuilder;
import net.sluice.intents.plan.QueueId;
import net.sluice.intents.plan.Table;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.state.PrefixCounts;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Problems;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.validate.ReservedPrefixes;

/** Compiles subscribers: admission, allocation, and the writes of just this subscriber. */
final class SubscriberCompiler extends KindCompiler<Subscriber, SubscriberState> {
  private static final String FREE_PREFIX = "a prefix that overlaps no other subscriber's";

  private final Topology topology;
  private final SwitchProfile profile;
  private final Placement placement;
  private final FpgaProfile fpga;
  private final EntryDiff entryDiff;
  private final BucketSizes buckets;
  private final ManagedQueues queues;

  SubscriberCompiler(
      Topology topology,
      SwitchProfile profile,
      FpgaProfile fpga,
      EntryDiff entryDiff,
      BucketSizes buckets,
      ManagedQueues queues) {
    super(Kind.SUBSCRIBER, Subscriber.class);
    this.topology = topology;
    this.profile = profile;
    this.placement = new Placement(topology, profile);
    this.fpga = fpga;
    this.entryDiff = entryDiff;
    this.buckets = buckets;
    this.queues = queues;
  }

  @Override
  Optional<SubscriberState> find(SlaState state, String id) {
    return state.subscriber(id);
  }

  @Override
  void admit(
      SlaState state, Subscriber subscriber, Optional<SubscriberState> old, Problems problems) {
    SubscriberState replaced = old.orElse(null);
    Subscriber before = replaced == null ? null : replaced.subscriber();
    PrefixCounts prefixes = PrefixCounts.of(subscriber.prefixes());
    PrefixCounts released = before == null ? PrefixCounts.NONE : PrefixCounts.of(before.prefixes());
    checkPolicyAndPrefixes(state, subscriber, problems);
    placement.admit(state, replaced, subscriber, prefixes, released, problems);
    checkTables(state, before, subscriber, prefixes, released, problems);
    checkAttachment(state, subscriber, problems);
    queues.admit(state, subscriber, before, problems);
  }

  @Override
  void readmit(SlaState state, SubscriberState stored, Problems problems) {
    Subscriber subscriber = stored.subscriber();
    PrefixCounts prefixes = PrefixCounts.of(subscriber.prefixes());
    checkPolicyAndPrefixes(state, subscriber, problems);
    placement.readmit(state, subscriber, stored.index(), prefixes, problems);
    checkTables(state, null, subscriber, prefixes, PrefixCounts.NONE, problems);
    checkAttachment(state, subscriber, problems);
    queues.admit(state, subscriber, null, problems);
    if (stored.hasQueue()) {
      Attachment at = subscriber.attachment();
      int customer = QueueId.customer(stored.queueId());
      if (CustomerSlots.checkShape(fpga, at.port(), at.tree(), "attachment", problems)) {
        checkCustomer(
            subscriber, AppliedLimits.of(subscriber, state::rateLimitOf), customer, problems);
      }
    }
  }

  private void checkPolicyAndPrefixes(SlaState state, Subscriber subscriber, Problems problems) {
    if (state.policy(subscriber.policyId()).isEmpty()) {
      problems.add(
          Code.INVALID,
          "policy",
          subscriber.policyId(),
          "the id of an existing policy",
          "There is no policy " + subscriber.policyId() + ".");
    }
    checkPrefixes(state, subscriber, problems);
  }

  private void checkAttachment(SlaState state, Subscriber subscriber, Problems problems) {
    OptionalInt port = topology.switchPort(subscriber.attachment().port());
    if (port.isEmpty()) {
      problems.add(
          Code.INVALID,
          "attachment.port",
          subscriber.attachment().port(),
          topology.connectedBngPorts(),
          String.format(
              Locale.ROOT,
              "BNG port %d is not connected to the switch; connected: %s.",
              subscriber.attachment().port(),
              topology.connectedBngPorts()));
    } else {
      checkVlans(state, subscriber, port.getAsInt(), problems);
    }
  }

  @Override
  void grant(SlaState state, Subscriber subscriber, Grants out) {
    int index = placement.isTold() ? state.subscriber(subscriber.id()).orElseThrow().index() : 0;
    note(AppliedLimits.of(subscriber, state::rateLimitOf), index, out);
  }

  private void note(AppliedLimits shaping, int index, Grants out) {
    if (shaping.any()) {
      out.note("limited by " + shaping.names());
    }
    if (placement.isTold()) {
      out.note("placed in " + placement.text(index));
    }
  }

  @Override
  Plan put(
      SlaState state,
      Change.Put put,
      Subscriber subscriber,
      Optional<SubscriberState> replaced,
      Problems problems)
      throws Refusal {
    SubscriberState old = replaced.orElse(null);
    int queueId = QueueId.NONE;
    AppliedLimits shaping = AppliedLimits.of(subscriber, state::rateLimitOf);
    if (shaping.any() && topology.switchPort(subscriber.attachment().port()).isPresent()) {
      queueId = allocate(state, old, subscriber, shaping, problems);
    }
    problems.refuseIfAny();

    PlanBuilder plan = new PlanBuilder();
    int index = placement.index(state, old, subscriber, PrefixCounts.of(subscriber.prefixes()));
    note(shaping, index, plan.grants());
    if (old != null && old.index() != index) {
      plan.grants()
          .note("moved from " + placement.text(old.index()) + "; its counters begin at zero");
    }
    int slot = EntryDiff.policySlot(state, subscriber);
    EntryDiff.Side after =
        new EntryDiff.Side(new SubscriberState(subscriber, index, queueId), slot, shaping);
    if (old == null) {
      entryDiff.insert(state, plan, after);
      buckets(state, plan, AppliedLimits.NONE, shaping);
    } else {
      EntryDiff.Side before = side(state, old);
      entryDiff.replace(state, plan, before, after);
      buckets(state, plan, before.shaping(), shaping);
    }
    queues.move(state, old == null ? null : old.subscriber(), subscriber, plan);
    if (queueId != (old == null ? QueueId.NONE : old.queueId())) {
      plan.assign(index, queueId);
    }
    return plan.build(put, old != null, index);
  }

  @Override
  Plan delete(SlaState state, Change delete, SubscriberState old) throws Refusal {
    Optional<RateLimit> limit = state.rateLimitOf(new Scope.OfSubscriber(delete.id()));
    if (limit.isPresent()) {
      Problems problems = new Problems();
      problems.add(
          Code.CONFLICT,
          "subscriber",
          delete.id(),
          "a subscriber without a rate limit of its own",
          String.format(
              Locale.ROOT,
              "Subscriber %s has rate limit %s; delete that first.",
              delete.id(),
              limit.get().id()));
      problems.refuseIfAny();
    }
    PlanBuilder plan = new PlanBuilder();
    EntryDiff.Side before = side(state, old);
    entryDiff.delete(state, plan, before);
    buckets(state, plan, before.shaping(), AppliedLimits.NONE);
    queues.move(state, old.subscriber(), null, plan);
    return plan.build(delete, true, old.index());
  }

  /** A subscriber under the limit of its tree or port alone needs the largest bucket. */
  private void buckets(
      SlaState state, PlanBuilder plan, AppliedLimits before, AppliedLimits after) {
    if (before.any() || after.any()) {
      int[] opened = new int[Direction.values().length];
      BucketSizes.countOpened(before, after, opened);
      buckets.replace(state, plan, null, null, opened);
    }
  }

  private static EntryDiff.Side side(SlaState state, SubscriberState subscriber) {
    return new EntryDiff.Side(
        subscriber,
        EntryDiff.policySlot(state, subscriber.subscriber()),
        AppliedLimits.of(subscriber.subscriber(), state::rateLimitOf));
  }

  private void checkPrefixes(SlaState state, Subscriber subscriber, Problems problems) {
    List<IpPrefix> prefixes = subscriber.prefixes();
    for (int i = 0; i < prefixes.size(); i++) {
      IpPrefix prefix = prefixes.get(i);
      Optional<String> reserved = ReservedPrefixes.reason(prefix);
      if (reserved.isPresent()) {
        problems.add(
            Code.INVALID,
            "prefixes[" + i + "]",
            prefix,
            "a unicast prefix that can be routed to a subscriber",
            prefix + " cannot be a subscriber's: " + reserved.get() + ".");
      }
      if (!profile.prefixLengths().allow(prefix)) {
        String allowed =
            String.format(
                Locale.ROOT,
                "%s prefixes of length %d",
                prefix.family() == Family.V4 ? "IPv4" : "IPv6",
                profile.prefixLengths().of(prefix.family()).getAsInt());
        problems.add(
            Code.INVALID,
            "prefixes[" + i + "]",
            prefix,
            allowed,
            prefix + " cannot be classified: the switch's program knows " + allowed + " only.");
      }
      for (int j = 0; j < i; j++) {
        if (prefix.overlaps(prefixes.get(j))) {
          problems.add(
              Code.CONFLICT,
              "prefixes[" + i + "]",
              prefix,
              "a prefix that overlaps no other of the subscriber",
              prefix + " overlaps " + prefixes.get(j) + " of the same subscriber.");
        }
      }
      Optional<String> other = state.subscriberOverlapping(prefix, subscriber.id());
      if (other.isPresent()) {
        problems.add(
            Code.CONFLICT,
            "prefixes[" + i + "]",
            prefix,
            FREE_PREFIX,
            prefix + " overlaps a prefix of subscriber " + other.get() + ".");
      }
    }
  }

  /** Tags are matched per switch port, so all BNG ports behind it share one space of tags. */
  private void checkVlans(
      SlaState state, Subscriber subscriber, int switchPort, Problems problems) {
    if (subscriber.vlans().isEmpty()) {
      return;
    }
    VlanTags vlans = subscriber.vlans().get();
    int index = state.indexTagged(bngPort -> topology.leadsTo(bngPort, switchPort), vlans);
    if (index != 0 && !state.idOf(index).equals(subscriber.id())) {
      Subscriber owner = state.outline(index, List.of()).subscriber();
      problems.add(
          Code.CONFLICT,
          vlans.isPair() ? "cVlan" : "sVlan",
          vlans,
          "VLAN tags that no other subscriber on the port has",
          String.format(
              Locale.ROOT,
              "VLAN %s on BNG port %d belongs to subscriber %s.",
              vlans,
              owner.attachment().port(),
              owner.id()));
    }
  }

  private void checkTables(
      SlaState state,
      Subscriber old,
      Subscriber put,
      PrefixCounts prefixes,
      PrefixCounts released,
      Problems problems) {
    int tags = put.vlans().isPresent() ? 1 : 0;
    int oldTags = old != null && old.vlans().isPresent() ? 1 : 0;
    checkTable(state, Table.IPV4_PREFIX, "prefixes", prefixes.v4(), released.v4(), problems);
    checkTable(state, Table.IPV6_PREFIX, "prefixes", prefixes.v6(), released.v6(), problems);
    checkTable(state, Table.VLAN, "sVlan", tags, oldTags, problems);
    checkTable(state, Table.ENCAPSULATION, "sVlan", tags, oldTags, problems);
  }

  private void checkTable(
      SlaState state, Table table, String field, int needed, int released, Problems problems) {
    if (needed <= released) {
      return;
    }
    int used = state.subscriberEntries(table);
    int capacity = capacity(table);
    if (used - released + needed > capacity) {
      problems.add(
          Code.CAPACITY,
          field,
          needed + (needed == 1 ? " entry" : " entries"),
          "at most " + Math.max(0, capacity - used + released),
          String.format(
              Locale.ROOT,
              "Table %s holds %d entries, %d are used, and this needs %d more.",
              table,
              capacity,
              used,
              needed - released));
    }
  }

  private int capacity(Table table) {
    if (table == Table.IPV4_PREFIX) {
      return profile.v4PrefixCapacity();
    } else if (table == Table.IPV6_PREFIX) {
      return profile.v6PrefixCapacity();
    }
    return table == Table.VLAN ? profile.vlanCapacity() : profile.encapCapacity();
  }

  /**
   * The subscriber's queue: the one it has if it stays in its tree, else the tree's lowest free.
   */
  private int allocate(
      SlaState state,
      SubscriberState old,
      Subscriber subscriber,
      AppliedLimits shaping,
      Problems problems) {
    if (old != null
        && old.hasQueue()
        && old.subscriber().attachment().equals(subscriber.attachment())) {
      return old.queueId();
    }
    int port = subscriber.attachment().port();
    int tree = subscriber.attachment().tree();
    if (!CustomerSlots.checkShape(fpga, port, tree, "attachment", problems)) {
      return QueueId.NONE;
    }
    int customer = CustomerSlots.lowestFree(state.customersInUse(port, tree));
    return checkCustomer(subscriber, shaping, customer, problems)
        ? QueueId.of(port, tree, customer)
        : QueueId.NONE;
  }

  private boolean checkCustomer(
      Subscriber subscriber, AppliedLimits shaping, int customer, Problems problems) {
    if (customer < fpga.customersPerTree()) {
      return true;
    }
    Attachment at = subscriber.attachment();
    problems.add(
        Code.CAPACITY,
        "attachment.tree",
        at.tree(),
        "a tree with a free customer queue",
        String.format(
            Locale.ROOT,
            "Subscriber %s is limited by %s and needs a queue, but all %d of port %d tree %d are"
                + " in use.",
            subscriber.id(),
            shaping.names(),
            fpga.customersPerTree(),
            at.port(),
            at.tree()));
    return false;
  }
}
