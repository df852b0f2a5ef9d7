package net.sluice.emulator.v1model.load;

import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import net.sluice.emulator.v1model.program.Calculation;
import net.sluice.emulator.v1model.program.Expr;
import net.sluice.emulator.v1model.program.Header;
import net.sluice.emulator.v1model.program.Program;
import net.sluice.emulator.v1model.table.MatchKind;

/**
 * Loads a control: its tables and conditions, in an order in which every edge but those of loops
 * leads forward.
 */
final class ControlLoader {

  private final SymbolTable names;
  private final ExprLoader exprs;
  private final Map<String, LocatedJson> nodes = new LinkedHashMap<>();
  private final Map<String, Integer> order = new HashMap<>();

  ControlLoader(SymbolTable names, ExprLoader exprs) {
    this.names = names;
    this.exprs = exprs;
  }

  Program.Control load(LocatedJson pipeline) {
    for (LocatedJson profile : pipeline.optionalList("action_profiles")) {
      profile(profile);
    }
    for (LocatedJson table : pipeline.list("tables")) {
      SymbolTable.add(nodes, table.text("name"), table, table, "control node");
    }
    for (LocatedJson conditional : pipeline.list("conditionals")) {
      SymbolTable.add(nodes, conditional.text("name"), conditional, conditional, "control node");
    }
    for (LocatedJson call : pipeline.optionalList("action_calls")) {
      SymbolTable.add(nodes, call.text("name"), call, call, "control node");
    }
    List<String> sorted =
        pipeline.has("init_table") ? sorted(pipeline.get("init_table")) : List.of();
    for (int i = 0; i < sorted.size(); i++) {
      order.put(sorted.get(sorted.size() - 1 - i), i);
    }
    List<Program.ControlNode> loaded = new ArrayList<>();
    for (int i = sorted.size() - 1; i >= 0; i--) {
      LocatedJson node = nodes.get(sorted.get(i));
      loaded.add(
          node.has("expression")
              ? conditional(node)
              : node.has("next_node") || node.has("action_id") ? call(node) : table(node));
    }
    return new Program.Control(pipeline.text("name"), List.copyOf(loaded));
  }

  /** Depth-first postorder: a node follows its successors, except along edges of loops. */
  private List<String> sorted(LocatedJson first) {
    List<String> sorted = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    // Iterative: recursion would overflow the stack on long controls.
    Deque<String> open = new ArrayDeque<>();
    Deque<Iterator<LocatedJson>> left = new ArrayDeque<>();
    visit(first, seen, open, left);
    while (!left.isEmpty()) {
      if (left.peek().hasNext()) {
        visit(left.peek().next(), seen, open, left);
      } else {
        left.pop();
        sorted.add(open.pop());
      }
    }
    return sorted;
  }

  private void visit(
      LocatedJson name, Set<String> seen, Deque<String> open, Deque<Iterator<LocatedJson>> left) {
    if (name.isNull()) {
      return;
    }
    LocatedJson node = SymbolTable.find(nodes, name, "control node");
    if (seen.add(name.text())) {
      open.push(name.text());
      left.push(successors(node).iterator());
    }
  }

  private static List<LocatedJson> successors(LocatedJson node) {
    List<LocatedJson> next = new ArrayList<>();
    if (node.has("expression")) {
      next.add(node.get("true_next"));
      next.add(node.get("false_next"));
    } else if (node.has("next_tables")) {
      for (LocatedJson action : node.list("actions")) {
        LocatedJson edges = node.get("next_tables");
        for (String edge : List.of("__HIT__", "__MISS__", action.text())) {
          if (edges.has(edge)) {
            next.add(edges.get(edge));
          }
        }
      }
      if (node.has("base_default_next")) {
        next.add(node.get("base_default_next"));
      }
    } else if (node.has("next_node")) {
      next.add(node.get("next_node"));
    }
    return next;
  }

  private int index(LocatedJson name) {
    return name.isNull() ? Program.END : order.get(name.text());
  }

  private Program.Conditional conditional(LocatedJson node) {
    return new Program.Conditional(
        node.text("name"),
        exprs.condition(node.get("expression"), List.of()),
        index(node.get("true_next")),
        index(node.get("false_next")));
  }

  /** A direct call is a table without key whose default action is the one called. */
  private Program.Table call(LocatedJson node) {
    Program.Action action = action(node.get("action_id"));
    if (!action.parameters().isEmpty()) {
      throw node.invalid("direct call of action '" + action.name() + "', which has parameters");
    }
    return new Program.Table(
        node.text("name"),
        MatchKind.EXACT,
        List.of(),
        0,
        false,
        null,
        List.of(action),
        List.of(index(node.get("next_node"))),
        null,
        null,
        index(node.get("next_node")),
        null,
        new Program.ActionCall(0, List.of()),
        true,
        List.of(),
        true,
        false);
  }

  private Program.Action action(LocatedJson id) {
    Program.Action action = names.actionsById.get(id.integer());
    if (action == null) {
      throw id.invalid("there is no action with id " + id.integer());
    }
    return action;
  }

