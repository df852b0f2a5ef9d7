package net.sluice.emulator.cli.live;

import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import net.sluice.cli.LogOptions;
import net.sluice.cli.OptionValues;
import net.sluice.cli.Options;
import net.sluice.cli.Range;
import net.sluice.cli.StartFailure;
import net.sluice.emulator.cli.tls.TlsOptions;
import net.sluice.emulator.netsim.EndlessProgramException;
import net.sluice.emulator.v1model.runtime.ProgramFailure;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sluice switch}: the emulated switch by itself. */
@Command(
    name = "switch",
    description = {
      "Run the emulated switch on network interfaces until stopped, or on captures (--pcap)."
    },
    mixinStandardHelpOptions = true,
    preprocessor = Bmv2Options.Separator.class)
public final class SwitchCommand implements Callable<Integer> {
  private static final int PROGRAM_FAILED = 1;

  @Option(
      names = {"-i", "--interface"},
      paramLabel = "PORT@INTERFACE",
      converter = PortOption.Converter.class,
      description = {
        "A port and its interface, such as 1@veth1; 3@tap:NAME for a TAP device. May be repeated."
      })
  private List<PortOption> ports = List.of();

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "p4c's BMv2 JSON to start with; without it the switch waits for a program.")
  private String json;

  @Option(
      names = "--p4info",
      paramLabel = "FILE",
      description = "The P4Info that belongs to it, in text format.")
  private String p4info;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      converter = OptionValues.OutputFile.class,
      description =
          "What each port did and how late the machine was, as JSON: written anew while the switch"
              + " runs, four times a second, and when it ends.")
  private Path report;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of the program's random numbers. Default: ${DEFAULT-VALUE}")
  @Range
  private long seed;

  @Option(
      names = "--pcap",
      paramLabel = "DIR",
      arity = "0..1",
      fallbackValue = ".",
      description = {
        "Switch DIR/INTERFACE_in.pcap of each port into DIR/INTERFACE_out.pcap, in virtual time."
            + " With simple_switch_grpc's own command line: write there what comes in and leaves."
      })
  private String pcap;

  @Option(
      names = "--entries",
      paramLabel = "FILE",
      description = "Entries to start with, a P4Runtime WriteRequest in text format; with --json.")
  private String entries;

  @Mixin private ServerOptions servers = new ServerOptions();

  @Mixin private LineOptions lines = new LineOptions();

  @Mixin private Bmv2Options bmv2 = new Bmv2Options();

  @Mixin private TlsOptions tls = new TlsOptions();

  @Mixin private LogOptions logging = new LogOptions();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws StartFailure {
    logging.apply();
    InetSocketAddress listen = bmv2.check(servers.grpc());
    if (pcap != null && !bmv2.areItsOwn()) {
      refuse("--pcap, which serves nobody", "--grpc", "--gnmi", "--cpu-port");
      refuse("--pcap, which prints what it did", "--report");
      refuse("--pcap, which has no lines", "--port-delay");
    }
    if (servers.variant() == ServerOption.STRATUM_TOFINO) {
      refuse(
          "--server " + servers.variant().text() + ", which gets its program over P4Runtime",
          "--json",
          "--p4info",
          "--entries",
          "--pcap");
    }
    SwitchOptions options =
        SwitchOptions.parse(
            ports,
            pcap,
            bmv2,
            listen,
            servers,
            lines,
            new SwitchOptions.ProgramTexts(json == null ? bmv2.program() : json, p4info, entries),
            report,
            seed);
    TlsOptions.Credentials credentials =
        tls.read(
            options.captures().isPresent(),
            options.servers().gnmi().isPresent(),
            options.servers().gnmiBesideP4Runtime());
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter notices = spec.commandLine().getErr();
    bmv2.notices().forEach(notice -> notices.println("sluice switch: " + notice));
    notices.flush();
    try {
      if (options.captures().isPresent()) {
        new CaptureRun(options, out).run();
      } else {
        new LiveRun(options, credentials, out).run();
      }
    } catch (ProgramFailure e) {
      // As bmv2 does: a program that insists on something is not to go on without it.
      PrintWriter err = spec.commandLine().getErr();
      err.println("sluice switch: the program has ended it: " + e.getMessage());
      err.flush();
      return PROGRAM_FAILED;
    } catch (EndlessProgramException e) {
      PrintWriter err = spec.commandLine().getErr();
      err.println("sluice switch: the program never ends: " + e.getMessage());
      err.flush();
      return PROGRAM_FAILED;
    }
    return 0;
  }

  private void refuse(String with, String... options) {
    Options.refuse(spec, "nothing together with " + with, options);
  }
}
