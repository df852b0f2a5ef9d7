package net.sluice.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.sluice.core.target.WriteCode;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.OwnerIds;
import org.junit.jupiter.api.Test;

class OutboxTest {
  private long sequence;

  private PendingWrite<String> update(int owner, long key, WriteBarrier barrier) {
    return new PendingWrite<>(
        Op.INSERT,
        owner + "/" + key,
        owner,
        OwnerIds.NONE,
        key,
        ++sequence,
        1,
        barrier,
        false,
        null,
        null);
  }

  private static List<Long> sequences(List<PendingWrite<String>> updates) {
    return updates.stream().map(u -> u.sequence()).toList();
  }

  @Test
  void whatDoesNotConflictGoesTogether() {
    Outbox<String> outbox = new Outbox<>();
    outbox.add(update(1, 11, null));
    outbox.add(update(1, 12, null));
    outbox.add(update(2, 21, null));
    assertThat(sequences(outbox.nextBatch(10))).containsExactly(1L, 2L, 3L);
    assertThat(outbox.writesInFlight()).isEqualTo(3);
  }

  @Test
  void oneOfTheSameKeyWaitsEvenInTheSameBatch() {
    Outbox<String> outbox = new Outbox<>();
    outbox.add(update(1, 11, null));
    outbox.add(update(2, 11, null));
    outbox.add(update(3, 31, null));
    List<PendingWrite<String>> first = outbox.nextBatch(10);
    assertThat(sequences(first)).containsExactly(1L, 3L);
    assertThat(outbox.nextBatch(10)).isEmpty();
    outbox.land(first);
    assertThat(sequences(outbox.nextBatch(10))).containsExactly(2L);
  }

  @Test
  void oneOfTheSameOwnerWaitsForTheBatchInFlight() {
    Outbox<String> outbox = new Outbox<>();
    outbox.add(update(1, 11, null));
    List<PendingWrite<String>> first = outbox.nextBatch(10);
    outbox.add(update(1, 12, null));
    outbox.add(update(2, 12, null));
    outbox.add(update(2, 22, null));
    outbox.add(update(3, 31, null));
    // 12 waits for owner 1, owner 2's 12 waits for that, and owner 2's 22 for its own 12.
    assertThat(sequences(outbox.nextBatch(10))).containsExactly(5L);
    outbox.land(first);
    assertThat(sequences(outbox.nextBatch(10))).containsExactly(2L);
  }

  @Test
  void writesOfNobodyWaitOnlyForTheirKey() {
    Outbox<String> outbox = new Outbox<>();
    outbox.add(update(OwnerIds.NONE, 11, null));
    assertThat(outbox.nextBatch(10)).hasSize(1);
    outbox.add(update(OwnerIds.NONE, 12, null));
    outbox.add(update(OwnerIds.NONE, 11, null));
    assertThat(sequences(outbox.nextBatch(10))).containsExactly(2L);
  }

  @Test
  void aBarrierHoldsBackItsOwnersWritesOnly() {
    Outbox<String> outbox = new Outbox<>();
    AtomicBoolean lifted = new AtomicBoolean();
    outbox.add(update(1, 11, null));
    outbox.add(update(2, 21, lifted::get));
    outbox.add(update(3, 31, null));
    outbox.add(update(2, 22, null));
    outbox.add(update(4, 21, null));
    outbox.add(update(4, 41, null));
    // Owner 2's 22 waits for its own 21, owner 4's 21 for that key, and 41 for owner 4's 21.
    assertThat(sequences(outbox.nextBatch(10))).containsExactly(1L, 3L);
    lifted.set(true);
    assertThat(outbox.nextBatch(10)).as("nobody has told that anything is lifted").isEmpty();
    outbox.barriersChanged();
    assertThat(outbox.lowestSequence()).isEqualTo(1);
    List<PendingWrite<String>> second = outbox.nextBatch(10);
    assertThat(sequences(second)).containsExactly(2L, 4L);
    outbox.land(second);
    assertThat(sequences(outbox.nextBatch(10))).containsExactly(5L, 6L);
    assertThat(outbox.waiting()).isZero();
  }

