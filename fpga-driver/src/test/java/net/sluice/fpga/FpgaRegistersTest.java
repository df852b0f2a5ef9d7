package net.sluice.fpga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.sluice.fpga.FpgaRegisters.Difference;
import net.sluice.fpga.FpgaRegisters.Unwritten;
import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.FpgaSetting.BucketSize;
import net.sluice.intents.plan.FpgaSetting.QueueDepth;
import net.sluice.intents.plan.FpgaSetting.RateWord;
import net.sluice.intents.plan.FpgaSetting.StoreWord;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.InvalidValueException;
import org.junit.jupiter.api.Test;

/** Settings and counters in domain words. */
class FpgaRegistersTest {
  private final RecordedRegisters registers = new RecordedRegisters();
  private final FpgaRegisters fpga =
      new FpgaRegisters(new LocalRegisterBus(registers, Runnable::run), Direction.DOWN);

  @Provide
  Arbitrary<List<FpgaSetting>> settings() {
    // One setting for each register, however often it was drawn.
    return Settings.any()
        .list()
        .ofMaxSize(200)
        .map(
            drawn -> {
              Map<Integer, FpgaSetting> distinct = new LinkedHashMap<>();
              drawn.forEach(setting -> distinct.put(RegisterLayout.address(setting), setting));
              return List.copyOf(distinct.values());
            });
  }

  @Property(tries = 200, seed = "1")
  void whatWasWrittenComparesEqual(@ForAll("settings") List<FpgaSetting> settings) {
    assertThat(join(fpga.write(settings))).isEmpty();
    assertThat(join(fpga.compare(settings))).isEmpty();
    assertThat(join(fpga.read(settings)))
        .containsExactly(settings.stream().mapToInt(FpgaSetting::value).toArray());
  }

  @Property(tries = 200, seed = "1")
  void exactlyTheChangedRegistersDiffer(
      @ForAll("settings") List<FpgaSetting> settings, @ForAll long seed) {
    join(fpga.write(settings));
    Random random = new Random(seed);
    List<Difference> expected = new ArrayList<>();
    for (FpgaSetting setting : settings) {
      if (random.nextInt(4) == 0) {
        int other = setting.value() ^ 8;
        registers.set(RegisterLayout.address(setting), other);
        expected.add(new Difference(setting, other));
      }
    }
    assertThat(join(fpga.compare(settings))).isEqualTo(expected);
  }

  @Test
  void nothingToDoIsDoneAtOnce() {
    assertThat(join(fpga.write(List.of()))).isEmpty();
    assertThat(join(fpga.compare(List.of()))).isEmpty();
    assertThat(join(fpga.counters(new int[0]))).isEmpty();
    assertThat(registers.trace()).isEmpty();
  }

  @Test
  void allRegistersOfAnFpgaAreWrittenAndCompared() {
    List<FpgaSetting> settings = new ArrayList<>();
    for (FpgaLevel level : FpgaLevel.values()) {
      settings.add(new BucketSize(Direction.DOWN, level, 3000));
      for (int i = 0; i < RegisterLayout.buckets(level); i++) {
        settings.add(new RateWord(Direction.DOWN, level, i, i + 1));
      }
    }
    assertThat(join(fpga.write(settings))).isEmpty();
    assertThat(registers.words()).hasSize(settings.size());
    assertThat(join(fpga.compare(settings))).isEmpty();
  }

  @Test
  void aSettingThatDoesNotFitKeepsAllFromBeingWritten() {
    List<FpgaSetting> settings =
        List.of(
            new RateWord(Direction.DOWN, FpgaLevel.PORT, 0, 1),
            new QueueDepth(Direction.DOWN, 0, 12));

    assertThatThrownBy(() -> fpga.write(settings))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage("queue depth is 12; allowed: a multiple of 8");
    assertThat(registers.trace()).isEmpty();
  }

  @Test
  void settingsOfTheOtherFpgaAreRefused() {
    List<FpgaSetting> up = List.of(new RateWord(Direction.UP, FpgaLevel.PORT, 0, 1));

    assertThatThrownBy(() -> fpga.write(up))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage("direction is up; allowed: down, the FPGA's own");
    assertThatThrownBy(() -> fpga.compare(up)).isInstanceOf(InvalidValueException.class);
  }

  @Test
  void settingsThatWereNotWrittenAreNamed() {
    FpgaSetting first = new RateWord(Direction.DOWN, FpgaLevel.PORT, 0, 1);
    FpgaSetting failing = new RateWord(Direction.DOWN, FpgaLevel.PORT, 1, 1);
    FpgaSetting behind = new RateWord(Direction.DOWN, FpgaLevel.PORT, 2, 1);
    registers.failAt(RegisterLayout.address(failing));

    assertThat(join(fpga.write(List.of(first, failing, behind))))
        .containsExactly(
            new Unwritten(failing, true, "write to 0x01600004: no answer"),
            new Unwritten(behind, false, "write to 0x01600004: no answer"));
    assertThat(join(fpga.compare(List.of(first)))).isEmpty();
    assertThatThrownBy(() -> join(fpga.compare(List.of(first, failing))))
        .hasCauseInstanceOf(RegisterBusException.class)
        .hasRootCauseMessage("register access 1 failed: read of 0x01600004: no answer");
  }

