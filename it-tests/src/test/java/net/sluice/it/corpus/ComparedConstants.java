package net.sluice.it.corpus;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.sluice.emulator.v1model.program.Expr;
import net.sluice.emulator.v1model.program.Header;
import net.sluice.emulator.v1model.program.Primitive;
import net.sluice.emulator.v1model.program.Program;

/**
 * Constants that a program compares fields with, in conditions and constant entries, and their
 * neighbours.
 */
final class ComparedConstants {

  private final Map<Header.Ref, List<BigInteger>> values = new HashMap<>();

  private ComparedConstants() {}

  static Map<Header.Ref, List<BigInteger>> of(Program program) {
    ComparedConstants asked = new ComparedConstants();
    for (Program.Control control : List.of(program.ingress(), program.egress())) {
      for (Program.ControlNode node : control.nodes()) {
        if (node instanceof Program.Conditional) {
          asked.visit(((Program.Conditional) node).condition());
        } else if (node instanceof Program.Table) {
          asked.visit((Program.Table) node);
        }
      }
    }
    for (Program.Action action : program.actions()) {
      for (Primitive primitive : action.body()) {
        if (primitive instanceof Primitive.JumpIfZero) {
          asked.visit(((Primitive.JumpIfZero) primitive).condition());
        }
      }
    }
    return asked.values;
  }

  private void visit(Program.Table table) {
    for (Program.DeclaredEntry entry : table.entries()) {
      for (int i = 0; i < table.key().size(); i++) {
        if (table.key().get(i).source() instanceof Expr.FieldValue) {
          add(((Expr.FieldValue) table.key().get(i).source()).ref(), entry.values().get(i));
        }
      }
    }
  }

  private void visit(Expr expr) {
    if (!(expr instanceof Expr.Operation)) {
      return;
    }
    Expr.Operation operation = (Expr.Operation) expr;
    Expr left = operation.left();
    Expr right = operation.right();
    if (left instanceof Expr.FieldValue && right instanceof Expr.Constant) {
      BigInteger value = ((Expr.Constant) right).value();
      Header.Ref ref = ((Expr.FieldValue) left).ref();
      add(ref, value);
      add(ref, value.subtract(BigInteger.ONE));
      add(ref, BigInteger.ZERO);
      return;
    }
    visit(right);
    if (left != null) {
      visit(left);
    }
  }

  private void add(Header.Ref ref, BigInteger value) {
    values.computeIfAbsent(ref, r -> new ArrayList<>()).add(value);
  }
}
