package net.sluice.emulator.v1model.load;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import net.sluice.emulator.v1model.program.Calculation;
import net.sluice.emulator.v1model.program.ElementChoice;
import net.sluice.emulator.v1model.program.Expr;
import net.sluice.emulator.v1model.program.Header;
import net.sluice.emulator.v1model.program.HeaderStack;
import net.sluice.emulator.v1model.program.HeaderUnion;
import net.sluice.emulator.v1model.program.Primitive;
import net.sluice.emulator.v1model.program.Program;

/** Loads actions and their primitives. */
record ActionLoader(SymbolTable names, ExprLoader exprs, ReplicationLoader copies) {

  /** Primitives of P4_14 that compute with numbers. */
  private static final Map<String, Expr.Op> FIELD_OPERATORS =
      Map.of(
          "add_to_field", Expr.Op.ADD,
          "subtract_from_field", Expr.Op.SUB,
          "add", Expr.Op.ADD,
          "subtract", Expr.Op.SUB,
          "bit_xor", Expr.Op.BIT_XOR,
          "bit_or", Expr.Op.BIT_OR,
          "bit_and", Expr.Op.BIT_AND,
          "shift_left", Expr.Op.SHL,
          "shift_right", Expr.Op.SHR);

  List<Program.Action> loadAll(List<LocatedJson> nodes) {
    List<Program.Action> actions = new ArrayList<>();
    for (LocatedJson node : nodes) {
      Program.Action action = load(node, actions.size());
      actions.add(action);
      if (names.actionsById.put(action.id(), action) != null) {
        throw node.invalid("there are two actions with id " + action.id());
      }
    }
    return actions;
  }

  private Program.Action load(LocatedJson node, int index) {
    List<Program.Parameter> parameters = new ArrayList<>();
    for (LocatedJson parameter : node.list("runtime_data")) {
      int width = parameter.integer("bitwidth");
      if (width < 1) {
        throw parameter.invalid("bitwidth " + width + " must be at least 1");
      }
      parameters.add(new Program.Parameter(parameter.text("name"), width));
    }
    List<LocatedJson> steps = node.list("primitives");
    List<Primitive> body = new ArrayList<>();
    for (LocatedJson step : steps) {
      body.add(Jumps.inAction(primitive(step, parameters), body.size(), steps.size()));
    }
    return new Program.Action(
        node.text("name"), index, node.integer("id"), List.copyOf(parameters), List.copyOf(body));
  }

