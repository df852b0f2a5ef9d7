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

  /**
   * An option of simple_switch_grpc's that does not work here.
   *
   * @param label of its value; empty if it has none
   * @param why it does nothing, or what to do instead
   */
  private record Foreign(String name, String label, String why) {
    OptionSpec spec() {
      OptionSpec.Builder option = OptionSpec.builder(name).hidden(true).description(why);
      return label.isEmpty()
          ? option.type(boolean.class).arity("0").build()
          : option.type(String.class).arity("1").paramLabel(label).build();
    }
  }

  /** Options that are taken and do nothing. */
  private static final List<Foreign> IDLE =
      List.of(
          new Foreign("--thrift-port", "PORT", "there is no Thrift server; use P4Runtime"),
          new Foreign("--log-console", "", TRACE),
          new Foreign("--log-file", "FILE", TRACE),
          new Foreign("--log-flush", "", LOG),
          new Foreign("--nanolog", "ADDR", TRACE),
          new Foreign("--notifications-addr", "ADDR", "P4Runtime and gNMI tell of events"),
          new Foreign("--debugger", "", TRACE),
          new Foreign("--debugger-addr", "ADDR", TRACE),
          new Foreign("--enable-swap", "", SWAP),
          new Foreign("--disable-swap", "", SWAP),
          new Foreign("--log-file-max-size", "MIB", LOG),
          new Foreign("--log-file-max-files", "N", LOG),
          new Foreign("--dump-packet-data", "N", TRACE),
          new Foreign("--max-port-count", "N", "there may be 511 ports"),
          new Foreign("--max-mc-groups", "N", GROUPS),
          new Foreign("--max-l1-entries", "N", GROUPS),
          new Foreign("--max-l2-entries", "N", GROUPS));

  /** Options that are refused. */
  private static final List<Foreign> REFUSED =
      List.of(
          new Foreign("--use-files", "SECONDS", "--pcap DIR switches captures, without waiting"),
          new Foreign("--dp-grpc-server-addr", "HOST:PORT", "ports are interfaces or TAP devices"),
          new Foreign("--load-modules", "FILES", "there are no externs but v1model's"),
          new Foreign("--restore-state", "FILE", "entries to start with come with --entries"));

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

  @Parameters(arity = "0..*", hidden = true)
  private List<String> files;

  private CommandSpec command;

  /** Takes the command that has these options, and shows them in its help behind its own. */
  @Spec(Spec.Target.MIXEE)
  void of(CommandSpec mixee) {
    command = mixee;
    IDLE.forEach(foreign -> mixee.addOption(foreign.spec()));
    REFUSED.forEach(foreign -> mixee.addOption(foreign.spec()));
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
        + usage(
            help,
            command.options().stream()
                .filter(
                    option ->
                        option.userObject() instanceof Field field
                            && field.getDeclaringClass() == Bmv2Options.class))
        + "Taken, though they do nothing here:\n"
        + usage(help, IDLE.stream().map(this::option))
        + "Refused:\n"
        + usage(help, REFUSED.stream().map(this::option));
  }

  private static String usage(Help help, Stream<OptionSpec> options) {
    Help.Layout layout = help.createDefaultLayout();
    options.forEach(option -> layout.addOption(option, help.parameterLabelRenderer()));
    return layout.toString();
  }

  private OptionSpec option(Foreign foreign) {
    return command.findOption(foreign.name());
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
    REFUSED.forEach(foreign -> refuse(foreign.name(), "nothing; " + foreign.why()));
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
        IDLE.stream()
            .filter(
                foreign -> command.commandLine().getParseResult().hasMatchedOption(option(foreign)))
            .map(foreign -> notice(foreign.name(), foreign.why()));
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
