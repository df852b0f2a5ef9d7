package net.sluice.core.engine;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.sluice.core.TargetDrift.Difference;
import net.sluice.core.session.CorrectionSink;
import net.sluice.core.session.Differences;
import net.sluice.core.session.EntityKeys;
import net.sluice.core.session.OwnerIds;
import net.sluice.core.session.ReconcileSource;
import net.sluice.core.target.StoreIdentity;
import net.sluice.fpga.RegisterLayout;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.model.Direction;
import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.FpgaSetting.BucketSize;
import net.sluice.intents.plan.FpgaSetting.IdentityWord;
import net.sluice.intents.plan.FpgaSetting.RateWord;
import net.sluice.intents.plan.Op;

/**
 * What the FPGA of one direction should hold. It has so few settings that their values are kept
 * while reading, and compared at the end.
 */
final class FpgaExpectation implements ReconcileSource<FpgaSetting> {
  private static final int UNREAD = -1;

  private final ShardState shard;
  private final WriteOwners owners;
  private final Compiler compiler;
  private final Direction direction;

  /** By index, whose 15 bits a smaller FPGA does not use up. */
  private final int[] customerWords = new int[1 << 15];

  private final Map<Long, Integer> others = new HashMap<>();
  private final Differences differences = new Differences();
  private final int unlimited;
  private long read;
  private long wrong;
  private long rewritten;

  FpgaExpectation(ShardState shard, WriteOwners owners, Compiler compiler, Direction direction) {
    this.shard = shard;
    this.owners = owners;
    this.compiler = compiler;
    this.direction = direction;
    this.unlimited = compiler.fpgaProfile().maxRateWord();
  }

  @Override
  public void exclusively(Runnable action) {
    shard.exclusively(action);
  }

  @Override
  public void begin() {
    Arrays.fill(customerWords, UNREAD);
    others.clear();
    differences.clear();
    read = 0;
    wrong = 0;
    rewritten = 0;
  }

  @Override
  public void touched(int owner) {
    // Settings are compared only at the end, with what is declared then.
  }

  @Override
  public void compare(List<FpgaSetting> settings, CorrectionSink<FpgaSetting> corrections) {
    read += settings.size();
    for (FpgaSetting setting : settings) {
      if (setting instanceof RateWord word && word.level() == FpgaLevel.CUSTOMER) {
        customerWords[word.index()] = word.word();
      } else {
        others.put(EntityKeys.ofFpga(setting), setting.value());
      }
    }
  }

  private int valueRead(FpgaSetting setting) {
    if (setting instanceof RateWord word && word.level() == FpgaLevel.CUSTOMER) {
      return customerWords[word.index()];
    }
    return others.getOrDefault(EntityKeys.ofFpga(setting), UNREAD);
  }

  /** What the FPGA should hold; its part of the store's identity first, if it keeps one. */
  private Stream<FpgaSetting> expectedSettings() {
    Stream<FpgaSetting> identity =
        StoreIdentity.fpgaWords(direction, shard.store().identity()).stream()
            .filter(word -> others.containsKey(EntityKeys.ofFpga(word)));
    return Stream.concat(identity, compiler.expectedSettings(shard.state(), direction));
  }

  @Override
  public Comparison compared() {
    long[] held = new long[1];
    expectedSettings()
        .filter(setting -> !(setting instanceof IdentityWord))
        .forEach(
            setting -> {
              int value = valueRead(setting);
              if (isLimit(setting, value)) {
                held[0]++;
              }
              if (value != setting.value()) {
                compare(setting, value);
              }
            });
    return new Comparison(
        read,
        held[0],
        differences.count(Difference.FOREIGN),
        shard.store().identity(),
        otherStore(),
        differences.tables());
  }

  /** True if {@code value} is a limit, and not just what a bucket holds that was never set. */
  private boolean isLimit(FpgaSetting setting, int value) {
    return setting instanceof RateWord
        && value > RegisterLayout.RESET_RATE_WORD
        && value != unlimited;
  }

  private void compare(FpgaSetting setting, int value) {
    if (value == UNREAD) {
      differences.missing(name(setting), setting);
    } else if (isLimit(setting, value) && setting.value() == unlimited) {
      differences.foreign(name(setting), setting.withValue(value));
    } else {
      differences.changed(name(setting), setting.withValue(value), setting);
    }
  }

  private static String name(FpgaSetting setting) {
    if (setting instanceof RateWord word) {
      return word.level().text() + "-rate";
    }
    return setting instanceof BucketSize ? "bucket-size" : "queue-depth";
  }

  /** The identity of another store, if the FPGA keeps one. */
  private List<Long> otherStore() {
    List<FpgaSetting> words = StoreIdentity.fpgaWords(direction, shard.store().identity());
    long kept = 0;
    for (int half = words.size() - 1; half >= 0; half--) {
      Integer word = others.get(EntityKeys.ofFpga(words.get(half)));
      if (word == null) {
        return List.of();
      }
      kept = kept << Integer.SIZE | Integer.toUnsignedLong(word);
    }
    return kept == 0 || kept == shard.store().identity() ? List.of() : List.of(kept);
  }

  /** A limit that the store does not have is lifted. */
  @Override
  public boolean deletes(Op op, FpgaSetting setting) {
    return setting instanceof RateWord word && word.word() == unlimited;
  }

  @Override
  public boolean rewrite(CorrectionSink<FpgaSetting> corrections) {
    // Changes accepted since reading began are queued, so that a value read may be about to be
    // overwritten; everything queued anew here is what is declared now, and comes after those.
    expectedSettings()
        .forEach(
            setting -> {
              int value = valueRead(setting);
              if (value != setting.value()) {
                if (value == UNREAD && !(setting instanceof IdentityWord)) {
                  rewritten++;
                } else {
                  wrong++;
                }
                corrections.write(Op.MODIFY, setting, owners.of(setting));
              }
            });
    return true;
  }

  @Override
  public void rewriteOwner(int owner, CorrectionSink<FpgaSetting> corrections) {
    if (!OwnerIds.isLimit(owner)) {
      return;
    }
    owners
        .settingsOf(owner, direction)
        .forEach(setting -> corrections.write(Op.MODIFY, setting, owner));
  }

  @Override
  public Findings findings() {
    return new Findings(read, wrong, 0, rewritten);
  }
}
