package net.sluice.intents.compile;

import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.plan.QueueId;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.SwitchEntry.EncapsulationEntry;
import net.sluice.intents.plan.SwitchEntry.SubscriberData;
import net.sluice.intents.plan.SwitchEntry.SubscriberPrefixEntry;
import net.sluice.intents.plan.SwitchEntry.SubscriberVlanEntry;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.intents.profile.Topology;

/**
 * The switch entries of one subscriber. Compiling a change and reconciling both call this, so what
 * is installed and what is expected cannot differ.
 */
final class SubscriberEntries {
  private final Topology topology;
  private final MarkerLayout markers;

  SubscriberEntries(Topology topology, MarkerLayout markers) {
    this.topology = topology;
    this.markers = markers;
  }

  /** Emits the tags first and the classification last: no packet is classified half-way. */
  void emit(
      Subscriber subscriber,
      int index,
      int policySlot,
      int queueId,
      Shaping shaping,
      Consumer<? super SwitchEntry> out) {
    OptionalInt port = topology.switchPort(subscriber.attachment().port());
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
        new SubscriberData(
            index,
            policySlot,
            port.getAsInt(),
            queueId == QueueId.NONE ? 0 : queueId,
            shaping.in(Direction.DOWN),
            shaping.in(Direction.UP));
    if (subscriber.vlans().isPresent()) {
      out.accept(new EncapsulationEntry(index, subscriber.vlans().get()));
      out.accept(new SubscriberVlanEntry(port.getAsInt(), subscriber.vlans().get(), data));
    }
    List<IpPrefix> prefixes = subscriber.prefixes();
    for (int i = 0; i < prefixes.size(); i++) {
      IpPrefix prefix = prefixes.get(i);
      out.accept(
          new SubscriberPrefixEntry(prefix, markers.prefixTable(prefix.family(), index), data));
    }
  }
}
