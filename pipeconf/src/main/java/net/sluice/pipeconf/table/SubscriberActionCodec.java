package net.sluice.pipeconf.table;

import net.sluice.intents.plan.SwitchEntry.SubscriberData;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.pipeconf.p4info.ActionDescriptor;
import net.sluice.pipeconf.p4info.ParamDescriptor;
import net.sluice.pipeconf.p4info.SubscriberAction;
import net.sluice.pipeconf.p4info.TnaSubscriberAction;
import p4.v1.P4RuntimeOuterClass.Action;

/** Action {@code subscriber}: what the switch knows of a subscriber, however it is found. */
final class SubscriberActionCodec {
  private final ActionDescriptor subscriber;
  private final IndexParams index;
  private final ActionParam policy;
  private final ActionParam port;
  private final ActionParam queue;
  private final ActionParam shapeDown;
  private final ActionParam shapeUp;

  private SubscriberActionCodec(
      ActionDescriptor subscriber,
      IndexParams index,
      ParamDescriptor policy,
      ParamDescriptor port,
      ParamDescriptor queue,
      ParamDescriptor shapeDown,
      ParamDescriptor shapeUp) {
    this.subscriber = subscriber;
    this.index = index;
    this.policy = new ActionParam(policy, "policy slot");
    this.port = new ActionParam(port, "egress port");
    this.queue = new ActionParam(queue, "queue id");
    this.shapeDown = new ActionParam(shapeDown, "shape down");
    this.shapeUp = new ActionParam(shapeUp, "shape up");
  }

  private static SubscriberActionCodec of(SubscriberAction action, IndexParams index) {
    return new SubscriberActionCodec(
        action,
        index,
        action.policy(),
        action.port(),
        action.queue(),
        action.shapeDown(),
        action.shapeUp());
  }

  /** Where one instance has all subscribers. */
  static SubscriberActionCodec of(SubscriberAction action) {
    return of(action, IndexParams.whole(action.index()));
  }

  /** In a table of one of several instances; its number is from 0. */
  static SubscriberActionCodec of(SubscriberAction action, int instance, MarkerLayout markers) {
    return of(action, IndexParams.ofInstance(instance, action.index(), markers));
  }

  /** In a table for several instances. */
  static SubscriberActionCodec of(TnaSubscriberAction action, MarkerLayout markers) {
    return new SubscriberActionCodec(
        action,
        IndexParams.divided(action.instance(), action.index(), markers),
        action.policy(),
        action.port(),
        action.queue(),
        action.shapeDown(),
        action.shapeUp());
  }

  Action encode(SubscriberData data) {
    Action.Builder action = Action.newBuilder().setActionId(subscriber.id());
    index.add(data.index(), action);
    return action
        .addParams(policy.of(data.policySlot()))
        .addParams(port.of(data.egressPort()))
        .addParams(queue.of(data.queueId()))
        .addParams(shapeDown.of(data.shapeDown()))
        .addParams(shapeUp.of(data.shapeUp()))
        .build();
  }

  SubscriberData decode(Action action) {
    return new SubscriberData(
        index.read(action),
        policy.readInt(action),
        port.readInt(action),
        queue.readInt(action),
        shapeDown.readBoolean(action),
        shapeUp.readBoolean(action));
  }
}
