package net.sluice.emulator.cli.live;

import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.sluice.cli.OptionException;
import net.sluice.cli.OptionValues;
import net.sluice.cli.StartFailure;
import net.sluice.emulator.cli.live.LineOptions.Lines;
import net.sluice.emulator.cli.live.ServerOptions.Servers;

/**
 * The task of {@code sluice switch}, checked as far as that goes without touching an interface.
 *
 * @param ports in the order given; none only with simple_switch_grpc's own command line
 * @param captures directory of captures to switch; empty for real interfaces
 * @param recordings directory that gets captures of what passes the ports; empty for none
 * @param servers P4Runtime and gNMI
 * @param program files of the program to start with; never empty with captures
 * @param entries file of table entries; only with a program
 * @param lines lines and queues by port
 * @param report file that what each port did is written to at the end; empty with captures
 */
record SwitchOptions(
    List<PortOption> ports,
    Optional<Path> captures,
    Optional<Path> recordings,
    Servers servers,
    Optional<ProgramFiles> program,
    Optional<Path> entries,
    Lines lines,
    Optional<Path> report,
    long seed) {

  /**
   * The files of the program to start with, as given; null where one was not.
   *
   * @param json of {@code --json}, or of simple_switch_grpc's argument
   */
  record ProgramTexts(String json, String p4info, String entries) {}

  /**
   * Checks the values.
   *
   * @throws OptionException if one is not allowed
   */
  static SwitchOptions parse(
      List<PortOption> ports,
      String pcap,
      Bmv2Options bmv2,
      InetSocketAddress listen,
      ServerOptions servers,
      LineOptions lines,
      ProgramTexts files,
      Path report,
      long seed) {
    boolean isBmv2 = bmv2.areItsOwn();
    if (ports.isEmpty() && !isBmv2 && servers.variant() == ServerOption.V1MODEL) {
      throw OptionException.missing("-i", "at least one PORT@INTERFACE, such as 1@veth1");
    }
    Set<Integer> numbers = numbers(ports);
    Servers reached = servers.read(listen, isBmv2, pcap != null && !isBmv2, ports);
    Optional<Path> folder = Optional.ofNullable(pcap).map(text -> directory("--pcap", text));
    Optional<Path> captures = isBmv2 ? Optional.empty() : folder;
    if (captures.isPresent()) {
      for (PortOption port : ports) {
        if (port.tap()) {
          throw new OptionException(
              "-i", port.text(), "PORT@NAME together with --pcap, which reads NAME_in.pcap");
        }
      }
    } else if (files.entries() != null
        && files.p4info() == null
        && (files.json() == null || isBmv2)) {
      throw new OptionException(
          "--entries",
          files.entries(),
          "nothing without --json and --p4info, whose entries they are");
    }
    return new SwitchOptions(
        ports,
        captures,
        isBmv2 ? folder : Optional.empty(),
        reached,
        program(files, isBmv2, captures.isPresent()),
        Optional.ofNullable(files.entries()).map(text -> OptionValues.inputFile("--entries", text)),
        lines.read(
            numbers, reached.cpuPort(), !isBmv2 && reached.variant() == ServerOption.V1MODEL),
        Optional.ofNullable(report),
        seed);
  }

  /** The refusal of the entries. */
  StartFailure entriesRefused(IllegalArgumentException e) {
    return new StartFailure("--entries " + entries.orElseThrow() + ": " + e.getMessage(), e);
  }

  /** The numbers of the ports, of which each has its own, and its own interface. */
  private static Set<Integer> numbers(List<PortOption> ports) {
    Map<Integer, PortOption> byNumber = new HashMap<>();
    Map<String, PortOption> byName = new HashMap<>();
    for (PortOption port : ports) {
      requireFirst(byNumber.putIfAbsent(port.number(), port), port, "each port once");
      requireFirst(byName.putIfAbsent(port.name(), port), port, "each interface once");
    }
    return byNumber.keySet();
  }

  private static void requireFirst(PortOption other, PortOption port, String allowed) {
    if (other != null) {
      throw new OptionException("-i", port.text(), allowed + "; " + other.text() + " has it");
    }
  }

  private static Optional<ProgramFiles> program(ProgramTexts files, boolean bmv2, boolean needed) {
    if (files.json() == null && files.p4info() == null) {
      if (needed) {
        throw OptionException.missing("--json", "p4c's BMv2 JSON, which --pcap needs");
      }
      return Optional.empty();
    }
    if (files.p4info() == null && !bmv2) {
      throw OptionException.missing("--p4info", "the P4Info that belongs to --json");
    }
    if (files.json() == null) {
      throw OptionException.missing("--json", "the BMv2 JSON that belongs to --p4info");
    }
    return Optional.of(
        new ProgramFiles(
            OptionValues.inputFile(files.p4info() == null ? "FILE" : "--json", files.json()),
            files.p4info() == null ? null : OptionValues.inputFile("--p4info", files.p4info())));
  }

  private static Path directory(String option, String text) {
    String allowed = "a directory that can be written to";
    Path path = path(option, text, allowed);
    if (!Files.isDirectory(path) || !Files.isWritable(path)) {
      throw new OptionException(option, text, allowed);
    }
    return path;
  }

  private static Path path(String option, String text, String allowed) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new OptionException(option, text, allowed);
    }
  }
}
