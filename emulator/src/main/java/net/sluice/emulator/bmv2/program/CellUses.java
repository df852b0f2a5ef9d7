package net.sluice.emulator.bmv2.program;

import java.util.ArrayList;
import java.util.List;

/** Where a program counts in, reads or writes a cell of a counter or register. */
public final class CellUses {

  /** A use of an array's cell. */
  public sealed interface Use {
    /** Cells of the array. */
    int size();

    /** Which of them is used. */
    Expr index();
  }

  /** An indirect counter. */
  public record OfCounter(Primitive.CounterDef counter, Expr index) implements Use {
    /** A step that counts. */
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
    /** A step that reads. */
    public static OfRegister by(Primitive.RegisterRead read) {
      return new OfRegister(read.register(), read.index());
    }

    /** A step that writes. */
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
    program.actions().forEach(action -> collect(action.body(), uses));
    return uses;
  }

  private static void collect(List<Primitive> primitives, List<Use> into) {
    for (Primitive primitive : primitives) {
      if (primitive instanceof Primitive.Count) {
        into.add(OfCounter.by((Primitive.Count) primitive));
      } else if (primitive instanceof Primitive.RegisterRead) {
        into.add(OfRegister.by((Primitive.RegisterRead) primitive));
      } else if (primitive instanceof Primitive.RegisterWrite) {
        into.add(OfRegister.by((Primitive.RegisterWrite) primitive));
      } else if (primitive instanceof Primitive.FirstOf) {
        collect(((Primitive.FirstOf) primitive).choices(), into);
      }
    }
  }
}
