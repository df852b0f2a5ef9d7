package net.sluice.emulator.cli.live;

import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.sluice.cli.Durations;
import net.sluice.cli.ListenAddress;
import net.sluice.cli.OptionException;
import net.sluice.cli.OptionValues;
import net.sluice.cli.Rates;
import net.sluice.cli.StartFailure;
import net.sluice.emulator.netsim.LineClock;
import net.sluice.emulator.netsim.QueueScheduling;
import net.sluice.emulator.netsim.SwitchPort;

/**
 * The task of {@code sluice switch}, checked as far as that goes without touching an interface.
 *
 * @param ports in the order given; none only with simple_switch_grpc's own command line
 * @param captures directory of captures to switch; empty for real interfaces
 * @param recordings directory that gets captures of what passes the ports; empty for none
 * @param grpc where P4Runtime listens; empty with captures
 * @param server whose P4Runtime server that is
 * @param deviceId P4Runtime device id
 * @param cpuPort port that packets from and to the controller use, or 0 for none; none with
 *     captures
 * @param program files of the program to start with; never empty with captures
 * @param entries file of table entries; only with a program
 * @param rates bit/s by port, for the ports that have one
 * @param queueBytes queue limits by port, bytes, for the ports that were given one
 * @param queuePackets queue limits by port, packets, for the ports that were given one
 * @param schedulings how ports serve their queues, for the ports that were told
 * @param gnmi where gNMI listens; empty if it is not served
 * @param delays nanoseconds by port, for the ports whose line has a delay; none with captures
 * @param report file that what each port did is written to at the end; empty with captures
 */
