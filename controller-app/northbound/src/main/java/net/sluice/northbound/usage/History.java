package net.sluice.northbound.usage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Stream;
import java.util.zip.DataFormatException;
import net.sluice.intents.value.Direction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rates of the past, a file for each time of each {@link Level}: what is too old goes with its
 * file, and nothing is ever rewritten. A time of a coarser level is made of those of the one below.
 * Files that are damaged are put aside, and are gaps from then on.
 *
 * <p>Written by one thread, read by many.
 */
final class History implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(History.class);
  private static final String DAMAGED = "damaged";
  private static final int MOST_DAMAGED = 20;

  private final Path directory;

  /** Ends of the times that are kept, in seconds of the epoch. */
  private final Map<Level, ConcurrentSkipListSet<Long>> kept = new EnumMap<>(Level.class);

  private final Block written = new Block();
  private final Block lower = new Block();

  /** Opens the history in a directory, which is made if it is not there. */
  History(Path directory) throws IOException {
    this.directory = directory;
    Files.createDirectories(directory.resolve(DAMAGED));
    for (Level level : Level.values()) {
      Files.createDirectories(directory(level));
      ConcurrentSkipListSet<Long> ends = new ConcurrentSkipListSet<>();
      try (Stream<Path> files = Files.list(directory(level))) {
        files
            .map(file -> file.getFileName().toString())
            .filter(name -> name.matches("\\d{1,12}"))
            .forEach(name -> ends.add(Long.parseLong(name)));
      }
      kept.put(level, ends);
    }
  }

  private Path directory(Level level) {
    return directory.resolve(Long.toString(level.seconds()));
  }

  private Path file(Level level, long end) {
    return directory(level).resolve(Long.toString(end));
  }

  // ---------------------------------------------------------------- writing

  /**
   * Keeps the rates of a minute, and what follows for coarser times.
   *
   * @param end of the minute, in seconds of the epoch
   * @param slots higher than every slot
   * @return bytes written
   */
  long append(long end, int slots, Columns rates) throws IOException {
    long bytes =
        UsageFile.write(
            file(Level.MINUTE, end),
            temporary(),
            (slots + Block.SLOTS - 1) / Block.SLOTS,
            written,
            (number, block) -> take(rates, number * Block.SLOTS, block));
    kept.get(Level.MINUTE).add(end);
    return bytes + catchUp(end);
  }

  private Path temporary() {
    return directory.resolve("next");
  }

  private static void take(Columns rates, int first, Block block) {
    block.known.or(rates.known().get(first, first + Block.SLOTS));
    for (int column = 0; column < Measure.COLUMNS; column++) {
      for (int i = block.known.nextSetBit(0); i >= 0; i = block.known.nextSetBit(i + 1)) {
        block.codes[column][i] = rates.code(column, first + i);
      }
    }
  }

  /**
   * Makes what is missing of coarser times, and lets go what is too old.
   *
   * @param now in seconds of the epoch
   */
  long catchUp(long now) throws IOException {
    long bytes = 0;
    for (int i = 1; i < Level.values().length; i++) {
      Level level = Level.values()[i];
      Level below = Level.values()[i - 1];
      long step = level.seconds();
      ConcurrentSkipListSet<Long> ends = kept.get(level);
      // Older ones than the newest are there, or were gaps when it was made.
      long from = ends.isEmpty() ? Long.MIN_VALUE : ends.last();
      Long next = kept.get(below).higher(from);
      while (next != null) {
        long end = Math.floorDiv(next + step - 1, step) * step;
        if (end > now) {
          break;
        }
        bytes += rollUp(level, below, end);
        next = kept.get(below).higher(end);
      }
    }
    for (Level level : Level.values()) {
      ConcurrentSkipListSet<Long> ends = kept.get(level);
      while (!ends.isEmpty() && ends.first() <= now - level.kept().toSeconds()) {
        long oldest = ends.pollFirst();
        Files.deleteIfExists(file(level, oldest));
      }
    }
    return bytes;
  }

  private long rollUp(Level level, Level below, long end) throws IOException {
    List<UsageFile> parts = new ArrayList<>();
    List<Long> partEnds = new ArrayList<>();
    try {
      for (long part : kept.get(below).subSet(end - level.seconds(), false, end, true)) {
        UsageFile opened = open(below, part);
        if (opened != null) {
          parts.add(opened);
          partEnds.add(part);
        }
      }
      int blocks = parts.stream().mapToInt(UsageFile::blocks).max().orElse(0);
      Sum[] sums = new Sum[Block.SLOTS];
      for (int i = 0; i < sums.length; i++) {
        sums[i] = new Sum();
      }
      long bytes =
          UsageFile.write(
              file(level, end),
              temporary(),
              blocks,
              written,
              (number, block) -> {
                for (Sum sum : sums) {
                  sum.clear();
                }
                for (int part = 0; part < parts.size(); part++) {
                  addPart(below, partEnds.get(part), parts.get(part), number, sums);
                }
                for (int i = 0; i < sums.length; i++) {
                  sums[i].store(block, i);
                }
              });
      kept.get(level).add(end);
      return bytes;
    } finally {
      for (UsageFile part : parts) {
        part.close();
      }
    }
  }

  private void addPart(Level of, long end, UsageFile part, int number, Sum[] sums)
      throws IOException {
    try {
      part.read(number, lower);
    } catch (DataFormatException e) {
      setAside(of, end, e);
      return;
    }
    for (int i = 0; i < sums.length; i++) {
      sums[i].add(lower, i);
    }
  }

  // ---------------------------------------------------------------- reading

  /** The file of a time; null if there is none. */
  private UsageFile open(Level level, long end) throws IOException {
    if (!kept.get(level).contains(end)) {
      return null;
    }
    try {
      return UsageFile.open(file(level, end));
    } catch (NoSuchFileException e) {
      // It was let go meanwhile.
      return null;
    } catch (DataFormatException e) {
      setAside(level, end, e);
      return null;
    }
  }

  private void setAside(Level level, long end, DataFormatException why) throws IOException {
    if (!kept.get(level).remove(end)) {
      return;
    }
    LOG.warn(
        "the usage of the {} s until {} is damaged and put aside: {}",
        level.seconds(),
        Instant.ofEpochSecond(end),
        why.getMessage());
    try (Stream<Path> others = Files.list(directory.resolve(DAMAGED))) {
      if (others.count() >= MOST_DAMAGED) {
        Files.deleteIfExists(file(level, end));
        return;
      }
    }
    Files.move(
        file(level, end),
        directory.resolve(DAMAGED).resolve(level.seconds() + "-" + end),
        StandardCopyOption.REPLACE_EXISTING);
  }

  /**
   * The rates of a slot over some time.
   *
   * @param from begin, in seconds of the epoch, at a border of the level's steps
   * @param step a multiple of the level's, up to {@code to}
   */
  List<UsagePoint> points(Level level, int slot, long from, long to, long step) throws IOException {
    List<UsagePoint> points = new ArrayList<>();
    Block block = new Block();
    Sum sum = new Sum();
    try {
      for (long end = from + step; end <= to; end += step) {
        sum.clear();
        if (slot >= 0) {
          for (long part : kept.get(level).subSet(end - step, false, end, true)) {
            add(level, part, slot, block, sum);
          }
        }
        points.add(point(end, sum));
      }
    } finally {
      block.end();
    }
    return points;
  }

  /**
   * Passes on the times of slots, each time of all of them before the next one.
   *
   * @param slots theirs, or -1
   * @param from begin, in seconds of the epoch
   */
  void walk(Level level, int[] slots, long from, long to, Usage.TimeVisitor visitor)
      throws IOException {
    Map<Integer, List<Integer>> byBlock = new TreeMap<>();
    for (int i = 0; i < slots.length; i++) {
      if (slots[i] >= 0) {
        byBlock.computeIfAbsent(slots[i] / Block.SLOTS, any -> new ArrayList<>()).add(i);
      }
    }
    Block block = new Block();
    try {
      for (long end : kept.get(level).subSet(from, false, to, true)) {
        try (UsageFile file = open(level, end)) {
          for (Map.Entry<Integer, List<Integer>> each : byBlock.entrySet()) {
            if (file != null) {
              file.read(each.getKey(), block);
              pass(block, slots, each.getValue(), end - level.seconds(), end, visitor);
            }
          }
        } catch (DataFormatException e) {
          setAside(level, end, e);
        }
      }
    } finally {
      block.end();
    }
  }

  private static void pass(
      Block block,
      int[] slots,
      List<Integer> which,
      long from,
      long to,
      Usage.TimeVisitor visitor) {
    for (int i : which) {
      int slot = slots[i] % Block.SLOTS;
      if (block.known.get(slot)) {
        for (Direction direction : Direction.values()) {
          visitor.time(
              i, direction, KeptTime.of(block, slot, Measure.column(0, direction), from, to));
        }
      }
    }
  }

  static UsagePoint point(long end, Sum sum) {
    return new UsagePoint(
        Instant.ofEpochSecond(end), sum.rates(Direction.DOWN), sum.rates(Direction.UP));
  }

  private void add(Level level, long end, int slot, Block block, Sum sum) throws IOException {
    try (UsageFile file = open(level, end)) {
      if (file != null) {
        file.read(slot / Block.SLOTS, block);
        sum.add(block, slot % Block.SLOTS);
      }
    } catch (DataFormatException e) {
      setAside(level, end, e);
    }
  }

  @Override
  public void close() {
    written.end();
    lower.end();
  }
}
