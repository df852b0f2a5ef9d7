package net.sluice.lab.bench.switching;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.sluice.cli.Logging;
import net.sluice.emulator.ports.InterfaceLoad;
import net.sluice.emulator.ports.PortException;

/**
 * Sends the benchmark's packets into both ports of a switch and counts what comes back out of them,
 * in a process of its own on the other cores. Frames are counted by the kernel, as received at the
 * far ends of the switch's interfaces: nothing has to read them.
 *
 * <p>Each line of its standard input is a trial: packets a second (0 for as many as it can) and
 * milliseconds. It prints one line for each.
 */
final class VethLoadProcess {
  static final String READY = "READY";
  static final String TRIAL = "TRIAL";

  private static final int CORE_FRAMES = 1 << 15;
  private static final int ACCESS_FRAMES = 1 << 13;

  // Nine of ten packets come from the core, as in the captures.
  private static final int CYCLE = 10 * InterfaceLoad.MAX_FRAMES;
  private static final int CORE_OF_CYCLE = 9 * InterfaceLoad.MAX_FRAMES;

  /** Share of a trial, at its beginning, that does not count. */
  private static final int RAMP_PART = 5;

  private static final long QUIET_NANOS = 200_000_000L;

  /** The same while frames are missing that a switch below its limit would still send. */
  private static final long MISSING_NANOS = 2_000_000_000L;

  private static final long PATIENCE_NANOS = 10_000_000_000L;
  private static final long NANOS_PER_MILLI = 1_000_000L;
  private static final double NANOS_PER_SECOND = 1e9;

  private VethLoadProcess() {}

  /**
   * Results of a trial.
   *
   * @param offered packets sent into the switch
   * @param nanos it took to send them
   * @param delivered packets that came out, the last ones included
   * @param counted packets that came out while packets were being sent, but for the beginning
   * @param countedNanos how long that was
   */
  record Trial(long offered, long nanos, long delivered, long counted, long countedNanos) {

    double offeredPerSecond() {
      return offered / (nanos / NANOS_PER_SECOND);
    }

    double perSecond() {
      return counted / (countedNanos / NANOS_PER_SECOND);
    }

    String text() {
      return MeasurementLine.of(offered, nanos, delivered, counted, countedNanos);
    }

    static Trial parse(String text) {
      long[] parts = MeasurementLine.parse(text);
      return new Trial(parts[0], parts[1], parts[2], parts[3], parts[4]);
    }
  }

  /** The other process: far ends of the access and the core interface, subscribers. */
  public static void main(String[] arguments) throws IOException, PortException {
    Logging.configureWarnings();
    String access = arguments[0];
    String core = arguments[1];
    int subscribers = Integer.parseInt(arguments[2]);
    try (InterfaceLoad toAccess =
            InterfaceLoad.open(access, frames(ACCESS_FRAMES, subscribers, false));
        InterfaceLoad toCore = InterfaceLoad.open(core, frames(CORE_FRAMES, subscribers, true))) {
      System.out.println(READY);
      BufferedReader trials =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String line = trials.readLine(); line != null; line = trials.readLine()) {
        String[] parts = line.split(" ");
        Trial trial =
            new Load(toAccess, toCore, Long.parseLong(parts[0]))
                .run(Long.parseLong(parts[1]) * NANOS_PER_MILLI, access, core);
        System.out.println(TRIAL + " " + trial.text());
      }
    }
  }

  private static List<byte[]> frames(int count, int subscribers, boolean down) {
    Random random = new Random(count);
    List<byte[]> frames = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      frames.add(SwitchBenchSetup.frame(random.nextInt(subscribers), down));
    }
    return frames;
  }

  /** Frames that have arrived at interfaces. */
  private static long received(String... names) throws IOException {
    long frames = 0;
    for (String name : names) {
      Path file = Path.of("/sys/class/net", name, "statistics/rx_packets");
      frames += Long.parseLong(Files.readString(file).strip());
    }
    return frames;
  }

  /** One trial. */
  private static final class Load {
    private final InterfaceLoad toAccess;
    private final InterfaceLoad toCore;
    private final long perSecond;
    private long offered;

    Load(InterfaceLoad toAccess, InterfaceLoad toCore, long perSecond) {
      this.toAccess = toAccess;
      this.toCore = toCore;
      this.perSecond = perSecond;
    }

    Trial run(long nanos, String access, String core) throws IOException {
      long before = received(access, core);
      long start = System.nanoTime();
      sendUntil(start, start + nanos / RAMP_PART);
      long counted = received(access, core);
      long countedSince = System.nanoTime();
      sendUntil(start, start + nanos);
      long end = System.nanoTime();
      counted = received(access, core) - counted;
      long countedNanos = System.nanoTime() - countedSince;
      long delivered = untilQuiet(before, access, core) - before;
      return new Trial(offered, end - start, delivered, counted, countedNanos);
    }

    private void sendUntil(long start, long end) {
      for (long now = System.nanoTime(); now < end; now = System.nanoTime()) {
        if (due(now - start) > 0) {
          sendNext((int) Math.min(due(now - start), InterfaceLoad.MAX_FRAMES));
        } else {
          Thread.onSpinWait();
        }
      }
      if (perSecond > 0) {
        sendOwed(end - start);
      }
    }

    /** Sends the frames that were due before the end but late because the machine was busy. */
    private void sendOwed(long nanos) {
      long before = -1;
      while (due(nanos) > 0 && offered > before) {
        before = offered;
        sendNext((int) Math.min(due(nanos), InterfaceLoad.MAX_FRAMES));
      }
    }

    private long due(long nanos) {
      return perSecond == 0
          ? InterfaceLoad.MAX_FRAMES
          : (long) (perSecond * (nanos / NANOS_PER_SECOND)) - offered;
    }

    private void sendNext(int count) {
      int at = (int) (offered % CYCLE);
      offered +=
          at < CORE_OF_CYCLE
              ? toCore.send(Math.min(count, CORE_OF_CYCLE - at))
              : toAccess.send(Math.min(count, CYCLE - at));
    }

    /** Frames received once no more arrive. */
    private long untilQuiet(long before, String access, String core) throws IOException {
      long frames = received(access, core);
      long now = System.nanoTime();
      long giveUp = now + PATIENCE_NANOS;
      for (long since = now; now - since < quiet(frames - before) && now < giveUp; ) {
        Thread.yield();
        long more = received(access, core);
        now = System.nanoTime();
        if (more != frames) {
          frames = more;
          since = now;
        }
      }
      return frames;
    }

    private long quiet(long delivered) {
      return perSecond > 0 && delivered < offered ? MISSING_NANOS : QUIET_NANOS;
    }
  }
}
