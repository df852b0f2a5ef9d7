package net.sluice.core.engine;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.sluice.core.session.CorrectionSink;
import net.sluice.core.session.EntityKeys;
import net.sluice.core.session.OwnerIds;
import net.sluice.core.session.ReconcileSource;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.model.Direction;
import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.plan.FpgaSetting;
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
  private long read;
  private long wrong;
  private long rewritten;

  FpgaExpectation(ShardState shard, WriteOwners owners, Compiler compiler, Direction direction) {
    this.shard = shard;
    this.owners = owners;
    this.compiler = compiler;
    this.direction = direction;
  }

  @Override
  public void exclusively(Runnable action) {
    shard.exclusively(action);
  }

  @Override
  public void begin() {
    Arrays.fill(customerWords, UNREAD);
    others.clear();
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

  @Override
  public boolean rewrite(CorrectionSink<FpgaSetting> corrections) {
    // Changes accepted since reading began are queued, so that a value read may be about to be
    // overwritten; everything queued anew here is what is declared now, and comes after those.
    compiler
        .expectedSettings(shard.state(), direction)
        .forEach(
            setting -> {
              int value = valueRead(setting);
              if (value != setting.value()) {
                if (value == UNREAD) {
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
