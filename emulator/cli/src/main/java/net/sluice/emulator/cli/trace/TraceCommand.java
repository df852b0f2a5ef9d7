package net.sluice.emulator.cli.trace;

import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.concurrent.Callable;
import java.util.function.Function;
import net.sluice.cli.ListenAddress;
import net.sluice.cli.OptionException;
import net.sluice.cli.OptionValues;
import net.sluice.cli.Options;
import net.sluice.cli.Range;
import net.sluice.cli.StartFailure;
import net.sluice.emulator.cli.tls.ClientTlsOptions;
import net.sluice.emulator.netsim.EndlessProgramException;
import net.sluice.emulator.trace.v1.Trace;
import net.sluice.emulator.trace.v1.TraceFilter;
import net.sluice.emulator.v1model.runtime.ProgramFailure;
import net.sluice.emulator.v1model.trace.TraceJson;
import net.sluice.emulator.v1model.trace.TraceText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice trace}: what becomes of packets in the emulated switch, step by step. */
@Command(
    name = "trace",
    description = {
      "Show what becomes of packets in the emulated switch: parser, tables, actions, queue,"
          + " deparser.",
      "Either of packets of a running switch (--attach), or of one packet (PACKET) or a capture"
          + " (--pcap) through a program with entries, in virtual time.",
      "Exit codes: 0 done, 1 the switch has ended the session, 2 bad arguments or something cannot"
          + " be used."
    },
    mixinStandardHelpOptions = true)
public final class TraceCommand implements Callable<Integer> {

  private static final int MAX_PORT = 510;

  @Parameters(
      arity = "0..1",
      paramLabel = "PACKET",
      description = "A packet, hexadecimal; colons and spaces in it do not matter.")
  private String packet;

  @Option(
      names = "--attach",
      paramLabel = "HOST:PORT",
      description = "Where a running switch serves P4Runtime.")
  private String attach;

  @Option(names = "--json", paramLabel = "FILE", description = "p4c's BMv2 JSON.")
  private String json;

  @Option(
      names = "--p4info",
      paramLabel = "FILE",
      description = "The P4Info that belongs to it, in text format.")
  private String p4info;

  @Option(
      names = "--entries",
      paramLabel = "FILE",
      description = "Entries, a P4Runtime WriteRequest in text format.")
  private String entries;

  @Option(
      names = "--pcap",
      paramLabel = "FILE",
      description = "Packets, a capture of Ethernet frames.")
  private String pcap;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "0",
      description = "Where PACKET or the capture comes in. Default: ${DEFAULT-VALUE}")
  @Range(min = 0, max = MAX_PORT)
  private int port;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of the program's random numbers. Default: ${DEFAULT-VALUE}")
  @Range
  private long seed;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "text, json, or json-lines: one trace a line. Default: ${DEFAULT-VALUE}")
  private String format;

  @Mixin private FilterOptions filter;

  @Mixin private ClientTlsOptions tls;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws StartFailure {
    TraceFilter wanted = filter.filter();
    Function<Trace, String> printer = printer();
    PrintWriter out = spec.commandLine().getOut();
    if (attach != null) {
      String alone = "nothing together with --attach";
      if (packet != null) {
        throw new OptionException("PACKET", packet, alone);
      }
      Options.refuse(spec, alone, "--json", "--p4info", "--entries", "--pcap");
      InetSocketAddress address = ListenAddress.parse("--attach", attach);
      return new AttachedTrace(attach, address, tls, wanted)
          .run(
              trace -> {
                out.print(printer.apply(trace));
                out.flush();
              },
              spec.commandLine().getErr());
    }
    tls.refuse("nothing without --attach");
    if ((packet == null) == (pcap == null)) {
      throw new OptionException(
          "PACKET",
          packet == null ? "" : packet,
          "a packet in hexadecimal, or else --pcap, or else --attach");
    }
    OfflineTrace offline =
        new OfflineTrace(
            OptionValues.inputFile("--json", json),
            OptionValues.inputFile("--p4info", p4info),
            entries == null ? null : OptionValues.inputFile("--entries", entries),
            port,
            seed);
    try {
      if (packet != null) {
        offline.run(hex(packet), wanted, trace -> out.print(printer.apply(trace)));
      } else {
        offline.run(
            OptionValues.inputFile("--pcap", pcap),
            wanted,
            trace -> out.print(printer.apply(trace)));
      }
    } catch (ProgramFailure e) {
      return ended("the program has ended it: " + e.getMessage());
    } catch (EndlessProgramException e) {
      return ended("the program never ends: " + e.getMessage());
    } finally {
      out.flush();
    }
    return 0;
  }

  private int ended(String why) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("sluice trace: " + why);
    err.flush();
    return AttachedTrace.ENDED;
  }

  private Function<Trace, String> printer() {
    return switch (format) {
      case "text" -> TraceText::of;
      case "json" -> trace -> TraceJson.pretty(trace) + "\n";
      case "json-lines" -> trace -> TraceJson.line(trace) + "\n";
      default -> throw new OptionException("--format", format, "text, json, json-lines");
    };
  }

  private static byte[] hex(String text) {
    try {
      byte[] bytes = HexFormat.of().parseHex(text.replaceAll("[\\s:]|^0x", ""));
      if (bytes.length > 0) {
        return bytes;
      }
    } catch (IllegalArgumentException e) {
      // Said below.
    }
    throw new OptionException("PACKET", text, "bytes of two hexadecimal digits each, at least one");
  }
}
