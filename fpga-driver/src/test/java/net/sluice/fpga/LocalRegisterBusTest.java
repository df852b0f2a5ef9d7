package net.sluice.fpga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Batches on registers in this process. */
class LocalRegisterBusTest {
  private final RecordedRegisters registers = new RecordedRegisters();

  @Test
  void doesBatchesInOrder() {
    try (LocalRegisterBus bus = new LocalRegisterBus(registers, Runnable::run)) {
      BatchResult result =
          join(bus, RegisterBatch.builder().write(4, 7).read(4).write(4, 8).read(4).build());

      assertThat(result.done()).isEqualTo(4);
      assertThat(result.failure()).isEmpty();
      assertThat(result.wordCount()).isEqualTo(2);
      assertThat(result.word(0)).isEqualTo(7);
      assertThat(result.word(1)).isEqualTo(8);
      assertThat(result.orThrow()).isSameAs(result);
      assertThat(registers.trace())
          .containsExactly(
              "write 00000004 = 00000007",
              "read  00000004 = 00000007",
              "write 00000004 = 00000008",
              "read  00000004 = 00000008");
    }
  }

  @Test
  void countersAreSelectedAndThenRead() {
    registers.counterHigh(id -> 3 << 5);
    try (LocalRegisterBus bus = new LocalRegisterBus(registers, Runnable::run)) {
      BatchResult result = join(bus, RegisterBatch.builder().readCounter(0x12345).build());

      assertThat(result.counter(0)).isEqualTo(new CounterWord(3, 0x12345));
      assertThat(registers.trace())
          .containsExactly(
              "write 02000000 = 00012345",
              "read  02000004 = 00012345",
              "read  02000008 = 00000060");
    }
  }

  @Test
  void aFailingAccessEndsTheBatchButNotTheBus() {
    registers.failAt(8);
    try (LocalRegisterBus bus = new LocalRegisterBus(registers, Runnable::run)) {
      BatchResult result =
          join(bus, RegisterBatch.builder().write(0, 1).read(0).write(8, 2).write(12, 3).build());

      assertThat(result.done()).isEqualTo(2);
      assertThat(result.failure())
          .contains(new BatchResult.Failure(2, "write to 0x00000008: no answer"));
      assertThat(result.wordCount()).isEqualTo(1);
      assertThat(registers.words()).containsOnlyKeys(0);
      assertThatThrownBy(result::orThrow)
          .isInstanceOf(RegisterBusException.class)
          .hasMessage("register access 2 failed: write to 0x00000008: no answer");

      BatchResult read = join(bus, RegisterBatch.builder().read(8).build());
      assertThat(read.failure().orElseThrow().reason()).isEqualTo("read of 0x00000008: no answer");
      assertThat(join(bus, RegisterBatch.builder().write(16, 1).build()).failure()).isEmpty();
    }
  }

  @Test
  void doesNotWaitForTheRegisters() {
    Deque<Runnable> later = new ArrayDeque<>();
    try (LocalRegisterBus bus = new LocalRegisterBus(registers, later::add)) {
      List<CompletableFuture<BatchResult>> results = new ArrayList<>();
      for (int i = 0; i < LocalRegisterBus.MAX_WAITING; i++) {
        results.add(bus.execute(RegisterBatch.builder().write(0, i).build()).toCompletableFuture());
      }
      assertThat(results).noneMatch(CompletableFuture::isDone);
      assertThat(registers.trace()).isEmpty();
      assertThatThrownBy(() -> join(bus, RegisterBatch.builder().build()))
          .hasCauseInstanceOf(RegisterBusException.Busy.class)
          .hasRootCauseMessage("the register bus has 1024 batches waiting already");

      // One turn of the executor is enough for all.
      assertThat(later).hasSize(1);
      later.remove().run();
      assertThat(results).allMatch(CompletableFuture::isDone);
      assertThat(registers.words()).containsEntry(0, LocalRegisterBus.MAX_WAITING - 1);

      bus.execute(RegisterBatch.builder().write(0, -1).build());
      assertThat(later).hasSize(1);
      later.remove().run();
      assertThat(registers.words()).containsEntry(0, -1);
    }
  }

  @Test
  void batchesOfManyThreadsAreNotMixed() throws InterruptedException {
    registers.counterHigh(id -> id << 5 & 0xffff);
    ExecutorService worker = Executors.newFixedThreadPool(3);
    try (LocalRegisterBus bus = new LocalRegisterBus(registers, worker)) {
      List<CompletableFuture<Void>> readers = new ArrayList<>();
      for (int reader = 0; reader < 4; reader++) {
        int base = 100 * reader;
        readers.add(
            CompletableFuture.runAsync(
                () -> {
                  for (int id = base; id < base + 100; id++) {
                    CounterWord counter =
                        join(bus, RegisterBatch.builder().readCounter(id).build()).counter(0);
                    assertThat(counter).isEqualTo(new CounterWord(id, id));
                  }
                }));
      }
      CompletableFuture.allOf(readers.toArray(CompletableFuture[]::new)).join();
    } finally {
      worker.shutdown();
      assertThat(worker.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void registersThatBreakFailTheirBatchOnly() {
    LocalBus broken =
        new LocalBus() {
          @Override
          public int readWord(int address) {
            throw new IllegalStateException("broken");
          }

          @Override
          public void writeWord(int address, int value) {}
        };
    try (LocalRegisterBus bus = new LocalRegisterBus(broken, Runnable::run)) {
      assertThatThrownBy(() -> join(bus, RegisterBatch.builder().read(0).build()))
          .hasCauseInstanceOf(RegisterBusException.class)
          .hasRootCauseMessage("broken");
      assertThat(join(bus, RegisterBatch.builder().write(0, 0).build()).done()).isEqualTo(1);
    }
  }

  @Test
  void closingFailsWhatWaits() {
    Deque<Runnable> later = new ArrayDeque<>();
    LocalRegisterBus bus = new LocalRegisterBus(registers, later::add);
    CompletableFuture<BatchResult> waiting =
        bus.execute(RegisterBatch.builder().write(0, 1).build()).toCompletableFuture();
    bus.close();
    later.remove().run();

    assertThatThrownBy(waiting::join).hasRootCauseMessage("the register bus is closed");
    assertThatThrownBy(() -> join(bus, RegisterBatch.builder().build()))
        .hasRootCauseMessage("the register bus is closed");
    assertThat(registers.trace()).isEmpty();
  }

  @Test
  void anExecutorThatRefusesFailsTheBatch() {
    RegisterBus bus =
        new LocalRegisterBus(
            registers,
            task -> {
              throw new RejectedExecutionException("full");
            });
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> join(bus, RegisterBatch.builder().build()))
          .cause()
          .isInstanceOf(RegisterBusException.class)
          .hasMessage("the register bus's executor is shut down");
    }
  }

  private static BatchResult join(RegisterBus bus, RegisterBatch batch) throws CompletionException {
    return bus.execute(batch).toCompletableFuture().join();
  }
}
