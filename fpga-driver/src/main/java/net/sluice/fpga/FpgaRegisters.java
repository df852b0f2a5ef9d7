package net.sluice.fpga;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.FpgaSetting.BucketSize;
import net.sluice.intents.plan.FpgaSetting.ClassShares;
import net.sluice.intents.plan.FpgaSetting.CustomerBurst;
import net.sluice.intents.plan.FpgaSetting.CustomerCodel;
import net.sluice.intents.plan.FpgaSetting.CustomerDepth;
import net.sluice.intents.plan.FpgaSetting.QueueDepth;
import net.sluice.intents.plan.FpgaSetting.RateWord;
import net.sluice.intents.plan.FpgaSetting.StoreWord;
import net.sluice.intents.plan.QueueId;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.InvalidValueException;

/**
 * The settings and counters of the FPGA of one direction, in domain words. Everything is sent at
 * once in batches; a setting that the registers cannot hold is refused before anything is sent.
 */
public final class FpgaRegisters {
  /** Small enough that other users of the bus get their turn, large enough to fill a connection. */
  private static final int BATCH_OPERATIONS = 3072;

  private final RegisterBus bus;
  private final Direction direction;

  /** The FPGA of {@code direction}, behind {@code bus}. */
  public FpgaRegisters(RegisterBus bus, Direction direction) {
    this.bus = bus;
    this.direction = direction;
  }

  /**
   * A setting that was not written.
   *
   * @param setting the setting
   * @param tried false if it was only behind a failing one
   * @param reason what failed, for people
   */
  public record Unwritten(FpgaSetting setting, boolean tried, String reason) {}

  /**
   * A register that holds another value than it should.
   *
   * @param desired the setting as it should be
   * @param actual the value that it has
   */
  public record Difference(FpgaSetting desired, int actual) {}

  /**
   * Writes the settings in order.
   *
   * @return the settings that could not be written, usually none; fails with {@link
   *     RegisterBusException} if it is unknown which were
   * @throws InvalidValueException if a setting does not fit its register or belongs to another
   *     direction; nothing is written then
   */
  public CompletionStage<List<Unwritten>> write(List<? extends FpgaSetting> settings) {
    List<RegisterBatch> batches = new ArrayList<>();
    RegisterBatch.Builder batch = RegisterBatch.builder();
    for (FpgaSetting setting : settings) {
      batch = roomFor(1, batch, batches);
      batch.write(address(setting), RegisterLayout.word(setting));
    }
    addUnlessEmpty(batch, batches);
    return inOrder(batches)
        .thenApply(
            results -> {
              List<Unwritten> unwritten = new ArrayList<>();
              int from = 0;
              for (int i = 0; i < batches.size(); i++) {
                List<? extends FpgaSetting> part =
                    settings.subList(from, from + batches.get(i).size());
                results.get(i).failure().ifPresent(f -> addUnwritten(part, f, unwritten));
                from += part.size();
              }
              return unwritten;
            });
  }

  /**
   * Reads which core it is.
   *
   * @return the core's identity, empty for a core without identification registers; fails with
   *     {@link RegisterBusException} if no queueing core answers
   */
  public CompletionStage<Optional<CoreIdentity>> identify() {
    return bus.execute(
            RegisterBatch.builder()
                .read(RegisterLayout.CORE_ID)
                .read(RegisterLayout.CORE_GEOMETRY)
                .read(RegisterLayout.CORE_TICK)
                .read(RegisterLayout.CORE_CLOCK)
                .build())
        .thenApply(
            result -> {
              result.orThrow();
              return CoreIdentity.of(
                  result.word(0), result.word(1), result.word(2), result.word(3));
            });
  }

  /**
   * Every setting that an FPGA of that profile has, with value 0.
   *
   * @param customerDelays whether it has CoDel and a depth for each customer
   */
  public List<FpgaSetting> settings(FpgaProfile profile, boolean customerDelays) {
    List<FpgaSetting> settings = new ArrayList<>();
    for (FpgaLevel level : FpgaLevel.values()) {
      settings.add(new BucketSize(direction, level, 0));
    }
    for (int queueClass = 0; queueClass < profile.classes(); queueClass++) {
      settings.add(new QueueDepth(direction, queueClass, 0));
    }
    for (int port = 0; port < profile.ports(); port++) {
      settings.add(new RateWord(direction, FpgaLevel.PORT, port, 0));
      for (int tree = 0; tree < profile.treesPerPort(); tree++) {
        settings.add(new RateWord(direction, FpgaLevel.TREE, QueueId.treeIndex(port, tree), 0));
        for (int customer = 0; customer < profile.customersPerTree(); customer++) {
          int index = QueueId.customerIndex(QueueId.of(port, tree, customer));
          settings.add(new RateWord(direction, FpgaLevel.CUSTOMER, index, 0));
          if (profile.customerBursts()) {
            settings.add(new CustomerBurst(direction, index, 0));
          }
          if (customerDelays) {
            settings.add(new CustomerCodel(direction, index, 0));
            settings.add(new CustomerDepth(direction, index, 0));
          }
          if (profile.classShares()) {
            settings.add(new ClassShares(direction, index, 0));
          }
        }
      }
    }
    return settings;
  }

