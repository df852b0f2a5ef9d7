package net.sluice.emulator.v1model.codegen;

import static net.sluice.emulator.v1model.codegen.source.Members.literal;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import net.sluice.emulator.v1model.codegen.expr.DiagnosticEmitter;
import net.sluice.emulator.v1model.codegen.expr.ExprEmitter;
import net.sluice.emulator.v1model.codegen.expr.HeaderEmitter;
import net.sluice.emulator.v1model.codegen.expr.Interval;
import net.sluice.emulator.v1model.codegen.source.Code;
import net.sluice.emulator.v1model.codegen.source.Members;
import net.sluice.emulator.v1model.program.Expr;
import net.sluice.emulator.v1model.program.Header;
import net.sluice.emulator.v1model.program.Primitive;
import net.sluice.emulator.v1model.program.Program;
import net.sluice.emulator.v1model.program.UnsupportedProgramException;
import net.sluice.emulator.v1model.table.MatchKind;
import net.sluice.emulator.v1model.table.MeterCells;
import net.sluice.emulator.v1model.table.WordLayout;

/**
 * Turns primitives into Java statements, and actions into methods.
 *
 * <p>More than 500 lines, because it has a method for each primitive.
 */
final class ActionEmitter {

  /** The port that means drop. */
  static final int DROP_PORT = 511;

  private static final int DROP_PORT_BITS = 9;

  private final Program program;

  ActionEmitter(Program program) {
    this.program = program;
  }

  /** Layout of an action's parameters in its data. */
  static WordLayout parameters(Program.Action action) {
    List<WordLayout.FieldSpec> specs = new ArrayList<>();
    for (Program.Parameter parameter : action.parameters()) {
      specs.add(new WordLayout.FieldSpec(parameter.name(), MatchKind.EXACT, parameter.widthBits()));
    }
    return WordLayout.of(specs);
  }

  /** The parameters of an action's methods. */
  static String signature(Program.Action action) {
    return action.parameters().isEmpty() ? "(Packet p) {" : "(Packet p, long[] d, int at) {";
  }

  static String method(Program.Action action) {
    return "a" + action.index();
  }

  /** The call of an action whose data starts at {@code at} in {@code data}. */
  static String call(Program.Action action, String data, String at) {
    return method(action)
        + (action.parameters().isEmpty() ? "(p);" : "(p, " + data + ", " + at + ");");
  }

  /**
   * The action's method. Jumps only go forward: every target ends a labelled block around all that
   * comes before it.
   */
  void emit(Program.Action action, Code into) {
    into.line("// action " + action.name());
    into.line("private void " + method(action) + signature(action));
    into.trace("action(" + action.index() + ")");
    WordLayout layout = parameters(action);
    int n = action.body().size();
    if (hasLoop(action)) {
      loops(action, layout, into);
      into.line("}");
      return;
    }
    boolean[] reachable = new boolean[n + 1];
    reachable[0] = true;
    TreeSet<Integer> targets = new TreeSet<>();
    for (int i = 0; i < n; i++) {
      if (reachable[i]) {
        Primitive primitive = action.body().get(i);
        int target = target(primitive);
        if (target >= 0) {
          targets.add(target);
          reachable[target] = true;
        }
        reachable[i + 1] |= !(primitive instanceof Primitive.Jump);
      }
    }
    for (int target : targets.descendingSet()) {
      into.line("s" + target + ": {");
    }
    String place = "action '" + action.name() + "'";
    BasicBlocks straight = new BasicBlocks(action, into);
    for (int i = 0; i <= n; i++) {
      if (targets.contains(i)) {
        straight.end();
        into.line("}");
      }
      // javac refuses unreachable statements.
      if (i < n && reachable[i]) {
        Primitive primitive = action.body().get(i);
        if (target(primitive) >= 0) {
          straight.end();
          into.line("{");
          into.trace("step(" + i + ")");
          emit(primitive, into, layout, place);
          into.line("}");
        } else {
          Code step = straight.step();
          step.line("{");
          step.trace("step(" + i + ")");
          emit(primitive, step, layout, place);
          step.line("}");
        }
      }
    }
    straight.end();
    into.line("}");
    straight.declareMethods();
  }

  private static boolean hasLoop(Program.Action action) {
    for (int i = 0; i < action.body().size(); i++) {
      int target = target(action.body().get(i));
      if (target >= 0 && target <= i || action.body().get(i) instanceof Primitive.ComputedJump) {
        return true;
      }
    }
    return false;
  }

