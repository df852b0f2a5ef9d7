package net.sluice.pipeconf.table;

import net.sluice.intents.plan.SwitchEntry.NumberRange;
import net.sluice.intents.plan.SwitchEntry.RandomRateEntry;
import net.sluice.pipeconf.p4info.RandomRateEstimTable;
import net.sluice.pipeconf.p4info.SetOffsetAction;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** {@code RandomRateEstim}: bins taken off for a random number (paper 000, section IV). */
final class RandomRateEstimCodec extends TableCodec<RandomRateEntry> {
  private final RangeField random;
  private final SetOffsetAction setOffset;
  private final ActionParam offset;

  RandomRateEstimCodec(RandomRateEstimTable table) {
    super(table, RandomRateEntry.class);
    random = new RangeField(table.rnd(), "random");
    setOffset = table.setOffset();
    offset = new ActionParam(setOffset.y(), "offset");
  }

  @Override
  void match(RandomRateEntry entry, TableEntry.Builder into) {
    random.match(entry.low(), entry.high(), into);
  }

  @Override
  Action action(RandomRateEntry entry) {
    return action(setOffset, offset.of(entry.offset()));
  }

  @Override
  RandomRateEntry read(TableEntry entry, Action action) {
    NumberRange range = random.read(entry);
    return new RandomRateEntry(offset.readInt(action), (int) range.low(), (int) range.high());
  }
}
