package net.sluice.emulator.cli.live;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.sluice.cli.Durations;
import net.sluice.cli.OptionException;
import net.sluice.cli.OptionValues;
import net.sluice.cli.WrittenRates;
import net.sluice.emulator.netsim.LineClock;
import net.sluice.emulator.netsim.QueueScheduling;
import net.sluice.emulator.netsim.SwitchPort;
import picocli.CommandLine.Option;

/** The options of {@code sluice switch} that describe lines and queues of ports. */
final class LineOptions {
  private static final Pattern BY_PORT = Pattern.compile("(\\d{1,9})=(.+)");
  private static final long MAX_QUEUE_BYTES = 1L << 40;
  private static final long MAX_DELAY_NANOS = 10_000_000_000L;
  private static final String DELAY = "a time of at most 10s, written like 10ms, 2.5ms or 800us";

  // A line with a rate queues up to a quarter of a second: beyond where a program that watches the
  // delay holds the queue.
  private static final double QUEUE_SECONDS = 0.25;
  private static final long MIN_QUEUE_BYTES = 1L << 20;
  private static final int BITS_PER_BYTE = 8;

  private static final List<Integer> DEFAULT_LOOPS = List.of(505, 506, 507, 508);
  private static final String NO_LOOPS = "none";
  private static final long LOOP_RATE_BPS = 1_000_000_000L;

  // More than packets that wait may take: a program bounds that itself, to drop by subscriber.
  private static final long LOOP_QUEUE_BYTES = 64L << 20;

  @Option(
      names = "--loop-ports",
      paramLabel = "PORT[,PORT...]|none",
      description = {
        "Ports without an interface, by which packets go round that the program recirculates, at"
            + " 1G unless --port-rate says otherwise. Default: those of 505 to 508 that nothing"
            + " else is; none with simple_switch_grpc's own command line"
      })
  private String loopPorts;

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
      names = "--port-delay",
      paramLabel = "PORT=DELAY",
      description = {
        "How long each frame is under way on a port's line, in either direction, such as 1=10ms."
            + " Default: 0"
      })
  private List<String> delays;

  /**
   * Lines and queues by port, for the ports that options name.
   *
   * @param loops ports by which packets go round
   * @param rates bit/s
   * @param queueBytes queue limits, bytes
   * @param queuePackets queue limits, packets
   * @param schedulings how ports serve their queues
   * @param delays nanoseconds; none with captures
   */
  record Lines(
      List<Integer> loops,
      Map<Integer, Long> rates,
      Map<Integer, Long> queueBytes,
      Map<Integer, Integer> queuePackets,
      Map<Integer, QueueScheduling> schedulings,
      Map<Integer, Long> delays) {
    /** Rate of a port, bit/s, or {@link LineClock#UNLIMITED_BPS}. */
    long rateBps(int port) {
      return rates.getOrDefault(
          port, loops.contains(port) ? LOOP_RATE_BPS : LineClock.UNLIMITED_BPS);
    }

    /**
     * Queue limit of a port, bytes. Without one, captures lose nothing, and neither does a port
     * that sends at once.
     */
    long queueLimitBytes(int port, boolean captures) {
      Long given = queueBytes.get(port);
      if (given != null) {
        return given;
      }
      if (loops.contains(port)) {
        return LOOP_QUEUE_BYTES;
      }
      Long rate = rates.get(port);
      return captures || rate == null
          ? Long.MAX_VALUE
          : Math.max(MIN_QUEUE_BYTES, (long) (rate / (double) BITS_PER_BYTE * QUEUE_SECONDS));
    }

    /** How long a frame is under way on a port's line, nanoseconds. */
    long delayNanos(int port) {
      return delays.getOrDefault(port, 0L);
    }

    /** Sets a port's queue limits in packets and its scheduling. */
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
  }

  /**
   * Checks the options.
   *
   * @param ports the numbers that {@code -i} names
   * @param cpuPort the port that controllers use, or 0
   * @param byDefault whether there are loop ports if the options say nothing of them
   * @throws OptionException if one is not allowed
   */
  Lines read(Set<Integer> ports, int cpuPort, boolean byDefault) {
    List<Integer> loops = loops(ports, cpuPort, byDefault);
    Set<Integer> all = new HashSet<>(ports);
    all.addAll(loops);
    String named = "a port that -i or --loop-ports names";
    return new Lines(
        loops,
        byPort("--port-rate", rates, all, named, LineOptions::rate),
        byPort("--queue-bytes", queueBytes, all, named, LineOptions::bytes),
        byPort("--queue-packets", queuePackets, all, named, LineOptions::packets),
        byPort("--scheduling", schedulings, all, named, LineOptions::scheduling),
        byPort("--port-delay", delays, ports, "a port that -i names", LineOptions::delay));
  }

  private List<Integer> loops(Set<Integer> ports, int cpuPort, boolean byDefault) {
    if (loopPorts == null) {
      return byDefault
          ? DEFAULT_LOOPS.stream().filter(loop -> !ports.contains(loop) && loop != cpuPort).toList()
          : List.of();
    }
    if (loopPorts.equals(NO_LOOPS)) {
      return List.of();
    }
    List<Integer> loops = new ArrayList<>();
    for (String text : loopPorts.split(",", -1)) {
      int number = text.matches("\\d{1,3}") ? Integer.parseInt(text) : -1;
      boolean taken = ports.contains(number) || number == cpuPort && cpuPort != 0;
      if (number < 0 || number > PortOption.MAX_NUMBER || taken || loops.contains(number)) {
        throw new OptionException(
            "--loop-ports",
            loopPorts,
            "PORT",
            text,
            "none, or ports of 0 to "
                + PortOption.MAX_NUMBER
                + ", each once, that neither -i nor --cpu-port names");
      }
      loops.add(number);
    }
    return List.copyOf(loops);
  }

  private static <T> Map<Integer, T> byPort(
      String option,
      List<String> texts,
      Set<Integer> numbers,
      String named,
      BiFunction<String, String, T> value) {
    Map<Integer, T> values = new TreeMap<>();
    for (String text : texts == null ? List.<String>of() : texts) {
      Matcher matcher = BY_PORT.matcher(text);
      if (!matcher.matches() || !numbers.contains(Integer.parseInt(matcher.group(1)))) {
        throw new OptionException(option, text, "PORT=VALUE with " + named);
      }
      int port = Integer.parseInt(matcher.group(1));
      if (values.put(port, value.apply(text, matcher.group(2))) != null) {
        throw new OptionException(option, text, "each port once");
      }
    }
    return Map.copyOf(values);
  }

  private static long rate(String text, String value) {
    OptionalLong rate = WrittenRates.parse(value);
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
