package net.sluice.emulator.v1model.program;

import java.util.ArrayList;
import java.util.List;

/** The uses of counter and register cells in a program. */
public final class CellUses {

  /** Cells from which an array counts as large; smaller ones stay in a processor's cache. */
  public static final int LARGE = 8_192;

  /** A use of an array's cell. */
  public sealed interface Use {
    /** Size of the array, cells. */
    int size();

    /** Index of the cell. */
    Expr index();
  }

  /** An indirect counter. */
  public record OfCounter(Primitive.CounterDef counter, Expr index) implements Use {
    /** A primitive that counts. */
    public static OfCounter by(Primitive.Count count) {
      return new OfCounter(count.counter(), count.index());
    }

    @Override
    public int size() {
      return counter.size();
    }
  }

  /** A register. */
  public record OfRegister(Primitive.RegisterDef register, Expr index) implements Use {
    /** A primitive that reads. */
    public static OfRegister by(Primitive.RegisterRead read) {
      return new OfRegister(read.register(), read.index());
    }

    /** A primitive that writes. */
    public static OfRegister by(Primitive.RegisterWrite write) {
      return new OfRegister(write.register(), write.index());
    }

    @Override
    public int size() {
      return register.size();
    }
  }

  private CellUses() {}

  /** All of a program, in the order of its actions. */
  public static List<Use> of(Program program) {
    List<Use> uses = new ArrayList<>();
    for (Primitive step : program.steps()) {
      if (step instanceof Primitive.Count count) {
        uses.add(OfCounter.by(count));
      } else if (step instanceof Primitive.RegisterRead registerRead) {
        uses.add(OfRegister.by(registerRead));
      } else if (step instanceof Primitive.RegisterWrite registerWrite) {
        uses.add(OfRegister.by(registerWrite));
      }
    }
    return uses;
  }
}
