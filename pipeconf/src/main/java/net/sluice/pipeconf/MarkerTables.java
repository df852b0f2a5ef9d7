package net.sluice.pipeconf;

import com.google.protobuf.ByteString;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.plan.SwitchEntry.PolicyValueEntry;
import net.sluice.intents.plan.SwitchEntry.RandomRateEntry;
import net.sluice.intents.plan.SwitchEntry.RateBinEntry;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.FieldMatch;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** The tables of the packet marker (paper 000, section IV). */
final class MarkerTables {
  /** Rate bins never overlap, so that one priority serves for all. */
  static final int RATE_BIN_PRIORITY = 1;

  private MarkerTables() {}

  /** Rate bin by measured rate. */
  static final class RateBin extends TableCodec<RateBinEntry> {
    private static final int BITS = SluicePipeline.MATCH_RATE_INDEX_RATE_BITS;
    private static final long MAX = (1L << BITS) - 1;

    private final ActionParam bin =
        new ActionParam(
            SluicePipeline.PARAM_SET_BIN_BIN, SluicePipeline.PARAM_SET_BIN_BIN_BITS, "bin");

    RateBin() {
      super(
          SluicePipeline.TABLE_RATE_INDEX,
          SluicePipeline.TABLE_RATE_INDEX_SIZE,
          RATE_BIN_PRIORITY,
          RateBinEntry.class);
    }

    @Override
    void match(RateBinEntry entry, TableEntry.Builder into) {
      if (entry.low() < 0 || entry.high() > MAX || entry.low() > entry.high()) {
        throw new InvalidValueException(
            "rate", entry.low() + ".." + entry.high(), "a range within 0 to " + MAX);
      }
      if (entry.low() != 0 || entry.high() != MAX) {
        into.addMatch(
            FieldMatch.newBuilder()
                .setFieldId(SluicePipeline.MATCH_RATE_INDEX_RATE)
                .setRange(
                    FieldMatch.Range.newBuilder()
                        .setLow(CanonicalBytes.of(entry.low()))
                        .setHigh(CanonicalBytes.of(entry.high()))));
      }
    }

    @Override
    Action action(RateBinEntry entry) {
      return Action.newBuilder()
          .setActionId(SluicePipeline.ACTION_SET_BIN)
          .addParams(bin.of(entry.bin()))
          .build();
    }

    @Override
    RateBinEntry read(TableEntry entry, Action action) {
      requireAction(action, SluicePipeline.ACTION_SET_BIN, 1);
      if (entry.getMatchCount() == 0) {
        return new RateBinEntry(bin.readInt(action), 0, MAX);
      }
      requireFields(entry, 1);
      FieldMatch match = entry.getMatch(0);
      if (match.getFieldId() != SluicePipeline.MATCH_RATE_INDEX_RATE
          || match.getFieldMatchTypeCase() != FieldMatch.FieldMatchTypeCase.RANGE) {
        throw new MalformedEntryException("no range match on rate");
      }
      long low = bound(match.getRange().getLow());
      long high = bound(match.getRange().getHigh());
      if (low > high) {
        throw new MalformedEntryException("rate " + low + ".." + high + " is empty");
      }
      return new RateBinEntry(bin.readInt(action), low, high);
    }

    private static long bound(ByteString value) {
      if (!CanonicalBytes.fits(value, BITS)) {
        throw new MalformedEntryException("rate is not a number of " + BITS + " bits");
      }
      return CanonicalBytes.low(value);
    }
  }

  /** Bins subtracted for a random number. */
  static final class RandomRate extends TableCodec<RandomRateEntry> {
    private final ExactField random =
        new ExactField(
            SluicePipeline.MATCH_RANDOM_RATE_ESTIM_RND,
            SluicePipeline.MATCH_RANDOM_RATE_ESTIM_RND_BITS,
            "random");
    private final ActionParam offset =
        new ActionParam(
            SluicePipeline.PARAM_SET_OFFSET_Y, SluicePipeline.PARAM_SET_OFFSET_Y_BITS, "offset");

    RandomRate() {
      super(
          SluicePipeline.TABLE_RANDOM_RATE_ESTIM,
          SluicePipeline.TABLE_RANDOM_RATE_ESTIM_SIZE,
          0,
          RandomRateEntry.class);
    }

    @Override
    void match(RandomRateEntry entry, TableEntry.Builder into) {
      into.addMatch(random.of(entry.random()));
    }

    @Override
    Action action(RandomRateEntry entry) {
      return Action.newBuilder()
          .setActionId(SluicePipeline.ACTION_SET_OFFSET)
          .addParams(offset.of(entry.offset()))
          .build();
    }

    @Override
    RandomRateEntry read(TableEntry entry, Action action) {
      requireFields(entry, 1);
      requireAction(action, SluicePipeline.ACTION_SET_OFFSET, 1);
      return new RandomRateEntry((int) random.read(entry), offset.readInt(action));
    }
  }

  /** Packet value by policy and bin. */
  static final class PolicyValue extends TableCodec<PolicyValueEntry> {
    private final ExactField policy =
        new ExactField(
            SluicePipeline.MATCH_POLICY_FUNCTION_POLICY,
            SluicePipeline.MATCH_POLICY_FUNCTION_POLICY_BITS,
            "policy slot");
    private final ExactField bin =
        new ExactField(
            SluicePipeline.MATCH_POLICY_FUNCTION_BIN,
            SluicePipeline.MATCH_POLICY_FUNCTION_BIN_BITS,
            "bin");
    private final ActionParam packetValue =
        new ActionParam(
            SluicePipeline.PARAM_SET_PACKET_VALUE_PV,
            SluicePipeline.PARAM_SET_PACKET_VALUE_PV_BITS,
            "packet value");

    PolicyValue() {
      super(
          SluicePipeline.TABLE_POLICY_FUNCTION,
          SluicePipeline.TABLE_POLICY_FUNCTION_SIZE,
          0,
          PolicyValueEntry.class);
    }

    @Override
    void match(PolicyValueEntry entry, TableEntry.Builder into) {
      into.addMatch(policy.of(entry.policySlot()));
      into.addMatch(bin.of(entry.bin()));
    }

    @Override
    Action action(PolicyValueEntry entry) {
      return Action.newBuilder()
          .setActionId(SluicePipeline.ACTION_SET_PACKET_VALUE)
          .addParams(packetValue.of(entry.packetValue()))
          .build();
    }

    @Override
    PolicyValueEntry read(TableEntry entry, Action action) {
      requireFields(entry, 2);
      requireAction(action, SluicePipeline.ACTION_SET_PACKET_VALUE, 1);
      return new PolicyValueEntry(
          (int) policy.read(entry), (int) bin.read(entry), packetValue.readInt(action));
    }
  }
}