  /** The steps of an action that jumps backwards, as cases of a switch in a loop. */
  private void loops(Program.Action action, WordLayout layout, Code into) {
    into.line("int step = 0;");
    into.line("for (int rounds = 0; rounds < MAX_ROUNDS; rounds++) {");
    into.line("switch (step) {");
    for (int i = 0; i < action.body().size(); i++) {
      into.line("case " + i + ": {");
      stepOfLoop(action, i, layout, "return;", into);
      into.line("}");
    }
    into.line("default: return;");
    into.line("}").line("}");
    into.line("throw " + endless(action) + ";");
  }

  /** The statement that throws when an action does not end. */
  static String endless(Program.Action action) {
    return "endless(" + DiagnosticEmitter.quoted("action '" + action.name() + "': a jump") + ", p)";
  }

  /**
   * A step in a switch over {@code step} in a loop.
   *
   * @param end statement that leaves the action
   */
  void stepOfLoop(Program.Action action, int i, WordLayout layout, String end, Code into) {
    String place = "action '" + action.name() + "'";
    Primitive primitive = action.body().get(i);
    into.trace("step(" + i + ")");
    if (primitive instanceof Primitive.Jump) {
      into.line("step = " + target(primitive) + ";").line("continue;");
    } else if (primitive instanceof Primitive.JumpIfZero jumpIfZero) {
      ExprEmitter exprs = new ExprEmitter(into, layout, place);
      String holds = JumpEmitter.condition(jumpIfZero.condition(), exprs);
      into.line("if (!" + into.traced("branch(%s)", holds) + ") {");
      into.line("step = " + target(primitive) + ";").line("continue;").line("}");
    } else if (primitive instanceof Primitive.ComputedJump computedJump) {
      ExprEmitter exprs = new ExprEmitter(into, layout, place);
      JumpEmitter.computed(computedJump, i, end, exprs, into);
    } else {
      emit(primitive, into, layout, place);
    }
  }

  private static int target(Primitive primitive) {
    if (primitive instanceof Primitive.Jump jump) {
      return jump.to();
    }
    return primitive instanceof Primitive.JumpIfZero jumpIfZero ? jumpIfZero.to() : -1;
  }

