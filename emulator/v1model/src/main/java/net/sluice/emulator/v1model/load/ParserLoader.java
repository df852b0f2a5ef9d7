package net.sluice.emulator.v1model.load;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.sluice.emulator.v1model.program.Expr;
import net.sluice.emulator.v1model.program.Header;
import net.sluice.emulator.v1model.program.HeaderStack;
import net.sluice.emulator.v1model.program.HeaderUnion;
import net.sluice.emulator.v1model.program.Primitive;
import net.sluice.emulator.v1model.program.Program;

/** Loads the parser. */
final class ParserLoader {

  private final SymbolTable names;
  private final ExprLoader exprs;
  private final ActionLoader actions;
  private final Map<String, Integer> states = new HashMap<>();
  private final Map<String, LocatedJson> declaredSets = new HashMap<>();

  ParserLoader(SymbolTable names, ExprLoader exprs, ActionLoader actions) {
    this.names = names;
    this.exprs = exprs;
    this.actions = actions;
  }

  /** The states, the initial one first. */
  List<Program.ParserState> load(LocatedJson parser) {
    String init = parser.text("init_state");
    List<LocatedJson> nodes = new ArrayList<>(parser.list("parse_states"));
    nodes.sort((a, b) -> Boolean.compare(b.text("name").equals(init), a.text("name").equals(init)));
    for (LocatedJson node : nodes) {
      SymbolTable.add(states, node.text("name"), states.size(), node, "parser state");
    }
    if (!states.containsKey(init)) {
      throw parser.invalid("there is no parser state '" + init + "'");
    }
    List<Program.ParserState> loaded = new ArrayList<>();
    for (LocatedJson node : nodes) {
      loaded.add(state(node));
    }
    return List.copyOf(loaded);
  }

  /** Declares the value sets; the states that use one define its key. */
  void valueSets(List<LocatedJson> nodes) {
    for (LocatedJson node : nodes) {
      int bits = node.integer("compressed_bitwidth");
      int size = node.integer("max_size");
      if (bits < 1 || size < 0) {
        throw node.invalid(
            "compressed_bitwidth %s must be at least 1, max_size %s at least 0", bits, size);
      }
      if (declaredSets.put(node.text("name"), node) != null) {
        throw node.invalid("there are two value sets named '" + node.text("name") + "'");
      }
    }
  }

  private Program.ValueSetDef valueSet(LocatedJson transition, List<Program.KeyPart> key) {
    LocatedJson declared = SymbolTable.find(declaredSets, transition.get("value"), "value set");
    List<Integer> widths = new ArrayList<>();
    int bits = 0;
    for (Program.KeyPart part : key) {
      widths.add(part.widthBits());
      bits += part.widthBits();
    }
    if (bits != declared.integer("compressed_bitwidth")) {
      throw transition.invalid(
          "a key of %s bits for a value set of %s", bits, declared.integer("compressed_bitwidth"));
    }
    String name = declared.text("name");
    Program.ValueSetDef known = names.valueSets.get(name);
    if (known == null) {
      known =
          new Program.ValueSetDef(
              name, names.valueSets.size(), List.copyOf(widths), declared.integer("max_size"));
      names.valueSets.put(name, known);
    }
    return known;
  }

  /**
   * The mask of a value set transition by part; bmv2 cannot mask a key with padding between its
   * parts.
   */
  private static List<BigInteger> mask(LocatedJson transition, List<Program.KeyPart> key) {
    if (!transition.has("mask")) {
      return List.of();
    }
    int bits = key.stream().mapToInt(Program.KeyPart::widthBits).sum();
    int bytes = key.stream().mapToInt(part -> (part.widthBits() + 7) / 8).sum();
    if (bytes != (bits + 7) / 8) {
      throw transition.invalid(
          "a mask for a value set whose key takes " + bytes + " bytes for " + bits + " bits");
    }
    return split(transition.get("mask"), key);
  }

  private Program.ParserState state(LocatedJson node) {
    List<Program.ParserOp> ops = new ArrayList<>();
    for (LocatedJson op : node.list("parser_ops")) {
      ops.add(op(op));
    }
    List<Program.KeyPart> key = new ArrayList<>();
    for (LocatedJson part : node.list("transition_key")) {
      key.add(keyPart(part));
    }
    List<Program.Transition> transitions = new ArrayList<>();
    int otherwise = Program.END;
    for (LocatedJson transition : node.list("transitions")) {
      int next = next(transition.get("next_state"));
      String type = transition.has("type") ? transition.text("type") : legacyType(transition);
      if (type.equals("default")) {
        otherwise = next;
      } else if (type.equals("hexstr")) {
        transitions.add(transition(transition, key, next));
      } else if (type.equals("parse_vset")) {
        transitions.add(
            new Program.Transition(
                List.of(), mask(transition, key), valueSet(transition, key), next));
      } else {
        throw transition.unsupported("transition on a '" + type + "'");
      }
    }
    return new Program.ParserState(
        node.text("name"), List.copyOf(ops), List.copyOf(key), List.copyOf(transitions), otherwise);
  }

