package net.sluice.emulator.ports.stf;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.sluice.emulator.v1model.LoadedProgram;
import net.sluice.emulator.v1model.codegen.PipelineCompiler;
import net.sluice.emulator.v1model.program.Program;
import net.sluice.emulator.v1model.table.MatchKey;
import net.sluice.emulator.v1model.table.MatchKind;
import net.sluice.emulator.v1model.table.MatchTable;
import net.sluice.emulator.v1model.table.WordLayout;

/** Table writes of STF tests, which may abbreviate names. */
final class StfTables {

  private static final Pattern ELEMENT = Pattern.compile("(.*)\\$(\\d+)(.*)");

  /** The position of an entry. */
  record Entry(int table, int slot) {}

  private final LoadedProgram program;
  private final List<Entry> added = new ArrayList<>();
  private final Map<String, Entry> labels = new HashMap<>();

  StfTables(LoadedProgram program) {
    this.program = program;
  }

  /** The entry that a command gave a label, or null. */
  Entry labelled(String label) {
    return labels.get(label);
  }

  MatchTable table(int index) {
    return program.state().tables().get(index);
  }

  void add(StfStatement.Add add) {
    int index = find(program.tables(), Program.Table::name, add.table(), "table", add.line());
    Program.Table table = program.tables().get(index);
    MatchTable entries = table(index);
    MatchKey key = new MatchKey(entries.layout());
    String[] values = new String[table.key().size()];
    for (StfStatement.Named match : add.match()) {
      values[field(table, match.name(), add.line())] = match.value();
    }
    for (int i = 0; i < values.length; i++) {
      put(table.key().get(i), entries.layout().fields().get(i), values[i], key, add.line());
    }
    if (table.kind() != MatchKind.EXACT && table.kind() != MatchKind.LPM) {
      if (add.priority() == null) {
        throw new StfException(
            add.line(), "an entry of table '" + table.name() + "' needs a priority");
      }
      key.priority = add.priority();
    }
    if (entries.locate(key) != 0) {
      throw new StfException(add.line(), "table '" + table.name() + "' already has this entry");
    }
    if (entries.size() >= entries.limit()) {
      throw new StfException(
          add.line(), "table '" + table.name() + "' is full: it takes " + entries.limit());
    }
    int action = action(table, add.action(), add.line());
    int slot =
        entries.insert(
            key, action, data(table, entries, action, add.arguments(), add.line()), false);
    if (slot == 0) {
      throw new StfException(
          add.line(), "table '" + table.name() + "' has too many different masks");
    }
    added.add(new Entry(index, slot));
    if (add.label() != null) {
      labels.put(add.label(), new Entry(index, slot));
    }
  }

  void setDefault(StfStatement.SetDefault set) {
    int index = find(program.tables(), Program.Table::name, set.table(), "table", set.line());
    Program.Table table = program.tables().get(index);
    int action = action(table, set.action(), set.line());
    table(index)
        .modify(
            MatchTable.DEFAULT_SLOT,
            action,
            data(table, table(index), action, set.arguments(), set.line()));
  }

  void removeAll() {
    for (Entry entry : added) {
      table(entry.table()).remove(entry.slot());
    }
    added.clear();
    labels.clear();
  }

  /** The index of the object with this name, or of the only one whose name ends in it. */
  static <T> int find(List<T> all, Function<T, String> name, String wanted, String what, int line) {
    int found = -1;
    for (int i = 0; i < all.size(); i++) {
      if (name.apply(all.get(i)).equals(wanted)) {
        return i;
      }
      if (name.apply(all.get(i)).endsWith(wanted)) {
        if (found >= 0) {
          throw new StfException(
              line,
              "%s '%s' is ambiguous between '%s' and '%s'"
                  .formatted(what, wanted, name.apply(all.get(found)), name.apply(all.get(i))));
        }
        found = i;
      }
    }
    if (found < 0) {
      throw new StfException(line, "the program has no " + what + " '" + wanted + "'");
    }
    return found;
  }

  private static int action(Program.Table table, String name, int line) {
    return find(
        table.actions(),
        Program.Action::name,
        name,
        "action of table '" + table.name() + "' named",
        line);
  }

  private static int field(Program.Table table, String name, int line) {
    Matcher element = ELEMENT.matcher(name);
    String wanted =
        element.matches()
            ? element.group(1) + "[" + element.group(2) + "]" + element.group(3)
            : name;
    List<String> names = new ArrayList<>();
    for (Program.KeyField field : table.key()) {
      names.add(field.name());
    }
    String valid =
        wanted.endsWith(".valid")
            ? wanted.substring(0, wanted.length() - "valid".length()) + "$valid$"
            : wanted + ".$valid$";
    for (String candidate : List.of(wanted, wanted + "$", valid)) {
      if (names.contains(candidate)) {
        return names.indexOf(candidate);
      }
    }
    for (int i = 0; i < names.size(); i++) {
      if (names.get(i).endsWith("." + wanted)
          || names.get(i).endsWith("." + wanted + "$")
          || wanted.equals("valid") && names.get(i).endsWith("$valid$")) {
        return i;
      }
    }
    throw new StfException(
        line, "table '" + table.name() + "' has no key field '" + name + "', only " + names);
  }

