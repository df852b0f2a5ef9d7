package net.sluice.core.unknown;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import net.sluice.core.ControllerException;
import net.sluice.core.target.CounterSource;
import net.sluice.core.target.RpcErrors;
import net.sluice.core.time.Scheduler;
import net.sluice.core.traffic.SubscriberCounters.Count;
import net.sluice.core.traffic.UnknownStatus;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.value.Direction;

/**
 * The addresses at a switch that no subscriber has. How much enters a port of them the switch
 * counts; whose it is is told by the copies of some of their packets, so that each address has its
 * part of what was counted. Of {@link #MOST} addresses something is kept at most, however many
 * there are. Thread-safe.
 *
 * <p>As long as no copy comes, nothing is asked of the switch.
 */
public final class UnknownAddresses implements AutoCloseable {
  /** Rates are of so long. */
  public static final Duration WINDOW = Duration.ofSeconds(30);

  /** Most addresses of which something is kept. */
  public static final int MOST = 1_024;

  private final Map<Integer, Direction> ports;
  private final CounterSource counters;
  private final Scheduler scheduler;
  private final Clock clock;
  private boolean isUp;
  private boolean isMeasuring;
  private Window running = new Window(null, null);
  private List<UnknownStatus> last = List.of();
  private String unread;

  /** An address at a port. */
  private record Sender(int port, IpPrefix address) {}

  /** Copies since a reading of the counters. */
  private static final class Window {
    private final Instant from;
    private final Map<Integer, Count> before;
    private final SpaceSaving<Sender> senders = new SpaceSaving<>(MOST);
    private final Map<Integer, Long> sampled = new HashMap<>();

    /**
     * @param before null if the counters could not be read
     */
    Window(Instant from, Map<Integer, Count> before) {
      this.from = from;
      this.before = before;
    }
  }

  /**
   * Addresses of which nothing is known.
   *
   * @param ports where they may enter, and which way what enters there goes
   * @param scheduler closed with this
   */
  public UnknownAddresses(
      Map<Integer, Direction> ports, CounterSource counters, Scheduler scheduler, Clock clock) {
    this.ports = new TreeMap<>(ports);
    this.counters = counters;
    this.scheduler = scheduler;
    this.clock = clock;
  }

  /** The switch has a session, or has none any more: it is told once in each to copy packets. */
  public void follow(boolean up) {
    boolean begins;
    synchronized (this) {
      begins = up && !isUp;
      isUp = up;
    }
    if (begins) {
      counters.copyUnknown();
    }
  }

  /** A copy of a packet that entered a port; quick, on any thread. */
  public void seen(int port, byte[] frame) {
    Direction direction = ports.get(port);
    if (direction == null) {
      return;
    }
    Optional<IpPrefix> address = SampledFrame.address(frame, direction);
    synchronized (this) {
      running.sampled.merge(port, (long) frame.length, Long::sum);
      address.ifPresent(of -> running.senders.add(new Sender(port, of), frame.length));
      if (!isMeasuring) {
        isMeasuring = true;
        scheduler.execute(this::turn);
      }
    }
  }

  private void turn() {
    var unused =
        counters
            .readUnknown(List.copyOf(ports.keySet()))
            .whenComplete((now, failure) -> scheduler.execute(() -> turn(now, failure)));
  }

  private synchronized void turn(Map<Integer, Count> now, Throwable failure) {
    Instant at = clock.instant();
    if (failure != null) {
      unread = RpcErrors.text(failure);
      running = new Window(at, null);
    } else if (running.before == null) {
      // The copies that it begins with are of a time that was not counted.
      unread = null;
      last = List.of();
      running = new Window(at, now);
    } else {
      last = running.sampled.isEmpty() ? List.of() : rates(running, now, at);
      isMeasuring = !running.sampled.isEmpty();
      running = isMeasuring ? new Window(at, now) : new Window(null, null);
    }
    if (isMeasuring) {
      scheduler.schedule(WINDOW, this::turn);
    }
  }

  private List<UnknownStatus> rates(Window window, Map<Integer, Count> now, Instant to) {
    double seconds = Duration.between(window.from, to).toNanos() / 1e9;
    List<SpaceSaving.Weighed<Sender>> senders = window.senders.all();
    List<UnknownStatus> all = new ArrayList<>();
    ports.forEach(
        (port, direction) -> {
          Count before = window.before.getOrDefault(port, Count.NONE);
          Count after = now.getOrDefault(port, Count.NONE);
          if (window.sampled.containsKey(port)) {
            double bps = Byte.SIZE * since(before.bytes(), after.bytes()) / seconds;
            double bpsOfByte = bps / window.sampled.get(port);
            List<UnknownStatus.Address> addresses =
                senders.stream()
                    .filter(sender -> sender.subject().port == port)
                    .map(sender -> address(sender, bpsOfByte))
                    .toList();
            all.add(
                new UnknownStatus(
                    Optional.empty(),
                    port,
                    direction,
                    window.from,
                    to,
                    Math.round(bps),
                    Math.round(since(before.packets(), after.packets()) / seconds),
                    addresses));
          }
        });
    return all;
  }

  private static UnknownStatus.Address address(
      SpaceSaving.Weighed<Sender> sender, double bpsOfByte) {
    double bps = sender.weight() * bpsOfByte;
    double error = 2 * bps / Math.sqrt(sender.times()) + sender.error() * bpsOfByte;
    return new UnknownStatus.Address(
        sender.subject().address.addressText(), Math.round(bps), Math.round(error));
  }

  /** The difference of two counts; a counter that is less than before has begun anew. */
  private static long since(long before, long now) {
    return now >= before ? now - before : now;
  }

  /** The ports at which such packets entered in the last {@link #WINDOW}, read already. */
  public synchronized CompletableFuture<List<UnknownStatus>> last() {
    return !counters.tellsUnknown()
        ? CompletableFuture.failedFuture(
            new ControllerException("the switch's program tells no addresses of unknown traffic"))
        : unread != null
            ? CompletableFuture.failedFuture(
                new ControllerException("the switch's counters cannot be read: " + unread))
            : CompletableFuture.completedFuture(last);
  }

  @Override
  public void close() {
    scheduler.close();
  }
}
