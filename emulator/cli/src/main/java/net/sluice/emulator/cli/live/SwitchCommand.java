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
      names = "--grpc",
      paramLabel = "HOST:PORT",
      description = "Where P4Runtime listens; port 0 takes a free one. Default: 127.0.0.1:9559")
  private InetSocketAddress grpc;

  @Option(
      names = "--server",
      paramLabel = "KIND",
      defaultValue = "v1model",
      description = {
        "Whose P4Runtime server it has: v1model, or stratum-tofino, a double of Stratum's for"
            + " Tofino, which keeps entries and forwards nothing. Default: ${DEFAULT-VALUE}"
      })
  private String server;

  @Option(
      names = "--device-id",
      paramLabel = "N",
      description =
          "P4Runtime device id. Default: 1; with simple_switch_grpc's own command line 0, as there")
  @Range(min = 0)
  private Long deviceId;

  @Option(
      names = "--cpu-port",
      paramLabel = "PORT",
      description =
          "Port that packets from and to the controller use, 1 to 510. Default: none, and no such"
              + " packets")
  @Range(min = 1, max = PortOption.MAX_NUMBER)
  private Integer cpuPort;

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
      names = "--port-rate",
      paramLabel = "PORT=RATE",
      description = "Line rate of a port, such as 1=100M; without one it sends at once.")
  private List<String> rates;

  @Option(
      names = "--queue-bytes",
      paramLabel = "PORT=BYTES",
      description = {
        "Bytes that may wait at a port. Default: a quarter of a second at the port's rate, at least"
            + " 1 MiB; without end without a rate or with --pcap."
      })
  private List<String> queueBytes;

  @Option(
      names = "--queue-packets",
      paramLabel = "PORT=PACKETS",
      description = "Packets that may wait in each queue of a port. Default: without end")
  private List<String> queuePackets;

  @Option(
      names = "--scheduling",
      paramLabel = "PORT=LEVELS",
      description = {
        "How a port serves its queues 0 to 7: levels behind slashes, the first first; in a level"
            + " queues with weights share, 1=7@20M/6:3,5:1 for instance; @RATE shapes a level."
            + " Default: 7/6/5/4/3/2/1/0"
      })
  private List<String> schedulings;

  @Option(
      names = "--gnmi",
      paramLabel = "HOST:PORT",
      description =
          "Where gNMI listens, which may be where P4Runtime does; port 0 takes a free one. Default:"
              + " not served")
  private InetSocketAddress gnmi;

  @Option(
      names = "--port-delay",
      paramLabel = "PORT=DELAY",
      description = {
        "How long each frame is under way on a port's line, in either direction, such as 1=10ms."
            + " Default: 0"
      })
  private List<String> delays;

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

  @Mixin private Bmv2Options bmv2 = new Bmv2Options();

  @Mixin private TlsOptions tls = new TlsOptions();

  @Mixin private LogOptions logging = new LogOptions();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws StartFailure {
    logging.apply();
    InetSocketAddress listen = bmv2.check(grpc);
    if (pcap != null && !bmv2.areItsOwn()) {
      refuse("--pcap, which serves nobody", "--grpc", "--gnmi", "--cpu-port");
      refuse("--pcap, which prints what it did", "--report");
      refuse("--pcap, which has no lines", "--port-delay");
    }
    ServerOption serverOption = ServerOption.parse(server);
    if (serverOption == ServerOption.STRATUM_TOFINO) {
      refuse(
          "--server " + server + ", which gets its program over P4Runtime",
          "--json",
          "--p4info",
          "--entries",
          "--pcap");
    }
    SwitchOptions options =
        SwitchOptions.parse(
            new SwitchOptions.Raw(
                ports,
                pcap,
                bmv2.areItsOwn(),
                listen,
                serverOption,
                deviceId,
                cpuPort,
                json == null ? bmv2.program() : json,
                p4info,
                entries,
                rates,
                queueBytes,
                queuePackets,
                schedulings,
                gnmi,
                delays,
                report,
                seed));
    TlsOptions.Credentials credentials =
        tls.read(
            options.captures().isPresent(),
            options.gnmi().isPresent(),
            options.gnmiBesideP4Runtime());
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
