package net.sluice.emulator.v1model.codegen;

import static net.sluice.emulator.v1model.codegen.source.Members.literal;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.sluice.emulator.v1model.codegen.expr.ExprEmitter;
import net.sluice.emulator.v1model.codegen.expr.HeaderEmitter;
import net.sluice.emulator.v1model.codegen.source.Code;
import net.sluice.emulator.v1model.codegen.source.Members;
import net.sluice.emulator.v1model.program.Expr;
import net.sluice.emulator.v1model.program.Header;
import net.sluice.emulator.v1model.program.HeaderStack;
import net.sluice.emulator.v1model.program.Primitive;
import net.sluice.emulator.v1model.program.Program;

/**
 * Java for the parser: one method per state, which returns the next state or {@link Program#END}.
 */
record ParserEmitter(Program program, ActionEmitter actions) {

  /** A parser that goes through more states than this on one packet never ends. */
  private static final int MAX_STEPS = 4096;

  /** The errors that bmv2 itself raises, with their default numbers. */
  private static final List<String> CORE_ERRORS =
      List.of(
          "NoError",
          "PacketTooShort",
          "NoMatch",
          "StackOutOfBounds",
          "HeaderTooShort",
          "ParserTimeout",
          "ParserInvalidArgument");

  /** The number of an error that bmv2 itself raises. */
  static int error(Map<String, Integer> errors, String name) {
    Integer declared = errors.get(name);
    if (declared != null) {
      return declared;
    }
    int number = CORE_ERRORS.indexOf(name);
    while (errors.containsValue(number)) {
      number += CORE_ERRORS.size();
    }
    return number;
  }

  /** The name of an error by its number. */
  static String errorName(Map<String, Integer> errors, int number) {
    for (Map.Entry<String, Integer> error : errors.entrySet()) {
      if (error.getValue() == number) {
        return error.getKey();
      }
    }
    for (String name : CORE_ERRORS) {
      if (error(errors, name) == number) {
        return name;
      }
    }
    return "error " + number;
  }

  private int error(String name) {
    return error(program.errors(), name);
  }

  /** Whether a state executes {@code exit}. */
  static boolean exits(Program program) {
    return program.parser().stream()
        .flatMap(state -> state.ops().stream())
        .anyMatch(
            op ->
                op instanceof Program.Do
                    && ((Program.Do) op).primitive() instanceof Primitive.Exit);
  }

  void emit(Code into) {
    into.line("private void parse(Packet p) {");
    into.line("p.parserError = " + error("NoError") + ";");
    into.line("int state = 0;");
    into.line("for (int steps = 0; state >= 0; steps++) {");
    into.line("if (steps == " + MAX_STEPS + ") {")
        .line("p.parserError = " + error("ParserTimeout") + ";")
        .line("return;")
        .line("}");
    int n = program.parser().size();
    into.line("switch (state) {");
    for (int i = 0; i < n; i++) {
      into.line("case " + i + ": state = s" + i + "(p); break;");
    }
    into.line("default: throw new IllegalStateException();");
    into.line("}");
    into.trace("next(state)");
    into.line("}").line("}");
    for (int i = 0; i < program.parser().size(); i++) {
      state(i, program.parser().get(i), into);
    }
  }

  private void state(int index, Program.ParserState state, Code into) {
    into.line("// parser state " + state.name());
    into.line("private int s" + index + "(Packet p) {");
    into.line("byte[] b = p.bytes();");
    into.trace("state(" + index + ")");
    for (Program.ParserOp op : state.ops()) {
      into.line("{");
      op(op, into, "parser state '" + state.name() + "'");
      into.line("}");
    }
    transitions(state, true, into);
    into.line("}");
  }

