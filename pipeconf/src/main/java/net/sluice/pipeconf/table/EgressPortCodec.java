package net.sluice.pipeconf.table;

import net.sluice.intents.plan.SwitchEntry.EgressPortEntry;
import net.sluice.pipeconf.p4info.EgressPortTable;
import net.sluice.pipeconf.p4info.RewriteAction;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** {@code EgressPort}: addresses of frames leaving a port, and whether they keep their value. */
final class EgressPortCodec extends TableCodec<EgressPortEntry> {
  private final ExactField port;
  private final RewriteAction rewrite;
  private final ActionParam source;
  private final ActionParam destination;
  private final ActionParam keep;

  EgressPortCodec(EgressPortTable table) {
    super(table, EgressPortEntry.class);
    port = new ExactField(table.egressPort(), "port");
    rewrite = table.rewrite();
    source = new ActionParam(rewrite.srcMac(), "sourceMac");
    destination = new ActionParam(rewrite.dstMac(), "destinationMac");
    keep = new ActionParam(rewrite.keepPv(), "keepPacketValue");
  }

  @Override
  void match(EgressPortEntry entry, TableEntry.Builder into) {
    into.addMatch(port.of(entry.port()));
  }

  @Override
  Action action(EgressPortEntry entry) {
    return action(
        rewrite,
        source.of(entry.sourceMac()),
        destination.of(entry.destinationMac()),
        keep.of(entry.keepPacketValue()));
  }

  @Override
  EgressPortEntry read(TableEntry entry, Action action) {
    return new EgressPortEntry(
        port.readInt(entry),
        source.read(action),
        destination.read(action),
        keep.readBoolean(action));
  }
}
