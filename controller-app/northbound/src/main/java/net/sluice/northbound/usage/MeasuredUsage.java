package net.sluice.northbound.usage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.LongSupplier;
import net.sluice.core.Controller;
import net.sluice.core.target.RpcErrors;
import net.sluice.core.time.Scheduler;
import net.sluice.core.traffic.CountedSwitch;
import net.sluice.intents.value.Direction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Usage of a controller's subscribers: a sweep reads the counters of all of them and is kept. All
 * but the reading of what is kept happens on one scheduler's thread.
 */
public final class MeasuredUsage implements Usage {
  private static final Logger LOG = LoggerFactory.getLogger(MeasuredUsage.class);

  /** Most that a sweep may take of the time between two, in percent. */
  private static final int PATIENCE_PERCENT = 80;

  private static final int PERCENT = 100;
  private static final int SECONDS_A_DAY = 86_400;

  private final Controller controller;
  private final Duration every;
  private final Scheduler scheduler;
  private final Clock clock;
  private final LongSupplier nanos;
  private final Subjects subjects;
  private final History history;
  private final Columns rates = new Columns();
  private final Map<String, Counted> tables = new HashMap<>();
  private final Watched watched;
  private final Map<String, String> failing = new LinkedHashMap<>();
  private Sweep sweep;
  private int seenOn;
  private volatile Instant lastAt;

  /** The slots of the subscribers of which something is known. */
  private volatile BitSet people = new BitSet();

  private volatile Sweeps sweeps;
  private volatile Judge judge = Judge.NONE;
  private volatile boolean closed;

  /**
   * Begins to measure.
   *
   * @param directory where usage is kept, nothing else; made if it is not there
   * @param every how often all counters are read, whole minutes
   * @param scheduler closed with this
   * @param nanos a time that only goes on
   * @throws IOException if what is kept cannot be opened
   */
  public MeasuredUsage(
      Controller controller,
      Path directory,
      Duration every,
      Scheduler scheduler,
      Clock clock,
      LongSupplier nanos)
      throws IOException {
    this.controller = controller;
    this.every = every;
    this.scheduler = scheduler;
    this.clock = clock;
    this.nanos = nanos;
    Files.createDirectories(directory);
    subjects = new Subjects(directory.resolve("names"), (int) Level.DAY.kept().toDays() + 1);
    history = new History(directory);
    watched = new Watched(controller, scheduler, clock, nanos);
    Instant now = clock.instant();
    sweeps = new Sweeps(every, now, Optional.empty(), Duration.ZERO, 0, 0, 0, Map.of(), 0);
    scheduler.execute(this::catchUp);
    scheduleNext();
  }

  private void catchUp() {
    try {
      var unused = history.catchUp(clock.instant().getEpochSecond());
    } catch (IOException e) {
      LOG.warn("what is kept of usage cannot be read", e);
    }
  }

  private void scheduleNext() {
    long millis = every.toMillis();
    long wait = millis - Math.floorMod(clock.millis(), millis);
    scheduler.schedule(Duration.ofMillis(wait), this::begin);
  }

  // ---------------------------------------------------------------- sweeps

  /** One reading of all counters. */
  private final class Sweep {
    private final long end;
    private final long begun = nanos.getAsLong();
    private final Map<CountedSwitch, Counted> open = new LinkedHashMap<>();
    private final Map<CountedSwitch, Counted> read = new LinkedHashMap<>();
    private final BitSet known = new BitSet();
    private Scheduler.Cancellable deadline;

    /**
     * @param end of the time that it is for, in seconds of the epoch
     */
    Sweep(long end) {
      this.end = end;
    }

    void begin() throws IOException {
      deadline =
          scheduler.schedule(every.multipliedBy(PATIENCE_PERCENT).dividedBy(PERCENT), this::late);
      List<CountedSwitch> switches = controller.counted();
      Map<CountedSwitch, BitSet> wanted = new LinkedHashMap<>();
      for (CountedSwitch each : switches) {
        Counted table = tables.computeIfAbsent(each.name(), name -> new Counted(rates, nanos));
        wanted.put(each, bind(each, table));
        open.put(each, table);
      }
      tables.values().retainAll(open.values());
      wanted.forEach(this::read);
      endIfRead();
    }