  @Test
  void whatIsBehindABarrierFillsNoBatch() {
    Outbox<String> outbox = new Outbox<>();
    for (int i = 0; i < 100; i++) {
      outbox.add(update(i + 1, i, () -> false));
    }
    outbox.add(update(200, 200, null));
    assertThat(sequences(outbox.nextBatch(3))).containsExactly(101L);
  }

  private static PendingWrite<String> retry(PendingWrite<String> write) {
    return write.retried(WriteCode.ALREADY_EXISTS);
  }

  @Test
  void retriesGoFirstInTheirOrder() {
    Outbox<String> outbox = new Outbox<>();
    outbox.add(update(1, 11, null));
    outbox.add(update(2, 21, null));
    List<PendingWrite<String>> first = outbox.nextBatch(10);
    outbox.add(update(1, 11, null));
    outbox.land(first);
    outbox.addFirst(List.of(retry(first.get(0)), retry(first.get(1))));
    assertThat(sequences(outbox.nextBatch(10))).containsExactly(1L, 2L);
    assertThat(outbox.lowestSequence()).isEqualTo(1);
  }

  @Test
  void droppingLeavesNothing() {
    Outbox<String> outbox = new Outbox<>();
    outbox.add(update(1, 11, null));
    outbox.nextBatch(10);
    outbox.add(update(1, 12, null));
    outbox.nextBatch(10);
    outbox.add(update(1, 13, null));
    assertThat(outbox.flights()).isEqualTo(1);
    assertThat(outbox.waiting()).isEqualTo(2);
    outbox.drop();
    assertThat(outbox.waiting() + outbox.flights() + outbox.writesInFlight()).isZero();
    assertThat(outbox.isIdle()).isTrue();
    assertThat(outbox.lowestSequence()).isEqualTo(Long.MAX_VALUE);
    outbox.add(update(1, 11, null));
    assertThat(outbox.nextBatch(10)).hasSize(1);
  }

  /** In whatever order answers come: per key and per owner, writes leave in their order. */
  @Property(tries = 200, seed = "1")
  void nothingOvertakes(@ForAll long seed) {
    Random random = new Random(seed);
    Outbox<String> outbox = new Outbox<>();
    List<List<PendingWrite<String>>> flights = new ArrayList<>();
    Map<Long, Long> lastOfKey = new HashMap<>();
    Map<Integer, Long> lastOfOwner = new HashMap<>();
    List<boolean[]> barriers = new ArrayList<>();
    int added = 0;
    int left = 0;
    while (left < 500) {
      if (added < 500 && random.nextBoolean()) {
        boolean[] lifted = new boolean[1];
        barriers.add(lifted);
        WriteBarrier barrier = random.nextInt(4) == 0 ? () -> lifted[0] : null;
        outbox.add(update(1 + random.nextInt(9), random.nextInt(20), barrier));
        added++;
      }
      if (random.nextInt(3) == 0 && !barriers.isEmpty()) {
        // FPGAs need not answer in the order of changes.
        barriers.remove(random.nextInt(barriers.size()))[0] = true;
        outbox.barriersChanged();
      }
      if (random.nextInt(3) == 0) {
        List<PendingWrite<String>> flight = outbox.nextBatch(1 + random.nextInt(6));
        for (PendingWrite<String> update : flight) {
          assertThat(update.sequence()).isGreaterThan(lastOfKey.getOrDefault(update.key(), 0L));
          assertThat(update.sequence()).isGreaterThan(lastOfOwner.getOrDefault(update.owner(), 0L));
          for (List<PendingWrite<String>> other : flights) {
            assertThat(other)
                .noneMatch(o -> o.key() == update.key() || o.owner() == update.owner());
          }
          lastOfKey.put(update.key(), update.sequence());
        }
        flight.forEach(u -> lastOfOwner.merge(u.owner(), u.sequence(), Math::max));
        if (!flight.isEmpty()) {
          flights.add(flight);
        }
        left += flight.size();
      }
      if (!flights.isEmpty() && random.nextInt(3) == 0) {
        outbox.land(flights.remove(random.nextInt(flights.size())));
      }
    }
    assertThat(outbox.waiting()).isZero();
  }
}
