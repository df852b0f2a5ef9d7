package net.sluice.intents.compile;

import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;
import net.sluice.intents.limit.LimitedSubscriber;
import net.sluice.intents.limit.Limiters;
import net.sluice.intents.marker.Markers;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.entry.forwarding.EncapsulationEntry;
import net.sluice.intents.plan.entry.subscriber.DirectionPolicyEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.plan.entry.subscriber.SubscriberPrefixEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberVlanEntry;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.value.Direction;

/**
 * The switch entries of one subscriber. Compiling a change and reconciling both call this, so what
 * is installed and what is expected cannot differ.
 */
final class SubscriberEntries {
  private final Topology topology;
  private final BngPorts bngPorts;
  private final MarkerLayout layout;
  private final Limiters limiters;
  private final Markers markers;

  SubscriberEntries(Topology topology, SwitchProfile profile, Limiters limiters, Markers markers) {
    this.topology = topology;
    this.bngPorts = new BngPorts(topology);
    this.layout = profile.markers();
    this.limiters = limiters;
    this.markers = markers;
  }

  /** The subscriber that should have an entry with the key of {@code actual}; 0 if none should. */
  int index(SlaState state, SwitchEntry actual) {
    if (actual instanceof SubscriberPrefixEntry e) {
      return state.indexWithPrefix(e.prefix());
    } else if (actual instanceof SubscriberVlanEntry e) {
      return state.indexTagged(port -> topology.leadsTo(port, e.ingressPort()), e.vlans());
    }
    int index =
        actual.table() == Table.FLOW_WEIGHT
            ? markers.subscriber(state, actual)
            : actual.subscriberIndex();
    if (state.idOf(index) == null) {
      return 0;
    }
    return actual.table() != Table.ENCAPSULATION || state.isTagged(index) ? index : 0;
  }

  /** Number of entries of a subscriber. */
  int count(SlaState state, int index) {
    return state.prefixesOf(index)
        + (state.isTagged(index) ? 2 : 0)
        + (state.isSplit(index) ? 1 : 0)
        + limiters.entries(state, index)
        + markers.entries(state, index);
  }

  /**
   * Emits what limits and marks first, then the tags, and the classification last: no packet is
   * classified half-way.
   */
  void emit(LimitedSubscriber limited, PolicySlots slots, Consumer<? super SwitchEntry> out) {
    Subscriber subscriber = limited.state().subscriber();
    int index = limited.state().index();
    OptionalInt port = bngPorts.switchPort(subscriber.attachment());
    if (port.isEmpty()) {
      throw new IllegalStateException(
          "subscriber "
              + subscriber.id()
              + " is attached to BNG port "
              + subscriber.attachment().port()
              + ", which this topology does not connect; connected: "
              + topology.connectedBngPorts());
    }
    SubscriberData data =
        limiters.data(
            new SubscriberData(
                index,
                slots.down(),
                port.getAsInt(),
                0,
                false,
                false,
                subscriber.vlans().isPresent()),
            limited);
    limiters.entries(limited, out);
    markers.entries(limited.state(), out);
    if (slots.up() != slots.down()) {
      out.accept(new DirectionPolicyEntry(index, Direction.UP, slots.up()));
    }
    if (subscriber.vlans().isPresent()) {
      VlanTags vlans = subscriber.vlans().get();
      out.accept(new EncapsulationEntry(index, vlans));
      out.accept(new SubscriberVlanEntry(port.getAsInt(), vlans, data));
    }
    List<IpPrefix> prefixes = subscriber.prefixes();
    for (int i = 0; i < prefixes.size(); i++) {
      IpPrefix prefix = prefixes.get(i);
      out.accept(
          new SubscriberPrefixEntry(prefix, layout.prefixTable(prefix.family(), index), data));
    }
  }
}