  /** One primitive, in an action with these parameters. */
  Primitive primitive(LocatedJson node, List<Program.Parameter> parameters) {
    String op = node.text("op");
    List<LocatedJson> args = node.list("parameters");
    switch (op) {
      case "assign":
      case "modify_field":
        arity(node, args, 2);
        Expr number = asNumber(args.get(1), parameters);
        if (args.get(0).text("type").equals("register")) {
          Expr.Cell cell = exprs.register(args.get(0).get("value"), parameters);
          return new Primitive.RegisterWrite(cell.register(), cell.index(), number);
        }
        return into(args.get(0), parameters, target -> Primitive.assign(target, number));
      case "add_header":
        arity(node, args, 1);
        return exprs
            .place(args.get(0), parameters)
            .first(h -> new Primitive.SetValid(packetHeader(h, args.get(0))));
      case "remove_header":
        arity(node, args, 1);
        return exprs
            .place(args.get(0), parameters)
            .first(h -> new Primitive.SetInvalid(packetHeader(h, args.get(0))));
      case "assign_header":
      case "copy_header":
        arity(node, args, 2);
        ElementChoice source = exprs.place(args.get(1), parameters);
        return exprs
            .place(args.get(0), parameters)
            .first(target -> source.first(from -> copy(target, from, node)));
      case "push":
      case "pop":
        arity(node, args, 2);
        return shift(op.equals("push"), args.get(0), args.get(1), parameters);
      case "assign_header_stack":
        arity(node, args, 2);
        HeaderStack to = stack(args.get(0));
        HeaderStack from = stack(args.get(1));
        ExprLoader.sameShape(to.headers().get(0), from.headers().get(0), node);
        if (to.size() != from.size()) {
          throw node.invalid(
              "stacks '" + to.name() + "' and '" + from.name() + "' do not have the same size");
        }
        return new Primitive.AssignStack(to, from);
      case "assign_VL":
        arity(node, args, 2);
        return assignVariable(args.get(0), args.get(1));
      case "assign_union":
        arity(node, args, 2);
        ElementChoice of = exprs.place(args.get(1), parameters);
        return exprs
            .place(args.get(0), parameters)
            .first(into -> of.first(one -> copy(union(into, node), union(one, node), node)));
      case "assign_union_stack":
        arity(node, args, 2);
        return copy(args.get(0), args.get(1), node);
      case "drop":
        arity(node, args, 0);
        return markToDrop(names.header("standard_metadata", node), node);
      case "mark_to_drop":
        arity(node, args, 1);
        return markToDrop(header(args.get(0)), node);
      case "exit":
        arity(node, args, 0);
        return new Primitive.Exit();
      case "no_op":
        arity(node, args, 0);
        return new Primitive.NoOp();
      case "count":
        arity(node, args, 2);
        return new Primitive.Count(
            SymbolTable.find(
                names.counters, typed(args.get(0), "counter_array"), "indirect counter array"),
            exprs.number(args.get(1), parameters));
      case "execute_meter":
        arity(node, args, 3);
        Primitive.MeterDef meter =
            SymbolTable.find(
                names.meters, typed(args.get(0), "meter_array"), "indirect meter array");
        Expr cell = exprs.number(args.get(1), parameters);
        return into(args.get(2), parameters, target -> new Primitive.Meter(meter, cell, target));
      case "register_read":
        arity(node, args, 3);
        Primitive.RegisterDef register = register(args.get(1));
        Expr index = exprs.number(args.get(2), parameters);
        return into(
            args.get(0),
            parameters,
            target ->
                target.field().saturating()
                    ? Primitive.assign(target, new Expr.Cell(register, index))
                    : new Primitive.RegisterRead(target, register, index));
      case "register_write":
        arity(node, args, 3);
        return new Primitive.RegisterWrite(
            register(args.get(0)),
            exprs.number(args.get(1), parameters),
            asNumber(args.get(2), parameters));
      case "modify_field_rng_uniform":
        arity(node, args, 3);
        Expr low = exprs.number(args.get(1), parameters);
        Expr high = exprs.number(args.get(2), parameters);
        return into(
            args.get(0), parameters, target -> new Primitive.RandomNumber(target, low, high));
      case "modify_field_with_hash_based_offset":
        arity(node, args, 4);
        Expr base = exprs.number(args.get(1), parameters);
        Calculation calculation =
            SymbolTable.find(names.calculations, typed(args.get(2), "calculation"), "calculation");
        Expr modulus = exprs.number(args.get(3), parameters);
        return into(
            args.get(0),
            parameters,
            target -> new Primitive.Hash(target, base, calculation, modulus));
      case "_jump":
        arity(node, args, 1);
        return new Primitive.ComputedJump(null, exprs.number(args.get(0), parameters));
      case "_jump_if_zero":
        arity(node, args, 2);
        return new Primitive.ComputedJump(
            exprs.load(args.get(0), parameters), exprs.number(args.get(1), parameters));
      case "add_header_fast":
        arity(node, args, 1);
        return exprs
            .place(args.get(0), parameters)
            .first(h -> new Primitive.MarkValid(packetHeader(h, args.get(0))));
      case "assert":
      case "assume":
        arity(node, args, 1);
        return DiagnosticLoader.check(node, exprs.load(args.get(0), parameters));
      case "log_msg":
        arity(node, args, 2);
        return DiagnosticLoader.message(args, value -> asNumber(value, parameters));
      default:
        Expr.Op operator = FIELD_OPERATORS.get(op);
        if (operator != null) {
          return arithmetic(node, args, operator, parameters);
        }
        Primitive copying = copies.primitive(node, args, exprs, parameters);
        if (copying != null) {
          return copying;
        }
        throw node.unsupported("primitive '" + op + "'");
    }
  }

  /**
   * A primitive that writes a field, or one of several chosen by the packet.
   *
   * @param step makes the primitive, given the field
   */
  private Primitive into(
      LocatedJson node, List<Program.Parameter> parameters, Function<Header.Ref, Primitive> step) {
    return node.text("type").equals("expression")
        ? exprs.place(node, parameters).first(field -> step.apply(target(field, node)))
        : step.apply(target(node));
  }

  /** {@code target = left operator right}; with two arguments {@code target op= right}. */
  private Primitive arithmetic(
      LocatedJson node,
      List<LocatedJson> args,
      Expr.Op operator,
      List<Program.Parameter> parameters) {
    boolean inPlace = node.text("op").contains("_field");
    arity(node, args, inPlace ? 2 : 3);
    Expr right = exprs.number(args.get(inPlace ? 1 : 2), parameters);
    if (inPlace) {
      return into(
          args.get(0),
          parameters,
          target ->
              Primitive.assign(target, new Expr.Operation(operator, Expr.valueOf(target), right)));
    }
    Expr left = exprs.number(args.get(1), parameters);
    Expr result = new Expr.Operation(operator, left, right);
    return into(args.get(0), parameters, target -> Primitive.assign(target, result));
  }

  private static Primitive markToDrop(Header header, LocatedJson node) {
    Header.Ref spec = header.find("egress_spec");
    if (spec == null) {
      throw node.invalid("header '" + header.name() + "' has no field 'egress_spec'");
    }
    return new Primitive.MarkToDrop(spec, header.find("mcast_grp"));
  }

  /** A number; a condition counts as 1 or 0. */
  private Expr asNumber(LocatedJson node, List<Program.Parameter> parameters) {
    Expr value = exprs.load(node, parameters);
    return value.type() == Expr.Type.BOOL
        ? new Expr.Operation(Expr.Op.BOOL_TO_DATA, null, value)
        : exprs.number(node, parameters);
  }

