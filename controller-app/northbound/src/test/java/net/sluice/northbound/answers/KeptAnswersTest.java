package net.sluice.northbound.answers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.TreeMap;
import net.sluice.core.store.Documents;
import net.sluice.core.store.InMemoryDocuments;
import org.junit.jupiter.api.Test;

/** How much of answers is kept, whose, and for how long. */
final class KeptAnswersTest {
  private static final int MAX_BYTES = 4 << 20;
  private static final long MOST_BYTES_OF_CALLER = 64 << 20;
  private static final KeptAnswers.Bounds BOUNDS =
      new KeptAnswers.Bounds(MAX_BYTES, MOST_BYTES_OF_CALLER, 512 << 20);

  @Test
  void answersTakeUpABoundedRoomAndNothingIsMadeTwiceForThat() throws Exception {
    Documents kept = new InMemoryDocuments(8 << 20);
    KeptAnswers answers = new KeptAnswers(kept, BOUNDS, Clock.systemUTC());
    int most = (int) (MOST_BYTES_OF_CALLER / MAX_BYTES);
    for (int i = 0; i < most + 3; i++) {
      KeptAnswers.Found found = answers.begin("operate portal", "k" + i, "1");
      answers.keep(found.entry(), new KeptAnswer(200, new TreeMap<>(), new byte[MAX_BYTES]));
    }
    for (int start = 0; start < 2; start++) {
      long bytes = 0;
      for (String name : kept.names()) {
        bytes += kept.get(name).orElseThrow().bytes().length;
      }
      assertThat(bytes)
          .isLessThan(MOST_BYTES_OF_CALLER + (1 << 20))
          .isGreaterThan(MOST_BYTES_OF_CALLER - 2 * MAX_BYTES);
      KeptAnswers.Found first = answers.begin("operate portal", "k0", "1");
      assertThat(first.isNew()).isFalse();
      assertThat(first.state()).isEqualTo(KeptAnswers.State.DROPPED);
      KeptAnswers.Found last = answers.begin("operate portal", "k" + (most + 2), "1");
      assertThat(last.state()).isEqualTo(KeptAnswers.State.ANSWERED);
      assertThat(answers.answer(last.entry()).body()).hasSize(MAX_BYTES);
      answers = new KeptAnswers(kept, BOUNDS, Clock.systemUTC());
    }
  }

  @Test
  void aKeyIsItsCallersAndForADay() throws Exception {
    Documents kept = new InMemoryDocuments(8 << 20);
    Instant now = Instant.parse("2026-01-02T03:04:05Z");
    KeptAnswers answers = new KeptAnswers(kept, BOUNDS, Clock.fixed(now, ZoneOffset.UTC));
    KeptAnswers.Found mine = answers.begin("operate portal", "a", "1");
    assertThat(mine.isNew()).isTrue();
    answers.keep(mine.entry(), new KeptAnswer(204, new TreeMap<>(), new byte[0]));
    assertThat(answers.begin("operate other", "a", "2").isNew()).isTrue();
    assertThat(answers.begin("read portal", "a", "3").isNew()).isTrue();
    Instant later = now.plus(Duration.ofHours(24));
    KeptAnswers next = new KeptAnswers(kept, BOUNDS, Clock.fixed(later, ZoneOffset.UTC));
    assertThat(next.begin("operate portal", "a", "1").isNew()).isFalse();
    Instant tooLate = later.plusMillis(1);
    KeptAnswers last = new KeptAnswers(kept, BOUNDS, Clock.fixed(tooLate, ZoneOffset.UTC));
    assertThat(kept.names()).isEmpty();
    assertThat(last.begin("operate portal", "a", "1").isNew()).isTrue();
  }
}
