package net.sluice.emulator.v1model.trace;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import net.sluice.emulator.trace.v1.Entry;
import net.sluice.emulator.trace.v1.TableApplied;
import net.sluice.emulator.trace.v1.Value;
import net.sluice.emulator.v1model.codegen.PipelineCompiler;
import net.sluice.emulator.v1model.program.Header;
import net.sluice.emulator.v1model.program.Program;
import net.sluice.emulator.v1model.table.MatchKey;
import net.sluice.emulator.v1model.table.MatchKind;
import net.sluice.emulator.v1model.table.MatchTable;
import net.sluice.emulator.v1model.table.WordLayout;

/** The trace events of tables. */
record TableEvents(Program.Table table, MatchTable entries) {

  /**
   * The event.
   *
   * @param slot that was hit, 0 on a miss
   * @param words of the key
   * @param colour reads the direct meter's target
   */
  TableApplied applied(int slot, long[] words, Function<Header.Ref, String> colour) {
    boolean hit = slot != MatchTable.DEFAULT_SLOT;
    TableApplied.Builder applied = TableApplied.newBuilder().setTable(table.name()).setHit(hit);
    for (int i = 0; i < table.key().size(); i++) {
      WordLayout.Field field = entries.layout().fields().get(i);
      applied.addKey(
          Recording.named(table.key().get(i).name(), take(field, words), field.widthBits()));
    }
    if (hit) {
      applied.setEntry(entry(slot));
      if (table.withCounters()) {
        applied
            .setCounterPackets(entries.counters[2 * slot])
            .setCounterBytes(entries.counters[2 * slot + 1]);
      }
      if (table.meter() != null) {
        applied.setMeterColour(colour.apply(table.meter().target()));
      }
    }
    return applied.build();
  }

  private Entry entry(int slot) {
    Entry.Builder entry = Entry.newBuilder().setHandle(slot).setIsConst(entries.isConst(slot));
    if (hasPriority(table.kind())) {
      entry.setPriority(entries.priority(slot));
    }
    MatchKey key = new MatchKey(entries.layout());
    entries.readKey(slot, key);
    for (int i = 0; i < table.key().size(); i++) {
      WordLayout.Field field = entries.layout().fields().get(i);
      entry.addMatch(
          Value.newBuilder().setName(table.key().get(i).name()).setValue(match(field, key)));
    }
    return entry.build();
  }

  private static boolean hasPriority(MatchKind kind) {
    return kind != MatchKind.EXACT && kind != MatchKind.LPM;
  }

  private static String match(WordLayout.Field field, MatchKey key) {
    String value = Hex.number(take(field, key.value), field.widthBits());
    BigInteger second = take(field, key.mask);
    return switch (field.kind()) {
      case EXACT -> value;
      case LPM -> value + "/" + key.prefixLength;
      case OPTIONAL -> second.signum() == 0 ? "*" : value;
      case TERNARY ->
          second.bitCount() == field.widthBits()
              ? value
              : second.signum() == 0
                  ? "*"
                  : value + " &&& " + Hex.number(second, field.widthBits());
      case RANGE -> value + ".." + Hex.number(second, field.widthBits());
      default -> throw new IllegalStateException("no text for match kind " + field.kind());
    };
  }

  /**
   * The action of an entry, or of the default entry; null if it refers to an action profile, or to
   * nothing.
   */
  Program.Action action(int slot) {
    int action = entries.action(slot);
    return action < table.actions().size() ? table.actions().get(action) : null;
  }

  /** The parameters of an entry's action. */
  List<Value> parameters(int slot) {
    long[] data = new long[entries.dataWords()];
    for (int w = 0; w < data.length; w++) {
      data[w] = entries.data(slot, w);
    }
    return parameters(action(slot), data);
  }

  /** The parameters of an action in the words of its data. */
  static List<Value> parameters(Program.Action action, long[] data) {
    List<Value> values = new ArrayList<>();
    for (WordLayout.Field field : PipelineCompiler.parameters(action).fields()) {
      values.add(Recording.named(field.name(), take(field, data), field.widthBits()));
    }
    return values;
  }

  private static BigInteger take(WordLayout.Field field, long[] words) {
    BigInteger value = BigInteger.ZERO;
    for (int limb = field.words() - 1; limb >= 0; limb--) {
      long bits = (words[field.word() + limb] & field.maskOf(limb)) >>> field.shift();
      value = value.shiftLeft(64).or(new BigInteger(Long.toHexString(bits), 16));
    }
    return value;
  }
}