  /** Older compilers have no {@code type}; the value tells a default transition. */
  private static String legacyType(LocatedJson transition) {
    return transition.text("value").equals("default") ? "default" : "hexstr";
  }

  private int next(LocatedJson node) {
    return node.isNull() ? Program.END : SymbolTable.find(states, node, "parser state");
  }

  private Program.KeyPart keyPart(LocatedJson node) {
    return switch (node.text("type")) {
      case "field" -> new Program.FieldPart(names.field(node.get("value")));
      case "stack_field" -> {
        Header.Field field = exprs.lastElement(node.get("value")).field();
        yield new Program.ExprPart(exprs.number(node, List.of()), field.widthBits());
      }
      case "union_stack_field" -> unionField(node.get("value"));
      case "lookahead" -> lookahead(node.get("value"));
      default -> throw node.unsupported("transition key of type '" + node.text("type") + "'");
    };
  }

  /** A field of a member of the last union of a stack. */
  private Program.KeyPart unionField(LocatedJson triple) {
    List<LocatedJson> parts = triple.list();
    if (parts.size() != 3) {
      throw triple.invalid("expected a header union stack, a member and a field");
    }
    HeaderStack members = unionStack(parts.get(0), parts.get(1));
    Header.Ref first = members.headers().get(0).find(parts.get(2).text());
    if (first == null || first.field().widthBits() == 0) {
      throw triple.invalid(
          "header '%s' has no field '%s' of fixed length",
          members.headers().get(0).name(), parts.get(2).text());
    }
    return new Program.ExprPart(
        ExprLoader.lastField(members, first.field().index()), first.field().widthBits());
  }

  private static Program.Lookahead lookahead(LocatedJson pair) {
    List<LocatedJson> parts = pair.list();
    if (parts.size() != 2) {
      throw pair.invalid("expected a bit offset and a width");
    }
    int offset = parts.get(0).integer();
    int width = parts.get(1).integer();
    if (offset < 0 || width < 1) {
      throw pair.invalid(
          "offset " + offset + " must be at least 0 and width " + width + " at least 1");
    }
    return new Program.Lookahead(offset, width);
  }

