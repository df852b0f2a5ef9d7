package net.sluice.pipeconf.table;

import net.sluice.intents.model.AqmKind;
import net.sluice.intents.plan.SwitchEntry.QueueAqmEntry;
import net.sluice.pipeconf.p4info.ManageAction;
import net.sluice.pipeconf.p4info.QueueAqmTable;
import net.sluice.pipeconf.p4info.SerializableEnums;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** {@code QueueAqm}: the algorithm that manages an egress queue's delay, and its settings. */
final class QueueAqmCodec extends TableCodec<QueueAqmEntry> {
  /** The interval over the square root of a weighted count of 1, in microseconds. */
  private static final double WEIGHT_UNIT_MICROS = 1 << 22;

  /** A power of two, as that kind's square root has only those. */
  private static final long P4_CODEL_WEIGHT = 1 << 11;

  private final ExactField port;
  private final ExactField queue;
  private final ManageAction manage;
  private final ActionParam kind;
  private final ActionParam target;
  private final ActionParam interval;
  private final ActionParam weight;
  private final ActionParam ecn;

  QueueAqmCodec(QueueAqmTable table) {
    super(table, QueueAqmEntry.class);
    port = new ExactField(table.egressPort(), "port");
    queue = new ExactField(table.queue(), "queue");
    manage = table.manage();
    kind = new ActionParam(manage.kind(), "kind");
    target = new ActionParam(manage.targetMicros(), "targetMicros");
    interval = new ActionParam(manage.intervalMicros(), "intervalMicros");
    weight = new ActionParam(manage.weight(), "weight");
    ecn = new ActionParam(manage.ecn(), "ecn");
  }

  @Override
  void match(QueueAqmEntry entry, TableEntry.Builder into) {
    into.addMatch(port.of(entry.port())).addMatch(queue.of(entry.queue()));
  }

  @Override
  Action action(QueueAqmEntry entry) {
    return action(
        manage,
        kind.of(code(entry.kind())),
        target.of(entry.targetMicros()),
        interval.of(entry.intervalMicros()),
        weight.of(weight(entry.kind(), entry.intervalMicros())),
        ecn.of(entry.ecn()));
  }

  @Override
  QueueAqmEntry read(TableEntry entry, Action action) {
    AqmKind kindRead = kind(kind.read(action));
    long intervalMicros = interval.read(action);
    long weightRead = weight.read(action);
    if (weightRead != weight(kindRead, intervalMicros)) {
      throw new MalformedEntryException(
          "weight " + weightRead + " is not that of intervalMicros " + intervalMicros);
    }
    return new QueueAqmEntry(
        port.readInt(entry),
        queue.readInt(entry),
        kindRead,
        target.read(action),
        intervalMicros,
        ecn.readBoolean(action));
  }

  /**
   * The weight of a count of 1: with counts in this unit the program needs one square root for all
   * intervals. The predecessor's interval is in its square root.
   */
  private static long weight(AqmKind kind, long intervalMicros) {
    if (kind == AqmKind.P4_CODEL) {
      return P4_CODEL_WEIGHT;
    }
    double ratio = WEIGHT_UNIT_MICROS / intervalMicros;
    return Math.min((1L << 32) - 1, Math.max(1, Math.round(ratio * ratio)));
  }

  private static int code(AqmKind kind) {
    return switch (kind) {
      case CODEL_ACT -> SerializableEnums.AQM_KIND_CODEL_ACT;
      case P4_CODEL -> SerializableEnums.AQM_KIND_P4_CODEL;
      case RFC8289 -> SerializableEnums.AQM_KIND_RFC8289;
    };
  }

  private static AqmKind kind(long code) {
    for (AqmKind kind : AqmKind.values()) {
      if (code(kind) == code) {
        return kind;
      }
    }
    throw new MalformedEntryException("kind " + code + " is unknown");
  }
}
