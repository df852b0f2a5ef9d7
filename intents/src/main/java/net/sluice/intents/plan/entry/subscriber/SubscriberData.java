package net.sluice.intents.plan.entry.subscriber;

import java.util.function.Function;
import net.sluice.intents.plan.QueueId;
import net.sluice.intents.plan.entry.limit.TrafficClassEntry;
import net.sluice.intents.plan.form.EntryFields;
import net.sluice.intents.plan.form.FieldSink;
import net.sluice.intents.plan.form.FieldValues;
import net.sluice.intents.plan.form.NumberField;

/**
 * The switch's data of a subscriber, the same under each of its prefixes and VLAN tags.
 *
 * @param index subscriber index, 1 or more; selects rate filter and counters
 * @param policySlot 1..63, or 255 if its packets are dropped as suspended
 * @param egressPort switch port towards the subscriber
 * @param queueId FPGA queue, 18 bits, class 0, which a {@link TrafficClassEntry} replaces; 0 when
 *     not shaped
 * @param shapeDown whether packets to the subscriber pass the sidecar
 * @param shapeUp whether packets from the subscriber pass the sidecar
 * @param hasLine whether it has VLAN tags, so that upstream a source address does not stand for it
 */
public record SubscriberData(
    int index,
    int policySlot,
    int egressPort,
    int queueId,
    boolean shapeDown,
    boolean shapeUp,
    boolean hasLine) {
  /** A subscriber without VLAN tags. */
  public SubscriberData(
      int index, int policySlot, int egressPort, int queueId, boolean shapeDown, boolean shapeUp) {
    this(index, policySlot, egressPort, queueId, shapeDown, shapeUp, false);
  }

  private void tellQueue(FieldSink sink) {
    if (shapeDown || shapeUp) {
      sink.begin("queue");
      sink.number("port", QueueId.port(queueId));
      sink.number("tree", QueueId.tree(queueId));
      sink.number("customer", QueueId.customer(queueId));
      sink.end();
    }
  }

  /** The fields of a subscriber's data in an entry. */
  public record Fields<E>(
      NumberField<E> index,
      NumberField<E> policySlot,
      NumberField<E> egressPort,
      NumberField<E> shapeDown,
      NumberField<E> shapeUp,
      NumberField<E> hasLine,
      NumberField<E> queueId) {
    static <E> Fields<E> of(EntryFields<E> fields, Function<E, SubscriberData> data) {
      return new Fields<>(
          fields.number("subscriberIndex", e -> data.apply(e).index),
          fields.number("policySlot", e -> data.apply(e).policySlot),
          fields.number("egressPort", e -> data.apply(e).egressPort),
          fields.flag("shapeDown", e -> data.apply(e).shapeDown),
          fields.flag("shapeUp", e -> data.apply(e).shapeUp),
          fields.flag("hasLine", e -> data.apply(e).hasLine),
          fields.number(
              "queueId", e -> data.apply(e).queueId, (e, sink) -> data.apply(e).tellQueue(sink)));
    }

    SubscriberData from(FieldValues<E> values) {
      return new SubscriberData(
          values.integer(index),
          values.integer(policySlot),
          values.integer(egressPort),
          values.integer(queueId),
          values.flag(shapeDown),
          values.flag(shapeUp),
          values.flag(hasLine));
    }
  }
}
