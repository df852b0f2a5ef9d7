package net.sluice.emulator.cli.live;

import java.lang.reflect.Field;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import java.util.stream.Stream;
import net.sluice.cli.OptionException;
import net.sluice.cli.Options;
import net.sluice.cli.Range;
import picocli.CommandLine.Help;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Options of bmv2's {@code simple_switch_grpc}, so that scripts that start it can start this
 * switch: some mean the same, some mean nothing here and are said to, some are refused with what to
 * do instead.
 */
final class Bmv2Options {
  private static final String DROP_PORT = "511";
  private static final int PRIORITY_QUEUES = 8;
  private static final String SECTION = "simple_switch_grpc";
  private static final String THRIFT = "there is no Thrift server; use P4Runtime";
  private static final String TRACE = "./sluice trace shows what becomes of packets";
  private static final String LOG = "there is no packet log";
  private static final String SWAP = "programs can always be replaced, over P4Runtime";
  private static final String GROUPS = "the number of multicast groups has no limit";

  /** Takes away what stands between two kinds of simple_switch_grpc's options. */
  static final class Separator implements IParameterPreprocessor {
    @Override
    public boolean preprocess(
        Stack<String> arguments, CommandSpec command, ArgSpec option, Map<String, Object> info) {
      arguments.removeIf("--"::equals);
      return false;
    }
  }

  /** Options that are taken, and why they do nothing here. */
  @SuppressWarnings("unused") // Looked up by name.
  private static final class Idle {
    @Option(names = "--thrift-port", hidden = true, paramLabel = "PORT", description = THRIFT)
    private String thriftPort;

    @Option(names = "--log-console", hidden = true, description = TRACE)
    private boolean logConsole;

    @Option(names = "--log-file", hidden = true, paramLabel = "FILE", description = TRACE)
    private String logFile;

    @Option(names = "--log-flush", hidden = true, description = LOG)
    private boolean logFlush;

    @Option(names = "--nanolog", hidden = true, paramLabel = "ADDR", description = TRACE)
    private String nanolog;

    @Option(
        names = "--notifications-addr",
        hidden = true,
        paramLabel = "ADDR",
        description = "P4Runtime and gNMI tell of events")
    private String notifications;

    @Option(names = "--debugger", hidden = true, description = TRACE)
    private boolean debugger;

    @Option(names = "--debugger-addr", hidden = true, paramLabel = "ADDR", description = TRACE)
    private String debuggerAddr;

    @Option(names = "--enable-swap", hidden = true, description = SWAP)
    private boolean enableSwap;

    @Option(names = "--disable-swap", hidden = true, description = SWAP)
    private boolean disableSwap;

    @Option(names = "--log-file-max-size", hidden = true, paramLabel = "MIB", description = LOG)
    private String logFileMaxSize;

    @Option(names = "--log-file-max-files", hidden = true, paramLabel = "N", description = LOG)
    private String logFileMaxFiles;

    @Option(names = "--dump-packet-data", hidden = true, paramLabel = "N", description = TRACE)
    private String dumpPacketData;

    @Option(
        names = "--max-port-count",
        hidden = true,
        paramLabel = "N",
        description = "there may be 511 ports")
    private String maxPortCount;

    @Option(names = "--max-mc-groups", hidden = true, paramLabel = "N", description = GROUPS)
    private String maxGroups;

    @Option(names = "--max-l1-entries", hidden = true, paramLabel = "N", description = GROUPS)
    private String maxNodes;

    @Option(names = "--max-l2-entries", hidden = true, paramLabel = "N", description = GROUPS)
    private String maxPortLists;
  }

  /** Options that are refused, and what to do instead. */
  @SuppressWarnings("unused") // Looked up by name.
  private static final class Refused {
    @Option(
        names = "--use-files",
        hidden = true,
        paramLabel = "SECONDS",
        description = "--pcap DIR switches captures, without waiting")
    private String useFiles;

    @Option(
        names = "--dp-grpc-server-addr",
        hidden = true,
        paramLabel = "HOST:PORT",
        description = "ports are interfaces or TAP devices")
    private String dataplaneAddr;

    @Option(
        names = "--load-modules",
        hidden = true,
        paramLabel = "FILES",
        description = "there are no externs but v1model's")
    private String modules;

    @Option(
        names = "--restore-state",
        hidden = true,
        paramLabel = "FILE",
        description = "entries to start with come with --entries")
    private String savedState;
  }

  @Option(names = "--no-p4", hidden = true, description = "Start without a program.")
  private boolean noP4;

