package net.sluice.emulator.v1model.prefetch;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import net.sluice.emulator.v1model.program.Expr;
import net.sluice.emulator.v1model.program.Header;
import net.sluice.emulator.v1model.program.Primitive;
import net.sluice.emulator.v1model.program.Program;
import net.sluice.emulator.v1model.program.SingleAssignments;

/**
 * The index of a cell as a linear function of a parameter of an action, all other inputs taken as
 * 0.
 */
final class CellIndex {

  /** Sample parameters, to test whether an index is linear. */
  private static final long[] SAMPLES = {2, 3, 4, 7, 100, 1_000, 4_095};

  /** A linear function: {@code start} plus {@code step} times the parameter. */
  record Line(long start, long step) {
    long at(long x) {
      return start + step * x;
    }
  }

  private final SingleAssignments assignments;

  /** The fields that the action sets to the parameter. */
  private final Set<String> fields = new HashSet<>();

  CellIndex(SingleAssignments assignments, Program.Action action, int parameter) {
    this.assignments = assignments;
    for (Primitive primitive : action.body()) {
      if (primitive instanceof Primitive.Assign assign
          && assign.value() instanceof Expr.Parameter
          && ((Expr.Parameter) assign.value()).index() == parameter) {
        fields.add(assign.target().name());
      }
    }
  }

  /**
   * An index as a linear function of the parameter; null if it does not depend on it or is not
   * linear.
   */
  Line line(Expr index) {
    if (fields.isEmpty()) {
      return null;
    }
    long start = value(index, 0, new HashMap<>());
    Line line = new Line(start, value(index, 1, new HashMap<>()) - start);
    for (long sample : SAMPLES) {
      if (line.at(sample) != value(index, sample, new HashMap<>())) {
        return null;
      }
    }
    return line.step() == 0 ? null : line;
  }

  private long value(Expr expr, long x, Map<String, Long> known) {
    if (expr instanceof Expr.Constant constant) {
      return constant.value().longValue();
    }
    if (expr instanceof Expr.FieldValue fieldValue) {
      return field(fieldValue.ref(), x, known);
    }
    if (expr instanceof Expr.Operation operation) {
      long left = operation.left() == null ? 0 : value(operation.left(), x, known);
      return value(operation.op(), left, value(operation.right(), x, known));
    }
    return 0;
  }

  private long field(Header.Ref ref, long x, Map<String, Long> known) {
    if (fields.contains(ref.name())) {
      return x;
    }
    Long value = known.get(ref.name());
    if (value == null) {
      // A field computed from itself is 0, like all others.
      known.put(ref.name(), 0L);
      value = 0L;
      if (known.size() <= SingleAssignments.MOST_FOLLOWED) {
        // Of several assignments those from other inputs than the parameter are 0.
        for (Expr from : assignments.all(ref)) {
          value += value(from, x, known);
        }
      }
      known.put(ref.name(), value);
    }
    return value;
  }

  private static long value(Expr.Op op, long left, long right) {
    return switch (op) {
      case ADD -> left + right;
      case SUB -> left - right;
      case MUL -> left * right;
      case SHL -> right >= Long.SIZE ? 0 : left << right;
      case SHR -> right >= Long.SIZE ? 0 : left >> right;
      case BIT_AND -> left & right;
      case BIT_OR -> left | right;
      case BIT_XOR -> left ^ right;
      default -> 0;
    };
  }
}
