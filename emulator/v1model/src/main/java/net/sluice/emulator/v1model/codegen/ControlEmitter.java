package net.sluice.emulator.v1model.codegen;

import static net.sluice.emulator.v1model.codegen.expr.DiagnosticEmitter.quoted;
import static net.sluice.emulator.v1model.codegen.source.Members.literal;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import net.sluice.emulator.v1model.codegen.expr.ExprEmitter;
import net.sluice.emulator.v1model.codegen.source.Code;
import net.sluice.emulator.v1model.codegen.source.Members;
import net.sluice.emulator.v1model.program.Expr;
import net.sluice.emulator.v1model.program.Header;
import net.sluice.emulator.v1model.program.Primitive;
import net.sluice.emulator.v1model.program.Program;
import net.sluice.emulator.v1model.table.MatchKind;
import net.sluice.emulator.v1model.table.MeterCells;
import net.sluice.emulator.v1model.table.WordLayout;

/**
 * Java for a control: a method for every table and condition, and methods that go from one to the
 * next. Nodes are in an order in which edges lead forward, so going to a node is leaving the
 * labelled block that ends in front of it; a long control is split into several methods, each of
 * which returns the node to go on at. An edge back is such a return too, and the methods are run
 * again.
 *
 * <p>More than 500 lines, because tables, conditions and the jumps between them become one text.
 */
final class ControlEmitter {

  /** Nodes per method: well below what HotSpot refuses to compile (8,000 bytes of code). */
  private static final int NODES_PER_METHOD = 200;

  private final Program.Control control;
  private final List<Program.Action> actions;
  private final int firstTable;
  private final boolean usesExit;
  private final boolean mayBeLeftBefore;

  /** Nodes that later ones or they themselves lead back to. */
  private final TreeSet<Integer> passedAgain = new TreeSet<>();

  /**
   * @param actions all actions of the program
   * @param firstTable index among all tables of the program of this control's first
   * @param mayBeLeftBefore whether the parser may already have executed {@code exit}
   */
  ControlEmitter(
      Program.Control control,
      List<Program.Action> actions,
      int firstTable,
      boolean mayBeLeftBefore) {
    this.control = control;
    this.actions = actions;
    this.firstTable = firstTable;
    this.mayBeLeftBefore = mayBeLeftBefore;
    this.usesExit =
        tables(control).stream()
            .flatMap(t -> t.actions().stream())
            .flatMap(a -> a.body().stream())
            .anyMatch(p -> p instanceof Primitive.Exit);
    for (int i = 0; i < control.nodes().size(); i++) {
      passedAgain.addAll(successors(control.nodes().get(i)).headSet(i, true));
    }
    passedAgain.remove(Program.END);
  }

  /** The tables of a control, in node order. */
  static List<Program.Table> tables(Program.Control control) {
    List<Program.Table> tables = new ArrayList<>();
    for (Program.ControlNode node : control.nodes()) {
      if (node instanceof Program.Table table) {
        tables.add(table);
      }
    }
    return tables;
  }

  /**
   * The action index that members of action profiles use: the compiler copies actions, so tables
   * that share a profile have actions of the same name and different indexes. The first copy
   * counts.
   */
  static int canonical(List<Program.Action> actions, Program.Action action) {
    for (Program.Action candidate : actions) {
      if (candidate.name().equals(action.name())) {
        return candidate.index();
      }
    }
    return action.index();
  }

  /** The action index of an entry that refers to a member of the table's action profile. */
  static int memberAction(Program.Table table) {
    return table.actions().size();
  }

  /** The action index of an entry that refers to a group of the table's action profile. */
  static int groupAction(Program.Table table) {
    return table.actions().size() + 1;
  }

  /** The action index of an entry without an action. */
  static int noAction(Program.Table table) {
    return table.actions().size() + 2;
  }

  /** Whether a lookup may run no action. */
  private static boolean mayDoNothing(Program.Table table) {
    return table.profile() != null || table.defaultEntry() == null;
  }

