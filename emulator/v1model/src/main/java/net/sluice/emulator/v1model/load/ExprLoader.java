package net.sluice.emulator.v1model.load;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.sluice.emulator.v1model.program.ElementChoice;
import net.sluice.emulator.v1model.program.Expr;
import net.sluice.emulator.v1model.program.Header;
import net.sluice.emulator.v1model.program.HeaderStack;
import net.sluice.emulator.v1model.program.HeaderUnion;
import net.sluice.emulator.v1model.program.Program;

/** Loads expressions and {type, value} objects. */
record ExprLoader(SymbolTable names) {

  private static final Map<String, Expr.Op> OPS = new HashMap<>();

  static {
    for (Expr.Op op : Expr.Op.values()) {
      OPS.put(op.symbol(), op);
    }
    // The operator may name its operands' type: headers, unions or conditions.
    for (String what : List.of("h", "u", "b")) {
      OPS.put("==" + what, Expr.Op.EQ);
      OPS.put("!=" + what, Expr.Op.NE);
    }
  }

  /** A number. {@code parameters} are those of the enclosing action. */
  Expr number(LocatedJson node, List<Program.Parameter> parameters) {
    return typed(load(node, parameters), Expr.Type.NUMBER, node);
  }

  /** A condition. */
  Expr condition(LocatedJson node, List<Program.Parameter> parameters) {
    return typed(load(node, parameters), Expr.Type.BOOL, node);
  }

  private static Expr typed(Expr expr, Expr.Type type, LocatedJson node) {
    if (expr.type() != type) {
      throw node.invalid("expected a " + type + " but found a " + expr.type());
    }
    return expr;
  }

  /** The expression of a {type, value} object. */
  Expr load(LocatedJson node, List<Program.Parameter> parameters) {
    String type = node.text("type");
    LocatedJson value = node.get("value");
    return switch (type) {
      case "field" -> field(value, parameters);
      case "hexstr" -> new Expr.Constant(value.hex());
      case "bool" -> new Expr.Truth(value.bool());
      case "runtime_data", "local" -> parameter(value, parameters);
      case "header" -> new Expr.HeaderValue(names.header(value));
      case "header_union" ->
          new Expr.UnionValue(SymbolTable.find(names.unions, value, "header union"));
      case "register" -> register(value, parameters);
      case "stack_field" -> {
        Header.Ref last = lastElement(value);
        HeaderStack stack = names.stack(value.list().get(0));
        yield lastField(stack, last.field().index());
      }
      case "expression" ->
          value.has("type") ? load(value, parameters) : operation(value, parameters);
      default -> throw node.unsupported("value of type '" + type + "'");
    };
  }

  private Expr field(LocatedJson pair, List<Program.Parameter> parameters) {
    List<LocatedJson> parts = pair.list();
    if (parts.size() == 2 && parts.get(1).text().equals("$valid$")) {
      Expr header =
          parts.get(0).isText()
              ? new Expr.HeaderValue(names.header(parts.get(0)))
              : typed(operation(parts.get(0), parameters), Expr.Type.HEADER, parts.get(0));
      return new Expr.Operation(Expr.Op.BOOL_TO_DATA, null, valid(header));
    }
    return Expr.valueOf(names.anyField(pair));
  }

  /** An element of a register array, from its name and an index. */
  Expr.Cell register(LocatedJson pair, List<Program.Parameter> parameters) {
    List<LocatedJson> parts = pair.list();
    if (parts.size() != 2) {
      throw pair.invalid("expected a register array's name and an index");
    }
    return new Expr.Cell(
        SymbolTable.find(names.registers, parts.get(0), "register array"),
        number(parts.get(1), parameters));
  }

  private static Expr parameter(LocatedJson index, List<Program.Parameter> parameters) {
    int i = index.integer();
    if (i < 0 || i >= parameters.size()) {
      throw index.invalid(
          "parameter " + i + " of an action with " + parameters.size() + " parameters");
    }
    return new Expr.Parameter(i, parameters.get(i).widthBits());
  }

