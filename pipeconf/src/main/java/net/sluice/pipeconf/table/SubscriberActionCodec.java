package net.sluice.pipeconf.table;

import java.util.Optional;
import net.sluice.intents.plan.SwitchEntry.SubscriberData;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.pipeconf.p4info.ActionDescriptor;
import net.sluice.pipeconf.p4info.ParamDescriptor;
import net.sluice.pipeconf.p4info.SubscriberAction;
import net.sluice.pipeconf.p4info.TaggedSubscriberAction;
import net.sluice.pipeconf.p4info.TnaSubscriberAction;
import p4.v1.P4RuntimeOuterClass.Action;

/**
 * Action {@code subscriber}: what the switch knows of a subscriber, however it is found. Where
 * addresses are looked up, {@code tagged_subscriber} stands for one with VLAN tags.
 */
final class SubscriberActionCodec {
  private final ActionDescriptor subscriber;
  private final IndexParams index;
  private final ActionParam policy;
  private final ActionParam port;
  private final ActionParam queue;
  private final ActionParam shapeDown;
  private final ActionParam shapeUp;
  private final boolean hasLine;
  private final Optional<SubscriberActionCodec> tagged;

  private SubscriberActionCodec(
      ActionDescriptor subscriber,
      IndexParams index,
      ParamDescriptor policy,
      ParamDescriptor port,
      ParamDescriptor queue,
      ParamDescriptor shapeDown,
      ParamDescriptor shapeUp,
      boolean hasLine,
      Optional<SubscriberActionCodec> tagged) {
    this.subscriber = subscriber;
    this.index = index;
    this.policy = new ActionParam(policy, "policy slot");
    this.port = new ActionParam(port, "egress port");
    this.queue = new ActionParam(queue, "queue id");
    this.shapeDown = new ActionParam(shapeDown, "shape down");
    this.shapeUp = new ActionParam(shapeUp, "shape up");
    this.hasLine = hasLine;
    this.tagged = tagged;
  }

  private static SubscriberActionCodec of(
      SubscriberAction action,
      IndexParams index,
      boolean hasLine,
      Optional<SubscriberActionCodec> tagged) {
    return new SubscriberActionCodec(
        action,
        index,
        action.policy(),
        action.port(),
        action.queue(),
        action.shapeDown(),
        action.shapeUp(),
        hasLine,
        tagged);
  }

  /** In a table of addresses, where one instance has all subscribers. */
  static SubscriberActionCodec of(SubscriberAction action, TaggedSubscriberAction tagged) {
    SubscriberActionCodec ofTagged =
        new SubscriberActionCodec(
            tagged,
            IndexParams.whole(tagged.index()),
            tagged.policy(),
            tagged.port(),
            tagged.queue(),
            tagged.shapeDown(),
            tagged.shapeUp(),
            true,
            Optional.empty());
    return of(action, IndexParams.whole(action.index()), false, Optional.of(ofTagged));
  }

  /** In a table of lines, where one instance has all subscribers. */
  static SubscriberActionCodec ofLines(SubscriberAction action) {
    return of(action, IndexParams.whole(action.index()), true, Optional.empty());
  }

  /** In a table of one of several instances; its number is from 0. */
  static SubscriberActionCodec of(SubscriberAction action, int instance, MarkerLayout markers) {
    return of(
        action, IndexParams.ofInstance(instance, action.index(), markers), false, Optional.empty());
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
        action.shapeUp(),
        false,
        Optional.empty());
  }

  Action encode(SubscriberData data) {
    return tagged.isPresent() && data.hasLine() ? tagged.get().own(data) : own(data);
  }

  private Action own(SubscriberData data) {
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
    boolean isTagged = tagged.isPresent() && action.getActionId() == tagged.get().subscriber.id();
    return isTagged ? tagged.get().ownData(action) : ownData(action);
  }

  private SubscriberData ownData(Action action) {
    return new SubscriberData(
        index.read(action),
        policy.readInt(action),
        port.readInt(action),
        queue.readInt(action),
        shapeDown.readBoolean(action),
        shapeUp.readBoolean(action),
        hasLine);
  }
}