  /** All successors of a table, those without an action included. */
  private static TreeSet<Integer> nexts(Program.Table table) {
    TreeSet<Integer> nexts = new TreeSet<>(table.next());
    if (mayDoNothing(table)) {
      nexts.add(table.nextOnNothing());
    }
    return nexts;
  }

  /** Layout of a table's key. */
  static WordLayout layout(Program.Table table) {
    List<WordLayout.FieldSpec> specs = new ArrayList<>();
    for (Program.KeyField field : table.key()) {
      specs.add(new WordLayout.FieldSpec(field.name(), field.kind(), field.widthBits()));
    }
    return WordLayout.of(specs);
  }

  /** Emits the control's entry method {@code name} and all that it calls. */
  void emit(Code into) {
    String name = control.name();
    int n = control.nodes().size();
    into.line("private void " + name + "Control(Packet p) {");
    into.trace("control(" + which() + ")");
    into.line("int node = " + (n == 0 ? Program.END : 0) + ";");
    if (mayBeLeftBefore) {
      into.line("if (p.exited) node = " + Program.END + ";");
    }
    boolean loops = !passedAgain.isEmpty();
    if (loops) {
      into.line("for (int rounds = 0; node >= 0; rounds++) {");
      into.line("if (rounds == MAX_ROUNDS) throw endless(" + again() + ", p);");
    }
    for (int from = 0; from < n; from += NODES_PER_METHOD) {
      int to = Math.min(n, from + NODES_PER_METHOD);
      into.line(
          "if (node >= " + from + " && node < " + to + ") node = " + name + from + "(p, node);");
    }
    if (loops) {
      into.line("}");
    }
    into.line("p.exited = false;");
    into.trace("controlEnded()");
    into.line("}");
    for (int from = 0; from < n; from += NODES_PER_METHOD) {
      chunk(from, Math.min(n, from + NODES_PER_METHOD), into);
    }
    int table = firstTable;
    for (int i = 0; i < n; i++) {
      if (control.nodes().get(i) instanceof Program.Table) {
        table((Program.Table) control.nodes().get(i), table++, into);
      } else {
        conditional((Program.Conditional) control.nodes().get(i), i, into);
      }
    }
  }

  /** Name of the step that the packet repeats, for the error message, a Java {@code String}. */
  private String again() {
    StringBuilder name = new StringBuilder(quoted(""));
    for (int node : passedAgain) {
      String here = quoted(control.nodes().get(node).name());
      name.insert(0, "node == " + node + " ? " + here + " : ");
    }
    return "%s + (%s) + \"'\""
        .formatted(quoted("control '" + control.name() + "': a loop back to '"), name);
  }

  /** 0 for ingress, 1 for egress. */
  private int which() {
    return control.name().equals("ingress") ? 0 : 1;
  }

  private void chunk(int from, int to, Code into) {
    into.line("private int " + control.name() + from + "(Packet p, int node) {");
    TreeSet<Integer> targets = new TreeSet<>();
    for (int i = from; i < to; i++) {
      for (int next : successors(control.nodes().get(i))) {
        if (next > i + 1 && next < to) {
          targets.add(next);
        }
      }
    }
    boolean entered = from > 0 || !passedAgain.isEmpty();
    if (entered) {
      // Any node of this part may be entered from the part before or by an edge back.
      for (int i = from; i < to; i++) {
        targets.add(i);
      }
    }
    for (int target : targets.descendingSet()) {
      into.line("n" + target + ": {");
    }
    if (entered) {
      into.line("switch (node) {");
      for (int target : targets) {
        into.line("case " + target + ": break n" + target + ";");
      }
      into.line("default: throw new IllegalStateException();").line("}");
    }
    int table =
        firstTable
            + (int)
                control.nodes().subList(0, from).stream()
                    .filter(x -> x instanceof Program.Table)
                    .count();
    for (int i = from; i < to; i++) {
      if (targets.contains(i)) {
        into.line("}");
      }
      Program.ControlNode node = control.nodes().get(i);
      if (node instanceof Program.Table) {
        apply((Program.Table) node, table++, i, to, into);
      } else {
        Program.Conditional c = (Program.Conditional) node;
        branch("i" + control.name() + i + "(p)", c.ifTrue(), c.ifFalse(), i, to, into);
      }
    }
    if (!endsInReturn(control.nodes().get(to - 1), to)) {
      into.line("return " + to + ";");
    }
    into.line("}");
  }

