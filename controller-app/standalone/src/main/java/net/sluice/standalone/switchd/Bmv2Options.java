package net.sluice.standalone.switchd;

import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import net.sluice.standalone.cli.OptionException;
import net.sluice.standalone.cli.Options;
import net.sluice.standalone.cli.Range;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
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

  @Option(names = "--no-p4", hidden = true)
  private boolean noP4;

  @Option(names = "--grpc-server-addr", hidden = true)
  private InetSocketAddress grpcServerAddr;

  @Option(names = "--drop-port", hidden = true)
  private String dropPort;

  @Option(names = "--priority-queues", hidden = true)
  @Range(min = 1, max = Integer.MAX_VALUE)
  private Integer priorityQueues;

  @SuppressWarnings("unused") // Refused by name, as the three others are.
  @Option(names = "--use-files", hidden = true)
  private String useFiles;

  @Option(names = "--enable-swap", hidden = true)
  private boolean enableSwap;

  @Option(names = "--thrift-port", hidden = true)
  private String thriftPort;

  @Option(names = "--log-console", hidden = true)
  private boolean logConsole;

  @Option(names = "--log-file", hidden = true)
  private String logFile;

  @Option(names = "--log-flush", hidden = true)
  private boolean logFlush;

  @Option(names = "--nanolog", hidden = true)
  private String nanolog;

  @Option(names = "--notifications-addr", hidden = true)
  private String notifications;

  @Option(names = "--debugger", hidden = true)
  private boolean debugger;

  @Option(names = "--debugger-addr", hidden = true)
  private String debuggerAddr;

  @Option(names = "--log-file-max-size", hidden = true)
  private String logFileMaxSize;

  @Option(names = "--log-file-max-files", hidden = true)
  private String logFileMaxFiles;

  @Option(names = "--dump-packet-data", hidden = true)
  private String dumpPacketData;

  @Option(names = "--disable-swap", hidden = true)
  private boolean disableSwap;

  @Option(names = "--max-port-count", hidden = true)
  private String maxPortCount;

  @Option(names = "--max-mc-groups", hidden = true)
  private String maxGroups;

  @Option(names = "--max-l1-entries", hidden = true)
  private String maxNodes;

  @Option(names = "--max-l2-entries", hidden = true)
  private String maxPortLists;

  @SuppressWarnings("unused")
  @Option(names = "--dp-grpc-server-addr", hidden = true)
  private String dataplaneAddr;

  @SuppressWarnings("unused")
  @Option(names = "--load-modules", hidden = true)
  private String modules;

  @SuppressWarnings("unused")
  @Option(names = "--restore-state", hidden = true)
  private String savedState;

  @Parameters(arity = "0..*", hidden = true)
  private List<String> files;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

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
    refuse("--use-files", "nothing; --pcap DIR switches captures, without waiting");
    refuse("--dp-grpc-server-addr", "nothing; ports are interfaces or TAP devices");
    refuse("--load-modules", "nothing; there are no externs but v1model's");
    refuse("--restore-state", "nothing; entries to start with come with --entries");
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

  /** One line for each option that was given and does nothing; what it does elsewhere. */
  List<String> notices() {
    Map<String, String> idle = new LinkedHashMap<>();
    put(idle, thriftPort != null, "--thrift-port", "there is no Thrift server; use P4Runtime");
    put(idle, logConsole, "--log-console", "./sluice trace shows what becomes of packets");
    put(idle, logFile != null, "--log-file", "./sluice trace shows what becomes of packets");
    put(idle, logFlush, "--log-flush", "there is no packet log");
    put(idle, nanolog != null, "--nanolog", "./sluice trace shows what becomes of packets");
    put(idle, notifications != null, "--notifications-addr", "P4Runtime and gNMI tell of events");
    put(idle, debugger, "--debugger", "./sluice trace shows what becomes of packets");
    put(
        idle,
        debuggerAddr != null,
        "--debugger-addr",
        "./sluice trace shows what becomes of packets");
    put(idle, enableSwap, "--enable-swap", SWAP);
    put(idle, disableSwap, "--disable-swap", SWAP);
    put(idle, logFileMaxSize != null, "--log-file-max-size", "there is no packet log");
    put(idle, logFileMaxFiles != null, "--log-file-max-files", "there is no packet log");
    put(
        idle,
        dumpPacketData != null,
        "--dump-packet-data",
        "./sluice trace shows what becomes of packets");
    put(idle, maxPortCount != null, "--max-port-count", "there may be 511 ports");
    put(idle, maxGroups != null, "--max-mc-groups", GROUPS);
    put(idle, maxNodes != null, "--max-l1-entries", GROUPS);
    put(idle, maxPortLists != null, "--max-l2-entries", GROUPS);
    put(
        idle,
        priorityQueues != null && priorityQueues != PRIORITY_QUEUES,
        "--priority-queues",
        "each port has " + PRIORITY_QUEUES + ", one for each priority there is");
    return idle.entrySet().stream()
        .map(entry -> entry.getKey() + " does nothing here: " + entry.getValue())
        .toList();
  }

  private static void put(Map<String, String> idle, boolean given, String option, String why) {
    if (given) {
      idle.put(option, why);
    }
  }
}
