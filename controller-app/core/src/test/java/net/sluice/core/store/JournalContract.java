package net.sluice.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import net.sluice.core.testing.VirtualTime;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every journal does. */
public abstract class JournalContract {
  private static final Duration LONG = Duration.ofDays(1);

  /** The journal's time. */
  protected final VirtualTime time = new VirtualTime();

  /** The journal under test. */
  protected Journal journal;

  /** Opens a journal: an empty one at first, and the same again after its end. */
  protected abstract Journal open();

  /** Ends the journal as a process does that is stopped. */
  protected abstract void close();

  /** Ends the journal as a process does that is killed. */
  protected abstract void kill();

  /** Whether nothing that was added is ever lost. */
  protected boolean losesNothing() {
    return false;
  }

  @BeforeEach
  void openJournal() {
    journal = open();
  }

  @AfterEach
  void closeJournal() {
    close();
  }

  private void openAgain() {
    close();
    journal = open();
  }

  private void openAfterKill() {
    kill();
    journal = open();
  }

  private static Journal.Item item(int count, String text) {
    return new Journal.Item(count, text.getBytes(StandardCharsets.UTF_8));
  }

  private long append(String... texts) {
    List<Journal.Item> items = new ArrayList<>();
    for (String text : texts) {
      items.add(item(1, text));
    }
    return journal.append(items);
  }

  /** Fills several blocks, where there are any. */
  private void appendMany(int count) {
    for (int i = 0; i < count; i++) {
      append("%04d".formatted(i).repeat(250));
    }
  }

  private static String text(Journal.Entry entry) {
    return new String(entry.bytes(), StandardCharsets.UTF_8);
  }

  private List<Journal.Entry> all() {
    return journal.read(0, Integer.MAX_VALUE);
  }

  private List<String> texts(long from) {
    return journal.read(from, Integer.MAX_VALUE).stream().map(JournalContract::text).toList();
  }

  private List<Long> numbers(long from) {
    return journal.read(from, Integer.MAX_VALUE).stream().map(Journal.Entry::number).toList();
  }

  @Test
  void aNewJournalIsEmptyAndWhole() {
    assertThat(journal.first()).isEqualTo(1);
    assertThat(journal.last()).isZero();
    assertThat(journal.isWhole()).isTrue();
    assertThat(journal.id()).matches("[0-9a-f]{8}");
    assertThat(journal.read(1, 100)).isEmpty();
    journal.trim(0, time.instant().plus(LONG));
    journal.sync(0);
    assertThat(journal.last()).isZero();
  }

  @Test
  void aRecordHasAsManyNumbersAsItStandsFor() {
    assertThat(append("a")).isEqualTo(1);
    assertThat(journal.append(List.of(item(500, "b"), item(2, "c")))).isEqualTo(2);
    assertThat(append("d")).isEqualTo(504);
    assertThat(journal.first()).isEqualTo(1);
    assertThat(journal.last()).isEqualTo(504);
    assertThat(numbers(0)).containsExactly(1L, 2L, 502L, 504L);
    assertThat(all().get(1).count()).isEqualTo(500);
    assertThat(all().get(1).last()).isEqualTo(501);
    assertThat(texts(1)).containsExactly("a", "b", "c", "d");
  }

  @Test
  void readingBeginsWithTheRecordThatHasTheNumber() {
    journal.append(List.of(item(3, "a"), item(3, "b")));
    append("c");
    assertThat(texts(-7)).containsExactly("a", "b", "c");
    assertThat(texts(3)).containsExactly("a", "b", "c");
    assertThat(texts(4)).containsExactly("b", "c");
    assertThat(texts(6)).containsExactly("b", "c");
    assertThat(texts(7)).containsExactly("c");
    assertThat(texts(8)).isEmpty();
    assertThat(texts(Long.MAX_VALUE)).isEmpty();
  }

  @Test
  void noMoreIsReadAfterSoManyBytesButOneRecordAtLeast() {
    append("12345", "12345", "12345", "12345");
    assertThat(journal.read(1, 0)).hasSize(1);
    assertThat(journal.read(1, 5)).hasSize(1);
    assertThat(journal.read(1, 6)).hasSize(2);
    assertThat(journal.read(2, 100)).hasSize(3);
  }