  @Test
  void aFailureInOneBatchDoesNotTouchTheSettingsOfOthers() {
    List<FpgaSetting> settings = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      settings.add(new RateWord(Direction.DOWN, FpgaLevel.CUSTOMER, i, 5));
    }
    registers.failAt(RegisterLayout.address(settings.get(5000)));

    List<Unwritten> unwritten = join(fpga.write(settings));

    assertThat(unwritten.get(0).setting()).isEqualTo(settings.get(5000));
    assertThat(unwritten.stream().filter(Unwritten::tried)).hasSize(1);
    List<FpgaSetting> written = new ArrayList<>(settings);
    written.removeAll(unwritten.stream().map(Unwritten::setting).toList());
    assertThat(written).contains(settings.get(4999), settings.get(9999));
    assertThat(registers.words()).hasSize(written.size());
    assertThat(join(fpga.compare(written))).isEmpty();
  }

  @Test
  void countersOfManyQueues() {
    registers.counterHigh(id -> (id & 0xff) << 5);
    int[] ids = IntStream.range(0, 5000).map(i -> i * 52).toArray();

    List<CounterWord> counters = join(fpga.counters(ids));

    assertThat(counters).hasSize(ids.length);
    for (int i = 0; i < ids.length; i++) {
      assertThat(counters.get(i)).isEqualTo(new CounterWord(ids[i] & 0xff, ids[i]));
    }
  }

  @Test
  void straysAreNotTakenForValues() {
    FpgaSetting rate = new RateWord(Direction.DOWN, FpgaLevel.TREE, 3, 9);
    registers.set(RegisterLayout.address(rate), 0xcafebabe);
    assertThatThrownBy(() -> join(fpga.read(List.of(rate))))
        .hasRootCauseMessage(
            "the register of RateWord[direction=DOWN, level=TREE, index=3, word=9] does not exist:"
                + " the FPGA answered a stray read");

    FpgaRegisters deaf =
        new FpgaRegisters(new LocalRegisterBus(deafToSelection(), Runnable::run), Direction.DOWN);
    assertThatThrownBy(() -> join(deaf.counters(new int[] {7})))
        .hasCauseInstanceOf(RegisterBusException.class)
        .hasRootCauseMessage("the counters of queue 7 read as if no queue had been selected");
  }

  private static LocalBus deafToSelection() {
    return new LocalBus() {
      @Override
      public int readWord(int address) {
        return 0xcafebabe;
      }

      @Override
      public void writeWord(int address, int value) {}
    };
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  @Test
  void whatIsKeptOfAStoreIsReadBack() {
    List<StoreWord> words =
        List.of(
            new StoreWord(Direction.DOWN, 0, 0x89ab_cdef),
            new StoreWord(Direction.DOWN, 1, 0x0123_4567),
            new StoreWord(Direction.DOWN, 2, 0x0000_04d2),
            new StoreWord(Direction.DOWN, 3, 0x3a7c_0000));
    assertThat(join(fpga.storeWords())).hasSize(4).allMatch(word -> word.value() == 0);
    assertThat(join(fpga.write(words))).isEmpty();
    assertThat(registers.words())
        .containsEntry(0x0300_0000, 0x89ab_cdef)
        .containsEntry(0x0300_0004, 0x0123_4567)
        .containsEntry(0x0300_0008, 0x0000_04d2)
        .containsEntry(0x0300_000c, 0x3a7c_0000);
    assertThat(join(fpga.storeWords())).isEqualTo(words);
  }

  @Test
  void anFpgaWithoutThoseRegistersKeepsWhatItHasRegistersFor() {
    registers.set(0x0300_0008, 0xcafe_babe);
    registers.set(0x0300_000c, 0xcafe_babe);
    assertThat(join(fpga.storeWords())).extracting(StoreWord::index).containsExactly(0, 1);
    registers.set(0x0300_0000, 0xcafe_babe);
    registers.set(0x0300_0004, 0xcafe_babe);
    assertThat(join(fpga.storeWords())).isEmpty();
  }

  @Test
  void whatAnFpgaKeepsIsNotKnownIfItDoesNotAnswer() {
    registers.failAt(0x0300_0000);
    assertThatThrownBy(() -> join(fpga.storeWords()))
        .hasCauseInstanceOf(RegisterBusException.class)
        .hasMessageContaining("register access 0 failed: read of 0x03000000: no answer");
    registers.failAt(0x0300_0100);
    assertThatThrownBy(() -> join(fpga.identify()))
        .hasMessageContaining("register access 0 failed: read of 0x03000100: no answer");
  }
}
