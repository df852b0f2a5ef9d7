package net.sluice.northbound.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import net.sluice.intents.value.Direction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryTest {
  private static final int SLOTS = Block.SLOTS + 300;
  private static final long START = 1_767_225_600;
  private static final long MINUTE = 60;

  @TempDir private Path directory;

  /** What was got by minute; without those of which nothing is known. */
  private final TreeMap<Long, Long> told = new TreeMap<>();

  private static Columns rates(int slot, long got) {
    Columns rates = new Columns();
    rates.set(Measure.column(Measure.GOT.ordinal(), Direction.DOWN), slot, got);
    rates.set(Measure.column(Measure.OFFERED.ordinal(), Direction.DOWN), slot, got + got / 7);
    rates.set(Measure.column(Measure.FIRST_WAIT, Direction.DOWN), slot, got);
    BitSet known = new BitSet();
    known.set(slot);
    rates.known(known);
    return rates;
  }

  private void append(History history, long end, int slot, long got) throws IOException {
    var unused = history.append(end, SLOTS, rates(slot, got));
    told.put(end, got);
  }

  /** The mean of the minutes of a time by themselves. */
  private Optional<Double> mean(long from, long to) {
    LongStream minutes =
        told.subMap(from, false, to, true).values().stream().mapToLong(Long::longValue);
    var mean = minutes.average();
    return mean.isPresent() ? Optional.of(mean.getAsDouble()) : Optional.empty();
  }

  @Test
  void coarserTimesAreMeansOfTheMinutesOfThem() throws IOException {
    Random random = new Random(7);
    for (int slot : new int[] {Block.SLOTS - 1, Block.SLOTS}) {
      told.clear();
      Path here = directory.resolve("of" + slot);
      try (History history = new History(here)) {
        long now = START;
        for (int i = 0; i < 26 * 60; i++) {
          now += MINUTE;
          // Hours with a few minutes, and some with none.
          if (random.nextInt(100) < (i / 60 % 3 == 2 ? 2 : 90)) {
            append(history, now, slot, (long) Math.exp(random.nextDouble() * 25));
          }
        }
        var unused = history.catchUp(now);
        for (Level level : List.of(Level.FIVE_MINUTES, Level.HOUR, Level.DAY)) {
          long step = level.seconds();
          long to = now / step * step;
          List<UsagePoint> points = history.points(level, slot, START, to, step);
          assertThat(points).hasSize((int) ((to - START) / step));
          for (UsagePoint point : points) {
            compare(history, level, point);
          }
        }
        assertThat(history.points(Level.DAY, slot + 1, START, START + 86_400, 86_400))
            .allMatch(point -> !point.isKnown());
      }
    }
  }

  private void compare(History history, Level level, UsagePoint point) {
    long end = point.at().getEpochSecond();
    Optional<Double> mean = mean(end - level.seconds(), end);
    assertThat(point.isKnown()).as("%s %s", level, point).isEqualTo(mean.isPresent());
    if (mean.isPresent() && level == Level.FIVE_MINUTES) {
      Rates rates = point.down().orElseThrow();
      assertThat((double) rates.gotBps()).isCloseTo(mean.get(), within(1 + mean.get() / 400));
      assertThat((double) rates.offeredBps())
          .isCloseTo(mean.get() * 8 / 7, within(2 + mean.get() / 300));
      assertThat(rates.delay()).isPresent();
    }
  }

  @Test
  void hoursAreMeansOfTheirFiveMinutesWhereAllIsKnown() throws IOException {
    try (History history = new History(directory)) {
      long now = START;
      for (int i = 0; i < 24 * 60; i++) {
        now += MINUTE;
        append(history, now, 3, 1_000L * i);
      }
      List<UsagePoint> hours = history.points(Level.HOUR, 3, START, now, 3_600);
      for (UsagePoint hour : hours) {
        long end = hour.at().getEpochSecond();
        double mean = mean(end - 3_600, end).orElseThrow();
        assertThat((double) hour.down().orElseThrow().gotBps())
            .isCloseTo(mean, within(1 + mean / 300));
      }
      assertThat(history.points(Level.DAY, 3, START, now, 86_400).get(0).down().orElseThrow())
          .satisfies(day -> assertThat(day.gotBps()).isBetween(717_000L, 722_000L));
      // Several steps are a point.
      assertThat(history.points(Level.HOUR, 3, START, now, 4 * 3_600)).hasSize(6);
    }
  }

  @Test
  void whatIsTooOldGoesAndWhatWasMissedIsMadeUp() throws IOException {
    try (History history = new History(directory)) {
      for (int i = 1; i <= 8 * 60; i++) {
        append(history, START + i * MINUTE, 3, 1_000);
      }
      assertThat(files("60")).hasSize(360);
      assertThat(files("300")).hasSize(96);
      assertThat(files("3600")).hasSize(8);
    }
    for (String each : files("3600")) {
      Files.delete(directory.resolve("3600").resolve(each));
    }
    try (History history = new History(directory)) {
      var unused = history.catchUp(START + 8 * 3_600);
      assertThat(files("3600")).hasSize(8);
      unused = history.catchUp(START + 400L * 86_400);
      assertThat(files("60")).isEmpty();
      assertThat(files("3600")).isEmpty();
    }
  }

  @Test
  void aDamagedFileIsPutAsideAndIsAGap() throws IOException {
    try (History history = new History(directory)) {
      append(history, START + 60, 3, 1_000);
      append(history, START + 120, 3, 2_000);
      append(history, START + 180, 3, 3_000);
    }
    Path first = directory.resolve("60").resolve(Long.toString(START + 60));
    byte[] bytes = Files.readAllBytes(first);
    bytes[bytes.length - 1] ^= 1;
    Files.write(first, bytes);
    Files.write(directory.resolve("60").resolve(Long.toString(START + 120)), new byte[5]);
    // A write that a kill has interrupted.
    Files.write(directory.resolve("next"), new byte[77]);
    try (History history = new History(directory)) {
      for (int twice = 0; twice < 2; twice++) {
        assertThat(history.points(Level.MINUTE, 3, START, START + 180, 60))
            .extracting(UsagePoint::isKnown)
            .containsExactly(false, false, true);
      }
    }
    assertThat(files("60")).containsExactly(Long.toString(START + 180));
    assertThat(files("damaged"))
        .containsExactlyInAnyOrder("60-" + (START + 60), "60-" + (START + 120));
  }

  private List<String> files(String of) throws IOException {
    try (Stream<Path> all = Files.list(directory.resolve(of))) {
      return all.map(file -> file.getFileName().toString()).toList();
    }
  }

  @Test
  void aSubscriberTakesNoMoreThanItMay() throws IOException {
    Random random = new Random(1);
    int slots = 20_000;
    Columns rates = new Columns();
    BitSet known = new BitSet();
    known.set(0, slots);
    for (int slot = 0; slot < slots; slot++) {
      for (Direction direction : Direction.values()) {
        long got = (long) Math.exp(random.nextDouble() * 18);
        rates.set(Measure.column(Measure.GOT.ordinal(), direction), slot, got);
        // Frames of one in ten are dropped by its limit, and wait under it.
        boolean limited = slot % 10 == 0;
        long more = limited ? random.nextInt(1_000_000) : random.nextInt(1_000);
        rates.set(Measure.column(Measure.OFFERED.ordinal(), direction), slot, got + more);
        rates.set(Measure.column(Measure.FIRST_WAIT, direction), slot, got / 12_000);
        if (limited) {
          rates.set(Measure.column(Measure.DROPPED.ordinal(), direction), slot, more);
          rates.set(Measure.column(Measure.FIRST_WAIT + 1, direction), slot, got / 24_000);
          rates.set(Measure.column(Measure.FIRST_WAIT + 2, direction), slot, got / 48_000);
        }
      }
    }
    rates.known(known);
    long points =
        Stream.of(Level.values())
            .mapToLong(level -> level.kept().toSeconds() / level.seconds())
            .sum();
    try (History history = new History(directory)) {
      double bytes = (double) history.append(START + 60, slots, rates) / slots;
      assertThat(points).isEqualTo(2_075);
      assertThat(bytes * points).isLessThan(16 << 10);
    }
  }
}