  /** Whether the last node of a part never falls through. */
  private static boolean endsInReturn(Program.ControlNode node, int to) {
    return !successors(node).contains(to);
  }

  private static TreeSet<Integer> successors(Program.ControlNode node) {
    if (node instanceof Program.Conditional conditional) {
      return new TreeSet<>(List.of(conditional.ifTrue(), conditional.ifFalse()));
    }
    Program.Table table = (Program.Table) node;
    if (table.nextOnHit() != null) {
      return new TreeSet<>(List.of(table.nextOnHit(), table.nextOnMiss()));
    }
    return nexts(table);
  }

  /** The statement that goes to a node, or nothing if it is the next one anyway. */
  private static String go(int next, int from, int to) {
    if (next == from + 1) {
      return "";
    }
    return next <= from || next >= to ? "return " + next + ";" : "break n" + next + ";";
  }

  private static void branch(
      String condition, int ifTrue, int ifFalse, int from, int to, Code into) {
    String yes = go(ifTrue, from, to);
    String no = go(ifFalse, from, to);
    if (yes.equals(no)) {
      if (!yes.isEmpty()) {
        into.line(yes);
      }
    } else if (yes.isEmpty()) {
      into.line("if (!" + condition + ") " + no);
    } else {
      into.line("if (" + condition + ") " + yes);
      if (!no.isEmpty()) {
        into.line(no);
      }
    }
  }

  private void apply(Program.Table table, int index, int at, int to, Code into) {
    boolean exit =
        usesExit
            && table.actions().stream()
                .anyMatch(a -> a.body().stream().anyMatch(p -> p instanceof Primitive.Exit));
    String call = "t" + index + "apply(p)";
    String exitCheck = "if (p.exited) return " + Program.END + ";";
    if (table.nextOnHit() != null) {
      if (exit) {
        String hit = into.local();
        into.line("boolean " + hit + " = " + call + ";").line(exitCheck);
        call = hit;
      }
      branchAlways(call, table.nextOnHit(), table.nextOnMiss(), at, to, into);
      return;
    }
    TreeSet<Integer> distinct = nexts(table);
    if (distinct.size() == 1) {
      into.line(call + ";");
      if (exit) {
        into.line(exitCheck);
      }
      String go = go(distinct.first(), at, to);
      if (!go.isEmpty()) {
        into.line(go);
      }
      return;
    }
    String action = into.local();
    into.line("int " + action + " = " + call + ";");
    if (exit) {
      into.line(exitCheck);
    }
    byAction(table, action, at, to, into);
  }

  /** Evaluates the condition even if both branches lead to the same node: it is a table's apply. */
  private static void branchAlways(
      String call, int onHit, int onMiss, int from, int to, Code into) {
    if (onHit == onMiss) {
      if (call.endsWith(")")) {
        into.line(call + ";");
      }
      String go = go(onHit, from, to);
      if (!go.isEmpty()) {
        into.line(go);
      }
    } else {
      branch(call, onHit, onMiss, from, to, into);
    }
  }

