package net.sluice.emulator.ports.stf;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import net.sluice.emulator.netsim.LineClock;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.v1model.LoadedProgram;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.emulator.v1model.program.Primitive;
import net.sluice.emulator.v1model.runtime.CounterCells;
import net.sluice.emulator.v1model.runtime.ProgramFailure;
import net.sluice.emulator.v1model.runtime.RegisterArray;
import net.sluice.emulator.v1model.table.MatchTable;
import net.sluice.emulator.v1model.table.MeterCells;

/**
 * Runs an STF test against a program. Packets go through one after the other, in virtual time; at
 * the end the packets sent by each port are compared, in order, with those expected. Packets to
 * ports that the test does not name are ignored.
 */
public final class StfRunner {

  /** Prefix of a label in place of an index. */
  private static final String LABEL = "$";

  private static final long COMMAND_MICROS = 1_000;
  private static final long WAIT_MICROS = 1_000_000;
  private static final long NANOS_PER_MICRO = 1_000;

  private final LoadedProgram program;
  private final StfTables tables;
  private final StfReplication replication;
  private final Simulation simulation = new Simulation(0);
  private final SwitchNode node;
  private final Map<Integer, List<StfStatement.Expect>> expected = new TreeMap<>();
  private final Map<Integer, List<byte[]>> sent = new TreeMap<>();
  private final Set<Integer> inputs = new HashSet<>();
  private final Set<Integer> ports = new HashSet<>();
  private final List<String> failures = new ArrayList<>();

  private StfRunner(V1modelSwitch device, List<StfStatement> commands) {
    this.program = device.loaded().orElseThrow();
    this.tables = new StfTables(program);
    this.replication = new StfReplication(program.state().replication());
    this.node = new SwitchNode(simulation, device);
    for (StfStatement command : commands) {
      if (command instanceof StfStatement.Packet packet) {
        addPort(packet.port(), command.line());
      } else if (command instanceof StfStatement.Expect expect) {
        addPort(expect.port(), command.line());
      }
    }
  }

  private void addPort(int number, int line) {
    if (number < 0 || number > SwitchNode.MAX_PORT) {
      throw new StfException(line, "port " + number + " must be from 0 to " + SwitchNode.MAX_PORT);
    }
    if (ports.add(number)) {
      node.addPort(number, LineClock.UNLIMITED_BPS, Long.MAX_VALUE)
          .connect(
              (bytes, offset, length, tag, nowNanos) ->
                  sent.computeIfAbsent(number, p -> new ArrayList<>())
                      .add(Arrays.copyOfRange(bytes, offset, offset + length)));
    }
  }

  /**
   * Runs a test.
   *
   * @param program freshly loaded
   * @return the failures, each with its line; empty if the test passes
   * @throws StfException if the test is malformed or does not fit the program
   */
  public static List<String> run(LoadedProgram program, String test) {
    V1modelSwitch device = new V1modelSwitch(1, 0);
    device.install(program);
    return run(device, test);
  }

  /**
   * Runs a test on a switch that is in no network.
   *
   * @param device with a program in force, freshly loaded
   * @return the failures, each with its line; empty if the test passes
   * @throws StfException if the test is malformed or does not fit the program
   */
  public static List<String> run(V1modelSwitch device, String test) {
    List<StfStatement> commands = StfParser.parse(test);
    StfRunner runner = new StfRunner(device, commands);
    int packetLine = 0;
    try {
      for (StfStatement command : commands) {
        runner.pass(COMMAND_MICROS);
        packetLine = command instanceof StfStatement.Packet ? command.line() : packetLine;
        runner.execute(command);
      }
      runner.pass(WAIT_MICROS);
    } catch (ProgramFailure e) {
      // Nothing runs after a failure that would end bmv2.
      runner.failures.add("line " + packetLine + ": " + e.getMessage());
      return List.copyOf(runner.failures);
    }
    runner.compare();
    return List.copyOf(runner.failures);
  }

