package net.sluice.core.reconcile;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;
import net.sluice.core.TargetDrift.Difference;
import net.sluice.core.session.CorrectionSink;
import net.sluice.core.session.ReconcileSource;
import net.sluice.core.session.TargetDifferences;
import net.sluice.core.state.ShardState;
import net.sluice.core.store.IntentStore;
import net.sluice.core.store.Revision;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.plan.Expected;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.OwnerIds;
import net.sluice.intents.state.StoreIdentity;
import net.sluice.intents.value.Direction;

/**
 * The desired content of the FPGA of one direction. It has so few settings that their values are
 * kept while reading, and compared at the end.
 */
public final class DesiredFpgaState implements ReconcileSource<FpgaSetting> {
  private final ShardState shard;
  private final Compiler compiler;
  private final Direction direction;

  /** By {@link FpgaSetting#place}; 0 of settings of delay that have not been read. */
  private final int[] values = new int[FpgaSetting.PLACES];

  /** Which of them have been read; their values may be any. */
  private final BitSet seen = new BitSet();

  /** Whether the FPGA keeps the identity of its store, whose words may have any value. */
  private boolean keepsIdentity;

  /** Likewise the revision. */
  private boolean keepsRevision;

  /** Whether the FPGA has told of rates, and whether of delays, which not every FPGA has. */
  private boolean hasRates;

  private boolean hasDelays;

  /** Those of delay that are not 0. */
  private final List<FpgaSetting> delaysHeld = new ArrayList<>();

  private final TargetDifferences differences = new TargetDifferences();
  private long read;
  private long wrong;
  private long rewritten;

  public DesiredFpgaState(ShardState shard, Compiler compiler, Direction direction) {
    this.shard = shard;
    this.compiler = compiler;
    this.direction = direction;
  }

  @Override
  public void exclusively(Runnable action) {
    shard.exclusively(action);
  }