  private static void byAction(Program.Table table, String action, int at, int to, Code into) {
    TreeMap<Integer, List<Integer>> actionsByNext = new TreeMap<>();
    for (int a = 0; a < table.actions().size(); a++) {
      actionsByNext.computeIfAbsent(table.next().get(a), k -> new ArrayList<>()).add(a);
    }
    if (mayDoNothing(table)) {
      actionsByNext
          .computeIfAbsent(table.nextOnNothing(), k -> new ArrayList<>())
          .add(noAction(table));
    }
    // The most common successor needs no test; it goes last.
    int common = actionsByNext.firstKey();
    for (int next : actionsByNext.keySet()) {
      if (actionsByNext.get(next).size() > actionsByNext.get(common).size()) {
        common = next;
      }
    }
    if (actionsByNext.containsKey(at + 1)) {
      common = at + 1;
    }
    for (int next : actionsByNext.keySet()) {
      if (next != common) {
        List<String> tests = new ArrayList<>();
        for (int a : actionsByNext.get(next)) {
          tests.add(action + " == " + a);
        }
        into.line("if (" + String.join(" || ", tests) + ") " + go(next, at, to));
      }
    }
    String go = go(common, at, to);
    if (!go.isEmpty()) {
      into.line(go);
    }
  }

  private void conditional(Program.Conditional conditional, int index, Code into) {
    into.line("// condition " + conditional.name());
    into.line("private boolean i" + control.name() + index + "(Packet p) {");
    ExprEmitter exprs = new ExprEmitter(into, null, "condition '" + conditional.name() + "'");
    String condition = exprs.condition(conditional.condition());
    into.line(
        "return " + into.traced("condition(" + which() + ", " + index + ", %s)", condition) + ";");
    into.line("}");
  }

  /**
   * A table's method returns what its successor depends on: hit or miss, the action, or nothing.
   */
  private void table(Program.Table table, int index, Code into) {
    boolean byHit = table.nextOnHit() != null;
    boolean byAction = !byHit && nexts(table).size() > 1;
    into.line("// table " + table.name());
    into.line(
        "private %s t%sapply(Packet p) {", byHit ? "boolean" : byAction ? "int" : "void", index);
    if (table.key().isEmpty()
        && table.profile() == null
        && table.defaultActionConst()
        && table.defaultEntry() != null
        && table.defaultEntry().arguments().isEmpty()) {
      int action = table.defaultEntry().action();
      into.trace("applied(" + index + ", 0, new long[0])");
      into.line(ActionEmitter.call(table.actions().get(action), "", ""));
      if (byHit || byAction) {
        into.line("return " + (byHit ? "false" : String.valueOf(action)) + ";");
      }
      into.line("}");
      return;
    }
    String t = "t" + index;
    into.trace("applying(" + index + ")");
    into.line("int slot = " + (table.key().isEmpty() ? "0" : lookup(table, t, into)) + ";");
    if (table.withCounters()) {
      into.line("if (slot != 0) " + t + ".count(slot, p.receivedBytes);");
    }
    if (table.timeouts()) {
      into.line("if (slot != 0) " + t + ".timeouts.lastHitMicros[slot] = p.nowMicros;");
    }
    if (table.meter() != null) {
      into.line("if (slot != 0) {");
      ActionEmitter.storeLong(
          table.meter().target(),
          t + ".meters.execute(slot, p.receivedBytes, p.nowMicros)",
          MeterCells.colourBits(table.meter().rates()),
          into);
      into.line("}");
    }
    String key = table.key().isEmpty() ? "" : String.join(", ", words(table));
    into.trace("applied(" + index + ", slot, new long[] {" + key + "})");
    into.line("long[] d = " + t + ".rows;");
    into.line("int row = slot * " + t + ".stride;");
    into.line("int action = (int) d[row] & 0xffff;");
    String at = "row + " + t + ".dataAt";
    if (table.profile() == null) {
      directAction(table, at, into);
    } else {
      profileAction(table, index, at, into);
    }
    if (byHit) {
      into.line("return slot != 0;");
    } else if (byAction) {
      into.line("return action;");
    }
    into.line("}");
  }

  private static void directAction(Program.Table table, String at, Code into) {
    into.line("switch (action) {");
    for (int a = 0; a < table.actions().size(); a++) {
      if (!table.actions().get(a).body().isEmpty()) {
        into.line(
            "case " + a + ": " + ActionEmitter.call(table.actions().get(a), "d", at) + " break;");
      }
    }
    into.line("default:");
    into.line("}");
  }