record SwitchOptions(
    List<PortOption> ports,
    Optional<Path> captures,
    Optional<Path> recordings,
    Optional<InetSocketAddress> grpc,
    ServerOption server,
    long deviceId,
    int cpuPort,
    Optional<ProgramFiles> program,
    Optional<Path> entries,
    Map<Integer, Long> rates,
    Map<Integer, Long> queueBytes,
    Map<Integer, Integer> queuePackets,
    Map<Integer, QueueScheduling> schedulings,
    Optional<InetSocketAddress> gnmi,
    Map<Integer, Long> delays,
    Optional<Path> report,
    long seed) {

  private static final Pattern BY_PORT = Pattern.compile("(\\d{1,9})=(.+)");
  private static final long MAX_QUEUE_BYTES = 1L << 40;
  private static final long MAX_DELAY_NANOS = 10_000_000_000L;
  private static final String DELAY = "a time of at most 10s, written like 10ms, 2.5ms or 800us";
  private static final String DEFAULT_GRPC = "127.0.0.1:9559";
  private static final long DEFAULT_DEVICE_ID = 1;
  private static final long BMV2_DEVICE_ID = 0;

  // A line with a rate queues up to a quarter of a second: beyond where a program that watches the
  // delay holds the queue.
  private static final double QUEUE_SECONDS = 0.25;
  private static final long MIN_QUEUE_BYTES = 1L << 20;
  private static final int BITS_PER_BYTE = 8;

  /**
   * The option values as given; null where an option was not.
   *
   * @param bmv2 whether they are simple_switch_grpc's own command line, which means something else
   *     by some
   */
  record Raw(
      List<PortOption> ports,
      String pcap,
      boolean bmv2,
      InetSocketAddress grpc,
      ServerOption server,
      Long deviceId,
      Integer cpuPort,
      String json,
      String p4info,
      String entries,
      List<String> rates,
      List<String> queueBytes,
      List<String> queuePackets,
      List<String> schedulings,
      InetSocketAddress gnmi,
      List<String> delays,
      Path report,
      long seed) {}

  /**
   * Checks the values.
   *
   * @throws OptionException if one is not allowed
   */
  static SwitchOptions parse(Raw raw) {
    List<PortOption> ports = raw.ports();
    if (ports.isEmpty() && !raw.bmv2() && raw.server() == ServerOption.V1MODEL) {
      throw new OptionException("-i", "", "at least one PORT@INTERFACE, such as 1@veth1");
    }
    Set<Integer> numbers = numbers(ports);
    Optional<Path> pcap = Optional.ofNullable(raw.pcap()).map(text -> directory("--pcap", text));
    Optional<Path> captures = raw.bmv2() ? Optional.empty() : pcap;
    if (captures.isPresent()) {
      for (PortOption port : ports) {
        if (port.tap()) {
          throw new OptionException(
              "-i", port.text(), "PORT@NAME together with --pcap, which reads NAME_in.pcap");
        }
      }
    } else if (raw.entries() != null
        && raw.p4info() == null
        && (raw.json() == null || raw.bmv2())) {
      throw new OptionException(
          "--entries",
          raw.entries(),
          "nothing without --json and --p4info, whose entries they are");
    }
    return new SwitchOptions(
        ports,
        captures,
        raw.bmv2() ? pcap : Optional.empty(),
        captures.isPresent()
            ? Optional.empty()
            : Optional.of(raw.grpc() == null ? ListenAddress.parse(DEFAULT_GRPC) : raw.grpc()),
        raw.server(),
        Objects.requireNonNullElse(raw.deviceId(), raw.bmv2() ? BMV2_DEVICE_ID : DEFAULT_DEVICE_ID),
        cpuPort(raw.cpuPort(), ports),
        program(raw, captures.isPresent()),
        Optional.ofNullable(raw.entries()).map(text -> OptionValues.inputFile("--entries", text)),
        byPort("--port-rate", raw.rates(), numbers, SwitchOptions::rate),
        byPort("--queue-bytes", raw.queueBytes(), numbers, SwitchOptions::bytes),
        byPort("--queue-packets", raw.queuePackets(), numbers, SwitchOptions::packets),
        byPort("--scheduling", raw.schedulings(), numbers, SwitchOptions::scheduling),
        Optional.ofNullable(raw.gnmi()),
        byPort("--port-delay", raw.delays(), numbers, SwitchOptions::delay),
        Optional.ofNullable(raw.report()),
        raw.seed());
  }

  /** Rate of a port, bit/s, or {@link LineClock#UNLIMITED_BPS}. */
  long rateBps(int port) {
    return rates.getOrDefault(port, LineClock.UNLIMITED_BPS);
  }

  /**
   * Queue limit of a port, bytes. Without one, captures lose nothing, and neither does a port that
   * sends at once.
   */
  long queueLimitBytes(int port) {
    Long given = queueBytes.get(port);
    if (given != null) {
      return given;
    }
    Long rate = rates.get(port);
    return captures.isPresent() || rate == null
        ? Long.MAX_VALUE
        : Math.max(MIN_QUEUE_BYTES, (long) (rate / (double) BITS_PER_BYTE * QUEUE_SECONDS));
  }

  /** The refusal of the entries. */
  StartFailure entriesRefused(IllegalArgumentException e) {
    return new StartFailure("--entries " + entries.orElseThrow() + ": " + e.getMessage(), e);
  }

  /** Whether gNMI is to be served where P4Runtime is. */
  boolean gnmiBesideP4Runtime() {
    return gnmi.isPresent() && gnmi.equals(grpc) && gnmi.get().getPort() != 0;
  }

  /** How long a frame is under way on a port's line, nanoseconds. */
  long delayNanos(int port) {
    return delays.getOrDefault(port, 0L);
  }

  private static int cpuPort(Integer number, List<PortOption> ports) {
    if (number == null) {
      return 0;
    }
    for (PortOption port : ports) {
      if (port.number() == number) {
        throw new OptionException(
            "--cpu-port", number + "", "a port that no -i names; " + port.text() + " has it");
      }
    }
    return number;
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

  private static Optional<ProgramFiles> program(Raw raw, boolean needed) {
    if (raw.json() == null && raw.p4info() == null) {
      if (needed) {
        throw new OptionException("--json", "", "p4c's BMv2 JSON, which --pcap needs");
      }
      return Optional.empty();
    }
    if (raw.p4info() == null && !raw.bmv2()) {
      throw new OptionException("--p4info", "", "the P4Info that belongs to --json");
    }
    if (raw.json() == null) {
      throw new OptionException("--json", "", "the BMv2 JSON that belongs to --p4info");
    }
    return Optional.of(
        new ProgramFiles(
            OptionValues.inputFile(raw.p4info() == null ? "FILE" : "--json", raw.json()),
            raw.p4info() == null ? null : OptionValues.inputFile("--p4info", raw.p4info())));
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

  private static <T> Map<Integer, T> byPort(
      String option,
      List<String> texts,
      Set<Integer> numbers,
      BiFunction<String, String, T> value) {
    Map<Integer, T> values = new TreeMap<>();
    for (String text : texts == null ? List.<String>of() : texts) {
      Matcher matcher = BY_PORT.matcher(text);
      if (!matcher.matches() || !numbers.contains(Integer.parseInt(matcher.group(1)))) {
        throw new OptionException(option, text, "PORT=VALUE with a port that -i names");
      }
      int port = Integer.parseInt(matcher.group(1));
      if (values.put(port, value.apply(text, matcher.group(2))) != null) {
        throw new OptionException(option, text, "each port once");
      }
    }
    return Map.copyOf(values);
  }

  private static long rate(String text, String value) {
    OptionalLong rate = Rates.parse(value);
    if (rate.isEmpty() || rate.getAsLong() < 1 || rate.getAsLong() > LineClock.MAX_RATE_BPS) {
      String allowed = OptionValues.rateRange(1, LineClock.MAX_RATE_BPS);
      throw new OptionException("--port-rate", text, "RATE", value, allowed);
    }
    return rate.getAsLong();
  }

  private static long delay(String text, String value) {
    OptionalLong nanos = Durations.nanos(value);
    if (nanos.isEmpty() || nanos.getAsLong() > MAX_DELAY_NANOS) {
      throw new OptionException("--port-delay", text, "DELAY", value, DELAY);
    }
    return nanos.getAsLong();
  }

  /** Gives a port what the options say about its queues. */
  void prepare(SwitchPort port) {
    Integer packets = queuePackets.get(port.number());
    if (packets != null) {
      for (int queue = 0; queue < QueueScheduling.QUEUES; queue++) {
        port.setQueueLimits(queue, port.queueLimitBytes(queue), packets);
      }
    }
    QueueScheduling scheduling = schedulings.get(port.number());
    if (scheduling != null) {
      port.setScheduling(scheduling);
    }
  }

  private static int packets(String text, String value) {
    if (!value.matches("\\d{1,9}")) {
      throw new OptionException(
          "--queue-packets", text, "PACKETS", value, "a whole number, 0 to 999999999");
    }
    return Integer.parseInt(value);
  }

  private static QueueScheduling scheduling(String text, String value) {
    try {
      return QueueScheduling.parse(value);
    } catch (IllegalArgumentException e) {
      throw new OptionException(
          "--scheduling",
          text,
          "LEVELS",
          value,
          "levels of queues such as 7/6:3,5:1@20M; " + e.getMessage());
    }
  }

  private static long bytes(String text, String value) {
    if (!value.matches("\\d{1,18}") || Long.parseLong(value) > MAX_QUEUE_BYTES) {
      String allowed = "a whole number, 0 to " + MAX_QUEUE_BYTES;
      throw new OptionException("--queue-bytes", text, "BYTES", value, allowed);
    }
    return Long.parseLong(value);
  }
}