  private void op(Program.ParserOp op, Code into, String place) {
    ExprEmitter exprs = new ExprEmitter(into, null, place);
    if (op instanceof Program.Extract) {
      Header header = ((Program.Extract) op).header();
      int bytes = header.widthBits() / 8;
      into.line("int o = p.position;");
      failUnless("p.end - o >= " + bytes, "PacketTooShort", into);
      into.line(taken(header, "0"));
      into.line("p.position = o + " + bytes + ";");
      into.trace("extracted(" + header.index() + ", p.position - o)");
    } else if (op instanceof Program.ExtractVariable extract) {
      int o = lengthChecked(extract.header(), extract.bits(), extract.maxBytes(), exprs, into);
      into.line(taken(extract.header(), "(int) bytes"));
      into.line("p.position = o + " + o + " + (int) bytes;");
      into.trace("extracted(" + extract.header().index() + ", p.position - o)");
    } else if (op instanceof Program.ExtractMeasured extract) {
      into.line("int o = p.position;");
      measured(extract.header(), extract.bits(), exprs, into);
      into.trace("extracted(" + extract.header().index() + ", p.position - o)");
    } else if (op instanceof Program.ExtractNextMeasured extract) {
      HeaderStack stack = extract.stack();
      into.line("int o = p.position;");
      failUnless(Members.next(stack) + " < " + stack.size(), "StackOutOfBounds", into);
      into.line("switch (" + Members.next(stack) + ") {");
      for (int i = 0; i < stack.size(); i++) {
        into.line("case " + i + ": {");
        measured(stack.headers().get(i), extract.bits().get(i), exprs, into);
        into.line("break;").line("}");
      }
      into.line("default:").line("}");
      into.line(Members.next(stack) + "++;");
      traceNext(stack, into);
    } else if (op instanceof Program.ExtractNextVariable extract) {
      HeaderStack stack = extract.stack();
      failUnless(Members.next(stack) + " < " + stack.size(), "StackOutOfBounds", into);
      int o =
          lengthChecked(stack.headers().get(0), extract.bits(), extract.maxBytes(), exprs, into);
      into.line("switch (" + Members.next(stack) + "++) {");
      for (int i = 0; i < stack.size(); i++) {
        into.line("case " + i + ":");
        into.line(taken(stack.headers().get(i), "(int) bytes"));
        into.line("break;");
      }
      into.line("default:").line("}");
      into.line("p.position = o + " + o + " + (int) bytes;");
      traceNext(stack, into);
    } else if (op instanceof Program.ExtractNext extractNext) {
      HeaderStack stack = extractNext.stack();
      int bytes = stack.headers().get(0).widthBits() / 8;
      into.line("int o = p.position;");
      failUnless(Members.next(stack) + " < " + stack.size(), "StackOutOfBounds", into);
      failUnless("p.end - o >= " + bytes, "PacketTooShort", into);
      into.line("switch (" + Members.next(stack) + "++) {");
      for (int i = 0; i < stack.size(); i++) {
        into.line("case " + i + ": " + taken(stack.headers().get(i), "0") + " break;");
      }
      into.line("default:").line("}");
      into.line("p.position = o + " + bytes + ";");
      traceNext(stack, into);
    } else if (op instanceof Program.SetLookahead set) {
      into.line("int o = p.position;");
      String[] limbs = lookahead(set.source(), into);
      LookaheadStore.store(set.target(), limbs, set.source().widthBits(), into);
    } else if (op instanceof Program.Verify verify) {
      into.line("if (!" + exprs.condition(verify.condition()) + ") {");
      into.line("p.parserError = (int) " + exprs.low(verify.error()) + ";");
      into.line("return " + Program.END + ";");
      into.line("}");
    } else if (op instanceof Program.Advance advance) {
      Expr bits = advance.bits();
      String n = into.local();
      into.line("long " + n + " = " + exprs.low(bits) + ";");
      failUnless("(" + n + " & 7L) == 0L", "ParserInvalidArgument", into);
      failUnless(
          "Long.compareUnsigned(" + n + " >>> 3, p.end - p.position) <= 0", "PacketTooShort", into);
      into.line("p.position += (int) (" + n + " >>> 3);");
      into.trace("advanced(" + n + ")");
    } else {
      actions.emit(((Program.Do) op).primitive(), into, null, place);
    }
  }

  /** Reports which element of a stack has just been extracted. */
  private static void traceNext(HeaderStack stack, Code into) {
    List<String> headers = new ArrayList<>();
    stack.headers().forEach(header -> headers.add(String.valueOf(header.index())));
    String element =
        "new int[] {" + String.join(", ", headers) + "}[" + Members.next(stack) + " - 1]";
    into.trace("extracted(" + element + ", p.position - o)");
  }

  /**
   * Declares where a header of variable length starts, {@code o}, and how many bytes its last field
   * has, {@code bytes}. Returns the length of the others, bytes.
   */
  private int lengthChecked(Header header, Expr bits, int maxBytes, ExprEmitter exprs, Code into) {
    int fixed = header.widthBits() / 8;
    into.line("int o = p.position;");
    into.line("long bits = " + exprs.low(bits) + ";");
    failUnless("(bits & 7L) == 0L", "ParserInvalidArgument", into);
    into.line("long bytes = bits >>> 3;");
    failUnless("bytes <= p.end - o - " + fixed, "PacketTooShort", into);
    failUnless("bytes <= " + (maxBytes - fixed), "HeaderTooShort", into);
    return fixed;
  }

  /**
   * Extracts a header whose own fields give its length: first as if its variable field were empty,
   * to read those fields, then as a whole.
   */
  private void measured(Header header, Expr length, ExprEmitter exprs, Code into) {
    int fixed = header.widthBits() / 8;
    failUnless("p.end - o >= " + fixed, "PacketTooShort", into);
    into.line("boolean was = " + Members.valid(header) + ";");
    into.line(taken(header, "0"));
    into.line(Members.valid(header) + " = was;");
    into.line("long bits = " + exprs.low(length) + ";");
    failUnless("(bits & 7L) == 0L", "ParserInvalidArgument", into);
    into.line("long bytes = bits >>> 3;");
    failUnless("bytes <= p.end - o - " + fixed, "PacketTooShort", into);
    into.line(taken(header, "(int) bytes"));
    into.line("p.position = o + " + fixed + " + (int) bytes;");
  }