  private Program.Table table(LocatedJson node) {
    Program.ActionProfileDef profile = profileOf(node);
    MatchKind kind = kind(node.get("match_type"));
    List<Program.KeyField> key = new ArrayList<>();
    for (LocatedJson field : node.list("key")) {
      key.add(keyField(field));
    }
    checkKinds(node, kind, key);
    List<Program.Action> actions = new ArrayList<>();
    for (LocatedJson id : node.list("action_ids")) {
      actions.add(action(id));
    }
    List<Integer> next = new ArrayList<>();
    LocatedJson edges = node.get("next_tables");
    boolean byHit = edges.declares("__HIT__") || edges.declares("__MISS__");
    for (Program.Action action : actions) {
      next.add(byHit ? Program.END : index(edges.get(action.name())));
    }
    int size = node.integer("max_size");
    if (size < 0) {
      throw node.invalid("max_size " + size + " must be at least 0");
    }
    LocatedJson defaultEntry = node.has("default_entry") ? node.get("default_entry") : null;
    if (profile != null && node.has("entries")) {
      throw node.get("entries").invalid("a table with an action profile cannot declare entries");
    }
    return new Program.Table(
        node.text("name"),
        kind,
        List.copyOf(key),
        size,
        node.flagOr("with_counters", false),
        node.has("direct_meters")
            ? SymbolTable.find(names.directMeters, node.get("direct_meters"), "direct meter")
            : null,
        List.copyOf(actions),
        List.copyOf(next),
        byHit ? index(edges.get("__HIT__")) : null,
        byHit ? index(edges.get("__MISS__")) : null,
        node.has("base_default_next") ? index(node.get("base_default_next")) : Program.END,
        profile,
        defaultEntry == null ? null : call(defaultEntry, actions),
        defaultEntry != null && defaultEntry.flagOr("action_const", false),
        node.has("entries") ? entries(node, key, actions) : List.of(),
        node.has("entries"),
        node.flagOr("support_timeout", false));
  }

  private void profile(LocatedJson node) {
    String name = node.text("name");
    int size = node.integer("max_size");
    if (size < 0) {
      throw node.invalid("max_size " + size + " must be at least 0");
    }
    Calculation selector =
        node.has("selector")
            ? CalculationLoader.add(names, node.get("selector"), "selector of " + name)
            : null;
    SymbolTable.add(
        names.actionProfiles,
        name,
        new Program.ActionProfileDef(name, names.actionProfiles.size(), size, selector),
        node,
        "action profile");
  }

  /** The action profile of a table, or null for direct actions. */
  private Program.ActionProfileDef profileOf(LocatedJson table) {
    String type = table.text("type");
    if (type.equals("simple")) {
      return null;
    }
    if (!type.equals("indirect") && !type.equals("indirect_ws")) {
      throw table.unsupported("table of type '" + type + "'");
    }
    Program.ActionProfileDef profile =
        SymbolTable.find(names.actionProfiles, table.get("action_profile"), "action profile");
    if ((profile.selector() != null) != type.equals("indirect_ws")) {
      throw table.invalid(
          "type '%s' but action profile '%s' has %s",
          type, profile.name(), profile.selector() == null ? "no selector" : "a selector");
    }
    return profile;
  }

  private static MatchKind kind(LocatedJson node) {
    return switch (node.text()) {
      case "exact" -> MatchKind.EXACT;
      case "lpm" -> MatchKind.LPM;
      case "ternary" -> MatchKind.TERNARY;
      case "range" -> MatchKind.RANGE;
      case "optional" -> MatchKind.OPTIONAL;
      default -> throw node.unsupported("match type '" + node.text() + "'");
    };
  }

  private static void checkKinds(LocatedJson node, MatchKind table, List<Program.KeyField> key) {
    long prefixes = key.stream().filter(f -> f.kind() == MatchKind.LPM).count();
    if (prefixes > 1) {
      throw node.invalid("a table can have one lpm field, not " + prefixes);
    }
    for (Program.KeyField field : key) {
      boolean fits =
          table == MatchKind.RANGE
              || field.kind() == MatchKind.EXACT
              || table == field.kind()
              || table == MatchKind.TERNARY && field.kind() != MatchKind.RANGE;
      if (!fits) {
        throw node.invalid(
            "field '" + field.name() + "' is " + field.kind() + " in a table that is " + table);
      }
    }
    if (table == MatchKind.LPM && prefixes == 0) {
      throw node.invalid("an lpm table needs an lpm field");
    }
  }

