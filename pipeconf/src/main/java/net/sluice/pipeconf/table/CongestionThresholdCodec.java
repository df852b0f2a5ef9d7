package net.sluice.pipeconf.table;

import net.sluice.intents.plan.Gain;
import net.sluice.intents.plan.SwitchEntry.CongestionThresholdEntry;
import net.sluice.pipeconf.p4info.CongestionThresholdTable;
import net.sluice.pipeconf.p4info.SerializableEnums;
import net.sluice.pipeconf.p4info.SteerAction;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** {@code CongestionThreshold}: how an egress port's congestion threshold value is steered. */
final class CongestionThresholdCodec extends TableCodec<CongestionThresholdEntry> {
  private final ExactField port;
  private final SteerAction steer;
  private final ActionParam gain;
  private final ActionParam target;
  private final ActionParam overload;
  private final ActionParam period;
  private final ActionParam idle;
  private final ActionParam ecnDrop;

  CongestionThresholdCodec(CongestionThresholdTable table) {
    super(table, CongestionThresholdEntry.class);
    port = new ExactField(table.egressPort(), "port");
    steer = table.steer();
    gain = new ActionParam(steer.gain(), "gain");
    target = new ActionParam(steer.targetMicros(), "targetMicros");
    overload = new ActionParam(steer.overloadMicros(), "overloadMicros");
    period = new ActionParam(steer.periodMicros(), "periodMicros");
    idle = new ActionParam(steer.idleMicros(), "idleMicros");
    ecnDrop = new ActionParam(steer.ecnDropMicros(), "ecnDropMicros");
  }

  @Override
  void match(CongestionThresholdEntry entry, TableEntry.Builder into) {
    into.addMatch(port.of(entry.port()));
  }

  @Override
  Action action(CongestionThresholdEntry entry) {
    return action(
        steer,
        gain.of(code(entry.gain())),
        target.of(entry.targetMicros()),
        overload.of(entry.overloadMicros()),
        period.of(entry.periodMicros()),
        idle.of(entry.idleMicros()),
        ecnDrop.of(entry.ecnDropMicros()));
  }

  @Override
  CongestionThresholdEntry read(TableEntry entry, Action action) {
    return new CongestionThresholdEntry(
        port.readInt(entry),
        gain(gain.read(action)),
        target.read(action),
        overload.read(action),
        period.read(action),
        idle.read(action),
        ecnDrop.read(action));
  }

  private static int code(Gain gain) {
    return switch (gain) {
      case FAST -> SerializableEnums.GAIN_FAST;
      case MEDIUM -> SerializableEnums.GAIN_MEDIUM;
      case SLOW -> SerializableEnums.GAIN_SLOW;
    };
  }

  private static Gain gain(long code) {
    for (Gain gain : Gain.values()) {
      if (code(gain) == code) {
        return gain;
      }
    }
    throw new MalformedEntryException("gain " + code + " is unknown");
  }
}
