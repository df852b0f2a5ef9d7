package net.sluice.emulator.v1model.codegen;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.sluice.emulator.v1model.codegen.source.Code;
import net.sluice.emulator.v1model.codegen.source.Members;
import net.sluice.emulator.v1model.program.CellUses;
import net.sluice.emulator.v1model.program.Primitive;
import net.sluice.emulator.v1model.program.Program;

/**
 * Counters and registers that a packet uses at the same index, such as those of its subscriber. In
 * large arrays each cell is a cache miss. So where a packet comes to the first of them, the cells
 * of the others are loaded as well, and the misses overlap.
 *
 * <p>Whether indexes are the same is guessed, by the size of the arrays and by the dependencies of
 * the indexes. A wrong guess costs time and nothing else.
 *
 * <p>Kept because paired runs show its gain for packets that are not prefetched, as in simulations:
 * without it a packet of Sluice's program takes 1.1 times the CPU time. For prefetched packets they
 * show no difference.
 */
final class SharedIndexCells {

  /** The most to load beside a cell: about as many misses as a core has under way at a time. */
  private static final int MOST = 7;

  /** Common properties of arrays that are used at the same index. */
  private record Kind(int size, Set<String> origins) {}

  /**
   * The Java array of a counter or register.
   *
   * @param name it has in the generated code
   * @param stride elements that a cell takes; 0 of a counter
   */
  private record Cells(String name, int stride) {

    static Cells of(CellUses.Use use) {
      if (use instanceof CellUses.OfCounter ofCounter) {
        return new Cells("c" + ofCounter.counter().index(), 0);
      }
      Primitive.RegisterDef register = ((CellUses.OfRegister) use).register();
      return new Cells("r" + register.index(), Members.limbs(register.widthBits()));
    }

    String at(String index) {
      if (stride == 0) {
        return name + ".packets(" + index + ")";
      }
      return name + "[" + (stride == 1 ? "" : stride + " * ") + index + "]";
    }
  }

  private final DataDependencies origins;

  private final Map<Kind, List<Cells>> arrays = new HashMap<>();

  /** Cells that the current action has loaded. */
  private final Set<Kind> done = new HashSet<>();

  SharedIndexCells(Program program) {
    origins = new DataDependencies(program);
    for (CellUses.Use use : CellUses.of(program)) {
      add(Cells.of(use), kind(use));
    }
  }

  private Kind kind(CellUses.Use use) {
    return new Kind(use.size(), use.size() < CellUses.LARGE ? Set.of() : origins.of(use.index()));
  }

  private void add(Cells cells, Kind kind) {
    List<Cells> same = arrays.computeIfAbsent(kind, k -> new ArrayList<>());
    if (!same.contains(cells)) {
      same.add(cells);
    }
  }

  /** Begins the code of another action. */
  void begin() {
    done.clear();
  }

  /**
   * Loads the cells beside one.
   *
   * @param index the generated name of the index, an int less than the size
   */
  void load(CellUses.Use use, String index, Code into) {
    Kind kind = kind(use);
    if (kind.origins().isEmpty() || !done.add(kind)) {
      return;
    }
    Cells needed = Cells.of(use);
    List<String> others =
        arrays.get(kind).stream()
            .filter(cells -> !cells.equals(needed))
            .limit(MOST)
            .map(cells -> cells.at(index))
            .toList();
    if (!others.isEmpty()) {
      into.line("touched += " + String.join(" + ", others) + ";");
    }
  }
}
