package net.sluice.core.target;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.sluice.core.testing.ReadBack;
import net.sluice.core.testing.SessionNews;
import net.sluice.core.testing.TestNetwork;
import net.sluice.core.testing.VirtualTime;
import net.sluice.fpga.LocalBus;
import net.sluice.fpga.LocalRegisterBus;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.plan.Expected;
import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.FpgaSetting.BucketSize;
import net.sluice.intents.plan.FpgaSetting.CustomerCodel;
import net.sluice.intents.plan.FpgaSetting.CustomerDepth;
import net.sluice.intents.plan.FpgaSetting.RateWord;
import net.sluice.intents.plan.FpgaSetting.StoreWord;
import net.sluice.intents.plan.Op;
import net.sluice.intents.state.InMemorySlaState;
import net.sluice.intents.value.Direction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FpgaTargetTest {
  private static final int IDENTIFICATION = 0x0300_0100;

  /** Registers in a map; breaks on demand. */
  private static final class Registers implements LocalBus {
    final Map<Integer, Integer> words = new HashMap<>();
    int failingWord = -1;
    boolean gone;
    boolean lost;

    @Override
    public int readWord(int address) throws IOException {
      requireThere();
      // Like the paper's core, it has no identification unless it is given one.
      boolean stray = address >= IDENTIFICATION && !words.containsKey(IDENTIFICATION);
      return words.getOrDefault(address, stray ? 0xcafebabe : 1);
    }

    @Override
    public void writeWord(int address, int value) throws IOException {
      requireThere();
      if (value == failingWord) {
        throw new IOException("stuck register");
      }
      words.put(address, value);
    }

    @Override
    public void flush() throws IOException {
      if (lost) {
        throw new IOException("the card does not answer");
      }
    }

    private void requireThere() throws IOException {
      if (gone) {
        throw new IOException("no such device");
      }
    }
  }

  private final Registers registers = new Registers();
  private final VirtualTime time = new VirtualTime();
  private final List<String> session = new ArrayList<>();
  private final FpgaTarget target =
      new FpgaTarget(
          "fpga-down",
          Direction.DOWN,
          TestNetwork.fpgaProfile(),
          () -> new LocalRegisterBus(registers, Runnable::run),
          time.scheduler());

  @BeforeEach
  void connect() {
    target.connect(new SessionNews(session));
    time.settle();
  }

  private void identify(int geometry, int clockKhz) {
    int[] identity = {0x534c5501, geometry, 1_600 << 16 | 1_248, clockKhz};
    for (int i = 0; i < identity.length; i++) {
      registers.words.put(IDENTIFICATION + 4 * i, identity[i]);
    }
  }

  private static RateWord word(int index, int value) {
    return new RateWord(Direction.DOWN, FpgaLevel.CUSTOMER, index, value);
  }

  private final List<Object> answers = new ArrayList<>();

  private void write(FpgaSetting... settings) {
    WriteBatch<FpgaSetting> batch = new WriteBatch<>();
    for (FpgaSetting setting : settings) {
      batch.add(Op.MODIFY, setting);
    }
    target.write(
        batch,
        new Target.WriteHandler() {
          @Override
          public void done(WriteResults results) {
            for (int i = 0; i < batch.size(); i++) {
              answers.add(results.code(i));
            }
          }

          @Override
          public void lost(String reason) {
            answers.add(reason);
          }
        });
  }

  private List<FpgaSetting> read() {
    ReadBack<FpgaSetting> read = new ReadBack<>();
    target.read(read);
    time.settle();
    assertThat(read.end).containsExactly("complete");
    return read.entries;
  }

  @Test
  void everySettingThatIsExpectedCanBeWrittenAndReadBack() {
    target.disconnect();
    session.clear();
    identify(1 << 18 | 1 << 16 | 3 << 8 | 18, 156_250);
    connect();
    assertThat(session).containsExactly("up");
    List<FpgaSetting> expected =
        new ArrayList<>(
            new Compiler(
                    TestNetwork.topology(),
                    TestNetwork.switchProfile(10),
                    TestNetwork.fpgaProfile())
                .expectedSettings(new InMemorySlaState(), Direction.DOWN)
                .map(Expected::entity)
                .toList());
    expected.add(new CustomerCodel(Direction.DOWN, 32_767, 12_520 << 16 | 626));
    expected.add(new CustomerDepth(Direction.DOWN, 32_767, 250_408));
    for (int from = 0; from < expected.size(); from += 3_000) {
      write(
          expected
              .subList(from, Math.min(expected.size(), from + 3_000))
              .toArray(FpgaSetting[]::new));
    }
    assertThat(answers).hasSize(expected.size()).containsOnly(WriteCode.OK);
    List<FpgaSetting> read = read();
    assertThat(read)
        .filteredOn(setting -> !(setting instanceof StoreWord || setting.isOfDelay()))
        .containsExactlyInAnyOrderElementsOf(expected.subList(0, expected.size() - 2));
    assertThat(read).containsAll(expected.subList(expected.size() - 2, expected.size()));
    // That there are such registers, of which most are 0, is told once.
    assertThat(read).filteredOn(CustomerDepth.class::isInstance).hasSizeBetween(2, 3_000);
  }

  @Test
  void aCoreWithoutDelaysOfCustomersIsWrittenTheRestAndTellsOfNone() {
    CustomerCodel codel = new CustomerCodel(Direction.DOWN, 7, 12_520 << 16 | 626);
    CustomerDepth depth = new CustomerDepth(Direction.DOWN, 7, 250_408);
    registers.failingWord = 9;
    write(codel, word(1, 5), depth, word(2, 9), word(3, 6));
    assertThat(answers)
        .containsExactly(WriteCode.OK, WriteCode.OK, WriteCode.OK, WriteCode.REFUSED, WriteCode.OK);
    assertThat(read()).contains(word(1, 5), word(3, 6)).noneMatch(FpgaSetting::isOfDelay);
    assertThat(registers.words).doesNotContainKeys(0x0310_001c, 0x0010_001c);
    registers.gone = true;
    time.pass(Duration.ofSeconds(1));
    registers.gone = false;
    identify(1 << 18 | 1 << 16 | 3 << 8 | 18, 156_250);
    connect();
    write(codel, depth);
    assertThat(registers.words)
        .containsEntry(0x0310_001c, codel.word())
        .containsEntry(0x0010_001c, 250_408);
    assertThat(read()).contains(codel, depth);
  }

  @Test
  void burstsOfCustomersNeedACoreThatIsKnownToHaveThem() {
    FpgaTarget target =
        new FpgaTarget(
            "fpga-down",
            Direction.DOWN,
            TestNetwork.fpgaProfile().withCustomerBursts(true),
            () -> new LocalRegisterBus(registers, Runnable::run),
            time.scheduler());
    session.clear();
    target.connect(new SessionNews(session));
    time.settle();
    assertThat(session)
        .containsExactly(
            "down: the card has no identification registers, and a core without them has no bursts"
                + " of customers, which is asked for");
    identify(3 << 8 | 18, 156_250);
    target.connect(new SessionNews(session));
    registers.words.put(0x0130_0000 + 4 * 7, 0xffff_8000 | 3_000);
    ReadBack<FpgaSetting> read = new ReadBack<>();
    time.settle();
    target.read(read);
    time.settle();
    assertThat(read.entries)
        .contains(new FpgaSetting.CustomerBurst(Direction.DOWN, 7, 3_000))
        .filteredOn(FpgaSetting.CustomerBurst.class::isInstance)
        .hasSize(32_768);
  }

  @Test
  void aRegisterThatFailsIsNamedAndThoseBehindItAreWritten() {
    registers.failingWord = 7;
    write(word(1, 5), word(2, 7), word(3, 6), word(4, 7), word(5, 8));
    assertThat(answers)
        .containsExactly(
            WriteCode.OK, WriteCode.REFUSED, WriteCode.OK, WriteCode.REFUSED, WriteCode.OK);
    assertThat(read()).contains(word(1, 5), word(3, 6), word(5, 8), word(2, 1), word(4, 1));
  }

  @Test
  void writesThatMayNotHaveArrivedAreLostAndNotRefused() {
    registers.lost = true;
    write(word(1, 5), word(2, 6));
    assertThat(answers)
        .containsExactly(
            "it is unknown whether the batch's writes have arrived: the card does not answer");
    registers.lost = false;
    write(word(1, 5));
    assertThat(answers).last().isEqualTo(WriteCode.OK);
  }

  @Test
  void aSettingThatDoesNotFitIsRefusedAloneAndTheOthersAreWritten() {
    write(
        word(1, 5),
        word(2, 1 << 20),
        new BucketSize(Direction.DOWN, FpgaLevel.TREE, 40_000),
        word(3, 6));
    assertThat(answers)
        .containsExactly(WriteCode.OK, WriteCode.REFUSED, WriteCode.REFUSED, WriteCode.OK);
    assertThat(read()).contains(word(1, 5), word(3, 6));
  }

  @Test
  void anFpgaThatGoesAwayIsNoticedWithinASecond() {
    registers.gone = true;
    time.pass(Duration.ofMillis(1_000));
    assertThat(session).hasSize(2);
    assertThat(session.get(1)).startsWith("down: ").contains("no such device");
    write(word(1, 5));
    assertThat(answers).containsExactly("not connected");
    registers.gone = false;
    connect();
    assertThat(session).hasSize(3).endsWith("up");
    assertThat(read()).isNotEmpty();
  }

  @Test
  void aCardThatIsBuiltOtherwiseIsRefusedInWords() {
    identify(3 << 8 | 11, 220_000);
    connect();
    assertThat(session)
        .containsExactly(
            "up",
            "down: the card is built otherwise than configured: it has 2048 queues; needed:"
                + " 262144; its clock in kHz: 220000; needed: 156250");
    write(word(1, 5));
    assertThat(answers).containsExactly("not connected");
  }

  @Test
  void anFpgaThatHasBeenResetIsNoticedWithinASecond() {
    write(new StoreWord(Direction.DOWN, 0, 77), new StoreWord(Direction.DOWN, 1, 78));
    time.pass(Duration.ofMillis(1_000));
    for (int i = 0; i < 4; i++) {
      registers.words.put(0x0300_0000 + 4 * i, 0);
    }
    time.pass(Duration.ofMillis(1_000));
    assertThat(session)
        .containsExactly(
            "up", "down: the FPGA has been reset: it no longer keeps the identity of the store");
  }

  @Test
  void anFpgaThatDoesNotAnswerIsGivenUp() {
    FpgaTarget stuck =
        new FpgaTarget(
            "fpga-down",
            Direction.DOWN,
            TestNetwork.fpgaProfile(),
            () -> new LocalRegisterBus(registers, task -> answers.add("begun")),
            time.scheduler());
    List<String> told = new ArrayList<>();
    stuck.connect(new SessionNews(told));
    time.pass(Duration.ofMillis(19_999));
    assertThat(answers).containsExactly("begun");
    assertThat(told).isEmpty();
    time.pass(Duration.ofMillis(1));
    assertThat(told).containsExactly("down: the registers have not answered for 20 s");
  }

  @Test
  void nothingIsToldOfASessionThatWasGivenUp() {
    target.disconnect();
    registers.gone = true;
    time.pass(Duration.ofSeconds(10));
    assertThat(session).containsExactly("up");
  }
}
