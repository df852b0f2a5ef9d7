package net.sluice.pipeconf.table;

import net.sluice.intents.plan.SwitchEntry.NumberRange;
import net.sluice.intents.plan.SwitchEntry.RateBinEntry;
import net.sluice.pipeconf.p4info.RateIndexTable;
import net.sluice.pipeconf.p4info.SetBinAction;
import net.sluice.pipeconf.p4info.TableDescriptor;
import net.sluice.pipeconf.p4info.TnaRateIndexTable;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** {@code RateIndex}: rate bin by measured rate (paper 000, section IV). */
final class RateIndexCodec extends TableCodec<RateBinEntry> {
  private final NumberField rate;
  private final SetBinAction setBin;
  private final ActionParam bin;

  private RateIndexCodec(TableDescriptor table, NumberField rate, SetBinAction setBin) {
    super(table, RateBinEntry.class);
    this.rate = rate;
    this.setBin = setBin;
    bin = new ActionParam(setBin.bin(), "bin");
  }

  static RateIndexCodec of(RateIndexTable table) {
    return new RateIndexCodec(table, new RangeField(table.rate(), "rate"), table.setBin());
  }

  static RateIndexCodec of(TnaRateIndexTable table) {
    return new RateIndexCodec(table, new BlockField(table.rate(), "rate"), table.setBin());
  }

  @Override
  void match(RateBinEntry entry, TableEntry.Builder into) {
    rate.match(entry.low(), entry.high(), into);
  }

  @Override
  Action action(RateBinEntry entry) {
    return action(setBin, bin.of(entry.bin()));
  }

  @Override
  RateBinEntry read(TableEntry entry, Action action) {
    NumberRange range = rate.read(entry);
    return new RateBinEntry(bin.readInt(action), range.low(), range.high());
  }
}
