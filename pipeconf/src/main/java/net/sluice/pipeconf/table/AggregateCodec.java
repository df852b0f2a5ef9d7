package net.sluice.pipeconf.table;

import net.sluice.intents.plan.MarkingSetting;
import net.sluice.intents.plan.SwitchEntry.AggregateEntry;
import net.sluice.pipeconf.p4info.AggregateTable;
import net.sluice.pipeconf.p4info.FSamAction;
import net.sluice.pipeconf.p4info.PamAction;
import net.sluice.pipeconf.p4info.ParamDescriptor;
import net.sluice.pipeconf.p4info.TokenBucketAction;
import net.sluice.pipeconf.p4info.Tsw2cmAction;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** {@code Aggregate}: whose packets are marked IN and OUT, and how. */
final class AggregateCodec extends TableCodec<AggregateEntry> {
  private final ExactField index;
  private final ExactField direction;
  private final TokenBucketAction tokenBucket;
  private final Tsw2cmAction tsw2cm;
  private final PamAction pam;
  private final FSamAction fsam;

  AggregateCodec(AggregateTable table) {
    super(table, AggregateEntry.class);
    index = new ExactField(table.index(), "index");
    direction = new ExactField(table.direction(), "direction");
    tokenBucket = table.tokenBucket();
    tsw2cm = table.tsw2cm();
    pam = table.pam();
    fsam = table.fSam();
  }

  @Override
  void match(AggregateEntry entry, TableEntry.Builder into) {
    into.addMatch(index.of(entry.index()))
        .addMatch(direction.of(DirectionCodes.code(entry.direction())));
  }

  @Override
  Action action(AggregateEntry entry) {
    int aggregate = entry.aggregate();
    long holder = entry.holder();
    int in = entry.dscpIn();
    int out = entry.dscpOut();
    if (entry.marking() instanceof MarkingSetting.TokenBucket m) {
      return action(
          tokenBucket,
          of(tokenBucket.index(), "aggregate", aggregate),
          of(tokenBucket.holder(), "holder", holder),
          of(tokenBucket.fill(), "fill", m.fill()),
          of(tokenBucket.burst(), "burst", m.burst()),
          of(tokenBucket.dscpIn(), "dscpIn", in),
          of(tokenBucket.dscpOut(), "dscpOut", out));
    } else if (entry.marking() instanceof MarkingSetting.Tsw2cm m) {
      return action(
          tsw2cm,
          of(tsw2cm.index(), "aggregate", aggregate),
          of(tsw2cm.holder(), "holder", holder),
          of(tsw2cm.cirLog(), "cirLog", m.cirLog()),
          of(tsw2cm.timeShift(), "timeShift", m.timeShift()),
          of(tsw2cm.dscpIn(), "dscpIn", in),
          of(tsw2cm.dscpOut(), "dscpOut", out));
    } else if (entry.marking() instanceof MarkingSetting.Pam m) {
      return action(
          pam,
          of(pam.index(), "aggregate", aggregate),
          of(pam.holder(), "holder", holder),
          of(pam.fill(), "fill", m.fill()),
          of(pam.burst(), "burst", m.burst()),
          of(pam.least(), "leastBits", m.leastBits()),
          of(pam.most(), "mostBits", m.mostBits()),
          of(pam.scaleLog(), "scaleLog", m.scaleLog()),
          of(pam.averageShift(), "averageShift", m.averageShift()),
          of(pam.dscpIn(), "dscpIn", in),
          of(pam.dscpOut(), "dscpOut", out));
    }
    MarkingSetting.Fsam m = (MarkingSetting.Fsam) entry.marking();
    return action(
        fsam,
        of(fsam.index(), "aggregate", aggregate),
        of(fsam.holder(), "holder", holder),
        of(fsam.fill(), "fill", m.fill()),
        of(fsam.burst(), "burst", m.burst()),
        of(fsam.cirRate(), "cirRate", m.cirRate()),
        of(fsam.cirLog(), "cirLog", m.cirLog()),
        of(fsam.timeShift(), "timeShift", m.timeShift()),
        of(fsam.windowMicros(), "windowMicros", m.windowMicros()),
        of(fsam.dscpIn(), "dscpIn", in),
        of(fsam.dscpOut(), "dscpOut", out));
  }

  @Override
  AggregateEntry read(TableEntry entry, Action action) {
    int id = action.getActionId();
    if (id == tokenBucket.id()) {
      return entry(
          entry,
          action,
          tokenBucket.index(),
          tokenBucket.holder(),
          new MarkingSetting.TokenBucket(
              read(tokenBucket.fill(), action), read(tokenBucket.burst(), action)),
          tokenBucket.dscpIn(),
          tokenBucket.dscpOut());
    } else if (id == tsw2cm.id()) {
      return entry(
          entry,
          action,
          tsw2cm.index(),
          tsw2cm.holder(),
          new MarkingSetting.Tsw2cm(
              (int) read(tsw2cm.cirLog(), action), (int) read(tsw2cm.timeShift(), action)),
          tsw2cm.dscpIn(),
          tsw2cm.dscpOut());
    } else if (id == pam.id()) {
      return entry(
          entry,
          action,
          pam.index(),
          pam.holder(),
          new MarkingSetting.Pam(
              read(pam.fill(), action),
              read(pam.burst(), action),
              read(pam.least(), action),
              read(pam.most(), action),
              (int) read(pam.scaleLog(), action),
              (int) read(pam.averageShift(), action)),
          pam.dscpIn(),
          pam.dscpOut());
    }
    return entry(
        entry,
        action,
        fsam.index(),
        fsam.holder(),
        new MarkingSetting.Fsam(
            read(fsam.fill(), action),
            read(fsam.burst(), action),
            read(fsam.cirRate(), action),
            (int) read(fsam.cirLog(), action),
            (int) read(fsam.timeShift(), action),
            read(fsam.windowMicros(), action)),
        fsam.dscpIn(),
        fsam.dscpOut());
  }

  private AggregateEntry entry(
      TableEntry entry,
      Action action,
      ParamDescriptor aggregate,
      ParamDescriptor holder,
      MarkingSetting marking,
      ParamDescriptor dscpIn,
      ParamDescriptor dscpOut) {
    return new AggregateEntry(
        index.readInt(entry),
        DirectionCodes.direction(direction.read(entry)),
        (int) read(aggregate, action),
        read(holder, action),
        marking,
        (int) read(dscpIn, action),
        (int) read(dscpOut, action));
  }

  private static Action.Param of(ParamDescriptor param, String name, long value) {
    return new ActionParam(param, name).of(value);
  }

  private static long read(ParamDescriptor param, Action action) {
    return new ActionParam(param, param.name()).read(action);
  }
}