  private static Program.Transition transition(
      LocatedJson node, List<Program.KeyPart> key, int next) {
    List<BigInteger> values = split(node.get("value"), key);
    List<BigInteger> masks;
    if (node.has("mask")) {
      masks = split(node.get("mask"), key);
    } else {
      masks = new ArrayList<>();
      for (Program.KeyPart part : key) {
        masks.add(ones(part.widthBits()));
      }
    }
    List<BigInteger> masked = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      masked.add(values.get(i).and(masks.get(i)));
    }
    return new Program.Transition(masked, masks, null, next);
  }

  /** Splits the concatenation of the parts, each padded to whole bytes. */
  private static List<BigInteger> split(LocatedJson node, List<Program.KeyPart> key) {
    BigInteger all = node.hex();
    BigInteger[] parts = new BigInteger[key.size()];
    for (int i = key.size() - 1; i >= 0; i--) {
      int paddedBits = (key.get(i).widthBits() + 7) / 8 * 8;
      parts[i] = all.and(ones(paddedBits));
      if (parts[i].bitLength() > key.get(i).widthBits()) {
        // A value with padding bits can never be equal to a field, whose padding is zero; a mask's
        // padding does not matter.
        if (!node.place().endsWith("mask")) {
          throw node.invalid(
              "value has more bits than part %s of the key, which has %s",
              i, key.get(i).widthBits());
        }
        parts[i] = parts[i].and(ones(key.get(i).widthBits()));
      }
      all = all.shiftRight(paddedBits);
    }
    if (all.signum() != 0) {
      throw node.invalid("value is longer than the key");
    }
    return List.of(parts);
  }

  static BigInteger ones(int bits) {
    return BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE);
  }

  private Program.ParserOp op(LocatedJson node) {
    String op = node.text("op");
    List<LocatedJson> args = node.list("parameters");
    switch (op) {
      case "extract":
        count(node, args, 1);
        if (args.get(0).text("type").equals("stack")) {
          return next(names.stack(args.get(0).get("value")), node);
        }
        if (args.get(0).text("type").equals("union_stack")) {
          return next(unionStack(args.get(0).get("value")), node);
        }
        if (!args.get(0).text("type").equals("regular")) {
          throw node.unsupported("extraction of a '" + args.get(0).text("type") + "'");
        }
        Header header = names.header(args.get(0).get("value"));
        if (header.metadata()) {
          throw node.invalid("metadata '" + header.name() + "' cannot be extracted");
        }
        return header.isVariable()
            ? new Program.ExtractMeasured(header, length(header, node))
            : new Program.Extract(header);
      case "extract_VL":
        count(node, args, 2);
        if (args.get(0).text("type").equals("stack")
            || args.get(0).text("type").equals("union_stack")) {
          HeaderStack stack =
              args.get(0).text("type").equals("stack")
                  ? names.stack(args.get(0).get("value"))
                  : unionStack(args.get(0).get("value"));
          Header first = variable(stack.headers().get(0), node);
          return new Program.ExtractNextVariable(
              stack, exprs.number(args.get(1), List.of()), names.maxBytes.get(first));
        }
        if (!args.get(0).text("type").equals("regular")) {
          throw node.unsupported(
              "extraction of a '" + args.get(0).text("type") + "' of variable length");
        }
        Header variable = variable(names.header(args.get(0).get("value")), node);
        return new Program.ExtractVariable(
            variable, exprs.number(args.get(1), List.of()), names.maxBytes.get(variable));
      case "set":
        count(node, args, 2);
        if (!args.get(0).text("type").equals("field")) {
          throw node.unsupported("setting a '" + args.get(0).text("type") + "'");
        }
        Header.Ref target = names.anyField(args.get(0).get("value"));
        boolean copies =
            target.field().widthBits() == 0
                && args.get(1).text("type").equals("field")
                && names.anyField(args.get(1).get("value")).field().widthBits() == 0;
        if (copies) {
          return new Program.Do(actions.assignVariable(args.get(0), args.get(1)));
        }
        names.written.add(target);
        if (args.get(1).text("type").equals("lookahead")) {
          return new Program.SetLookahead(target, lookahead(args.get(1).get("value")));
        }
        Expr value = exprs.load(args.get(1), List.of());
        if (value.type() == Expr.Type.BOOL) {
          value = new Expr.Operation(Expr.Op.BOOL_TO_DATA, null, value);
        }
        return new Program.Do(Primitive.assign(target, value));
      case "verify":
        count(node, args, 2);
        return new Program.Verify(
            exprs.condition(args.get(0), List.of()), exprs.number(args.get(1), List.of()));
      case "advance":
        count(node, args, 1);
        return new Program.Advance(exprs.number(args.get(0), List.of()));
      case "shift":
        count(node, args, 1);
        return new Program.Advance(
            new Expr.Constant(BigInteger.valueOf(8L * args.get(0).integer())));
      case "primitive":
        count(node, args, 1);
        return new Program.Do(Jumps.alone(actions.primitive(args.get(0), List.of())));
      default:
        throw node.unsupported("parser operation '" + op + "'");
    }
  }

  private Program.ParserOp next(HeaderStack stack, LocatedJson node) {
    if (!stack.headers().get(0).isVariable()) {
      return new Program.ExtractNext(stack);
    }
    return new Program.ExtractNextMeasured(
        stack, stack.headers().stream().map(header -> length(header, node)).toList());
  }

  /** The length of a variable-length field that its header type defines. */
  private Expr length(Header header, LocatedJson node) {
    if (!names.lengths.containsKey(header)) {
      throw node.invalid(
          "nothing tells the length of '" + header.name() + "." + header.variable().name() + "'");
    }
    return LengthExprs.of(header, names.lengths.get(header), exprs);
  }

  /** The members of one type of a stack of unions; all types share {@code nextIndex}. */
  private HeaderStack unionStack(LocatedJson pair) {
    List<LocatedJson> parts = pair.list();
    if (parts.size() != 2) {
      throw pair.invalid("expected a header union stack's name and a member's name");
    }
    return unionStack(parts.get(0), parts.get(1));
  }

  private HeaderStack unionStack(LocatedJson stack, LocatedJson kind) {
    List<HeaderUnion> unions = SymbolTable.find(names.unionStacks, stack, "header union stack");
    int index = names.unionStackIndex(stack).index();
    int member = names.unionStackMembers.get(stack.text()).indexOf(kind.text());
    if (member < 0) {
      throw kind.invalid("the unions have no member '" + kind.text() + "'");
    }
    List<Header> members = new ArrayList<>();
    for (HeaderUnion union : unions) {
      members.add(union.headers().get(member));
    }
    return new HeaderStack(stack.text(), index, List.copyOf(members));
  }

  private static Header variable(Header header, LocatedJson node) {
    if (!header.isVariable()) {
      throw node.invalid("header '" + header.name() + "' has no variable-length field");
    }
    return header;
  }

  private static void count(LocatedJson node, List<LocatedJson> args, int expected) {
    if (args.size() != expected) {
      throw node.invalid(
          "parser operation '%s' takes %s arguments, not %s",
          node.text("op"), expected, args.size());
    }
  }
}
