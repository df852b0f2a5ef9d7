package net.sluice.core.session;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import net.sluice.core.TargetDrift.Difference;
import net.sluice.core.TargetDrift.Sample;
import net.sluice.core.TargetDrift.TableDrift;

/** Counts the differences that a comparison finds, by table, and keeps a few of each as words. */
public final class TargetDifferences {
  /** Samples of one kind of difference in one table. */
  public static final int SAMPLES = 5;

  private final Map<String, OfTable> tables = new LinkedHashMap<>();

  private static final class OfTable {
    private final long[] counts = new long[Difference.values().length];
    private final int[] sampled = new int[Difference.values().length];
    private final List<Sample> samples = new ArrayList<>();

    void sample(Difference difference, Optional<String> held, Optional<String> declared) {
      sampled[difference.ordinal()]++;
      samples.add(new Sample(difference, held, declared));
    }
  }

  /** The target holds what is not declared. */
  public void foreign(String table, Object held) {
    add(table, Difference.FOREIGN, () -> Optional.of(RecordText.of(held)), Optional::empty);
  }

  /** The target holds other data than declared. */
  public void changed(String table, Object held, Object declared) {
    add(
        table,
        Difference.CHANGED,
        () -> Optional.of(RecordText.of(held)),
        () -> Optional.of(RecordText.of(declared)));
  }

  /** The target does not hold what is declared. */
  public void missing(String table, Object declared) {
    add(table, Difference.MISSING, Optional::empty, () -> Optional.of(RecordText.of(declared)));
  }

  /** The target does not hold {@code count} entries, some of which are told in words. */
  public void missing(String table, long count, Iterator<String> declared) {
    OfTable of = table(table);
    of.counts[Difference.MISSING.ordinal()] += count;
    for (int i = 0; i < Math.min(count, SAMPLES) && declared.hasNext(); i++) {
      of.sample(Difference.MISSING, Optional.empty(), Optional.of(declared.next()));
    }
  }

  private OfTable table(String name) {
    return tables.computeIfAbsent(name, absent -> new OfTable());
  }

  private void add(
      String table,
      Difference difference,
      Supplier<Optional<String>> held,
      Supplier<Optional<String>> declared) {
    OfTable of = table(table);
    of.counts[difference.ordinal()]++;
    if (of.sampled[difference.ordinal()] < SAMPLES) {
      of.sample(difference, held.get(), declared.get());
    }
  }

  /** How many entries differ so, over all tables. */
  public long count(Difference difference) {
    return tables.values().stream().mapToLong(of -> of.counts[difference.ordinal()]).sum();
  }

  /** The differences, table by table. */
  public List<TableDrift> tables() {
    List<TableDrift> drifts = new ArrayList<>();
    tables.forEach(
        (name, of) ->
            drifts.add(
                new TableDrift(
                    name,
                    of.counts[Difference.FOREIGN.ordinal()],
                    of.counts[Difference.MISSING.ordinal()],
                    of.counts[Difference.CHANGED.ordinal()],
                    of.samples)));
    return drifts;
  }

  /** Forgets everything. */
  public void clear() {
    tables.clear();
  }
}
