package net.sluice.emulator.v1model.codegen;

import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import net.sluice.emulator.v1model.program.Expr;
import net.sluice.emulator.v1model.program.Header;
import net.sluice.emulator.v1model.program.Program;
import net.sluice.emulator.v1model.program.SingleAssignments;

/**
 * The header fields and parameters that a number depends on. Metadata with a single assignment is
 * replaced by what is assigned, so that p4c's temporary variables do not hide that two numbers are
 * the same. Different numbers may have the same dependencies: this is for heuristics only.
 */
final class DataDependencies {

  private final SingleAssignments assignments;

  DataDependencies(Program program) {
    assignments = new SingleAssignments(program);
  }

  /**
   * The names of the fields that an expression depends on; empty if it depends on anything else.
   */
  Set<String> of(Expr expr) {
    Set<String> origins = new TreeSet<>();
    return collect(expr, origins, new HashSet<>()) ? origins : Set.of();
  }

  /** Whether it depends on fields only. */
  private boolean collect(Expr expr, Set<String> into, Set<String> open) {
    if (expr == null || expr instanceof Expr.Constant || expr instanceof Expr.Truth) {
      return true;
    }
    if (expr instanceof Expr.FieldValue fieldValue) {
      Header.Ref ref = fieldValue.ref();
      Expr from = assignments.of(ref);
      if (from != null && open.size() < SingleAssignments.MOST_FOLLOWED && open.add(ref.name())) {
        Set<String> further = new TreeSet<>();
        if (collect(from, further, open)) {
          into.addAll(further);
          return true;
        }
      }
      into.add(ref.name());
      return true;
    }
    if (expr instanceof Expr.Operation operation) {
      return collect(operation.left(), into, open) && collect(operation.right(), into, open);
    }
    if (expr instanceof Expr.Choice choice) {
      return collect(choice.condition(), into, open)
          && collect(choice.left(), into, open)
          && collect(choice.right(), into, open);
    }
    return false;
  }
}
