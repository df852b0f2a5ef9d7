package net.sluice.pipeconf.table;

import net.sluice.intents.plan.SwitchEntry.SubscriberData;
import net.sluice.pipeconf.p4info.SubscriberAction;
import p4.v1.P4RuntimeOuterClass.Action;

/** Action {@code subscriber}: what the switch knows of a subscriber, however it is found. */
final class SubscriberActionCodec {
  private final SubscriberAction subscriber;
  private final ActionParam index;
  private final ActionParam policy;
  private final ActionParam port;
  private final ActionParam queue;
  private final ActionParam shapeDown;
  private final ActionParam shapeUp;

  SubscriberActionCodec(SubscriberAction subscriber) {
    this.subscriber = subscriber;
    index = new ActionParam(subscriber.index(), "subscriber index");
    policy = new ActionParam(subscriber.policy(), "policy slot");
    port = new ActionParam(subscriber.port(), "egress port");
    queue = new ActionParam(subscriber.queue(), "queue id");
    shapeDown = new ActionParam(subscriber.shapeDown(), "shape down");
    shapeUp = new ActionParam(subscriber.shapeUp(), "shape up");
  }

  Action encode(SubscriberData data) {
    return TableCodec.action(
        subscriber,
        index.of(data.index()),
        policy.of(data.policySlot()),
        port.of(data.egressPort()),
        queue.of(data.queueId()),
        shapeDown.of(data.shapeDown()),
        shapeUp.of(data.shapeUp()));
  }

  SubscriberData decode(Action action) {
    return new SubscriberData(
        index.readInt(action),
        policy.readInt(action),
        port.readInt(action),
        queue.readInt(action),
        shapeDown.readBoolean(action),
        shapeUp.readBoolean(action));
  }
}
