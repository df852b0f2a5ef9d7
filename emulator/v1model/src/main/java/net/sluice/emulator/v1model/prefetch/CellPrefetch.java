package net.sluice.emulator.v1model.prefetch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.sluice.emulator.switching.PacketPipeline;
import net.sluice.emulator.v1model.codegen.PipelineCompiler;
import net.sluice.emulator.v1model.program.CellUses;
import net.sluice.emulator.v1model.program.Program;
import net.sluice.emulator.v1model.program.SingleAssignments;
import net.sluice.emulator.v1model.runtime.CounterCells;
import net.sluice.emulator.v1model.runtime.PipelineState;
import net.sluice.emulator.v1model.runtime.RegisterArray;
import net.sluice.emulator.v1model.table.MatchTable;
import net.sluice.emulator.v1model.table.WordLayout;

/**
 * Prefetches the counter and register cells that a hit entry's action leads to: those whose index
 * is a linear function of an action parameter, with all other inputs taken as 0.
 */
final class CellPrefetch {

  /** Arrays that are used at the same index. */
  private record Group(CellIndex.Line line, int size) {}

  private final MatchTable table;
  private final int action;
  private final WordLayout.Field parameter;
  private final Group group;
  private final CounterCells[] counters;
  private final RegisterArray[] registers;
  private final Usage[] counterUsages;
  private final Usage[] registerUsages;
  private final int[] cells = new int[PacketPipeline.MAX_EXPECTED];

  /** The cells that tell whether those of an entry are used: the first, and more of its own. */
  private final int[] looked;

  private CellPrefetch(
      MatchTable table,
      int action,
      WordLayout.Field parameter,
      Group group,
      Set<CellUses.Use> arrays,
      PipelineState state) {
    this.table = table;
    this.action = action;
    this.parameter = parameter;
    this.group = group;
    looked = new int[(int) Math.max(1, Math.min(Usage.MOST_LOOKED, group.line.step()))];
    counters =
        arrays.stream()
            .filter(CellUses.OfCounter.class::isInstance)
            .map(use -> state.counters().get(((CellUses.OfCounter) use).counter().index()))
            .distinct()
            .toArray(CounterCells[]::new);
    registers =
        arrays.stream()
            .filter(CellUses.OfRegister.class::isInstance)
            .map(use -> state.registers().get(((CellUses.OfRegister) use).register().index()))
            .distinct()
            .toArray(RegisterArray[]::new);
    counterUsages = usages(counters.length);
    registerUsages = usages(registers.length);
  }

  private static Usage[] usages(int count) {
    Usage[] usages = new Usage[count];
    Arrays.setAll(usages, i -> new Usage());
    return usages;
  }

  /**
   * Whether packets use the cells of an array. A program has arrays for what few packets need, such
   * as the state of limits: where the cells of one packet of each group stay as they are for long,
   * none are loaded for a while, because each takes the place of one that is used.
   */
  private static final class Usage {
    private static final int PATIENCE = 64;
    private static final int PAUSE = 2_048;

    /** An entry has several cells where the index has other inputs, such as a direction. */
    private static final int MOST_LOOKED = 4;

    private int cell = -1;
    private long value;
    private int unchanged;
    private int pause;

    boolean pauses() {
      if (pause > 0) {
        pause--;
        return true;
      }
      return false;
    }

    /** Compares the cells of an earlier packet, and keeps those of a new one. */
    void look(long now, int newCell, long newValue) {
      if (cell >= 0 && now == value) {
        if (++unchanged == PATIENCE) {
          unchanged = 0;
          pause = PAUSE;
        }
      } else {
        unchanged = 0;
      }
      cell = newCell;
      value = newValue;
    }
  }

  /** The uses of cells in large arrays. */
  static List<CellUses.Use> uses(Program program) {
    return CellUses.of(program).stream().filter(use -> use.size() >= CellUses.LARGE).toList();
  }

  /**
   * The prefetches for a table's entries.
   *
   * @param uses of the program
   * @param assignments of the program
   */
  static List<CellPrefetch> of(
      Program.Table table,
      MatchTable contents,
      List<CellUses.Use> uses,
      SingleAssignments assignments,
      PipelineState state) {
    List<CellPrefetch> found = new ArrayList<>();
    for (int action = 0; action < table.actions().size(); action++) {
      WordLayout layout = PipelineCompiler.parameters(table.actions().get(action));
      for (int p = 0; p < layout.fields().size(); p++) {
        WordLayout.Field parameter = layout.fields().get(p);
        if (parameter.widthBits() > Long.SIZE) {
          continue;
        }
        CellIndex index = new CellIndex(assignments, table.actions().get(action), p);
        Map<Group, Set<CellUses.Use>> groups = new LinkedHashMap<>();
        for (CellUses.Use use : uses) {
          CellIndex.Line line = index.line(use.index());
          if (line != null) {
            groups
                .computeIfAbsent(new Group(line, use.size()), group -> new LinkedHashSet<>())
                .add(use);
          }
        }
        for (Map.Entry<Group, Set<CellUses.Use>> group : groups.entrySet()) {
          found.add(
              new CellPrefetch(
                  contents, action, parameter, group.getKey(), group.getValue(), state));
        }
      }
    }
    return found;
  }

  /** Loads the cells for packets that hit the entries in these slots; returns their sum. */
  long load(int[] slots, int count) {
    int found = 0;
    long[] rows = table.rows;
    for (int i = 0; i < count; i++) {
      if (table.action(slots[i]) == action) {
        long word = rows[slots[i] * table.stride + table.dataAt + parameter.word()];
        long cell =
            group.line.at(word >>> parameter.shift() & WordLayout.ones(parameter.widthBits()));
        if (cell >= 0 && cell < group.size) {
          cells[found++] = (int) cell;
        }
      }
    }
    if (found == 0) {
      return 0;
    }
    long sum = 0;
    for (int c = 0; c < counters.length; c++) {
      Usage usage = counterUsages[c];
      if (!usage.pauses()) {
        CounterCells counter = counters[c];
        for (int i = 0; i < found; i++) {
          sum += counter.packets(cells[i]);
        }
        usage.look(value(counter, usage.cell), cells[0], value(counter, cells[0]));
      }
    }
    for (int r = 0; r < registers.length; r++) {
      Usage usage = registerUsages[r];
      if (!usage.pauses()) {
        sum += registers[r].load(cells, found);
        usage.look(value(registers[r], usage.cell), cells[0], value(registers[r], cells[0]));
      }
    }
    return sum;
  }

  private long value(CounterCells counter, int cell) {
    long sum = 0;
    for (int i = look(cell) - 1; i >= 0; i--) {
      sum += counter.packets(looked[i]);
    }
    return sum;
  }

  private long value(RegisterArray register, int cell) {
    return register.load(looked, look(cell));
  }

  /** Fills in the cells to look at from a cell on; returns their number, 0 if there is none. */
  private int look(int cell) {
    int count = cell < 0 ? 0 : Math.min(looked.length, group.size - cell);
    for (int i = 0; i < count; i++) {
      looked[i] = cell + i;
    }
    return count;
  }
}
