package net.sluice.pipeconf.table;

import net.sluice.intents.plan.SwitchEntry.TrafficClassEntry;
import net.sluice.pipeconf.p4info.SetClassAction;
import net.sluice.pipeconf.p4info.TrafficClassTable;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** {@code TrafficClass}: the FPGA's class queue by policy and codepoint. */
final class TrafficClassCodec extends TableCodec<TrafficClassEntry> {
  private final ExactField policy;
  private final ExactField dscp;
  private final SetClassAction setClass;
  private final ActionParam queueClass;

  TrafficClassCodec(TrafficClassTable table) {
    super(table, TrafficClassEntry.class);
    policy = new ExactField(table.policy(), "policy slot");
    dscp = new ExactField(table.dscp(), "dscp");
    setClass = table.setClass();
    queueClass = new ActionParam(setClass.queueClass(), "queue class");
  }

  @Override
  void match(TrafficClassEntry entry, TableEntry.Builder into) {
    into.addMatch(policy.of(entry.policySlot()));
    into.addMatch(dscp.of(entry.dscp()));
  }

  @Override
  Action action(TrafficClassEntry entry) {
    return action(setClass, queueClass.of(entry.queueClass()));
  }

  @Override
  TrafficClassEntry read(TableEntry entry, Action action) {
    return new TrafficClassEntry(
        policy.readInt(entry), dscp.readInt(entry), queueClass.readInt(action));
  }
}
