package net.sluice.emulator.bmv2.program;

import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Loads expressions, and the typed values that stand where expressions may. */
final class ExprLoader {

  private static final Map<String, Expr.Op> OPS = new HashMap<>();

  static {
    for (Expr.Op op : Expr.Op.values()) {
      OPS.put(op.symbol(), op);
    }
  }

  private static final int MAX_WIDTH_BITS = (1 << 16) - 1;

  private final Names names;

  ExprLoader(Names names) {
    this.names = names;
  }

  /** A number. {@code parameters} are those of the enclosing action. */
  Expr number(Node node, List<Program.Parameter> parameters) {
    return typed(load(node, parameters), Expr.Type.NUMBER, node);
  }

  /** A condition. */
  Expr condition(Node node, List<Program.Parameter> parameters) {
    return typed(load(node, parameters), Expr.Type.BOOL, node);
  }

  private static Expr typed(Expr expr, Expr.Type type, Node node) {
    if (expr.type() != type) {
      throw node.invalid("expected a " + type + " but found a " + expr.type());
    }
    return expr;
  }

  /** Whatever a {type, value} object stands for. */
  Expr load(Node node, List<Program.Parameter> parameters) {
    String type = node.text("type");
    Node value = node.get("value");
    switch (type) {
      case "field":
        return field(value);
      case "hexstr":
        return new Expr.Constant(value.hex());
      case "bool":
        return new Expr.Truth(value.bool());
      case "runtime_data":
      case "local":
        return parameter(value, parameters);
      case "header":
        return new Expr.HeaderValue(names.header(value));
      case "expression":
        return value.has("type") ? load(value, parameters) : operation(value, parameters);
      default:
        throw node.unsupported("value of type '" + type + "'");
    }
  }

  private Expr field(Node pair) {
    List<Node> parts = pair.list();
    if (parts.size() == 2 && parts.get(1).text().equals("$valid$")) {
      return new Expr.Operation(
          Expr.Op.BOOL_TO_DATA, null, new Expr.Valid(names.header(parts.get(0))));
    }
    return new Expr.FieldValue(names.field(pair));
  }

  private static Expr parameter(Node index, List<Program.Parameter> parameters) {
    int i = index.integer();
    if (i < 0 || i >= parameters.size()) {
      throw index.invalid(
          "parameter " + i + " of an action with " + parameters.size() + " parameters");
    }
    return new Expr.Parameter(i, parameters.get(i).widthBits());
  }

  private Expr operation(Node node, List<Program.Parameter> parameters) {
    String symbol = node.text("op");
    Node right = node.get("right");
    if (symbol.equals("valid")) {
      Expr header = typed(load(right, parameters), Expr.Type.HEADER, right);
      return new Expr.Valid(((Expr.HeaderValue) header).header());
    }
    if (symbol.equals("?")) {
      Expr condition = condition(node.get("cond"), parameters);
      Expr left = load(node.get("left"), parameters);
      if (left.type() == Expr.Type.HEADER) {
        throw node.unsupported("choice between headers");
      }
      return new Expr.Choice(condition, left, typed(load(right, parameters), left.type(), right));
    }
    Expr.Op op = OPS.get(symbol);
    if (op == null) {
      throw node.unsupported("operator '" + symbol + "'");
    }
    Expr r = load(right, parameters);
    if (op.isUnary()) {
      return new Expr.Operation(op, null, typed(r, operandType(op), right));
    }
    Node leftNode = node.get("left");
    Expr l = load(leftNode, parameters);
    if (op == Expr.Op.EQ || op == Expr.Op.NE) {
      typed(r, l.type(), right);
      if (l.type() == Expr.Type.HEADER) {
        sameShape(((Expr.HeaderValue) l).header(), ((Expr.HeaderValue) r).header(), node);
      }
    } else {
      typed(l, operandType(op), leftNode);
      typed(r, operandType(op), right);
    }
    Expr.Operation operation = new Expr.Operation(op, l, r);
    check(operation, node);
    return operation;
  }

  private static Expr.Type operandType(Expr.Op op) {
    switch (op) {
      case AND:
      case OR:
      case NOT:
      case BOOL_TO_DATA:
        return Expr.Type.BOOL;
      default:
        return Expr.Type.NUMBER;
    }
  }

  private static void check(Expr.Operation operation, Node node) {
    switch (operation.op()) {
      case TWO_COMP_MOD:
      case USAT_CAST:
      case SAT_CAST:
        BigInteger width = constant(operation.right());
        if (width == null) {
          throw node.unsupported(
              "operator '" + operation.op().symbol() + "' with a width that is not constant");
        }
        if (width.signum() <= 0 || width.bitLength() > 16) {
          throw node.invalid("width " + width + " must be from 1 to " + MAX_WIDTH_BITS + " bits");
        }
        return;
      case DIV:
      case MOD:
        BigInteger divisor = constant(operation.right());
        if (divisor == null || divisor.signum() <= 0) {
          throw node.unsupported(
              "operator '" + operation.op().symbol() + "' by anything but a positive constant");
        }
        return;
      default:
    }
  }

  /** The value of a constant, or null. */
  static BigInteger constant(Expr expr) {
    return expr instanceof Expr.Constant ? ((Expr.Constant) expr).value() : null;
  }

  /** Refuses to pair two headers that do not have the same fields. */
  static void sameShape(Header a, Header b, Node node) {
    boolean same = a.fields().size() == b.fields().size();
    for (int i = 0; same && i < a.fields().size(); i++) {
      same =
          a.fields().get(i).widthBits() == b.fields().get(i).widthBits()
              && a.fields().get(i).signed() == b.fields().get(i).signed();
    }
    if (!same) {
      throw node.invalid(
          "headers '" + a.name() + "' and '" + b.name() + "' do not have the same type");
    }
  }
}