  /**
   * Reads the values of settings; the values that {@code settings} carry do not matter.
   *
   * @return the values in the order of {@code settings}; fails with {@link RegisterBusException} if
   *     not all could be read
   * @throws InvalidValueException if there is no such setting or it belongs to another direction
   */
  public CompletionStage<int[]> read(List<? extends FpgaSetting> settings) {
    List<RegisterBatch> batches = new ArrayList<>();
    RegisterBatch.Builder batch = RegisterBatch.builder();
    for (FpgaSetting setting : settings) {
      batch = roomFor(1, batch, batches);
      batch.read(address(setting));
    }
    addUnlessEmpty(batch, batches);
    return inOrder(batches)
        .thenApply(
            results -> {
              int[] values = new int[settings.size()];
              int i = 0;
              for (BatchResult result : results) {
                result.orThrow();
                for (int word = 0; word < result.wordCount(); word++, i++) {
                  values[i] = value(settings.get(i), result.word(word));
                }
              }
              return values;
            });
  }

  /**
   * Reads what the FPGA keeps of the store whose settings it holds.
   *
   * @return all four words, the first two only, or none, as the FPGA has registers for them; 0 in
   *     each that was not written since the reset; fails with {@link RegisterBusException} if that
   *     is not known
   */
  public CompletionStage<List<StoreWord>> storeWords() {
    RegisterBatch.Builder batch = RegisterBatch.builder();
    for (int i = 0; i < RegisterLayout.STORE_WORDS; i++) {
      batch.read(RegisterLayout.address(new StoreWord(direction, i, 0)));
    }
    return bus.execute(batch.build())
        .thenApply(
            result -> {
              result.orThrow();
              List<StoreWord> kept = new ArrayList<>();
              for (int i = 0; i + 1 < result.wordCount() && !isStray(result, i); i += 2) {
                kept.add(new StoreWord(direction, i, result.word(i)));
                kept.add(new StoreWord(direction, i + 1, result.word(i + 1)));
              }
              return kept;
            });
  }

  /** Whether the FPGA keeps the identity of a store, which a reset takes; fails likewise. */
  public CompletionStage<Boolean> keepsIdentity() {
    return storeWords()
        .thenApply(words -> words.stream().limit(2).anyMatch(word -> word.value() != 0));
  }

  private static boolean isStray(BatchResult result, int pair) {
    return result.word(pair) == RegisterLayout.STRAY_READ
        && result.word(pair + 1) == RegisterLayout.STRAY_READ;
  }

  /**
   * Reads the registers of settings back and compares.
   *
   * @return the settings whose register holds another value, in the order of {@code desired}; fails
   *     as {@link #read}
   * @throws InvalidValueException as {@link #read}
   */
  public CompletionStage<List<Difference>> compare(List<? extends FpgaSetting> desired) {
    return read(desired)
        .thenApply(
            values -> {
              List<Difference> differences = new ArrayList<>();
              for (int i = 0; i < values.length; i++) {
                if (values[i] != desired.get(i).value()) {
                  differences.add(new Difference(desired.get(i), values[i]));
                }
              }
              return differences;
            });
  }

  /**
   * Reads the counters of queues.
   *
   * @param queueIds 18-bit queue ids
   * @return the counters in the order of {@code queueIds}; fails with {@link RegisterBusException}
   *     if not all could be read
   * @throws InvalidValueException if there is no such queue
   */
  public CompletionStage<List<CounterWord>> counters(int[] queueIds) {
    List<RegisterBatch> batches = new ArrayList<>();
    RegisterBatch.Builder batch = RegisterBatch.builder();
    for (int queueId : queueIds) {
      batch = roomFor(3, batch, batches);
      batch.readCounter(queueId);
    }
    addUnlessEmpty(batch, batches);
    int[] ids = queueIds.clone();
    return inOrder(batches)
        .thenApply(
            results -> {
              List<CounterWord> counters = new ArrayList<>(ids.length);
              for (BatchResult result : results) {
                result.orThrow();
                for (int word = 0; word < result.wordCount(); word += 2) {
                  if (result.word(word) == RegisterLayout.STRAY_READ
                      && result.word(word + 1) == RegisterLayout.STRAY_READ) {
                    throw new RegisterBusException(
                        "the counters of queue %s read as if no queue had been selected"
                            .formatted(ids[counters.size()]));
                  }
                  counters.add(result.counter(word));
                }
              }
              return counters;
            });
  }

  private static int value(FpgaSetting setting, int word) {
    if (word == RegisterLayout.STRAY_READ) {
      throw new RegisterBusException(
          "the register of " + setting + " does not exist: the FPGA answered a stray read");
    }
    return RegisterLayout.value(setting, word);
  }

  private int address(FpgaSetting setting) {
    if (setting.direction() != direction) {
      throw new InvalidValueException(
          "direction", setting.direction().text(), direction.text() + ", the FPGA's own");
    }
    return RegisterLayout.address(setting);
  }

  private static RegisterBatch.Builder roomFor(
      int accesses, RegisterBatch.Builder batch, List<RegisterBatch> full) {
    if (batch.size() + accesses <= BATCH_OPERATIONS) {
      return batch;
    }
    full.add(batch.build());
    return RegisterBatch.builder();
  }

  private static void addUnlessEmpty(RegisterBatch.Builder batch, List<RegisterBatch> batches) {
    if (batch.size() > 0) {
      batches.add(batch.build());
    }
  }

  private static void addUnwritten(
      List<? extends FpgaSetting> settings, BatchResult.Failure failure, List<Unwritten> into) {
    for (int i = failure.index(); i < settings.size(); i++) {
      into.add(new Unwritten(settings.get(i), i == failure.index(), failure.reason()));
    }
  }

  private CompletionStage<List<BatchResult>> inOrder(List<RegisterBatch> batches) {
    List<CompletableFuture<BatchResult>> results = new ArrayList<>();
    for (RegisterBatch batch : batches) {
      results.add(bus.execute(batch).toCompletableFuture());
    }
    return CompletableFuture.allOf(results.toArray(CompletableFuture[]::new))
        .thenApply(done -> results.stream().map(CompletableFuture::join).toList());
  }
}