  /** Pushes or pops elements of a stack; counts beyond its size are its size. */
  private Primitive shift(
      boolean up, LocatedJson target, LocatedJson count, List<Program.Parameter> parameters) {
    boolean ofUnions = target.text("type").equals("header_union_stack");
    List<HeaderUnion> unions = ofUnions ? unions(target) : null;
    HeaderStack stack = ofUnions ? names.unionStackIndex(target.get("value")) : stack(target);
    Expr by = exprs.number(count, parameters);
    BigInteger constant = ExprLoader.constant(by);
    if (constant == null || constant.signum() < 0 || constant.bitLength() > 31) {
      return new Primitive.Shift(up, stack, unions, by);
    }
    int n = constant.intValueExact();
    if (ofUnions) {
      return up
          ? new Primitive.PushUnions(stack, unions, n)
          : new Primitive.PopUnions(stack, unions, n);
    }
    return up ? new Primitive.Push(stack, n) : new Primitive.Pop(stack, n);
  }

  /** Copies one field of variable length to another. */
  Primitive.AssignVariable assignVariable(LocatedJson target, LocatedJson source) {
    return new Primitive.AssignVariable(variable(target), variable(source));
  }

  private Header variable(LocatedJson node) {
    Header.Ref ref = names.anyField(typed(node, "field"));
    if (ref.field().widthBits() != 0) {
      throw node.invalid("field '" + ref.name() + "' is not of variable length");
    }
    return ref.header();
  }

  private List<HeaderUnion> unions(LocatedJson node) {
    return SymbolTable.find(
        names.unionStacks, typed(node, "header_union_stack"), "header union stack");
  }

  private static HeaderUnion union(Expr expr, LocatedJson node) {
    if (!(expr instanceof Expr.UnionValue)) {
      throw node.invalid("expected a header union but found a " + expr.type());
    }
    return ((Expr.UnionValue) expr).union();
  }

  private static Primitive.AssignUnion copy(HeaderUnion into, HeaderUnion of, LocatedJson node) {
    UnionExprs.sameMembers(into, of, node);
    return new Primitive.AssignUnion(into.headers(), of.headers());
  }

  private Primitive copy(LocatedJson target, LocatedJson source, LocatedJson node) {
    List<HeaderUnion> into = unions(target);
    List<HeaderUnion> of = unions(source);
    if (into.size() != of.size()) {
      throw node.invalid(
          "stacks '%s' and '%s' do not have the same size",
          target.text("value"), source.text("value"));
    }
    List<Primitive.AssignUnion> copies = new ArrayList<>();
    for (int i = 0; i < into.size(); i++) {
      copies.add(copy(into.get(i), of.get(i), node));
    }
    return new Primitive.AssignUnionStack(
        names.unionStackIndex(target.get("value")),
        names.unionStackIndex(source.get("value")),
        List.copyOf(copies));
  }

  private HeaderStack stack(LocatedJson node) {
    return names.stack(typed(node, "header_stack"));
  }

  private Header.Ref target(LocatedJson node) {
    return target(Expr.valueOf(names.anyField(typed(node, "field"))), node);
  }

  private Header.Ref target(Expr field, LocatedJson node) {
    if (field instanceof Expr.VariableValue variableValue) {
      Header header = variableValue.header();
      return new Header.Ref(header, header.variable());
    }
    if (!(field instanceof Expr.FieldValue)) {
      throw node.invalid("expected a field but found a " + field.type());
    }
    Header.Ref ref = ((Expr.FieldValue) field).ref();
    names.written.add(ref);
    return ref;
  }

  private Primitive.RegisterDef register(LocatedJson node) {
    return SymbolTable.find(names.registers, typed(node, "register_array"), "register array");
  }

  private Header header(LocatedJson node) {
    return names.header(typed(node, "header"));
  }

  private static Primitive copy(Expr target, Expr source, LocatedJson node) {
    Header to = header(target, node);
    Header from = header(source, node);
    ExprLoader.sameShape(to, from, node);
    return new Primitive.AssignHeader(to, from);
  }

  private static Header header(Expr expr, LocatedJson node) {
    if (!(expr instanceof Expr.HeaderValue)) {
      throw node.invalid("expected a header but found a " + expr.type());
    }
    return ((Expr.HeaderValue) expr).header();
  }

  private static Header packetHeader(Expr expr, LocatedJson node) {
    Header header = header(expr, node);
    if (header.metadata()) {
      throw node.invalid("'" + header.name() + "' is metadata, which is always valid");
    }
    return header;
  }

  static LocatedJson typed(LocatedJson node, String type) {
    if (!node.text("type").equals(type)) {
      throw node.unsupported(
          "argument of type '" + node.text("type") + "' where '" + type + "' is expected");
    }
    return node.get("value");
  }

  static void arity(LocatedJson node, List<LocatedJson> args, int expected) {
    if (args.size() != expected) {
      throw node.invalid(
          "primitive '%s' takes %s%s%s",
          node.text("op"),
          expected,
          expected == 1 ? " argument, not " : " arguments, not ",
          args.size());
    }
  }
}
