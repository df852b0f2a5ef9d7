package net.sluice.pipeconf.table;

import net.sluice.intents.plan.SwitchEntry.PolicyValueEntry;
import net.sluice.pipeconf.p4info.PolicyFunctionTable;
import net.sluice.pipeconf.p4info.SetPacketValueAction;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** {@code PolicyFunction}: packet value by policy and rate bin (paper 000, section IV). */
final class PolicyFunctionCodec extends TableCodec<PolicyValueEntry> {
  private final ExactField policy;
  private final ExactField bin;
  private final SetPacketValueAction setPacketValue;
  private final ActionParam packetValue;

  PolicyFunctionCodec(PolicyFunctionTable table) {
    super(table, PolicyValueEntry.class);
    policy = new ExactField(table.policy(), "policy slot");
    bin = new ExactField(table.bin(), "bin");
    setPacketValue = table.setPacketValue();
    packetValue = new ActionParam(setPacketValue.pv(), "packet value");
  }

  @Override
  void match(PolicyValueEntry entry, TableEntry.Builder into) {
    into.addMatch(policy.of(entry.policySlot()));
    into.addMatch(bin.of(entry.bin()));
  }

  @Override
  Action action(PolicyValueEntry entry) {
    return action(setPacketValue, packetValue.of(entry.packetValue()));
  }

  @Override
  PolicyValueEntry read(TableEntry entry, Action action) {
    return new PolicyValueEntry(
        policy.readInt(entry), bin.readInt(entry), packetValue.readInt(action));
  }
}