  private Program.KeyField keyField(LocatedJson node) {
    if (node.text("match_type").equals("valid")) {
      // P4_14: the target is a header, and its validity is matched.
      Header header = names.header(node.get("target"));
      String name = node.has("name") ? node.text("name") : header.name() + ".$valid$";
      return new Program.KeyField(name, MatchKind.EXACT, new Expr.Valid(header), 1, null);
    }
    MatchKind kind = kind(node.get("match_type"));
    List<LocatedJson> target = node.list("target");
    if (target.size() != 2) {
      throw node.get("target").invalid("expected a header and a field");
    }
    String name =
        node.has("name") ? node.text("name") : target.get(0).text() + "." + target.get(1).text();
    BigInteger mask = node.has("mask") ? node.get("mask").hex() : null;
    if (target.get(1).text().equals("$valid$")) {
      return new Program.KeyField(name, kind, new Expr.Valid(names.header(target.get(0))), 1, mask);
    }
    Header.Ref ref = names.field(node.get("target"));
    return new Program.KeyField(
        name, kind, new Expr.FieldValue(ref), ref.field().widthBits(), mask);
  }

  private static Program.ActionCall call(LocatedJson node, List<Program.Action> actions) {
    int id = node.integer("action_id");
    for (int i = 0; i < actions.size(); i++) {
      if (actions.get(i).id() == id) {
        List<Program.Parameter> parameters = actions.get(i).parameters();
        List<BigInteger> arguments = new ArrayList<>();
        for (LocatedJson value : node.list("action_data")) {
          arguments.add(value.hex());
        }
        if (arguments.size() != parameters.size()) {
          throw node.invalid(
              "action '%s' takes %s arguments, not %s",
              actions.get(i).name(), parameters.size(), arguments.size());
        }
        for (int p = 0; p < arguments.size(); p++) {
          fits(node, arguments.get(p), parameters.get(p).widthBits());
        }
        return new Program.ActionCall(i, List.copyOf(arguments));
      }
    }
    throw node.invalid("action " + id + " is not one of the table's");
  }

  private static void fits(LocatedJson node, BigInteger value, int widthBits) {
    if (value.signum() < 0 || value.bitLength() > widthBits) {
      throw node.invalid(
          "value 0x" + value.toString(16) + " does not fit in " + widthBits + " bits");
    }
  }

  private static List<Program.DeclaredEntry> entries(
      LocatedJson table, List<Program.KeyField> key, List<Program.Action> actions) {
    List<LocatedJson> nodes = table.list("entries");
    // In the JSON a low number is a high priority; here, as in P4Runtime, a high one is.
    TreeSet<Integer> priorities = new TreeSet<>();
    for (LocatedJson node : nodes) {
      priorities.add(node.has("priority") ? node.integer("priority") : 0);
    }
    List<Program.DeclaredEntry> entries = new ArrayList<>();
    for (LocatedJson node : nodes) {
      List<LocatedJson> match = node.list("match_key");
      if (match.size() != key.size()) {
        throw node.invalid(
            "match_key has " + match.size() + " fields, the table's key " + key.size());
      }
      List<BigInteger> values = new ArrayList<>();
      List<BigInteger> seconds = new ArrayList<>();
      for (int i = 0; i < match.size(); i++) {
        matchField(match.get(i), key.get(i), values, seconds);
      }
      int priority = priorities.tailSet(node.has("priority") ? node.integer("priority") : 0).size();
      entries.add(
          new Program.DeclaredEntry(
              List.copyOf(values),
              List.copyOf(seconds),
              priority,
              call(node.get("action_entry"), actions)));
    }
    return List.copyOf(entries);
  }

  /** Refuses a value of another kind than the key has; p4c writes optional ones as ternary. */
  private static void checkKind(LocatedJson node, Program.KeyField field) {
    if (!node.has("match_type") || node.text("match_type").equals("valid")) {
      return;
    }
    MatchKind kind = kind(node.get("match_type"));
    boolean fits =
        kind == field.kind() || kind == MatchKind.TERNARY && field.kind() == MatchKind.OPTIONAL;
    if (!fits) {
      throw node.invalid("a value that is " + kind + " for a key that is " + field.kind());
    }
  }

  private static void matchField(
      LocatedJson node, Program.KeyField field, List<BigInteger> values, List<BigInteger> seconds) {
    int width = field.widthBits();
    checkKind(node, field);
    BigInteger ones = ParserLoader.ones(width);
    BigInteger value;
    BigInteger second;
    switch (field.kind()) {
      case EXACT:
        value =
            node.has("match_type") && node.text("match_type").equals("valid")
                ? BigInteger.valueOf(node.flag("key") ? 1 : 0)
                : node.get("key").hex();
        second = ones;
        break;
      case LPM:
        value = node.get("key").hex();
        int length = node.integer("prefix_length");
        if (length < 0 || length > width) {
          throw node.invalid("prefix length " + length + " must be from 0 to " + width);
        }
        second = BigInteger.valueOf(length);
        value = value.and(ones.xor(ParserLoader.ones(width - length)));
        break;
      case TERNARY:
      case OPTIONAL:
        second = node.get("mask").hex().and(ones);
        value = node.get("key").hex().and(second);
        break;
      default:
        value = node.get("start").hex();
        second = node.get("end").hex();
        fits(node, second, width);
        if (value.compareTo(second) > 0) {
          throw node.invalid(
              "start 0x" + value.toString(16) + " is above end 0x" + second.toString(16));
        }
    }
    fits(node, value, width);
    values.add(value);
    seconds.add(second);
  }
}