  /** Runs the action of the member that the entry refers to, or that its group picks. */
  private void profileAction(Program.Table table, int index, String at, Code into) {
    String profile = "g" + table.profile().index();
    into.line(
        "if (action == " + memberAction(table) + " || action == " + groupAction(table) + ") {");
    into.line("int member = (int) d[" + at + "];");
    if (table.profile().selector() != null) {
      into.line(
          "if (action == %s) member = %s.choose(member, k%s(p));",
          groupAction(table), profile, table.profile().selector().index());
    }
    into.trace("member(" + index + ", action == " + groupAction(table) + ", member)");
    into.line("action = " + noAction(table) + ";");
    into.line("if (member >= 0) {");
    into.line("long[] m = " + profile + ".rows;");
    into.line("int at = member * " + profile + ".stride + 1;");
    into.line("switch ((int) m[at - 1]) {");
    for (int a = 0; a < table.actions().size(); a++) {
      Program.Action action = table.actions().get(a);
      into.line(
          "case %s: action = %s; %s break;",
          canonical(actions, action), a, ActionEmitter.call(action, "m", "at"));
    }
    into.line("default:").line("}");
    into.line("}");
    into.line("} else {");
    directAction(table, at, into);
    into.line("}");
  }

  /** The words of a packet's lookup key. */
  private static String[] words(Program.Table table) {
    WordLayout layout = layout(table);
    String[] words = new String[layout.words()];
    for (int i = 0; i < table.key().size(); i++) {
      Program.KeyField field = table.key().get(i);
      WordLayout.Field place = layout.fields().get(i);
      for (int limb = 0; limb < place.words(); limb++) {
        String value = keyLimb(field, limb);
        if (place.shift() > 0) {
          value = "(" + value + " << " + place.shift() + ")";
        }
        int w = place.word() + limb;
        words[w] = words[w] == null ? value : words[w] + " | " + value;
      }
    }
    return words;
  }

  private static String lookup(Program.Table table, String t, Code into) {
    String[] words = words(table);
    if (words.length <= 2) {
      return t + ".find(" + String.join(", ", words) + ")";
    }
    for (int w = 0; w < words.length; w++) {
      into.line(t + "key[" + w + "] = " + words[w] + ";");
    }
    return t + ".find(" + t + "key)";
  }

  /** The fields of an invalid header are zero in a key. */
  private static String keyLimb(Program.KeyField field, int limb) {
    if (field.source() instanceof Expr.Valid valid) {
      Header header = valid.header();
      boolean visible = field.staticMask() == null || field.staticMask().testBit(0);
      return visible ? "(" + Members.valid(header) + " ? 1L : 0L)" : "0L";
    }
    Header.Ref ref = ((Expr.FieldValue) field.source()).ref();
    int bits = Math.min(64, ref.field().widthBits() - 64 * limb);
    BigInteger all = field.staticMask();
    long mask =
        all == null
            ? Members.ones(bits)
            : all.shiftRight(64 * limb).longValue() & Members.ones(bits);
    String value = Members.field(ref, limb);
    if (mask != Members.ones(bits) || ref.field().signed() && bits < 64) {
      value = "(" + value + " & " + literal(mask) + ")";
    }
    return ref.header().metadata()
        ? value
        : "(" + Members.valid(ref.header()) + " ? " + value + " : 0L)";
  }

  /** Whether lookups of a table go through an array. */
  static boolean needsKeyArray(Program.Table table) {
    return layout(table).words() > 2;
  }

  /** The runtime class of a table. */
  static String className(Program.Table table) {
    return table.kind() == MatchKind.EXACT
        ? "ExactTable"
        : table.kind() == MatchKind.LPM
            ? "LpmTable"
            : table.kind() == MatchKind.RANGE ? "RangeTable" : "TernaryTable";
  }
}
