package net.sluice.emulator.v1model.codegen.expr;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Supplier;
import net.sluice.emulator.v1model.codegen.source.Code;
import net.sluice.emulator.v1model.program.Expr;

/**
 * Computes large parts of an expression once, ahead of it. The compiler's copy propagation writes
 * the same part out wherever it is used, which can double an expression at every step.
 */
final class SharedExprs {

  /** Expressions of more operations than this get a variable. */
  static final int LARGE = 24;

  private final Code code;
  private final Map<Expr, String> names = new HashMap<>();
  private final Map<Expr, Integer> sizes = new IdentityHashMap<>();

  SharedExprs(Code code) {
    this.code = code;
  }

  /** Operations in an expression; 0 if it must not be computed ahead, because it may fail. */
  int size(Expr expr) {
    Integer known = sizes.get(expr);
    if (known == null) {
      known = count(expr);
      sizes.put(expr, known);
    }
    return known;
  }

  private int count(Expr expr) {
    if (expr instanceof Expr.Choice choice) {
      return sum(size(choice.condition()), sum(size(choice.left()), size(choice.right())));
    }
    if (!(expr instanceof Expr.Operation operation)) {
      return 1;
    }
    return switch (operation.op()) {
      case DIV, MOD, SHL, SHR ->
          operation.right() instanceof Expr.Constant ? sum(1, size(operation.left())) : 0;
      case TWO_COMP_MOD, USAT_CAST, SAT_CAST ->
          Intervals.hasWidth(operation) ? sum(size(operation.left()), 1) : 0;
      default -> {
        int right = size(operation.right());
        yield operation.left() == null ? sum(1, right) : sum(size(operation.left()), right);
      }
    };
  }

  private static int sum(int a, int b) {
    return a == 0 || b == 0 ? 0 : Math.min(Integer.MAX_VALUE / 2, a + b);
  }

  /** The variable that holds a number, computed here if it has not been yet. */
  String named(Expr expr, Supplier<String> value) {
    String name = names.get(expr);
    if (name == null) {
      String computed = value.get();
      name = code.local();
      code.line("long " + name + " = " + computed + ";");
      names.put(expr, name);
    }
    return name;
  }
}
