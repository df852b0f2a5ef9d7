package net.sluice.lab.experiment.fsam;

import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.server.p4runtime.OfflineControl;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.intents.compile.RioTuning;
import net.sluice.intents.marker.aggregate.AggregateTuning;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.PortQueue;
import net.sluice.intents.model.aggregate.Aggregate;
import net.sluice.intents.model.aggregate.AggregateMarker;
import net.sluice.intents.model.policy.Aqm;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.forwarding.EgressPortEntry;
import net.sluice.intents.plan.entry.forwarding.RouteEntry;
import net.sluice.intents.plan.entry.marker.AggregateEntry;
import net.sluice.intents.plan.entry.marker.FlowWeightEntry;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.plan.entry.subscriber.PortRoleEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.plan.entry.subscriber.SubscriberPrefixEntry;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.V1ModelPipeline;

/**
 * An emulated switch with Sluice's program: an edge that marks an aggregate, or a core with RIO.
 */
final class DiffservSwitch {
  static final int IN_PORT = 1;
  static final int OUT_PORT = 2;

  private static final SwitchPipeline PROGRAM = V1ModelPipeline.withAggregates();
  private static final long SWITCH_MAC = 0x02_5a_00_00_00_00L;

  /** More than a source sends. */
  private static final long FASTEST_BPS = 1_000_000_000;

  private static final int SUBSCRIBER = 1;

  private final V1modelSwitch device;
  private final OfflineControl control;

  private DiffservSwitch(long seed, SwitchEntry role, List<SwitchEntry> entries, IpPrefix sinks) {
    device = new V1modelSwitch(1, seed);
    control = OfflineControl.load(device, PROGRAM.forwardingPipelineConfig());
    List<SwitchEntry> all = new ArrayList<>(entries);
    all.add(role);
    all.add(new RouteEntry(sinks, OUT_PORT));
    all.add(new EgressPortEntry(OUT_PORT, SWITCH_MAC, FsamRun.SINK_MAC, false));
    control.write(all.stream().map(entry -> PROGRAM.entries().update(Op.INSERT, entry)).toList());
  }

  V1modelSwitch device() {
    return device;
  }

  /** Marks what a subscriber of these prefixes sends. */
  static DiffservSwitch edge(long seed, IpPrefix subscriber, IpPrefix sinks, Aggregate aggregate) {
    List<SwitchEntry> entries = new ArrayList<>();
    entries.add(
        new SubscriberPrefixEntry(
            subscriber, new SubscriberData(SUBSCRIBER, 1, IN_PORT, 0, false, false)));
    entries.add(contract(aggregate, SUBSCRIBER));
    if (aggregate.marker() instanceof AggregateMarker.Fsam fsam) {
      fsam.weights()
          .forEach(
              (dscp, weight) ->
                  entries.add(new FlowWeightEntry(SUBSCRIBER, dscp, AggregateTuning.log(weight))));
    }
    return new DiffservSwitch(
        seed, new PortRoleEntry(IN_PORT, PortRole.ACCESS, Direction.UP), entries, sinks);
  }

  private static AggregateEntry contract(Aggregate aggregate, long holder) {
    return new AggregateEntry(
        SUBSCRIBER,
        aggregate.direction(),
        SUBSCRIBER,
        holder,
        new AggregateTuning(PROGRAM.profile().rateUnitBps(), FASTEST_BPS).setting(aggregate),
        aggregate.inDscp(),
        aggregate.outDscp());
  }

  /** Gives the number of an edge's contract to another one. */
  void replace(Aggregate aggregate, long holder) {
    control.write(List.of(PROGRAM.entries().update(Op.MODIFY, contract(aggregate, holder))));
  }

  /** Drops before its queue by RIO, with the defaults of ns-2. */
  static DiffservSwitch core(long seed, IpPrefix sinks) {
    return core(seed, sinks, new Aqm.Rio().weightShift());
  }

  /**
   * The same with averages of another weight.
   *
   * @param weightShift a packet weighs 2^-shift
   */
  static DiffservSwitch core(long seed, IpPrefix sinks, int weightShift) {
    Aqm.Rio ns2 = new Aqm.Rio();
    return new DiffservSwitch(
        seed,
        new PortRoleEntry(IN_PORT, PortRole.TRUNK, Direction.UP),
        List.of(
            RioTuning.entry(
                new PortQueue(OUT_PORT, 0),
                new Aqm.Rio(
                    Aggregate.IN_DSCP, ns2.limitPackets(), weightShift, ns2.in(), ns2.out()),
                FsamRun.BOTTLENECK_BPS)),
        sinks);
  }
}