  @Test
  void recordsTellWhenTheyWereAddedAndThatNeverGoesBack() {
    Instant begin = time.instant();
    append("a");
    time.pass(Duration.ofMillis(1500));
    append("b");
    time.putClock(LONG.negated());
    append("c");
    openAgain();
    append("d");
    assertThat(all())
        .extracting(Journal.Entry::at)
        .containsExactly(
            begin, begin.plusMillis(1500), begin.plusMillis(1500), begin.plusMillis(1500));
  }

  @Test
  void aRecordMayBeEmptyOrLargeAndSeveralOfThoseAreAddedTogether() {
    String large = "x".repeat(Journal.MAX_BYTES);
    append("", large, large, large, "");
    append("end");
    assertThat(texts(1)).containsExactly("", large, large, large, "", "end");
    openAgain();
    assertThat(texts(1)).containsExactly("", large, large, large, "", "end");
    assertThat(journal.last()).isEqualTo(6);
  }

  @Test
  void whatIsNoRecordIsRefused() {
    assertThatThrownBy(() -> journal.append(List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("items is empty; allowed: 1 or more");
    assertThatThrownBy(() -> journal.append(List.of(item(1, "good"), item(0, "bad"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("item has count 0 and 3 bytes; allowed: count 1 or more, 0 to 262144 bytes");
    assertThatThrownBy(() -> append("x".repeat(Journal.MAX_BYTES + 1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(journal.last()).isZero();
    assertThat(all()).isEmpty();
  }

  @Test
  void whatWasReadOrAddedMayBeChanged() {
    byte[] bytes = {1};
    journal.append(List.of(new Journal.Item(1, bytes)));
    bytes[0] = 2;
    assertThat(all().get(0).bytes()).containsExactly(1);
  }

  @Test
  void itGoesOnWhereItWasClosed() {
    append("a", "b");
    String id = journal.id();
    openAgain();
    assertThat(journal.isWhole()).isTrue();
    assertThat(journal.id()).isEqualTo(id);
    assertThat(journal.last()).isEqualTo(2);
    assertThat(append("c")).isEqualTo(3);
    assertThat(texts(1)).containsExactly("a", "b", "c");
  }

  @Test
  void noNumberIsGivenTwiceAfterAKill() {
    append("a", "b");
    String id = journal.id();
    long skipped = losesNothing() ? 0 : Journal.SKIPPED;
    openAfterKill();
    assertThat(journal.isWhole()).isEqualTo(losesNothing());
    assertThat(journal.id()).isEqualTo(id);
    assertThat(journal.last()).isEqualTo(2 + skipped);
    assertThat(texts(1)).containsExactly("a", "b");
    assertThat(texts(3)).isEmpty();
    assertThat(append("c")).isEqualTo(3 + skipped);
    assertThat(texts(3)).containsExactly("c");
    openAgain();
    assertThat(journal.isWhole()).isTrue();
    assertThat(append("d")).isEqualTo(4 + skipped);
    assertThat(numbers(1)).containsExactly(1L, 2L, 3 + skipped, 4 + skipped);
  }

  @Test
  void noNumberIsGivenTwiceIfNothingWasAddedSince() {
    append("a");
    openAfterKill();
    openAgain();
    long last = journal.last();
    assertThat(last).isEqualTo(losesNothing() ? 1 : 1 + Journal.SKIPPED);
    openAfterKill();
    assertThat(append("b")).isGreaterThan(last);
  }

  @Test
  void aJournalThatWasKilledEmptySkipsNumbersToo() {
    openAfterKill();
    assertThat(journal.last()).isEqualTo(losesNothing() ? 0 : Journal.SKIPPED);
    assertThat(journal.first()).isEqualTo(journal.last() + 1);
  }

  @Test
  void trimmingLeavesTheNewestBytes() {
    appendMany(100);
    journal.trim(100_000, Instant.MIN);
    assertThat(journal.first()).isEqualTo(1);
    journal.trim(50_000, Instant.MIN);
    long first = journal.first();
    assertAboutTrimmedTo(51);
    assertThat(numbers(0)).first().isEqualTo(first);
    assertThat(numbers(0)).hasSize((int) (101 - first));
    assertThat(numbers(3)).first().isEqualTo(first);
    openAgain();
    assertThat(journal.first()).isEqualTo(first);
    assertThat(journal.last()).isEqualTo(100);
    appendMany(1);
    journal.trim(20_000, Instant.MIN);
    assertAboutTrimmedTo(82);
  }

  /** In one that keeps blocks, those before the number share one with it. */
  private void assertAboutTrimmedTo(long number) {
    assertThat(journal.first()).isBetween(number - recordsInBlock(), number);
    assertThat(journal.first() - 1)
        .satisfies(gone -> assertThat(numbers(gone)).doesNotContain(gone));
  }

  /** How many records of a thousand bytes share what is forgotten at once, but for one. */
  protected int recordsInBlock() {
    return 0;
  }

  @Test
  void trimmingLeavesTheNewestRecordWhateverItsSizeAndAge() {
    appendMany(100);
    time.pass(LONG);
    journal.trim(0, time.instant());
    assertThat(journal.last()).isEqualTo(100);
    assertAboutTrimmedTo(100);
    openAgain();
    assertThat(append("next")).isEqualTo(101);
    journal.trim(Long.MAX_VALUE, Instant.MIN);
    assertAboutTrimmedTo(100);
  }

  @Test
  void trimmingForgetsWhatIsOlder() {
    appendMany(100);
    time.pass(LONG);
    Instant since = time.instant();
    appendMany(100);
    journal.trim(Long.MAX_VALUE, since);
    assertAboutTrimmedTo(101);
    journal.trim(Long.MAX_VALUE, since);
    assertAboutTrimmedTo(101);
    journal.trim(Long.MAX_VALUE, since.plusMillis(1));
    assertThat(journal.last()).isEqualTo(200);
    assertAboutTrimmedTo(200);
  }

  @Test
  void numbersGoOnAfterAKillThoughAllButOneAreForgotten() {
    appendMany(100);
    journal.trim(0, Instant.MIN);
    openAfterKill();
    assertThat(journal.last()).isEqualTo(losesNothing() ? 100 : 100 + Journal.SKIPPED);
    appendMany(1);
    journal.trim(0, Instant.MIN);
    openAgain();
    assertThat(journal.last()).isEqualTo(losesNothing() ? 101 : 101 + Journal.SKIPPED);
  }

  @Test
  void whoReadsSeesEveryRecordOnceAndInOrderWhileThreadsAdd() throws Exception {
    int threads = 4;
    int each = 200;
    BlockingQueue<Long> added = new LinkedBlockingQueue<>();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    List<Future<?>> ends = new ArrayList<>();
    try {
      for (int t = 0; t < threads; t++) {
        String name = "thread" + t + "-";
        ends.add(pool.submit(() -> appendPairs(name, each, added)));
      }
      Set<Long> given = new HashSet<>();
      long next = 1;
      for (int i = 0; i < threads * each; i++) {
        given.add(Patience.next(added));
        for (Journal.Entry entry : journal.read(next, 1000)) {
          assertThat(entry.number()).isEqualTo(next);
          next = entry.last() + 1;
        }
      }
      assertThat(given).hasSize(threads * each);
      for (Future<?> end : ends) {
        Object unused = end.get();
      }
    } finally {
      pool.shutdown();
    }
    assertThat(journal.last()).isEqualTo(3L * threads * each);
    for (int t = 0; t < threads; t++) {
      String name = "thread" + t + "-";
      assertThat(all().stream().map(JournalContract::text).filter(text -> text.startsWith(name)))
          .containsExactlyElementsOf(
              IntStream.range(0, 2 * each).mapToObj(i -> name + i / 2).toList());
    }
  }

  private void appendPairs(String name, int times, BlockingQueue<Long> added) {
    for (int i = 0; i < times; i++) {
      long number = journal.append(List.of(item(1, name + i), item(2, name + i)));
      // What was added can be read at once.
      assertThat(text(journal.read(number, 1).get(0))).isEqualTo(name + i);
      if (i % 50 == 0) {
        journal.sync(number);
      }
      added.add(number);
    }
  }
}