  /** Extracts a header from {@code b} at {@code o}. */
  private static String taken(Header header, String variableBytes) {
    return "x%s(p, b, o%s);"
        .formatted(header.index(), header.isVariable() ? ", " + variableBytes : "");
  }

  private void failUnless(String condition, String error, Code into) {
    into.line("if (!(" + condition + ")) {");
    into.line("p.parserError = " + error(error) + ";");
    into.line("return " + Program.END + ";");
    into.line("}");
  }

  /** Limbs of bits ahead of {@code o}, after a check that they are there. */
  private String[] lookahead(Program.Lookahead ahead, Code into) {
    failUnless(
        "p.end - o >= " + (ahead.offsetBits() + ahead.widthBits() + 7) / 8, "PacketTooShort", into);
    String[] limbs = new String[Members.limbs(ahead.widthBits())];
    for (int limb = 0; limb < limbs.length; limb++) {
      int width = Math.min(64, ahead.widthBits() - 64 * limb);
      limbs[limb] =
          HeaderEmitter.read(
              "o", ahead.offsetBits() + ahead.widthBits() - 64 * limb - width, width);
    }
    return limbs;
  }

  private void transitions(Program.ParserState state, boolean first, Code into) {
    if (state.transitions().isEmpty()) {
      into.line("return " + state.otherwise() + ";");
      return;
    }
    boolean ahead = state.key().stream().anyMatch(k -> k instanceof Program.Lookahead);
    if (ahead) {
      into.line("int o = p.position;");
    }
    String[][] parts = new String[state.key().size()][];
    for (int i = 0; i < parts.length; i++) {
      Program.KeyPart part = state.key().get(i);
      String[] limbs =
          part instanceof Program.Lookahead lookahead
              ? lookahead(lookahead, into)
              : part instanceof Program.ExprPart exprPart
                  ? bits(exprPart, into, "parser state '" + state.name() + "'")
                  : bits(((Program.FieldPart) part).ref());
      parts[i] = new String[limbs.length];
      for (int limb = 0; limb < limbs.length; limb++) {
        parts[i][limb] = into.local();
        into.line("long " + parts[i][limb] + " = " + limbs[limb] + ";");
      }
    }
    if (first) {
      into.trace("selecting(new long[] {" + String.join(", ", flat(parts)) + "})");
    }
    boolean open = true;
    for (Program.Transition transition : state.transitions()) {
      String condition =
          transition.members() == null
              ? matches(parts, transition)
              : ValueSetEmitter.contains(parts, state.key(), transition, into);
      if (condition.isEmpty()) {
        into.line("return " + transition.next() + ";");
        open = false;
        break;
      }
      into.line("if (" + condition + ") return " + transition.next() + ";");
    }
    if (open) {
      into.line("return " + state.otherwise() + ";");
    }
  }

  /** The bits of a field, as bmv2 compares them: unsigned whatever the field's type. */
  private static String[] bits(Header.Ref ref) {
    int width = ref.field().widthBits();
    String[] limbs = new String[Members.limbs(width)];
    for (int limb = 0; limb < limbs.length; limb++) {
      int here = Math.min(64, width - 64 * limb);
      limbs[limb] = Members.field(ref, limb);
      if (ref.field().signed() && here < 64) {
        limbs[limb] += " & " + literal(Members.ones(here));
      }
    }
    return limbs;
  }

  /** The low bits of an expression, unsigned. */
  private static String[] bits(Program.ExprPart part, Code into, String place) {
    int n = Members.limbs(part.widthBits());
    String[] limbs = new ExprEmitter(into, null, place).limbs(part.expr(), n);
    int top = part.widthBits() - 64 * (n - 1);
    if (top < 64) {
      limbs[n - 1] = "(" + limbs[n - 1] + " & " + literal(Members.ones(top)) + ")";
    }
    return limbs;
  }

  private static List<String> flat(String[][] parts) {
    List<String> limbs = new ArrayList<>();
    for (String[] part : parts) {
      limbs.addAll(List.of(part));
    }
    return limbs;
  }

  private static String matches(String[][] parts, Program.Transition transition) {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < parts.length; i++) {
      for (int limb = 0; limb < parts[i].length; limb++) {
        long value = limbOf(transition.values().get(i), limb);
        long mask = limbOf(transition.masks().get(i), limb);
        if (mask != 0) {
          String masked =
              mask == -1L ? parts[i][limb] : "(" + parts[i][limb] + " & " + literal(mask) + ")";
          all.append(all.length() == 0 ? "" : " && ")
              .append(masked)
              .append(" == ")
              .append(literal(value));
        }
      }
    }
    return all.toString();
  }

  private static long limbOf(BigInteger value, int limb) {
    return value.shiftRight(64 * limb).longValue();
  }
}