  /** The statements of one primitive. */
  void emit(Primitive primitive, Code into, WordLayout parameters, String place) {
    ExprEmitter exprs = new ExprEmitter(into, parameters, place);
    if (primitive instanceof Primitive.Assign) {
      store(
          ((Primitive.Assign) primitive).target(),
          ((Primitive.Assign) primitive).value(),
          exprs,
          into);
    } else if (primitive instanceof Primitive.SetValid setValid) {
      Header header = setValid.header();
      into.line("if (!" + Members.valid(header) + ") {");
      HeaderEmitter.zeroFields(header, into);
      if (header.isVariable()) {
        into.line(Members.variable(header) + ".zero();");
      }
      HeaderEmitter.makeValid(header, program.rivals(header), into);
      into.line("p.currentBytes += " + HeaderEmitter.bytes(header) + ";");
      into.line("}");
    } else if (primitive instanceof Primitive.SetInvalid setInvalid) {
      Header header = setInvalid.header();
      into.line("if (" + Members.valid(header) + ") {");
      into.line(Members.valid(header) + " = false;");
      into.line("p.currentBytes -= " + HeaderEmitter.bytes(header) + ";");
      into.line("}");
    } else if (primitive instanceof Primitive.AssignHeader assignHeader) {
      copy(assignHeader.target(), assignHeader.source(), into);
    } else if (primitive instanceof Primitive.Push push) {
      StackEmitter.push(push, into);
    } else if (primitive instanceof Primitive.Pop pop) {
      StackEmitter.pop(pop, into);
    } else if (primitive instanceof Primitive.Shift shift) {
      StackEmitter.shift(shift, exprs, into);
    } else if (primitive instanceof Primitive.AssignStack assignStack) {
      StackEmitter.assign(assignStack, into);
    } else if (primitive instanceof Primitive.AssignUnion assignUnion) {
      StackEmitter.assign(assignUnion, into);
    } else if (primitive instanceof Primitive.PushUnions pushUnions) {
      StackEmitter.push(pushUnions, into);
    } else if (primitive instanceof Primitive.PopUnions popUnions) {
      StackEmitter.pop(popUnions, into);
    } else if (primitive instanceof Primitive.AssignUnionStack assignUnionStack) {
      StackEmitter.assign(assignUnionStack, into);
    } else if (primitive instanceof Primitive.MarkValid markValid) {
      Header header = markValid.header();
      HeaderEmitter.makeValid(header, program.rivals(header), into);
    } else if (primitive instanceof Primitive.Check check) {
      DiagnosticEmitter.check(check, exprs, into, place);
    } else if (primitive instanceof Primitive.LogMessage logMessage) {
      DiagnosticEmitter.message(logMessage, exprs, into);
    } else if (primitive instanceof Primitive.AssignVariable assign) {
      into.line(
          Members.variable(assign.target()) + ".copy(" + Members.variable(assign.source()) + ");");
    } else if (primitive instanceof Primitive.FirstOf firstOf) {
      firstOf(firstOf, exprs, into, parameters, place);
    } else if (primitive instanceof Primitive.MarkToDrop markToDrop) {
      markToDrop(markToDrop, into);
    } else if (primitive instanceof Primitive.Exit) {
      into.line("p.exited = true;").trace("exited()");
    } else if (primitive instanceof Primitive.Count count) {
      count(count, exprs, into);
    } else if (primitive instanceof Primitive.Meter meter) {
      meter(meter, exprs, into);
    } else if (primitive instanceof Primitive.RegisterRead registerRead) {
      registerRead(registerRead, exprs, into);
    } else if (primitive instanceof Primitive.RegisterWrite registerWrite) {
      registerWrite(registerWrite, exprs, into);
    } else if (primitive instanceof Primitive.RandomNumber randomNumber) {
      random(randomNumber, exprs, into);
    } else if (primitive instanceof Primitive.Hash hash) {
      hash(hash, exprs, into);
    } else if (primitive instanceof Primitive.Jump jump) {
      into.line("break s" + jump.to() + ";");
    } else if (primitive instanceof Primitive.JumpIfZero jumpIfZero) {
      into.line(
          "if (!%s) break s%s;",
          into.traced("branch(%s)", JumpEmitter.condition(jumpIfZero.condition(), exprs)),
          jumpIfZero.to());
    } else if (primitive instanceof Primitive.Again again) {
      JumpEmitter.again(again, exprs, into, place);
    } else if (!(primitive instanceof Primitive.NoOp)
        && !ReplicationEmitter.emit(primitive, exprs, into)) {
      throw new UnsupportedProgramException(primitive.toString(), place);
    }
  }

  private void firstOf(
      Primitive.FirstOf first, ExprEmitter exprs, Code into, WordLayout parameters, String place) {
    for (int i = 0; i < first.choices().size(); i++) {
      into.line("if (" + exprs.condition(first.conditions().get(i)) + ") {");
      emit(first.choices().get(i), into, parameters, place);
      into.line("} else {");
    }
    for (int i = 0; i < first.choices().size(); i++) {
      into.line("}");
    }
  }

  /** Stores a number in a field, as bmv2 truncates it. */
  static void store(Header.Ref target, Expr value, ExprEmitter exprs, Code into) {
    int width = target.field().widthBits();
    Interval interval = exprs.interval(value);
    if (width == 0) {
      storeVariable(target, interval.fitsLong() ? exprs.low(value) : exprs.big(value), into);
      return;
    }
    if (width > 64) {
      storeLimbs(target, exprs.limbs(value, Members.limbs(width)), into);
      return;
    }
    String member = Members.field(target, 0);
    String low = exprs.low(value);
    if (target.field().signed()) {
      if (width == 64 || interval.within(Interval.signed(width))) {
        into.line(member + " = " + low + ";");
      } else if (interval.fitsLong()) {
        into.line(member + " = Arith.signedStore(" + low + ", " + width + ");");
      } else {
        into.line(member + " = " + low + " << " + (64 - width) + " >> " + (64 - width) + ";");
      }
    } else if (width == 64 || interval.within(Interval.unsigned(width))) {
      into.line(member + " = " + low + ";");
    } else {
      into.line(member + " = " + low + " & " + literal(Members.ones(width)) + ";");
    }
  }

  /** Stores a {@code long} or {@link java.math.BigInteger} in a field of variable length. */
  static void storeVariable(Header.Ref target, String value, Code into) {
    into.line(Members.variable(target.header()) + ".set(" + value + ");");
  }

  /** The unsigned number in these limbs. */
  static String unsigned(String[] limbs) {
    return "Arith.fromLimbs(false, new long[] {" + String.join(", ", limbs) + "})";
  }

