package net.sluice.pipeconf.table;

import net.sluice.intents.model.Attachment;
import net.sluice.intents.plan.SwitchEntry.TreeLimitEntry;
import net.sluice.pipeconf.p4info.LimitTreeAction;
import net.sluice.pipeconf.p4info.TreeLimiterTable;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** {@code TreeLimiter}: the rate that a tree's subscribers share. */
final class TreeLimitCodec extends TableCodec<TreeLimitEntry> {
  private final ExactField port;
  private final ExactField tree;
  private final ExactField direction;
  private final LimitTreeAction limitTree;
  private final ActionParam rate;

  TreeLimitCodec(TreeLimiterTable table) {
    super(table, TreeLimitEntry.class);
    port = new ExactField(table.port(), "port");
    tree = new ExactField(table.tree(), "tree");
    direction = new ExactField(table.direction(), "direction");
    limitTree = table.limitTree();
    rate = new ActionParam(limitTree.rate(), "rate word");
  }

  @Override
  void match(TreeLimitEntry entry, TableEntry.Builder into) {
    into.addMatch(port.of(entry.at().port()))
        .addMatch(tree.of(entry.at().tree()))
        .addMatch(direction.of(DirectionCodes.code(entry.direction())));
  }

  @Override
  Action action(TreeLimitEntry entry) {
    return action(limitTree, rate.of(entry.rateWord()));
  }

  @Override
  TreeLimitEntry read(TableEntry entry, Action action) {
    return new TreeLimitEntry(
        new Attachment(port.readInt(entry), tree.readInt(entry)),
        DirectionCodes.direction(direction.read(entry)),
        rate.readInt(action));
  }
}
