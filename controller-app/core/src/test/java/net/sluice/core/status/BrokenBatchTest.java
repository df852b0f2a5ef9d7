package net.sluice.core.status;

import static net.sluice.core.testing.TestNetwork.limit;
import static net.sluice.core.testing.TestNetwork.numbered;
import static net.sluice.core.testing.TestNetwork.policy;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import net.sluice.core.BrokenBatch;
import net.sluice.core.ControllerConfig;
import net.sluice.core.Outcome;
import net.sluice.core.TargetState;
import net.sluice.core.TargetStatus;
import net.sluice.core.engine.SlaController;
import net.sluice.core.store.InMemoryIntentStore;
import net.sluice.core.target.FpgaTarget;
import net.sluice.core.target.Targets;
import net.sluice.core.testing.CountingCompiler;
import net.sluice.core.testing.MemoryTarget;
import net.sluice.core.testing.TestCounters;
import net.sluice.core.testing.TestNetwork;
import net.sluice.core.testing.VirtualTime;
import net.sluice.fpga.BatchResult;
import net.sluice.fpga.LocalBus;
import net.sluice.fpga.LocalRegisterBus;
import net.sluice.fpga.RegisterBatch;
import net.sluice.fpga.RegisterBus;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.value.Direction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A batch of limits that breaks off in its midst is resumed, and each limit's status says so. */
class BrokenBatchTest {
  private static final int LIMITS = 120;
  private static final int CORE_ID = 0x0300_0100;
  private static final int CUSTOMER_RATES = 0x0120_0000;
  private static final int LAST_RATE = 0x0127_0000;

  /** A card that goes away after some more writes; what is written then is lost, as over PCIe. */
  private static final class Card implements LocalBus {
    final Map<Integer, Integer> words = new HashMap<>();
    int queueBits = 18;
    int leftWrites = Integer.MAX_VALUE;
    int refusedWord = -1;
    boolean gone;
    boolean writesFault;
    int rateWrites;

    @Override
    public int readWord(int address) throws IOException {
      requireThere();
      return switch (address) {
        case CORE_ID -> 0x534c5501;
        case CORE_ID + 4 -> 3 << 8 | queueBits;
        case CORE_ID + 8 -> 1_600 << 16 | 1_248;
        case CORE_ID + 12 -> 156_250;
        default -> words.getOrDefault(address, address >>> 24 == 3 ? 0 : 1);
      };
    }

    @Override
    public void writeWord(int address, int value) throws IOException {
      if (leftWrites == 0) {
        gone = true;
      }
      if (gone && writesFault) {
        throw new IOException("the card's memory has gone");
      } else if (gone) {
        return;
      }
      if (value == refusedWord) {
        throw new IOException("stuck register");
      }
      leftWrites--;
      words.put(address, value);
      if (address >= CUSTOMER_RATES && address < LAST_RATE) {
        rateWrites++;
      }
    }

    @Override
    public void flush() throws IOException {
      requireThere();
    }

    private void requireThere() throws IOException {
      if (gone) {
        throw new IOException("the card does not answer");
      }
    }

    /** A card that a reset has cleared. */
    void reset() {
      words.clear();
      leftWrites = Integer.MAX_VALUE;
      gone = false;
    }

    long limitsHeld() {
      return words.entrySet().stream()
          .filter(each -> each.getKey() >= CUSTOMER_RATES && each.getKey() < LAST_RATE)
          .filter(each -> each.getValue() == 50)
          .count();
    }
  }

  private final VirtualTime time = new VirtualTime();
  private final Card card = new Card();
  private final MemoryTarget<SwitchEntry> device = MemoryTarget.ofSwitch(time.scheduler());
  private Supplier<RegisterBus> bus = () -> new LocalRegisterBus(card, Runnable::run);
  private SlaController controller;

  @BeforeEach
  void open() {
    ControllerConfig config = TestNetwork.smallConfig().build();
    controller =
        new SlaController(
            config,
            new InMemoryIntentStore(),
            new Targets(
                device,
                TestCounters.telling(),
                Optional.of(
                    new FpgaTarget(
                        "fpga-down",
                        Direction.DOWN,
                        config.fpgaProfile(),
                        () -> bus.get(),
                        time.scheduler())),
                Optional.of(MemoryTarget.ofFpga("fpga-up", time.scheduler()))),
            new CountingCompiler(config),
            time,
            name -> time.scheduler());
    time.pass(Duration.ofSeconds(1));
    accept(policy("gold", BuiltInFunction.GOLD));
    for (int i = 0; i < LIMITS; i++) {
      // Four trees.
      accept(subscriber(i));
    }
    time.pass(Duration.ofSeconds(2));
  }

  @AfterEach
  void close() {
    controller.close();
  }

  private static Change subscriber(int i) {
    return numbered(i / 30 + 64 * (i % 30));
  }

  private static String id(int i) {
    return "sub-" + (i / 30 + 64 * (i % 30));
  }

  private void accept(Change change) {
    assertThat(controller.apply(change)).isInstanceOf(Outcome.Accepted.class);
  }

  private void limitAll() {
    List<Change> limits = new ArrayList<>();
    for (int i = 0; i < LIMITS; i++) {
      limits.add(limit("limit-" + i, id(i)));
    }
    controller.applyAll(
        limits, outcome -> assertThat(outcome).isInstanceOf(Outcome.Accepted.class));
  }

  private TargetStatus down(int i) {
    return controller.find(Kind.RATE_LIMIT, "limit-" + i).orElseThrow().targets().stream()
        .filter(each -> each.target().equals("fpga-down"))
        .findFirst()
        .orElseThrow();
  }

