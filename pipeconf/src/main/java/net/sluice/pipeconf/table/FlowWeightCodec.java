package net.sluice.pipeconf.table;

import net.sluice.intents.plan.SwitchEntry.FlowWeightEntry;
import net.sluice.pipeconf.p4info.FlowWeightTable;
import net.sluice.pipeconf.p4info.SetWeightAction;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** {@code FlowWeight}: weights of an aggregate's flows by the codepoint that they come with. */
final class FlowWeightCodec extends TableCodec<FlowWeightEntry> {
  private final ExactField aggregate;
  private final ExactField dscp;
  private final SetWeightAction setWeight;
  private final ActionParam weightLog;

  FlowWeightCodec(FlowWeightTable table) {
    super(table, FlowWeightEntry.class);
    aggregate = new ExactField(table.aggregate(), "aggregate");
    dscp = new ExactField(table.dscp(), "dscp");
    setWeight = table.setWeight();
    weightLog = new ActionParam(setWeight.weightLog(), "weightLog");
  }

  @Override
  void match(FlowWeightEntry entry, TableEntry.Builder into) {
    into.addMatch(aggregate.of(entry.aggregate())).addMatch(dscp.of(entry.dscp()));
  }

  @Override
  Action action(FlowWeightEntry entry) {
    return action(setWeight, weightLog.of(entry.weightLog()));
  }

  @Override
  FlowWeightEntry read(TableEntry entry, Action action) {
    return new FlowWeightEntry(
        aggregate.readInt(entry), dscp.readInt(entry), weightLog.readInt(action));
  }
}
