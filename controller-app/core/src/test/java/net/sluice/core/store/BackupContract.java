package net.sluice.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.sluice.core.StoreBackup;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.state.PolicyState;
import org.junit.jupiter.api.Test;

/** Every store is made of a backup that any store has written, and writes one that is equal. */
public abstract class BackupContract {
  private static final int SEEDS = 30;

  /** Opens a store in which nothing was ever kept. */
  protected abstract NetworkStore begin();

  /**
   * Puts a backup's store in the place of the one that is open, and opens it.
   *
   * @throws StoreException if the backup is damaged; {@link #again} opens the old one
   */
  protected abstract NetworkStore restore(byte[] backup);

  /** Closes the store and opens it again. */
  protected abstract NetworkStore again();

  private static byte[] file(RandomContent content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      BackupFile.write(out, content::copyTo);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return out.toByteArray();
  }

  private static byte[] file(NetworkStore store) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (StoreBackup backup = store.backUp()) {
      backup.writeTo(out);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return out.toByteArray();
  }

  private static NotedContent read(byte[] file) {
    NotedContent noted = new NotedContent();
    BackupFile.read("the backup", new ByteArrayInputStream(file), noted);
    return noted;
  }

  private static List<String> sorted(List<String> lines) {
    return lines.stream().sorted().toList();
  }

  @Test
  void theStoreOfABackupHasAllThatIsInItAndItsCommits() {
    for (int seed = 0; seed < SEEDS; seed++) {
      RandomContent content = new RandomContent(seed);
      try (NetworkStore unused = begin();
          NetworkStore store = restore(file(content))) {
        NotedContent wanted = new NotedContent();
        content.copyTo(wanted);
        NotedContent got = read(file(store));
        assertThat(sorted(got.lines)).as("seed %d", seed).isEqualTo(sorted(wanted.lines));
        content.histories.forEach(
            (name, history) -> {
              StoreHistory kept = store.of(name).history();
              Revision last = history.revision();
              assertThat(kept.has(last)).isTrue();
              assertThat(kept.has(new Revision(last.mark(), last.number() + 1))).isFalse();
              assertThat(kept.upTo(last)).hasValue(last.number());
              assertThat(got.histories.get(name).has(last)).isTrue();
              assertThat(store.of(name).furthest()).isEqualTo(kept.revision());
            });
      }
    }
  }

  private static StoreBatch gold() {
    StoreBatch batch = new StoreBatch();
    batch.put(new PolicyState(new Policy("gold", BuiltInFunction.GOLD, Optional.empty()), 1));
    return batch;
  }

  @Test
  void itGoesOnFromThereWithOtherNumbersThanTheStoreOfTheBackupMayHaveGivenSince() {
    NetworkStore old = begin();
    old.of("bng1").commit(gold());
    List<Journal.Item> record = List.of(new Journal.Item(1, new byte[] {7}));
    long first = old.journal("events").append(record);
    String id = old.journal("events").id();
    byte[] backup = file(old);
    old.of("bng1").commit(gold());
    Revision lost = old.of("bng1").history().revision();
    NetworkStore store = restore(backup);
    try (store) {
      assertThat(store.of("bng1").history().has(lost)).isFalse();
      store.of("bng1").commit(gold());
      Journal journal = store.journal("events");
      assertThat(journal.id()).isNotEqualTo(id);
      assertThat(journal.append(record)).isGreaterThanOrEqualTo(first + 1 + Journal.SKIPPED);
      assertThat(journal.read(first, 1).get(0).bytes()).containsExactly(7);
    }
  }

  @Test
  void aDamagedBackupChangesNothing() {
    byte[] whole = file(new RandomContent(5));
    try (NetworkStore store = begin()) {
      store.of("bng1").commit(gold());
    }
    List<byte[]> damaged = new ArrayList<>();
    for (int at = 11; at < whole.length; at += whole.length / 23) {
      byte[] flipped = whole.clone();
      flipped[at] ^= 0x10;
      damaged.add(flipped);
      damaged.add(Arrays.copyOf(whole, at));
    }
    damaged.add(new byte[0]);
    damaged.add(new byte[] {'P', 'K', 3, 4});
    for (byte[] each : damaged) {
      NetworkStore open = again();
      String before = String.join("\n", read(file(open)).lines);
      assertThatThrownBy(() -> restore(each)).isInstanceOf(StoreException.class);
      try (NetworkStore store = again()) {
        assertThat(String.join("\n", read(file(store)).lines)).isEqualTo(before);
      }
    }
  }

  @Test
  void aStoreThatIsPutInPlaceOfAnotherHasNothingOfIt() {
    try (NetworkStore old = begin()) {
      old.of("bng3").commit(gold());
      old.documents("webhooks").put("to-billing", new byte[] {1});
    }
    NetworkStore unused = again();
    try (NetworkStore store = restore(file(new RandomContent(2)))) {
      assertThat(store.of("bng3").policy("gold")).isEmpty();
      assertThat(store.documents("webhooks").get("to-billing")).isEmpty();
      assertThat(store.switches().keySet())
          .isSubsetOf(Map.of("bng1", 1, "bng2", 1, "switch", 1).keySet());
    }
  }
}