  private void execute(StfStatement command) {
    if (command instanceof StfStatement.Add add) {
      tables.add(add);
    } else if (command instanceof StfStatement.SetDefault setDefault) {
      tables.setDefault(setDefault);
    } else if (command instanceof StfStatement.RemoveAll) {
      tables.removeAll();
    } else if (command instanceof StfStatement.Packet packet) {
      send(packet.port(), packet.bytes());
    } else if (command instanceof StfStatement.Expect expect) {
      expected.computeIfAbsent(expect.port(), p -> new ArrayList<>()).add(expect);
    } else if (command instanceof StfStatement.Wait) {
      pass(WAIT_MICROS);
    } else if (command instanceof StfStatement.CheckCounter checkCounter) {
      checkCounter(checkCounter);
    } else {
      direct((StfStatement.Direct) command);
    }
  }

  private void send(int port, byte[] bytes) {
    inputs.add(port);
    simulation.execute(
        () -> node.port(port).receive(bytes, 0, bytes.length, 0, simulation.nowNanos()));
  }

  private void pass(long micros) {
    simulation.runUntil(simulation.nowNanos() + NANOS_PER_MICRO * micros);
  }

  private void checkCounter(StfStatement.CheckCounter check) {
    long packets;
    long bytes;
    boolean labelled = check.cell().startsWith(LABEL);
    StfTables.Entry entry =
        tables.labelled(labelled ? check.cell().substring(LABEL.length()) : check.cell());
    if (labelled && entry == null) {
      throw new StfException(check.line(), "no entry has the label '" + check.cell() + "'");
    }
    if (entry != null) {
      MatchTable table = tables.table(entry.table());
      if (table.counters == null) {
        throw new StfException(check.line(), "table '" + table.name() + "' has no direct counter");
      }
      packets = table.counters[2 * entry.slot()];
      bytes = table.counters[2 * entry.slot() + 1];
    } else {
      int counter = counter(check.counter(), check.line());
      CounterCells cells = program.state().counters().get(counter);
      int at = index(check.cell(), cells.size(), check.counter(), check.line());
      packets = cells.packets(at);
      bytes = cells.bytes(at);
    }
    if (check.comparison() != null) {
      long value = check.bytes() ? bytes : packets;
      int order = Long.compareUnsigned(value, check.value());
      if (!holds(check.comparison(), order)) {
        failures.add(
            "line %s: counter '%s' at %s has %s%s, not %s %s"
                .formatted(
                    check.line(),
                    check.counter(),
                    check.cell(),
                    Long.toUnsignedString(value),
                    check.bytes() ? " bytes" : " packets",
                    check.comparison(),
                    check.value()));
      }
    }
  }

  private static boolean holds(String comparison, int order) {
    return switch (comparison) {
      case "==" -> order == 0;
      case "!=" -> order != 0;
      case "<" -> order < 0;
      case "<=" -> order <= 0;
      case ">" -> order > 0;
      default -> order >= 0;
    };
  }

  private int counter(String name, int line) {
    return StfTables.find(
        program.program().counters(), Primitive.CounterDef::name, name, "counter", line);
  }

  private RegisterArray register(String name, int line) {
    return program
        .state()
        .registers()
        .get(
            StfTables.find(
                program.state().registers(), RegisterArray::name, name, "register", line));
  }

  private MeterCells meter(String name, int line) {
    return program
        .state()
        .meters()
        .get(StfTables.find(program.state().meters(), MeterCells::name, name, "meter", line));
  }

  private static int index(String text, int size, String what, int line) {
    int index = StfTables.value(text, 31, "index", line).intValueExact();
    if (index >= size) {
      throw new StfException(line, "index " + index + " of '" + what + "' must be below " + size);
    }
    return index;
  }