  private List<TargetStatus> downs() {
    List<TargetStatus> all = new ArrayList<>();
    for (int i = 0; i < LIMITS; i++) {
      all.add(down(i));
    }
    return all;
  }

  private void assertBroken(String error) {
    assertThat(downs())
        .allSatisfy(
            each -> {
              assertThat(each.state()).isEqualTo(TargetState.PENDING);
              assertThat(each.brokenBatch()).hasValue(BrokenBatch.UNKNOWN);
              assertThat(each.error().orElseThrow()).contains(error);
            });
  }

  private void assertInstalled(Optional<BrokenBatch> batch) {
    assertThat(downs())
        .allSatisfy(
            each -> {
              assertThat(each.state()).isEqualTo(TargetState.INSTALLED);
              assertThat(each.brokenBatch()).isEqualTo(batch);
              assertThat(each.error()).isEmpty();
            });
    assertThat(card.limitsHeld()).isEqualTo(LIMITS);
  }

  @Test
  void aBatchThatDoesNotBreakSaysNothingOfIt() {
    limitAll();
    time.settle();
    assertInstalled(Optional.empty());
  }

  @Test
  void aCardThatGoesInMidBatchIsResumedWhereItStood() {
    card.leftWrites = 50;
    limitAll();
    time.settle();
    assertBroken("the card does not answer");
    long held = card.limitsHeld();
    assertThat(held).isBetween(1L, LIMITS - 1L);
    card.gone = false;
    card.leftWrites = Integer.MAX_VALUE;
    card.rateWrites = 0;
    time.pass(Duration.ofMinutes(1));
    assertInstalled(Optional.of(BrokenBatch.RESUMED));
    // Only what had not arrived.
    assertThat(card.rateWrites).isEqualTo((int) (LIMITS - held));
    accept(limit("limit-0", new Scope.OfSubscriber(id(0)), 60_000_000, 0));
    time.settle();
    assertThat(down(0).brokenBatch()).isEmpty();
    assertThat(down(1).brokenBatch()).hasValue(BrokenBatch.RESUMED);
  }

  @Test
  void aBusThatDoesNotAnswerInMidBatchIsGivenUpAndTheBatchResumedOverTheNextOne() {
    List<RegisterBatch> unanswered = new ArrayList<>();
    boolean[] silent = new boolean[1];
    card.leftWrites = 50;
    bus =
        () ->
            new RegisterBus() {
              private final RegisterBus inner = new LocalRegisterBus(card, Runnable::run);

              @Override
              public CompletionStage<BatchResult> execute(RegisterBatch batch) {
                if (silent[0]) {
                  unanswered.add(batch);
                  return new CompletableFuture<>();
                }
                return inner.execute(batch);
              }

              @Override
              public void close() {
                inner.close();
              }
            };
    card.gone = true;
    time.pass(Duration.ofSeconds(2));
    card.reset();
    time.pass(Duration.ofMinutes(1));
    silent[0] = true;
    limitAll();
    time.settle();
    assertThat(unanswered).isNotEmpty();
    assertThat(downs()).extracting(TargetStatus::state).containsOnly(TargetState.PENDING);
    time.pass(Duration.ofSeconds(21));
    assertBroken("the registers have not answered for 20 s");
    silent[0] = false;
    time.pass(Duration.ofMinutes(1));
    assertInstalled(Optional.of(BrokenBatch.RESUMED));
  }

  @Test
  void writesThatFaultAreFailedAtOnceAndResumedWithTheNextSession() {
    card.leftWrites = 50;
    card.writesFault = true;
    limitAll();
    time.settle();
    assertThat(downs())
        .filteredOn(each -> each.state() == TargetState.FAILED)
        .hasSizeBetween(1, LIMITS - 1)
        .allMatch(each -> each.error().orElseThrow().endsWith("the card's memory has gone"));
    time.pass(Duration.ofSeconds(2));
    assertThat(downs()).extracting(TargetStatus::state).containsOnly(TargetState.PENDING);
    assertThat(downs())
        .extracting(TargetStatus::brokenBatch)
        .containsOnly(Optional.empty(), Optional.of(BrokenBatch.UNKNOWN));
    card.gone = false;
    card.leftWrites = Integer.MAX_VALUE;
    time.pass(Duration.ofMinutes(1));
    assertThat(downs()).extracting(TargetStatus::state).containsOnly(TargetState.INSTALLED);
    assertThat(downs())
        .extracting(TargetStatus::brokenBatch)
        .containsOnly(Optional.empty(), Optional.of(BrokenBatch.RESUMED));
  }

  @Test
  void aCardOfAnotherGeometryGetsNothingAndEachLimitSaysWhy() {
    card.leftWrites = 50;
    limitAll();
    time.settle();
    card.reset();
    card.queueBits = 11;
    time.pass(Duration.ofMinutes(1));
    assertBroken("the card is built otherwise than configured: it has 2048 queues; needed: 34816");
    assertThat(card.words).isEmpty();
    card.queueBits = 18;
    time.pass(Duration.ofMinutes(1));
    assertInstalled(Optional.of(BrokenBatch.RESUMED));
  }

  @Test
  void aWriteThatIsRefusedIsFailedAloneAndSaysWhich() {
    card.refusedWord = 77;
    limitAll();
    accept(limit("limit-7", new Scope.OfSubscriber(id(7)), 77_123_456, 0));
    time.settle();
    assertThat(down(7).state()).isEqualTo(TargetState.FAILED);
    assertThat(down(7).error().orElseThrow()).matches("write to 0x012[0-9a-f]{5}: stuck register");
    assertThat(down(7).brokenBatch()).isEmpty();
    assertThat(downs()).filteredOn(each -> each.state() == TargetState.INSTALLED).hasSize(119);
  }
}
