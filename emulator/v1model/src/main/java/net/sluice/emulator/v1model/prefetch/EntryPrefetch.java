package net.sluice.emulator.v1model.prefetch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.sluice.emulator.switching.PacketPipeline;
import net.sluice.emulator.v1model.program.CellUses;
import net.sluice.emulator.v1model.program.Header;
import net.sluice.emulator.v1model.program.Program;
import net.sluice.emulator.v1model.program.SingleAssignments;
import net.sluice.emulator.v1model.runtime.PipelineState;
import net.sluice.emulator.v1model.runtime.Prefetch;
import net.sluice.emulator.v1model.table.HashedTable;

/**
 * Prefetches the entries of coming packets in large tables: first all their places in the hash
 * index, then all their entries. One packet at a time would wait for each cache miss in turn;
 * loaded together, the misses overlap.
 *
 * <p>Keys are guessed from a packet's bytes, by the usual offsets of headers and the fields that
 * the program copies. A wrong guess costs time and nothing else: no packet, table or counter
 * changes.
 */
public final class EntryPrefetch implements Prefetch {

  /** Least entries of a table worth prefetching; smaller ones stay in a cache. */
  static final int LARGE = 4_096;

  /** A table with a guess of its key, and the cells that its entries lead to. */
  private static final class Guessed {
    private final HashedTable table;
    private final KeyGuess key;
    private final CellPrefetch[] cells;
    private final long[] words;
    private final int[] slots = new int[PacketPipeline.MAX_EXPECTED];
    private final int[] places = new int[PacketPipeline.MAX_EXPECTED];

    Guessed(HashedTable table, KeyGuess key, List<CellPrefetch> cells) {
      this.table = table;
      this.key = key;
      this.cells = cells.toArray(new CellPrefetch[0]);
      this.words = new long[table.layout().words()];
    }
  }

  private final Guessed[] guesses;

  /**
   * For a program.
   *
   * @param tables of the program
   * @param state their entries, in the same order, with counters and registers
   */
  public EntryPrefetch(Program program, List<Program.Table> tables, PipelineState state) {
    Map<Header, Integer> places = HeaderOffsets.of(program);
    CopiedFields copied = new CopiedFields(program);
    List<CellUses.Use> uses = CellPrefetch.uses(program);
    SingleAssignments assignments = new SingleAssignments(program);
    List<Guessed> found = new ArrayList<>();
    for (int i = 0; i < tables.size(); i++) {
      if (state.tables().get(i) instanceof HashedTable table) {
        for (KeyGuess key : KeyGuess.of(tables.get(i).key(), table.layout(), copied, places)) {
          found.add(
              new Guessed(
                  table, key, CellPrefetch.of(tables.get(i), table, uses, assignments, state)));
        }
      }
    }
    guesses = found.toArray(new Guessed[0]);
  }

  @Override
  public long load(byte[] bytes, int[] offsets, int[] lengths, int count) {
    long sum = 0;
    for (Guessed guess : guesses) {
      HashedTable table = guess.table;
      if (table.size() < LARGE) {
        continue;
      }
      int[] places = guess.places;
      int found = 0;
      for (int i = 0; i < count; i++) {
        if (guess.key.read(bytes, offsets[i], lengths[i], guess.words)) {
          places[found++] = table.place(guess.words);
        }
      }
      sum += table.load(places, found, guess.slots);
      for (CellPrefetch cells : guess.cells) {
        sum += cells.load(guess.slots, found);
      }
    }
    return sum;
  }
}