  private void direct(StfStatement.Direct command) {
    if (replication.execute(command)) {
      return;
    }
    int line = command.line();
    List<String> args = command.arguments();
    switch (command.name()) {
      case "register_read":
        arity(command, 2);
        index(args.get(1), register(args.get(0), line).size(), args.get(0), line);
        return;
      case "register_write":
        arity(command, 3);
        RegisterArray written = register(args.get(0), line);
        written.set(
            index(args.get(1), written.size(), args.get(0), line),
            StfTables.value(args.get(2), written.widthBits(), "value", line));
        return;
      case "register_reset":
        arity(command, 1);
        RegisterArray reset = register(args.get(0), line);
        for (int i = 0; i < reset.size(); i++) {
          reset.set(i, BigInteger.ZERO);
        }
        return;
      case "counter_read":
        arity(command, 2);
        CounterCells read = program.state().counters().get(counter(args.get(0), line));
        index(args.get(1), read.size(), args.get(0), line);
        return;
      case "counter_write":
        arity(command, 4);
        CounterCells cells = program.state().counters().get(counter(args.get(0), line));
        cells.set(
            index(args.get(1), cells.size(), args.get(0), line),
            StfTables.value(args.get(2), 64, "packets", line).longValue(),
            StfTables.value(args.get(3), 64, "bytes", line).longValue());
        return;
      case "meter_get_rates":
        arity(command, 2);
        index(args.get(1), meter(args.get(0), line).size(), args.get(0), line);
        return;
      case "meter_set_rates":
        MeterCells one = meter(args.get(0), line);
        arity(command, 2 + one.rates());
        int at = index(args.get(1), one.size(), args.get(0), line);
        StfRates.configure(one, at, args.subList(2, args.size()), line);
        return;
      case "meter_array_set_rates":
        MeterCells all = meter(args.get(0), line);
        arity(command, 1 + all.rates());
        for (int i = 0; i < all.size(); i++) {
          StfRates.configure(all, i, args.subList(1, args.size()), line);
        }
        return;
      default:
        throw new StfException(line, "command '" + command.name() + "' is not supported");
    }
  }

  static void arity(StfStatement.Direct command, int expected) {
    if (command.arguments().size() != expected) {
      throw new StfException(
          command.line(),
          "'%s' takes %s arguments, not %s"
              .formatted(command.name(), expected, command.arguments().size()));
    }
  }

  private void compare() {
    for (Map.Entry<Integer, List<StfStatement.Expect>> port : expected.entrySet()) {
      List<byte[]> packets = sent.getOrDefault(port.getKey(), List.of());
      List<StfStatement.Expect> wanted = port.getValue();
      for (int i = 0; i < wanted.size(); i++) {
        StfStatement.Expect expect = wanted.get(i);
        String found = i < packets.size() ? HexFormat.of().formatHex(packets.get(i)) : null;
        if (found == null) {
          failures.add(
              "line " + expect.line() + ": no packet " + (i + 1) + " out of port " + port.getKey());
        } else if (!matches(expect, found)) {
          failures.add(
              "line %s: packet %s out of port %s is %s, not %s%s"
                  .formatted(
                      expect.line(),
                      i + 1,
                      port.getKey(),
                      found,
                      expect.digits(),
                      expect.wholePacket() ? "$" : ""));
        }
      }
    }
    for (Map.Entry<Integer, List<byte[]>> port : sent.entrySet()) {
      List<StfStatement.Expect> wanted = expected.get(port.getKey());
      boolean named = expected.containsKey(port.getKey());
      int more = port.getValue().size() - (named ? wanted.size() : 0);
      boolean any = named && wanted.stream().anyMatch(e -> e.digits().isEmpty());
      if (more > 0 && !any && (named || inputs.contains(port.getKey()))) {
        failures.add(
            "port %s: %s more packet%s than expected"
                .formatted(port.getKey(), more, more == 1 ? "" : "s"));
      }
    }
  }

  private static boolean matches(StfStatement.Expect expect, String found) {
    String wanted = expect.digits();
    if (found.length() < wanted.length()
        || expect.wholePacket() && found.length() > wanted.length()) {
      return false;
    }
    for (int i = 0; i < wanted.length(); i++) {
      if (wanted.charAt(i) != '*' && wanted.charAt(i) != found.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