  private static void storeLimbs(Header.Ref target, String[] limbs, Code into) {
    int width = target.field().widthBits();
    String[] names = new String[limbs.length];
    // All limbs are computed before the first is stored: the value may read the target itself.
    for (int i = 0; i < limbs.length; i++) {
      names[i] = into.local();
      into.line("long " + names[i] + " = " + limbs[i] + ";");
    }
    int top = width - 64 * (limbs.length - 1);
    for (int i = 0; i < limbs.length; i++) {
      String value = names[i];
      if (i == limbs.length - 1 && top < 64) {
        value =
            target.field().signed()
                ? value + " << " + (64 - top) + " >> " + (64 - top)
                : value + " & " + literal(Members.ones(top));
      }
      into.line(Members.field(target, i) + " = " + value + ";");
    }
  }

  /** Stores a Java {@code long}, unsigned and of at most {@code bits} bits, in a field. */
  static void storeLong(Header.Ref target, String unclamped, int bits, Code into) {
    int width = target.field().widthBits();
    if (width == 0) {
      storeVariable(target, bits < 64 ? unclamped : "Arith.unsigned(" + unclamped + ")", into);
      return;
    }
    String value = unclamped;
    if (target.field().saturating() && width <= 64) {
      long largest = Members.ones(target.field().signed() ? width - 1 : width);
      value = "Arith.minUnsigned(" + unclamped + ", " + literal(largest) + ")";
    }
    if (width > 64) {
      into.line(Members.field(target, 0) + " = " + value + ";");
      for (int i = 1; i < Members.limbs(width); i++) {
        into.line(Members.field(target, i) + " = 0L;");
      }
    } else if (target.field().signed() && width < 64) {
      into.line(
          Members.field(target, 0) + " = " + "Arith.signedStore(" + value + ", " + width + ");");
    } else {
      into.line(
          "%s = %s",
          Members.field(target, 0),
          bits <= width ? value + ";" : "(" + value + ") & " + literal(Members.ones(width)) + ";");
    }
  }

  private void copy(Header target, Header source, Code into) {
    into.line("if (" + Members.valid(source) + ") {");
    HeaderEmitter.copyFields(target, source, into);
    if (!target.metadata()) {
      HeaderEmitter.makeValid(target, program.rivals(target), into);
      into.line("} else {");
      into.line(Members.valid(target) + " = false;");
    }
    into.line("}");
  }

  private static void markToDrop(Primitive.MarkToDrop mark, Code into) {
    IntrinsicFields.set(mark.egressSpec(), DROP_PORT + "L", DROP_PORT_BITS, into);
    if (mark.multicastGroup() != null) {
      IntrinsicFields.set(mark.multicastGroup(), "0L", 1, into);
    }
    into.trace("markedToDrop()");
  }

  /**
   * An index into an array, as bmv2 takes it: the low 32 bits, unsigned. Opens a block for when it
   * is in range.
   */
  private static String openIndex(Expr index, int size, ExprEmitter exprs, Code into) {
    String i = into.local();
    if (exprs.interval(index).within(Interval.of(0, Integer.MAX_VALUE))) {
      into.line("int " + i + " = (int) " + exprs.low(index) + ";");
      into.line("if (" + i + " < " + size + ") {");
      return i;
    }
    String l = into.local();
    into.line("long " + l + " = " + exprs.count(index, "index") + " & 0xffffffffL;");
    into.line("if (" + l + " < " + size + "L) {");
    into.line("int " + i + " = (int) " + l + ";");
    return i;
  }

  private static void closeIndex(
      String array, int number, Expr index, ExprEmitter exprs, Code into) {
    into.line("} else {").line("outOfRange();");
    into.trace("beyond(\"" + array + "\", " + number + ", " + exprs.low(index) + " & 0xffffffffL)");
    into.line("}");
  }

  private void count(Primitive.Count count, ExprEmitter exprs, Code into) {
    String i = openIndex(count.index(), count.counter().size(), exprs, into);
    String array = "c" + count.counter().index();
    into.line(array + ".count(" + i + ", p.receivedBytes);");
    into.trace("counted(" + count.counter().index() + ", " + i + ")");
    closeIndex("counter", count.counter().index(), count.index(), exprs, into);
  }

  private static void meter(Primitive.Meter meter, ExprEmitter exprs, Code into) {
    String i = openIndex(meter.index(), meter.meter().size(), exprs, into);
    String colour =
        "m" + meter.meter().index() + ".execute(" + i + ", p.receivedBytes, p.nowMicros)";
    storeLong(meter.target(), colour, MeterCells.colourBits(meter.meter().rates()), into);
    String stored = ", " + Members.field(meter.target(), 0) + ")";
    into.trace("metered(" + meter.meter().index() + ", " + i + stored);
    closeIndex("meter", meter.meter().index(), meter.index(), exprs, into);
  }