  private Expr operation(LocatedJson node, List<Program.Parameter> parameters) {
    String symbol = node.text("op");
    LocatedJson right = node.get("right");
    if (symbol.equals("valid")) {
      return valid(typed(load(right, parameters), Expr.Type.HEADER, right));
    }
    if (symbol.equals("?")) {
      Expr condition = condition(node.get("cond"), parameters);
      Expr left = load(node.get("left"), parameters);
      return new Expr.Choice(condition, left, typed(load(right, parameters), left.type(), right));
    }
    switch (symbol) {
      case "valid_union":
        return UnionExprs.valid(typed(load(right, parameters), Expr.Type.UNION, right));
      case "access_union_header":
        LocatedJson unionNode = node.get("left");
        return UnionExprs.member(
            typed(load(unionNode, parameters), Expr.Type.UNION, unionNode), right);
      case "dereference_union_stack":
        return UnionExprs.element(unionStack(node.get("left")), number(right, parameters));
      case "last_stack_index":
        return new Expr.Operation(
            Expr.Op.SUB, new Expr.StackNext(filled(right)), new Expr.Constant(BigInteger.ONE));
      case "size_stack":
        return new Expr.StackNext(filled(right));
      case "access_field":
        return field(load(node.get("left"), parameters), right);
      case "dereference_stack":
      case "dereference_header_stack":
        return element(stack(node.get("left")), number(right, parameters));
      default:
    }
    Expr.Op op = OPS.get(symbol);
    if (op == null) {
      throw node.unsupported("operator '" + symbol + "'");
    }
    Expr r = load(right, parameters);
    if (op.isUnary()) {
      return new Expr.Operation(op, null, typed(r, operandType(op), right));
    }
    LocatedJson leftNode = node.get("left");
    boolean sign = (op == Expr.Op.ADD || op == Expr.Op.SUB) && leftNode.isNull();
    Expr l = sign ? new Expr.Constant(BigInteger.ZERO) : load(leftNode, parameters);
    if (op == Expr.Op.EQ || op == Expr.Op.NE) {
      typed(r, l.type(), right);
      if (l.type() == Expr.Type.HEADER) {
        sameShape(anyOf(l), anyOf(r), node);
        return sameHeader(op, l, r);
      }
      if (l.type() == Expr.Type.UNION) {
        Expr same = UnionExprs.same(l, r, node);
        return op == Expr.Op.EQ ? same : new Expr.Operation(Expr.Op.NOT, null, same);
      }
    } else {
      typed(l, operandType(op), leftNode);
      typed(r, operandType(op), right);
    }
    return new Expr.Operation(op, l, r);
  }

  private List<HeaderUnion> unionStack(LocatedJson node) {
    if (!node.text("type").equals("header_union_stack")) {
      throw node.invalid("expected a header union stack but found a " + node.text("type"));
    }
    return SymbolTable.find(names.unionStacks, node.get("value"), "header union stack");
  }

  private HeaderStack stack(LocatedJson node) {
    if (!node.text("type").equals("header_stack")) {
      throw node.invalid("expected a header stack but found a " + node.text("type"));
    }
    return names.stack(node.get("value"));
  }

  /** A stack of headers or of unions, for its {@code nextIndex} only. */
  private HeaderStack filled(LocatedJson node) {
    return node.text("type").equals("header_union_stack")
        ? names.unionStackIndex(node.get("value"))
        : stack(node);
  }

  /** A field of a stack's {@code last} element. */
  static Expr lastField(HeaderStack stack, int index) {
    Expr at =
        new Expr.Operation(
            Expr.Op.SUB, new Expr.StackNext(stack), new Expr.Constant(BigInteger.ONE));
    return field(element(stack, at), index);
  }

  /** The field that a {stack, field} pair names, in the stack's first element. */
  Header.Ref lastElement(LocatedJson pair) {
    List<LocatedJson> parts = pair.list();
    if (parts.size() != 2) {
      throw pair.invalid("expected a header stack's name and a field name");
    }
    Header first = names.stack(parts.get(0)).headers().get(0);
    Header.Ref ref = first.find(parts.get(1).text());
    if (ref == null) {
      throw pair.invalid(
          "header '" + first.name() + "' has no field '" + parts.get(1).text() + "'");
    }
    return ref;
  }

  /**
   * An element of a stack at an index computed at run time: a choice among all of them, the last
   * one if the index is beyond.
   */
  private static Expr element(HeaderStack stack, Expr index) {
    Expr chosen = new Expr.HeaderValue(stack.headers().get(stack.size() - 1));
    for (int i = stack.size() - 2; i >= 0; i--) {
      Expr here = new Expr.Operation(Expr.Op.EQ, index, new Expr.Constant(BigInteger.valueOf(i)));
      chosen = new Expr.Choice(here, new Expr.HeaderValue(stack.headers().get(i)), chosen);
    }
    return chosen;
  }

