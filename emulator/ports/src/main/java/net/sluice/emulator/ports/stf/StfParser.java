package net.sluice.emulator.ports.stf;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parser of STF tests: one command per line, {@code #} starts a comment. */
public final class StfParser {

  /** Commands of bmv2's command line, passed through by name. */
  private static final Set<String> DIRECT =
      Set.of(
          "mirroring_add",
          "mirroring_add_mc",
          "mirroring_delete",
          "mirroring_get",
          "mc_mgrp_create",
          "mc_mgrp_destroy",
          "mc_node_create",
          "mc_node_update",
          "mc_node_associate",
          "mc_node_dissociate",
          "mc_node_destroy",
          "counter_read",
          "counter_write",
          "register_read",
          "register_write",
          "register_reset",
          "meter_get_rates",
          "meter_set_rates",
          "meter_array_set_rates");

  private static final Pattern TOKEN =
      Pattern.compile(
          "\\s*(?:(\"[^\"]+\")|([A-Za-z_$][A-Za-z0-9_$]*(?:\\[\\d+\\])?"
              + "(?:\\.[A-Za-z_$][A-Za-z0-9_$]*(?:\\[\\d+\\])?)*)"
              + "|(0[xX][0-9a-fA-F*]+|0[bB][01*]+|\\d+)|(==|!=|<=|>=|[:,/()=<>]))");

  private static final Set<String> COMPARISONS = Set.of("==", "!=", "<", "<=", ">", ">=");

  private final int line;
  private final List<String> tokens = new ArrayList<>();
  private int at;

  private StfParser(int line, String text) {
    this.line = line;
    Matcher matcher = TOKEN.matcher(text);
    int from = 0;
    while (!text.substring(from).isBlank()) {
      if (!matcher.find(from) || matcher.start() != from) {
        throw error("unexpected '" + text.substring(from).strip() + "'");
      }
      String quoted = matcher.group(1);
      tokens.add(
          quoted == null ? matcher.group().strip() : quoted.substring(1, quoted.length() - 1));
      from = matcher.end();
    }
  }

  /**
   * Reads a test.
   *
   * @throws StfException at the first line that is malformed
   */
  public static List<StfStatement> parse(String text) {
    List<StfStatement> commands = new ArrayList<>();
    String[] lines = text.split("\\R", -1);
    for (int i = 0; i < lines.length; i++) {
      int comment = lines[i].indexOf('#');
      String line = (comment < 0 ? lines[i] : lines[i].substring(0, comment)).strip();
      if (!line.isEmpty()) {
        StfStatement command = command(i + 1, line);
        if (command != null) {
          commands.add(command);
        }
      }
    }
    return List.copyOf(commands);
  }

  private static StfStatement command(int line, String text) {
    String[] parts = text.split("\\s+", 2);
    String name = parts[0].toLowerCase(Locale.ROOT);
    String rest = parts.length == 1 ? "" : parts[1];
    if (DIRECT.contains(name)) {
      return new StfStatement.Direct(
          line, name, rest.isEmpty() ? List.of() : List.of(rest.strip().split("\\s+")));
    }
    return switch (name) {
      case "packet", "expect" -> frame(line, name.equals("packet"), rest);
      case "add" -> new StfParser(line, rest).add();
      case "setdefault" -> new StfParser(line, rest).setDefault();
      case "remove" -> new StfParser(line, rest).removeAll();
      case "check_counter" -> new StfParser(line, rest).checkCounter();
      case "wait" -> new StfStatement.Wait(line);
      // Packets that no command expects fail the test in any case.
      case "no_packet" -> null;
      default -> throw new StfException(line, "unknown command '" + parts[0] + "'");
    };
  }

  private static StfStatement frame(int line, boolean sent, String rest) {
    String[] parts = rest.strip().split("\\s+", 2);
    int port;
    try {
      port = Integer.parseInt(parts[0]);
    } catch (NumberFormatException e) {
      throw new StfException(line, "port '" + parts[0] + "' must be a decimal number");
    }
    String digits = parts.length == 1 ? "" : parts[1].replaceAll("\\s", "");
    boolean whole = !sent && digits.endsWith("$");
    if (whole) {
      digits = digits.substring(0, digits.length() - 1);
    }
    if (!digits.matches(sent ? "[0-9a-fA-F]*" : "[0-9a-fA-F*]*")) {
      throw new StfException(line, "packet data '" + digits + "' must be hexadecimal digits");
    }
    if (!sent) {
      return new StfStatement.Expect(line, port, digits.toLowerCase(Locale.ROOT), whole);
    }
    if (digits.isEmpty() || digits.length() % 2 != 0) {
      throw new StfException(
          line, "packet data of " + digits.length() + " digits must be whole bytes, at least one");
    }
    byte[] bytes = new byte[digits.length() / 2];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) Integer.parseInt(digits.substring(2 * i, 2 * i + 2), 16);
    }
    return new StfStatement.Packet(line, port, bytes);
  }

  private StfStatement add() {
    String table = next("a table name");
    Integer priority = null;
    if (isNumber(peek()) && !":".equals(peek(1))) {
      priority = decimal("priority");
    }
    List<StfStatement.Named> match = new ArrayList<>();
    while (!"(".equals(peek(1)) && peek() != null) {
      String name = next("a key field");
      expect(":");
      String value = number();
      if ("/".equals(peek())) {
        at++;
        value += "/" + number();
      }
      match.add(new StfStatement.Named(name, value));
    }
    String action = next("an action");
    List<StfStatement.Named> arguments = arguments();
    String label = null;
    if ("=".equals(peek())) {
      at++;
      label = next("a label");
    }
    end();
    return new StfStatement.Add(
        line, table, priority, List.copyOf(match), action, arguments, label);
  }

  private StfStatement setDefault() {
    String table = next("a table name");
    String action = next("an action");
    List<StfStatement.Named> arguments = arguments();
    end();
    return new StfStatement.SetDefault(line, table, action, arguments);
  }

  private StfStatement removeAll() {
    String what = next("'all'");
    if (!what.equalsIgnoreCase("all")) {
      throw error("'remove " + what + "' is not supported; only 'remove all' is");
    }
    end();
    return new StfStatement.RemoveAll(line);
  }

  private StfStatement checkCounter() {
    String counter = next("a counter name");
    expect("(");
    String cell = next("an index or a label");
    expect(")");
    if (peek() == null) {
      return new StfStatement.CheckCounter(line, counter, cell, false, null, 0);
    }
    String type = next("'packets' or 'bytes'").toLowerCase(Locale.ROOT);
    if (!type.equals("packets") && !type.equals("bytes")) {
      throw error("'" + type + "' must be 'packets' or 'bytes'");
    }
    String comparison = next("a comparison");
    if (!COMPARISONS.contains(comparison)) {
      throw error("'" + comparison + "' is not a comparison");
    }
    long value = decimal("count");
    end();
    return new StfStatement.CheckCounter(
        line, counter, cell, type.equals("bytes"), comparison, value);
  }

  private List<StfStatement.Named> arguments() {
    expect("(");
    List<StfStatement.Named> arguments = new ArrayList<>();
    while (!")".equals(peek())) {
      if (!arguments.isEmpty()) {
        expect(",");
      }
      String name = next("a parameter");
      expect(":");
      arguments.add(new StfStatement.Named(name, number()));
    }
    expect(")");
    return List.copyOf(arguments);
  }

  private String peek() {
    return peek(0);
  }

  private String peek(int ahead) {
    return at + ahead < tokens.size() ? tokens.get(at + ahead) : null;
  }

  private String next(String what) {
    if (peek() == null) {
      throw error("the line ends where " + what + " is expected");
    }
    return tokens.get(at++);
  }

  private void expect(String symbol) {
    String found = next("'" + symbol + "'");
    if (!found.equals(symbol)) {
      throw error("'" + found + "' stands where '" + symbol + "' is expected");
    }
  }

  private static boolean isNumber(String token) {
    return token != null && Character.isDigit(token.charAt(0));
  }

  private String number() {
    String token = next("a number");
    if (!isNumber(token)) {
      throw error("'" + token + "' stands where a number is expected");
    }
    return token;
  }

  private int decimal(String what) {
    String token = number();
    try {
      return Integer.parseInt(token);
    } catch (NumberFormatException e) {
      throw error(what + " '" + token + "' must be a decimal number below 2147483648");
    }
  }

  private void end() {
    if (peek() != null) {
      throw error("unexpected '" + peek() + "'");
    }
  }

  private StfException error(String problem) {
    return new StfException(line, problem);
  }
}