  private static void put(
      Program.KeyField field, WordLayout.Field place, String text, MatchKey key, int line) {
    int width = field.widthBits();
    BigInteger ones = BigInteger.ONE.shiftLeft(width).subtract(BigInteger.ONE);
    switch (field.kind()) {
      case EXACT:
        place(place, value(text == null ? "0" : text, width, field.name(), line), key.value);
        place(place, ones, key.mask);
        return;
      case LPM:
        String[] parts = (text == null ? "0/0" : prefix(text)).split("/", 2);
        int length = value(parts[1], 31, "prefix length", line).intValueExact();
        if (length > width) {
          throw new StfException(
              line, "prefix length " + length + " of '" + field.name() + "' is above " + width);
        }
        BigInteger high =
            ones.xor(BigInteger.ONE.shiftLeft(width - length).subtract(BigInteger.ONE));
        place(place, value(parts[0], width, field.name(), line).and(high), key.value);
        key.prefixLength = length;
        WordLayout.prefixMask(place, length, key.mask);
        return;
      case TERNARY:
      case OPTIONAL:
        String given = text == null ? "0x*" : text;
        if (!given.matches("0[xXbBoO].+")) {
          throw new StfException(
              line, "value '" + given + "' of '" + field.name() + "' must start with 0x, 0b or 0o");
        }
        char one = given.charAt(1) == 'x' || given.charAt(1) == 'X' ? 'f' : '1';
        String head = given.substring(0, 2);
        String digits = given.substring(2);
        String mask = digits.replaceAll("[^*]", String.valueOf(one)).replace('*', '0');
        BigInteger bits = value(head + mask, -1, field.name(), line).and(ones);
        BigInteger wanted = value(head + digits.replace('*', '0'), width, field.name(), line);
        place(place, wanted.and(bits), key.value);
        place(place, bits, key.mask);
        return;
      default:
        throw new StfException(
            line, "'" + field.name() + "' is a range, which STF cannot match on");
    }
  }

  /** A number without prefix length matches as many leading bits as it has digits for. */
  private static String prefix(String text) {
    if (text.contains("/")) {
      return text;
    }
    boolean binary = text.toLowerCase(Locale.ROOT).startsWith("0b");
    boolean hex = text.toLowerCase(Locale.ROOT).startsWith("0x");
    String written = binary || hex ? text : "0x" + new BigInteger(text).toString(16);
    long digits = written.substring(2).chars().filter(c -> c != '*').count();
    return written.replace('*', '0') + "/" + digits * (binary ? 1 : 4);
  }

  /** A number of at most {@code width} bits; any if the width is negative. */
  static BigInteger value(String text, int width, String what, int line) {
    String lower = text.toLowerCase(Locale.ROOT);
    BigInteger value;
    try {
      value =
          lower.startsWith("0x")
              ? new BigInteger(lower.substring(2), 16)
              : lower.startsWith("0b")
                  ? new BigInteger(lower.substring(2), 2)
                  : new BigInteger(lower);
    } catch (NumberFormatException e) {
      throw new StfException(line, "'" + text + "' (" + what + ") is not a number");
    }
    if (value.signum() < 0 || width >= 0 && value.bitLength() > width) {
      throw new StfException(
          line, "'" + text + "' (" + what + ") does not fit in " + width + " bits");
    }
    return value;
  }

  private static long[] data(
      Program.Table table,
      MatchTable entries,
      int action,
      List<StfStatement.Named> arguments,
      int line) {
    Program.Action called = table.actions().get(action);
    WordLayout layout = PipelineCompiler.parameters(called);
    long[] data = new long[entries.dataWords()];
    boolean[] given = new boolean[called.parameters().size()];
    for (StfStatement.Named argument : arguments) {
      int i = 0;
      while (i < given.length && !called.parameters().get(i).name().equals(argument.name())) {
        i++;
      }
      if (i == given.length) {
        throw new StfException(
            line, "action '" + called.name() + "' has no parameter '" + argument.name() + "'");
      }
      given[i] = true;
      int width = called.parameters().get(i).widthBits();
      place(layout.fields().get(i), value(argument.value(), width, argument.name(), line), data);
    }
    for (int i = 0; i < given.length; i++) {
      if (!given[i]) {
        throw new StfException(
            line,
            "parameter '%s' of action '%s' is missing"
                .formatted(called.parameters().get(i).name(), called.name()));
      }
    }
    return data;
  }

  private static void place(WordLayout.Field field, BigInteger value, long[] words) {
    for (int limb = 0; limb < field.words(); limb++) {
      words[field.word() + limb] |= value.shiftRight(64 * limb).longValue() << field.shift();
    }
  }
}