  /** The header or field of a {type, value} object that is written to. */
  ElementChoice place(LocatedJson node, List<Program.Parameter> parameters) {
    if (node.text("type").equals("expression")) {
      LocatedJson value = node.get("value");
      if (value.has("type")) {
        return place(value, parameters);
      }
      if (value.text("op").equals("dereference_header_stack")
          || value.text("op").equals("dereference_stack")) {
        List<Expr> elements = new ArrayList<>();
        for (Header header : stack(value.get("left")).headers()) {
          elements.add(new Expr.HeaderValue(header));
        }
        return new ElementChoice(number(value.get("right"), parameters), List.copyOf(elements));
      }
      if (value.text("op").equals("access_field")) {
        ElementChoice headers = place(value.get("left"), parameters);
        List<Expr> fields = new ArrayList<>();
        for (Expr header : headers.places()) {
          fields.add(field(header, value.get("right")));
        }
        return new ElementChoice(headers.index(), List.copyOf(fields));
      }
      if (value.text("op").equals("dereference_union_stack")) {
        List<Expr> elements = new ArrayList<>();
        for (HeaderUnion union : unionStack(value.get("left"))) {
          elements.add(new Expr.UnionValue(union));
        }
        return new ElementChoice(number(value.get("right"), parameters), List.copyOf(elements));
      }
      if (value.text("op").equals("access_union_header")) {
        ElementChoice unions = place(value.get("left"), parameters);
        List<Expr> headers = new ArrayList<>();
        for (Expr union : unions.places()) {
          headers.add(UnionExprs.member(union, value.get("right")));
        }
        return new ElementChoice(unions.index(), List.copyOf(headers));
      }
      throw node.unsupported("writing to an expression with operator '" + value.text("op") + "'");
    }
    return new ElementChoice(null, List.of(load(node, parameters)));
  }

  private static Expr field(Expr header, LocatedJson index) {
    typed(header, Expr.Type.HEADER, index);
    int i = index.integer();
    if (i < 0 || i >= anyOf(header).fields().size()) {
      throw index.invalid("header '" + anyOf(header).name() + "' has no field " + i);
    }
    return field(header, i);
  }

  /** A field of a header that may be a choice. */
  private static Expr field(Expr header, int index) {
    if (header instanceof Expr.Choice choice) {
      return new Expr.Choice(
          choice.condition(), field(choice.left(), index), field(choice.right(), index));
    }
    Header one = ((Expr.HeaderValue) header).header();
    return Expr.valueOf(new Header.Ref(one, one.fields().get(index)));
  }

  /** Whether a header that may be a choice is valid. */
  private static Expr valid(Expr header) {
    if (header instanceof Expr.Choice choice) {
      return new Expr.Choice(choice.condition(), valid(choice.left()), valid(choice.right()));
    }
    return new Expr.Valid(((Expr.HeaderValue) header).header());
  }

  /** Compares headers of which either may be a choice. */
  private static Expr sameHeader(Expr.Op op, Expr left, Expr right) {
    if (left instanceof Expr.Choice choice) {
      return new Expr.Choice(
          choice.condition(),
          sameHeader(op, choice.left(), right),
          sameHeader(op, choice.right(), right));
    }
    if (right instanceof Expr.Choice) {
      return sameHeader(op, right, left);
    }
    return new Expr.Operation(op, left, right);
  }

  /** One of the headers that the expression can be; all have the same fields. */
  private static Header anyOf(Expr header) {
    return header instanceof Expr.Choice choice
        ? anyOf(choice.left())
        : ((Expr.HeaderValue) header).header();
  }

  private static Expr.Type operandType(Expr.Op op) {
    return switch (op) {
      case AND, OR, NOT, BOOL_TO_DATA -> Expr.Type.BOOL;
      default -> Expr.Type.NUMBER;
    };
  }

  /** The value of a constant, or null. */
  static BigInteger constant(Expr expr) {
    return expr instanceof Expr.Constant constant ? constant.value() : null;
  }

  /** Refuses to pair two headers that do not have the same fields. */
  static void sameShape(Header a, Header b, LocatedJson node) {
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