    private BitSet bind(CountedSwitch of, Counted table) throws IOException {
      int day = (int) (end / SECONDS_A_DAY);
      table.beginBinding();
      try {
        of.subscribers(
            (index, id, port, tree, down, up) -> {
              try {
                table.bind(index, subjects.findOrAdd(SubjectNames.subscriber(id), day));
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
      return table.endBinding();
    }

    private void read(CountedSwitch of, BitSet indices) {
      Counted table = open.get(of);
      table.beginReading();
      var unused =
          of.readAll(indices, table)
              .whenComplete((done, failure) -> scheduler.execute(() -> ended(of, table, failure)));
    }

    private void ended(CountedSwitch of, Counted table, Throwable failure) {
      if (sweep != this || open.remove(of) == null) {
        return;
      }
      end(of, table, failure == null ? null : RpcErrors.text(failure));
      endIfRead();
    }

    private void end(CountedSwitch of, Counted table, String failure) {
      table.endReading(failure == null, known);
      if (failure == null) {
        failing.remove(of.name());
        read.put(of, table);
      } else {
        if (failing.put(of.name(), failure) == null) {
          LOG.warn("{}: the counters of its subscribers cannot be read: {}", of.name(), failure);
        }
        sweeps = with(0, 1, 0);
      }
    }

    private void late() {
      if (sweep == this) {
        open.forEach((of, table) -> end(of, table, "the switch has not told all of them in time"));
        open.clear();
        endIfRead();
      }
    }

    private void endIfRead() {
      if (!open.isEmpty()) {
        return;
      }
      deadline.cancel();
      sweep = null;
      try {
        keep();
      } catch (IOException | RuntimeException e) {
        missed(e);
      }
    }

    /** Rates are kept, whether they can be judged or not. */
    private void judge(CountedSwitch of, Counted table) {
      try {
        judge.judge(
            of.name(),
            (index, direction) -> {
              int slot = table.slot(index);
              return slot >= 0 && known.get(slot)
                  ? rates.rates(slot, direction, known)
                  : Optional.empty();
            },
            (index, direction, finding) -> {
              int slot = table.slot(index);
              rates.set(
                  Measure.column(Measure.ENTITLED.ordinal(), direction),
                  slot,
                  finding.entitledBps());
              rates.set(
                  Measure.column(Measure.JUDGED.ordinal(), direction),
                  slot,
                  KeptTime.code(finding.cause(), finding.isShort() ? 1 : 0));
            });
      } catch (RuntimeException e) {
        LOG.warn("{}: what limits its subscribers is not kept", of.name(), e);
      }
    }

    private void keep() throws IOException {
      int day = (int) (end / SECONDS_A_DAY);
      BitSet ofSubscribers = (BitSet) known.clone();
      read.forEach(this::judge);
      Groups groups = new Groups(rates);
      read.forEach(
          (of, table) -> {
            groups.of(of.name());
            of.subscribers(
                (index, id, port, tree, down, up) -> {
                  int slot = table.slot(index);
                  if (slot >= 0 && known.get(slot)) {
                    groups.add(slot, port, tree, down, up);
                  }
                });
          });
      groups.all(
          (name, sums) -> {
            int slot = subjects.findOrAdd(name, day);
            known.set(slot);
            for (int column = 0; column < sums.length; column++) {
              rates.set(column, slot, sums[column]);
            }
          });
      rates.known(known);
      people = ofSubscribers;
      lastAt = Instant.ofEpochSecond(end);
      if (seenOn != day) {
        subjects.seen(known, day);
        seenOn = day;
      }
      long bytes = history.append(end, subjects.end(), rates);
      sweeps =
          new Sweeps(
              every,
              sweeps.since(),
              Optional.of(lastAt),
              Duration.ofNanos(nanos.getAsLong() - begun),
              sweeps.kept() + 1,
              sweeps.missed(),
              sweeps.unread(),
              failing,
              sweeps.bytes() + bytes);
    }
  }

  private void begin() {
    if (closed) {
      return;
    }
    scheduleNext();
    long end =
        Math.floorDiv(clock.instant().getEpochSecond(), every.toSeconds()) * every.toSeconds();
    if (sweep != null) {
      missed(null);
      return;
    }
    sweep = new Sweep(end);
    try {
      sweep.begin();
    } catch (IOException | RuntimeException e) {
      sweep = null;
      missed(e);
    }
  }

  private void missed(Exception why) {
    sweeps = with(1, 0, 0);
    if (why != null) {
      LOG.warn("usage could not be kept", why);
    }
  }

  private Sweeps with(int missed, int unread, long bytes) {
    return new Sweeps(
        every,
        sweeps.since(),
        sweeps.last(),
        sweeps.took(),
        sweeps.kept(),
        sweeps.missed() + missed,
        sweeps.unread() + unread,
        failing,
        sweeps.bytes() + bytes);
  }

  // ---------------------------------------------------------------- what is asked for

  @Override
  public Optional<Sweeps> sweeps() {
    return Optional.of(sweeps);
  }

  @Override
  public Optional<UsagePoint> latest(Measured which) {
    Optional<UsagePoint> now =
        which instanceof Measured.OfSubscriber of ? watched.look(of.id()) : Optional.empty();
    return now.or(() -> swept(subjects.find(SubjectNames.of(which))));
  }

  private Optional<UsagePoint> swept(int slot) {
    Instant at = lastAt;
    return at == null
        ? Optional.empty()
        : Optional.of(
                new UsagePoint(
                    at, rates.rates(slot, Direction.DOWN), rates.rates(slot, Direction.UP)))
            .filter(UsagePoint::isKnown);
  }

  @Override
  public Optional<UsagePoint> at(Measured which, Instant at) {
    long now = clock.instant().getEpochSecond();
    for (Level level : Level.values()) {
      long end = Math.floorDiv(at.getEpochSecond(), level.seconds()) * level.seconds();
      end += level.seconds();
      if (isFineEnough(level) && end > now - level.kept().toSeconds()) {
        long from = end - level.seconds();
        return read(level, which, from, end, level.seconds()).stream()
            .filter(UsagePoint::isKnown)
            .findFirst();
      }
    }
    return Optional.empty();
  }

  private boolean isFineEnough(Level level) {
    return level.step().compareTo(every) >= 0;
  }

  @Override
  public UsageSeries points(Measured which, Instant from, Instant to, Duration step) {
    long now = clock.instant().getEpochSecond();
    Level best = Level.DAY;
    for (int i = Level.values().length - 1; i >= 0; i--) {
      Level level = Level.values()[i];
      boolean covers = from.getEpochSecond() >= now - level.kept().toSeconds();
      boolean isWide = best.step().compareTo(step) > 0;
      if (covers && isFineEnough(level) && isWide) {
        best = level;
      }
    }
    long wide = Math.max(1, -Math.floorDiv(-step.toSeconds(), best.seconds())) * best.seconds();
    long begin = Math.floorDiv(from.getEpochSecond(), wide) * wide;
    long end = Math.floorDiv(to.getEpochSecond(), wide) * wide;
    return new UsageSeries(
        Instant.ofEpochSecond(begin),
        Instant.ofEpochSecond(Math.max(begin, end)),
        Duration.ofSeconds(wide),
        read(best, which, begin, end, wide));
  }

  @Override
  public Window walk(List<String> ids, Instant from, Instant to, TimeVisitor visitor) {
    int[] slots = ids.stream().mapToInt(id -> subjects.find(SubjectNames.subscriber(id))).toArray();
    long now = clock.instant().getEpochSecond();
    long begin = Long.MIN_VALUE;
    long done = from.getEpochSecond();
    Level[] levels = Arrays.stream(Level.values()).filter(this::isFineEnough).toArray(Level[]::new);
    try {
      for (int i = levels.length - 1; i >= 0; i--) {
        long step = levels[i].seconds();
        // Finer times are kept from there on.
        long finer =
            i == 0
                ? Long.MAX_VALUE
                : -Math.floorDiv(levels[i - 1].kept().toSeconds() - now, step) * step;
        long end = Math.floorDiv(Math.min(to.getEpochSecond(), finer), step) * step;
        long start = Math.floorDiv(done, step) * step;
        if (start < end) {
          begin = begin == Long.MIN_VALUE ? start : begin;
          history.walk(levels[i], slots, start, end, visitor);
          done = end;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Window(
        begin == Long.MIN_VALUE ? from : Instant.ofEpochSecond(begin), Instant.ofEpochSecond(done));
  }

  @Override
  public void judgeBy(Judge by) {
    judge = by;
  }

  private List<UsagePoint> read(Level level, Measured which, long from, long to, long step) {
    try {
      return history.points(level, subjects.find(SubjectNames.of(which)), from, to, step);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Instant now() {
    return clock.instant();
  }

  @Override
  public Top top(Order by, Direction direction, int limit) {
    BitSet among = people;
    record Ranked(long most, int slot) {}
    PriorityQueue<Ranked> best = new PriorityQueue<>(Comparator.comparingLong(Ranked::most));
    for (int slot = among.nextSetBit(0); slot >= 0; slot = among.nextSetBit(slot + 1)) {
      long most = rates.rank(by, direction, slot);
      if (most > 0 && (best.size() < limit || most > best.peek().most())) {
        best.add(new Ranked(most, slot));
        if (best.size() > limit) {
          best.remove();
        }
      }
    }
    List<Top.Entry> entries = new ArrayList<>();
    try {
      for (; !best.isEmpty(); ) {
        int slot = best.remove().slot();
        String id = SubjectNames.subscriberOf(subjects.name(slot));
        rates.rates(slot, direction).ifPresent(each -> entries.add(new Top.Entry(id, each)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Collections.reverse(entries);
    return new Top(Optional.ofNullable(lastAt), entries);
  }

  @Override
  public void walk(String switchName, Visitor visitor) {
    for (CountedSwitch of : controller.counted()) {
      if (of.name().equals(switchName)) {
        of.subscribers(
            (index, id, port, tree, down, up) ->
                swept(subjects.find(SubjectNames.subscriber(id)))
                    .ifPresent(point -> visitor.visit(id, point)));
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    scheduler.close();
    try {
      subjects.close();
    } catch (IOException e) {
      LOG.warn("the names of what is measured are not closed", e);
    }
    history.close();
  }
}