  @Override
  public void begin() {
    seen.clear();
    Arrays.fill(values, 0);
    delaysHeld.clear();
    keepsIdentity = false;
    keepsRevision = false;
    hasRates = false;
    hasDelays = false;
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
      values[setting.place()] = setting.value();
      seen.set(setting.place());
      keepsIdentity |= StoreIdentity.isWord(setting);
      keepsRevision |= StoreIdentity.isRevisionWord(setting);
      hasRates |= setting.isRate();
      if (setting.isOfDelay()) {
        hasDelays = true;
        if (setting.value() != 0) {
          delaysHeld.add(setting);
        }
      }
    }
  }

  private List<FpgaSetting> identity() {
    return keepsIdentity ? StoreIdentity.fpgaWords(direction, shard.store().identity()) : List.of();
  }

  /** The settings that the compiler expects, and 0 for delays that are held beside these. */
  private Stream<Expected<FpgaSetting>> expectedSettings() {
    BitSet delays = new BitSet();
    // An FPGA without registers for delays keeps to what its classes have.
    Stream<Expected<FpgaSetting>> declared =
        compiler
            .expectedSettings(shard.state(), direction)
            .filter(expected -> hasDelays || !hasRates || !expected.entity().isOfDelay())
            .peek(
                expected -> {
                  if (expected.entity().isOfDelay()) {
                    delays.set(expected.entity().place());
                  }
                });
    Stream<Expected<FpgaSetting>> others =
        Stream.of(delaysHeld)
            .flatMap(List::stream)
            .filter(setting -> !delays.get(setting.place()))
            .map(setting -> new Expected<>(setting.withValue(0), OwnerIds.NONE));
    return Stream.concat(declared, others);
  }

  @Override
  public Comparison compared() {
    long[] held = new long[1];
    expectedSettings()
        .map(Expected::entity)
        .forEach(
            setting -> {
              if (isLimit(setting)) {
                held[0]++;
              }
              if (isOther(setting)) {
                compare(setting);
              }
            });
    return new Comparison(
        read,
        held[0],
        differences.count(Difference.FOREIGN),
        shard.store().identity(),
        otherStore(),
        keptRevision(),
        differences.tables());
  }

  /** True if the FPGA holds something else, or has not told. */
  private boolean isOther(FpgaSetting setting) {
    return !isRead(setting) || values[setting.place()] != setting.value();
  }

  /** True if its value is known: an FPGA does not tell the delays that are 0. */
  private boolean isRead(FpgaSetting setting) {
    return seen.get(setting.place()) || hasDelays && setting.isOfDelay();
  }

  private FpgaSetting held(FpgaSetting setting) {
    return setting.withValue(values[setting.place()]);
  }

  private boolean isLimit(FpgaSetting setting) {
    return isRead(setting) && compiler.isLimit(held(setting));
  }

  private void compare(FpgaSetting setting) {
    if (!isRead(setting)) {
      differences.missing(setting.tableName(), setting);
    } else if (isLimit(setting) && compiler.isLifted(setting)) {
      differences.foreign(setting.tableName(), held(setting));
    } else {
      differences.changed(setting.tableName(), held(setting), setting);
    }
  }

  /** The identity of another store, if the FPGA keeps one and this store's is not half written. */
  private List<Long> otherStore() {
    long kept = keepsIdentity ? bitsRead(identity()) : 0;
    long differs = kept ^ shard.store().identity();
    boolean halfWritten = (int) differs == 0 || differs >>> Integer.SIZE == 0;
    return kept == 0 || halfWritten ? List.of() : List.of(kept);
  }

  private List<Revision> keptRevision() {
    Revision kept =
        keepsRevision
            ? Revision.of(bitsRead(StoreIdentity.revisionWords(direction, 0)))
            : Revision.NONE;
    // While the upper half is 0 the lower one is being written.
    return kept.mark() == 0 ? List.of() : List.of(kept);
  }

  /** The number that the FPGA keeps in two words, the lower half first. */
  private long bitsRead(List<FpgaSetting> words) {
    return (long) values[words.get(1).place()] << Integer.SIZE
        | Integer.toUnsignedLong(values[words.get(0).place()]);
  }

  /** A limit that the store does not have is lifted. */
  @Override
  public boolean deletes(Op op, FpgaSetting setting) {
    return compiler.isLifted(setting);
  }

  @Override
  public boolean rewrite(CorrectionSink<FpgaSetting> corrections) {
    // Changes accepted since reading began are queued, so that a value read may be about to be
    // overwritten; everything queued anew here is what is declared now, and comes after those.
    for (FpgaSetting word : identity()) {
      if (isOther(word)) {
        wrong++;
        corrections.write(Op.MODIFY, word, OwnerIds.NONE);
      }
    }
    expectedSettings()
        .forEach(
            expected -> {
              FpgaSetting setting = expected.entity();
              if (isOther(setting)) {
                if (isRead(setting)) {
                  wrong++;
                } else {
                  rewritten++;
                }
                corrections.write(Op.MODIFY, setting, expected.owner());
              }
            });
    return true;
  }

  @Override
  public void rewriteOwner(int owner, CorrectionSink<FpgaSetting> corrections) {
    String id = OwnerIds.isLimit(owner) ? shard.state().limitId(OwnerIds.number(owner)) : null;
    if (id != null) {
      compiler
          .settingsOf(shard.state(), shard.state().rateLimit(id).orElseThrow(), direction)
          .forEach(setting -> corrections.write(Op.MODIFY, setting, owner));
    } else if (OwnerIds.isPolicy(owner)) {
      expectedSettings()
          .filter(expected -> expected.owner() == owner)
          .forEach(expected -> corrections.write(Op.MODIFY, expected.entity(), owner));
    }
  }

  @Override
  public Findings findings() {
    return new Findings(read, wrong, 0, rewritten);
  }

  @Override
  public IntentStore store() {
    return shard.store();
  }

  /** With the upper half 0 meanwhile: one half of each would be a commit that never was. */
  @Override
  public void keep(List<Revision> kept, Revision now, CorrectionSink<FpgaSetting> out) {
    if (keepsRevision) {
      List<FpgaSetting> words = StoreIdentity.revisionWords(direction, now.bits());
      out.write(Op.MODIFY, words.get(1).withValue(0), OwnerIds.NONE);
      words.forEach(word -> out.write(Op.MODIFY, word, OwnerIds.NONE));
    }
  }
}
