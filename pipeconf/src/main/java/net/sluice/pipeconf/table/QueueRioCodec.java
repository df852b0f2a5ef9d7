package net.sluice.pipeconf.table;

import net.sluice.intents.plan.SwitchEntry.QueueRioEntry;
import net.sluice.intents.plan.SwitchEntry.RedCurve;
import net.sluice.pipeconf.p4info.QueueRioTable;
import net.sluice.pipeconf.p4info.RioAction;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** {@code QueueRio}: RIO before an egress queue. */
final class QueueRioCodec extends TableCodec<QueueRioEntry> {
  private final ExactField port;
  private final ExactField queue;
  private final RioAction rio;
  private final ActionParam dscpIn;
  private final ActionParam limit;
  private final ActionParam weightShift;
  private final ActionParam idleShift;
  private final ActionParam leastIn;
  private final ActionParam mostIn;
  private final ActionParam slopeIn;
  private final ActionParam leastOut;
  private final ActionParam mostOut;
  private final ActionParam slopeOut;

  QueueRioCodec(QueueRioTable table) {
    super(table, QueueRioEntry.class);
    port = new ExactField(table.egressPort(), "port");
    queue = new ExactField(table.queue(), "queue");
    rio = table.rio();
    dscpIn = new ActionParam(rio.dscpIn(), "dscpIn");
    limit = new ActionParam(rio.limit(), "limitPackets");
    weightShift = new ActionParam(rio.weightShift(), "weightShift");
    idleShift = new ActionParam(rio.idleShift(), "idleShift");
    leastIn = new ActionParam(rio.leastIn(), "least of in");
    mostIn = new ActionParam(rio.mostIn(), "most of in");
    slopeIn = new ActionParam(rio.slopeIn(), "slope of in");
    leastOut = new ActionParam(rio.leastOut(), "least of out");
    mostOut = new ActionParam(rio.mostOut(), "most of out");
    slopeOut = new ActionParam(rio.slopeOut(), "slope of out");
  }

  @Override
  void match(QueueRioEntry entry, TableEntry.Builder into) {
    into.addMatch(port.of(entry.port())).addMatch(queue.of(entry.queue()));
  }

  @Override
  Action action(QueueRioEntry entry) {
    return action(
        rio,
        dscpIn.of(entry.dscpIn()),
        limit.of(entry.limitPackets()),
        weightShift.of(entry.weightShift()),
        idleShift.of(entry.idleShift()),
        leastIn.of(entry.in().least()),
        mostIn.of(entry.in().most()),
        slopeIn.of(entry.in().slope()),
        leastOut.of(entry.out().least()),
        mostOut.of(entry.out().most()),
        slopeOut.of(entry.out().slope()));
  }

  @Override
  QueueRioEntry read(TableEntry entry, Action action) {
    return new QueueRioEntry(
        port.readInt(entry),
        queue.readInt(entry),
        dscpIn.readInt(action),
        limit.readInt(action),
        weightShift.readInt(action),
        idleShift.readInt(action),
        new RedCurve(leastIn.read(action), mostIn.read(action), slopeIn.readInt(action)),
        new RedCurve(leastOut.read(action), mostOut.read(action), slopeOut.readInt(action)));
  }
}
