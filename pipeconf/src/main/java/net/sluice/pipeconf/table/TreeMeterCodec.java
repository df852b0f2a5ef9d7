package net.sluice.pipeconf.table;

import java.util.Optional;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.plan.MeterSetting;
import net.sluice.intents.plan.SwitchEntry.TreeMeterEntry;
import net.sluice.pipeconf.p4info.MeterTreeAction;
import net.sluice.pipeconf.p4info.TreeMeterTable;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** {@code TreeMeter}: the meter that a tree's subscribers share. */
final class TreeMeterCodec extends MeteredTableCodec<TreeMeterEntry> {
  private final ExactField port;
  private final ExactField tree;
  private final ExactField direction;
  private final MeterTreeAction meterTree;

  TreeMeterCodec(TreeMeterTable table) {
    super(table, TreeMeterEntry.class);
    port = new ExactField(table.port(), "port");
    tree = new ExactField(table.tree(), "tree");
    direction = new ExactField(table.direction(), "direction");
    meterTree = table.meterTree();
  }

  @Override
  void match(TreeMeterEntry entry, TableEntry.Builder into) {
    into.addMatch(port.of(entry.at().port()))
        .addMatch(tree.of(entry.at().tree()))
        .addMatch(direction.of(DirectionCodes.code(entry.direction())));
  }

  @Override
  Action action(TreeMeterEntry entry) {
    return action(meterTree);
  }

  @Override
  Optional<MeterSetting> meter(TreeMeterEntry entry) {
    return entry.meter();
  }

  @Override
  TreeMeterEntry read(TableEntry entry, Action action) {
    return new TreeMeterEntry(
        new Attachment(port.readInt(entry), tree.readInt(entry)),
        DirectionCodes.direction(direction.read(entry)),
        readMeter(entry));
  }
}
