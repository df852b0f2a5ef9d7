package net.sluice.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Which commits are a store's own, through openings, copies and gaps in the numbers. */
class StoreHistoryTest {
  /** Commits 1 to 5 by opening 7, then 6 to 9 by opening 8, which has left numbers 7 and 8 out. */
  private static StoreHistory history() {
    StoreHistory history = StoreHistory.NONE;
    for (int number = 1; number <= 5; number++) {
      history = history.with(7, number);
    }
    return history.with(8, 6).with(8, 9);
  }

  @Test
  void aStoreHasItsOwnCommitsAndNoOthers() {
    StoreHistory history = history();
    assertThat(history.revision()).isEqualTo(new Revision(8, 9));
    assertThat(history.has(Revision.NONE)).isTrue();
    assertThat(history.has(new Revision(7, 1))).isTrue();
    assertThat(history.has(new Revision(7, 5))).isTrue();
    assertThat(history.has(new Revision(8, 9))).isTrue();
    assertThat(history.has(new Revision(8, 10))).as("it is not that far").isFalse();
    assertThat(history.has(new Revision(7, 6))).as("another opening has that number").isFalse();
    assertThat(history.has(new Revision(9, 3))).isFalse();
    assertThat(StoreHistory.NONE.has(new Revision(7, 1))).isFalse();
    assertThat(StoreHistory.NONE.revision()).isEqualTo(Revision.NONE);
  }

  @Test
  void aCopyThatHasGoneOnIsTellingFromWhereItParted() {
    StoreHistory copy = history().with(8, 12);
    StoreHistory parted = history().with(9, 10).with(9, 40);
    assertThat(parted.has(copy.revision())).isFalse();
    assertThat(parted.upTo(copy.revision())).hasValue(9);
    assertThat(history().upTo(copy.revision())).hasValue(9);
    assertThat(parted.upTo(new Revision(7, 3))).hasValue(3);
    assertThat(parted.upTo(new Revision(77, 3))).isEmpty();
  }

  @Test
  void itIsKeptAsBytes() {
    StoreHistory history = history();
    StoreHistory read = StoreHistory.of(history.openings(), 9);
    assertThat(history.openings()).hasSize(16);
    assertThat(read.revision()).isEqualTo(history.revision());
    assertThat(read.has(new Revision(7, 5))).isTrue();
    assertThat(read.has(new Revision(7, 6))).isFalse();
    Revision last = new Revision(Revision.MAX_MARK, (1L << 40) - 1);
    assertThat(last.bits()).isEqualTo(-1);
    assertThat(Revision.of(-1)).isEqualTo(last);
    assertThatThrownBy(() -> StoreHistory.of(new byte[12], 9))
        .isInstanceOf(StoreException.class)
        .hasMessage("the store's history is cut short");
  }

  @Test
  void openingsDoNotPileUpForEver() {
    StoreHistory history = StoreHistory.NONE;
    for (int number = 1; number <= StoreHistory.MOST_OPENINGS + 3; number++) {
      history = history.with(number, number);
    }
    assertThat(history.openings()).hasSize(StoreHistory.MOST_OPENINGS * Long.BYTES);
    assertThat(history.has(new Revision(4, 4))).isTrue();
    assertThat(history.has(new Revision(3, 3))).isFalse();
  }
}
