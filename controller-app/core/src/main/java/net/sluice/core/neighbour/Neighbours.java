package net.sluice.core.neighbour;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import net.sluice.core.target.LinePackets;
import net.sluice.core.time.Backoff;
import net.sluice.core.time.Scheduler;
import net.sluice.core.traffic.NextHopStatus;
import net.sluice.core.traffic.NextHopStatus.State;
import net.sluice.intents.compile.NextHopEntries;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Topology.SwitchPort;
import net.sluice.pipeconf.PacketCodec.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the next hops of a switch for their MAC addresses, again and again, and has the switch hold
 * what they answer; and answers for packets whose time is over.
 *
 * <p>A next hop that answers is asked every {@link #REFRESH}, and {@link #RETRY} after it was told
 * unasked that it is elsewhere. One that does not is asked every {@link #RETRY}, and after {@link
 * #TRIES} requests without an answer its entry goes: packets to it are dropped and counted, instead
 * of being sent to where it may not be any more. From then on it is asked after waits that double
 * up to {@link #LONGEST}, for as long as it takes. All next hops of a switch together are asked
 * {@link #MOST_A_SECOND} times a second at most.
 */
public final class Neighbours implements AutoCloseable {
  /** From an answer to the next request. */
  public static final Duration REFRESH = Duration.ofSeconds(10);

  /** From a request to the next, while an answer is waited for. */
  public static final Duration RETRY = Duration.ofSeconds(1);

  /** Requests without an answer after which a next hop is taken not to answer. */
  public static final int TRIES = 3;

  /** The longest wait from one request to the next. */
  public static final Duration LONGEST = Duration.ofSeconds(30);

  /** Most requests a second at a switch. */
  public static final int MOST_A_SECOND = 100;

  private static final Logger LOG = LoggerFactory.getLogger(Neighbours.class);
  private static final Duration STEP = Duration.ofMillis(100);
  private static final int MOST_A_STEP = 10;

  /** Most answers for packets whose time is over, a second; the switch has a bound by port. */
  private static final int MOST_ERRORS_A_SECOND = 1_000;

  private final String name;
  private final Topology topology;
  private final LinePackets packets;
  private final NextHops known;
  private final Scheduler scheduler;
  private final Clock clock;
  private final Writer writer;
  private final Consumer<NextHopStatus> changed;
  private final Map<Integer, Hop> hops = new LinkedHashMap<>();
  private long errorSecond;
  private int errors;
  private boolean isUp;
  private Scheduler.Cancellable coming = () -> {};

  /** Writes an entry at the switch, if that is connected. */
  @FunctionalInterface
  public interface Writer {
    /** Writes it. */
    void write(Op op, SwitchEntry entry);
  }

  private static final class Hop {
    final SwitchPort port;
    final IpPrefix address;
    final Backoff backoff = new Backoff(RETRY, LONGEST);
    State state = State.RESOLVING;
    Instant since;
    Instant next;
    int unanswered;

    Hop(SwitchPort port, Instant now) {
      this.port = port;
      this.address = port.line().nextHop().orElseThrow();
      this.since = now;
      this.next = now;
    }
  }

  /**
   * The neighbours of a switch, of which none has been asked yet.
   *
   * @param name of the switch, for the log
   * @param scheduler closed with them
   * @param changed gets each new state of a next hop; must not block
   */
  public Neighbours(
      String name,
      Topology topology,
      LinePackets packets,
      NextHops known,
      Scheduler scheduler,
      Clock clock,
      Writer writer,
      Consumer<NextHopStatus> changed) {
    this.name = name;
    this.topology = topology;
    this.packets = packets;
    this.known = known;
    this.scheduler = scheduler;
    this.clock = clock;
    this.writer = writer;
    this.changed = changed;
    Instant now = clock.instant();
    for (SwitchPort port : topology.ports()) {
      if (port.line().nextHop().isPresent()) {
        hops.put(port.number(), new Hop(port, now));
      }
    }
    known.tellErrors();
  }

  /** The switch has a session, or has none any more: it is asked through it. */
  public void follow(boolean up) {
    scheduler.execute(
        () -> {
          if (up && !isUp) {
            isUp = true;
            Instant now = clock.instant();
            hops.values().forEach(hop -> askAnew(hop, now));
            step();
          } else if (!up) {
            isUp = false;
          }
        });
  }

  /** It may have changed while the switch was away. */
  private void askAnew(Hop hop, Instant now) {
    synchronized (this) {
      hop.unanswered = 0;
      hop.backoff.reset();
      hop.next = now;
    }
  }

  /** Asks those whose time has come, some at a time, and comes back for the next. */
  private void step() {
    if (!isUp) {
      return;
    }
    Instant now = clock.instant();
    List<Hop> due = new ArrayList<>();
    Instant earliest;
    synchronized (this) {
      hops.values().stream()
          .filter(hop -> !hop.next.isAfter(now))
          .sorted(Comparator.comparing(hop -> hop.next))
          .limit(MOST_A_STEP)
          .forEach(due::add);
    }
    due.forEach(hop -> ask(hop, now));
    synchronized (this) {
      earliest = hops.values().stream().map(hop -> hop.next).min(Instant::compareTo).orElse(null);
    }
    coming.cancel();
    if (earliest != null) {
      Duration wait = Duration.between(now, earliest);
      coming = scheduler.schedule(wait.compareTo(STEP) < 0 ? STEP : wait, this::step);
    }
  }

  private void ask(Hop hop, Instant now) {
    if (hop.unanswered >= TRIES && hop.state != State.UNANSWERED) {
      begin(hop, State.UNANSWERED, now);
      OptionalLong mac = known.mac(hop.port.number());
      known.set(hop.port.number(), OptionalLong.empty());
      mac.ifPresent(last -> writer.write(Op.DELETE, NextHopEntries.of(hop.port.number(), last)));
      LOG.warn(
          "{}: the next hop {} of port {} does not answer: packets to it are dropped, and it is"
              + " asked again after 1 to {} s",
          name,
          hop.address.addressText(),
          hop.port.number(),
          LONGEST.toSeconds());
    }
    synchronized (this) {
      hop.unanswered++;
      hop.next = now.plus(hop.state == State.UNANSWERED ? hop.backoff.next() : RETRY);
    }
    packets.send(
        hop.port.number(),
        NeighbourFrames.request(
            hop.port.sourceMac(), hop.port.line().source().orElseThrow(), hop.address));
  }

  private void begin(Hop hop, State state, Instant now) {
    NextHopStatus status;
    synchronized (this) {
      hop.state = state;
      hop.since = now;
      status = status(hop);
    }
    changed.accept(status);
  }

  /** A frame that the switch hands over; any thread. */
  public void receive(int port, Reason reason, byte[] frame) {
    scheduler.execute(() -> received(port, reason, frame));
  }

  private void received(int port, Reason reason, byte[] frame) {
    if (reason == Reason.FROM_NEXT_HOP) {
      Hop hop = hops.get(port);
      if (hop != null) {
        NeighbourFrames.answer(frame, hop.address, hop.port.sourceMac())
            .ifPresent(answer -> answered(hop, answer));
      }
    } else if (mayTell()) {
      topology
          .port(port)
          .flatMap(in -> TimeExceeded.answer(in, frame))
          .ifPresent(answer -> packets.send(port, answer));
    }
  }

  private boolean mayTell() {
    long second = clock.instant().getEpochSecond();
    if (second != errorSecond) {
      errorSecond = second;
      errors = 0;
    }
    return errors++ < MOST_ERRORS_A_SECOND;
  }

  private void answered(Hop hop, NeighbourFrames.Answer answer) {
    int port = hop.port.number();
    long mac = answer.mac();
    OptionalLong before = known.mac(port);
    Instant now = clock.instant();
    boolean isNew = before.isEmpty() || before.getAsLong() != mac;
    if (isNew && before.isPresent() && !answer.replaces()) {
      return;
    }
    known.set(port, OptionalLong.of(mac));
    if (isNew) {
      writer.write(before.isEmpty() ? Op.INSERT : Op.MODIFY, NextHopEntries.of(port, mac));
      LOG.info(
          "{}: the next hop {} of port {} is at {}",
          name,
          hop.address.addressText(),
          port,
          NextHopStatus.macText(mac));
    }
    boolean begins = hop.state != State.RESOLVED || isNew;
    // Who claims unasked to be the next hop may be another: that itself is asked.
    boolean isClaimed = isNew && before.isPresent() && hop.unanswered == 0;
    synchronized (this) {
      hop.unanswered = 0;
      hop.backoff.reset();
      hop.next = now.plus(isClaimed ? RETRY : REFRESH);
    }
    if (isClaimed) {
      step();
    }
    if (begins) {
      begin(hop, State.RESOLVED, now);
    }
  }

  /** The next hops, in the order of the topology's ports. */
  public synchronized List<NextHopStatus> all() {
    return hops.values().stream().map(this::status).toList();
  }

  private NextHopStatus status(Hop hop) {
    return new NextHopStatus(
        Optional.empty(),
        hop.port.number(),
        hop.address.addressText(),
        hop.state,
        hop.since,
        known.mac(hop.port.number()),
        hop.unanswered,
        hop.next,
        OptionalLong.empty(),
        OptionalLong.empty());
  }

  @Override
  public void close() {
    scheduler.close();
  }
}
