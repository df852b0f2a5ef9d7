package net.sluice.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class InMemoryJournalTest extends JournalContract {
  private InMemoryJournal kept = new InMemoryJournal(time);

  @Override
  protected Journal open() {
    return kept;
  }

  @Override
  protected void close() {
    kept = kept.afterClosing();
  }

  @Override
  protected void kill() {
    kept = kept.afterKill();
  }

  @Test
  void whatWasNotSyncedIsLostWithTheMachine() {
    List<Journal.Item> one = List.of(new Journal.Item(1, new byte[] {1}));
    kept.append(one);
    kept.sync(1);
    kept.append(one);
    Journal found = kept.afterPowerCut();
    assertThat(found.read(1, 100)).hasSize(1);
    assertThat(found.append(one)).isEqualTo(2 + Journal.SKIPPED);
  }
}
