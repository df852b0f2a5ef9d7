package net.sluice.emulator.v1model.load;

import java.util.List;
import net.sluice.emulator.v1model.program.Expr;
import net.sluice.emulator.v1model.program.Header;
import net.sluice.emulator.v1model.program.Program;

/**
 * The {@code length_exp} of header types: the length of a variable-length field as an expression
 * over the fields of the header being extracted.
 */
final class LengthExprs {

  private LengthExprs() {}

  /**
   * The length of a header's variable-length field, bits.
   *
   * @param node an expression that refers to fields by their index in the header
   */
  static Expr of(Header header, LocatedJson node, ExprLoader exprs) {
    List<Program.Parameter> fields =
        header.fields().stream().map(f -> new Program.Parameter(f.name(), f.widthBits())).toList();
    return resolved(exprs.number(node, fields), header, node);
  }

  private static Expr resolved(Expr expr, Header header, LocatedJson node) {
    if (expr instanceof Expr.Parameter parameter) {
      Header.Field field = header.fields().get(parameter.index());
      if (field.widthBits() == 0) {
        throw node.invalid("the length of field '" + field.name() + "' is made of itself");
      }
      return new Expr.FieldValue(new Header.Ref(header, field));
    }
    if (expr instanceof Expr.Choice choice) {
      return new Expr.Choice(
          resolved(choice.condition(), header, node),
          resolved(choice.left(), header, node),
          resolved(choice.right(), header, node));
    }
    if (expr instanceof Expr.Cell cell) {
      return new Expr.Cell(cell.register(), resolved(cell.index(), header, node));
    }
    if (!(expr instanceof Expr.Operation operation)) {
      return expr;
    }
    return new Expr.Operation(
        operation.op(),
        operation.left() == null ? null : resolved(operation.left(), header, node),
        resolved(operation.right(), header, node));
  }
}