  @Option(
      names = "--grpc-server-addr",
      hidden = true,
      paramLabel = "HOST:PORT",
      description = "The same as --grpc.")
  private InetSocketAddress grpcServerAddr;

  @Option(
      names = "--drop-port",
      hidden = true,
      paramLabel = DROP_PORT,
      description = "Port that drops packets; no other can.")
  private String dropPort;

  @Option(
      names = "--priority-queues",
      hidden = true,
      paramLabel = "N",
      description = "Each port has " + PRIORITY_QUEUES + " whatever N is.")
  @Range(min = 1, max = Integer.MAX_VALUE)
  private Integer priorityQueues;

  @Mixin private Idle idle = new Idle();

  @Mixin private Refused refused = new Refused();

  @Parameters(arity = "0..*", hidden = true)
  private List<String> files;

  private CommandSpec command;

  /** Takes the command that has these options, and shows them in its help behind its own. */
  @Spec(Spec.Target.MIXEE)
  void of(CommandSpec mixee) {
    command = mixee;
    List<String> sections = new ArrayList<>(mixee.usageMessage().sectionKeys());
    sections.add(sections.indexOf(UsageMessageSpec.SECTION_KEY_FOOTER_HEADING), SECTION);
    mixee.usageMessage().sectionKeys(sections);
    mixee.usageMessage().sectionMap().put(SECTION, this::usage);
  }

  private String usage(Help help) {
    return "\nIn the place of simple_switch_grpc, with its own command line:\n"
        + "  sluice switch [-i PORT@INTERFACE]... [OPTIONS] PROGRAM.json|--no-p4 [-- OPTIONS]\n"
        + "Packets go through the program at once, and --pcap records. Its options beside those"
        + " above:\n"
        + usage(help, Bmv2Options.class)
        + "Taken, though they do nothing here:\n"
        + usage(help, Idle.class)
        + "Refused:\n"
        + usage(help, Refused.class);
  }

  private String usage(Help help, Class<?> kind) {
    Help.Layout layout = help.createDefaultLayout();
    of(kind).forEach(option -> layout.addOption(option, help.parameterLabelRenderer()));
    return layout.toString();
  }

  private Stream<OptionSpec> of(Class<?> kind) {
    return command.options().stream()
        .filter(option -> ((Field) option.userObject()).getDeclaringClass() == kind);
  }

  /**
   * Checks them.
   *
   * @param grpc value of the option that {@code --grpc-server-addr} is another name of
   * @return where P4Runtime listens, null if that has not been said
   * @throws OptionException if one is not allowed
   */
  InetSocketAddress check(InetSocketAddress grpc) {
    if (files != null) {
      if (files.size() > 1) {
        throw new OptionException("FILE", files.get(1), "one program, the BMv2 JSON to start with");
      }
      Options.refuse(command, "nothing together with the program " + files.get(0), "--json");
    }
    if (noP4) {
      String alone = "nothing together with --no-p4";
      Options.refuse(command, alone, "--json");
      if (files != null) {
        throw new OptionException("FILE", program(), alone);
      }
    }
    if (dropPort != null && !dropPort.equals(DROP_PORT)) {
      throw new OptionException(
          "--drop-port", dropPort, DROP_PORT + ", which no program can send to");
    }
    of(Refused.class)
        .forEach(option -> refuse(option.names()[0], "nothing; " + option.description()[0]));
    if (grpcServerAddr == null) {
      return grpc;
    }
    if (grpc != null) {
      refuse("--grpc-server-addr", "nothing together with --grpc, which is the same");
    }
    return grpcServerAddr;
  }

  private void refuse(String option, String allowed) {
    Options.refuse(command, allowed, option);
  }

  /**
   * Whether the command line is simple_switch_grpc's own: that one never starts without a program
   * as an argument or {@code --no-p4}.
   */
  boolean areItsOwn() {
    return noP4 || files != null;
  }

  /** The program that is an argument, null if there is none. */
  String program() {
    return files == null ? null : files.get(0);
  }

  /** One line for each option that was given and does nothing here. */
  List<String> notices() {
    Stream<String> nothing =
        of(Idle.class)
            .filter(option -> command.commandLine().getParseResult().hasMatchedOption(option))
            .map(option -> notice(option.names()[0], option.description()[0]));
    Stream<String> queues =
        priorityQueues == null || priorityQueues == PRIORITY_QUEUES
            ? Stream.of()
            : Stream.of(
                notice(
                    "--priority-queues",
                    "each port has " + PRIORITY_QUEUES + ", one for each priority there is"));
    return Stream.concat(nothing, queues).toList();
  }

  private static String notice(String option, String why) {
    return option + " does nothing here: " + why;
  }
}