  private void registerRead(Primitive.RegisterRead read, ExprEmitter exprs, Code into) {
    String i = openIndex(read.index(), read.register().size(), exprs, into);
    int width = read.register().widthBits();
    if (width > 64) {
      readWide(read, i, into);
      into.trace("registerRead(" + read.register().index() + ", " + i + ")");
      closeIndex("register", read.register().index(), read.index(), exprs, into);
      return;
    }
    storeLong(read.target(), Members.cell(read.register(), i, 0), width, into);
    into.trace("registerRead(" + read.register().index() + ", " + i + ")");
    closeIndex("register", read.register().index(), read.index(), exprs, into);
  }

  private static void registerWrite(Primitive.RegisterWrite write, ExprEmitter exprs, Code into) {
    String i = openIndex(write.index(), write.register().size(), exprs, into);
    int width = write.register().widthBits();
    if (width > 64) {
      writeWide(write, i, exprs, into);
      into.trace("registerWritten(" + write.register().index() + ", " + i + ")");
      closeIndex("register", write.register().index(), write.index(), exprs, into);
      return;
    }
    String cell = "r" + write.register().index() + "[" + i + "]";
    String type = width <= 8 ? "byte" : width <= 16 ? "short" : width <= 32 ? "int" : "long";
    into.line(
        "%s = (%s) (%s & %s);", cell, type, exprs.low(write.value()), literal(Members.ones(width)));
    into.trace("registerWritten(" + write.register().index() + ", " + i + ")");
    closeIndex("register", write.register().index(), write.index(), exprs, into);
  }

  private static void readWide(Primitive.RegisterRead read, String index, Code into) {
    int width = read.target().field().widthBits();
    if (width == 0) {
      String[] cell = new String[Members.limbs(read.register().widthBits())];
      for (int i = 0; i < cell.length; i++) {
        cell[i] = Members.wideCell(read.register(), index, i);
      }
      storeVariable(read.target(), unsigned(cell), into);
      return;
    }
    if (width <= 64) {
      storeLong(read.target(), Members.wideCell(read.register(), index, 0), 64, into);
      return;
    }
    String[] limbs = new String[Members.limbs(width)];
    for (int i = 0; i < limbs.length; i++) {
      limbs[i] =
          i < Members.limbs(read.register().widthBits())
              ? Members.wideCell(read.register(), index, i)
              : "0L";
    }
    storeLimbs(read.target(), limbs, into);
  }

  private static void writeWide(
      Primitive.RegisterWrite write, String index, ExprEmitter exprs, Code into) {
    int width = write.register().widthBits();
    String[] limbs = exprs.limbs(write.value(), Members.limbs(width));
    for (int i = 0; i < limbs.length; i++) {
      into.line(
          "%s = (%s) & %s;",
          Members.wideCell(write.register(), index, i),
          limbs[i],
          literal(Members.ones(Math.min(64, width - 64 * i))));
    }
  }

  private static void random(Primitive.RandomNumber random, ExprEmitter exprs, Code into) {
    String low = into.local();
    String high = into.local();
    into.line("long " + low + " = " + exprs.count(random.low(), "bound") + ";");
    into.line("long " + high + " = " + exprs.count(random.high(), "bound") + ";");
    into.line("if (Long.compareUnsigned(" + low + ", " + high + ") <= 0) {");
    storeLong(random.target(), "random.between(" + low + ", " + high + ")", 64, into);
    into.trace("randomDrawn(" + place(random.target()) + ", " + low + ", " + high + ")");
    into.line("}");
  }

  private static void hash(Primitive.Hash hash, ExprEmitter exprs, Code into) {
    String value =
        "Hashes.inRange(k%s(p), %s, %s)"
            .formatted(
                hash.calculation().index(),
                exprs.count(hash.base(), "bound"),
                exprs.count(hash.modulus(), "bound"));
    storeLong(hash.target(), value, 64, into);
    into.trace("hashed(" + place(hash.target()) + ", " + hash.calculation().index() + ")");
  }

  /** A field as a trace refers to it: index of the header, index of the field. */
  private static String place(Header.Ref ref) {
    return ref.header().index() + ", " + ref.field().index();
  }
}
