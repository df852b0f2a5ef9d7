package net.sluice.pipeconf.table;

import net.sluice.intents.plan.SwitchEntry.DirectionPolicyEntry;
import net.sluice.pipeconf.p4info.DirectionPolicyTable;
import net.sluice.pipeconf.p4info.SetPolicyAction;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** {@code DirectionPolicy}: directions of subscribers with a policy of their own. */
final class DirectionPolicyCodec extends TableCodec<DirectionPolicyEntry> {
  private final ExactField index;
  private final ExactField direction;
  private final SetPolicyAction setPolicy;
  private final ActionParam policy;

  DirectionPolicyCodec(DirectionPolicyTable table) {
    super(table, DirectionPolicyEntry.class);
    index = new ExactField(table.index(), "index");
    direction = new ExactField(table.direction(), "direction");
    setPolicy = table.setPolicy();
    policy = new ActionParam(setPolicy.policy(), "policy slot");
  }

  @Override
  void match(DirectionPolicyEntry entry, TableEntry.Builder into) {
    into.addMatch(index.of(entry.index()))
        .addMatch(direction.of(DirectionCodes.code(entry.direction())));
  }

  @Override
  Action action(DirectionPolicyEntry entry) {
    return action(setPolicy, policy.of(entry.policySlot()));
  }

  @Override
  DirectionPolicyEntry read(TableEntry entry, Action action) {
    return new DirectionPolicyEntry(
        index.readInt(entry),
        DirectionCodes.direction(direction.read(entry)),
        policy.readInt(action));
  }
}
