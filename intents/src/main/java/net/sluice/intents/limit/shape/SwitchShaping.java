package net.sluice.intents.limit.shape;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.sluice.intents.limit.LimitedSubscriber;
import net.sluice.intents.limit.delay.WaitSettings;
import net.sluice.intents.limit.entries.EntryLedger;
import net.sluice.intents.limit.entries.EntryLimiter;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.policy.LimitDelay;
import net.sluice.intents.plan.Grant;
import net.sluice.intents.plan.Grants;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.entry.limit.LoopPortEntry;
import net.sluice.intents.plan.entry.limit.PortLimitEntry;
import net.sluice.intents.plan.entry.limit.RateWord;
import net.sluice.intents.plan.entry.limit.SubscriberLimitEntry;
import net.sluice.intents.plan.entry.limit.TreeLimitEntry;
import net.sluice.intents.plan.entry.limit.WaitSetting;
import net.sluice.intents.profile.ShapeProfile;
import net.sluice.intents.state.Ledger;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Problems;
import net.sluice.intents.value.Direction;

/**
 * Shaping by the switch itself (paper 004): each limit is the rate of a subscriber, tree or port,
 * and a packet that is early under one of them waits in a loop port.
 */
public final class SwitchShaping extends EntryLimiter {
  /** Why a rate differs from what was asked for. */
  private static final String ROUNDED =
      String.format(
          Locale.ROOT,
          "the next above of the switch's rates, which are %s apart",
          RateWord.stepText());

  private static final Direction[] DIRECTIONS = Direction.values();

  private final ShapeProfile profile;
  private final List<Integer> loopPorts;
  private final Function<RateLimit, Optional<RateLimit>> part;

  /** The subscribers that are shaped. */
  private static final class Shaped extends EntryLedger {
    Shaped(Function<RateLimit, Optional<RateLimit>> part) {
      super(part);
    }

    private Shaped(Shaped other) {
      super(other);
    }

    @Override
    public Shaped copy() {
      return new Shaped(this);
    }
  }

  /**
   * The limits of one switch.
   *
   * @param loopPorts the ports by which packets that wait go round, one a pipe
   * @param part of a limit the directions that the switch shapes
   */
  public SwitchShaping(
      ShapeProfile profile,
      List<Integer> loopPorts,
      Function<RateLimit, Optional<RateLimit>> part) {
    super(
        new Words("shapes", "shaped"),
        Table.SUBSCRIBER_LIMIT,
        profile.subscribers(),
        Shaped.class,
        part);
    this.profile = profile;
    this.loopPorts = List.copyOf(loopPorts);
    this.part = part;
  }

  @Override
  public Ledger newLedger() {
    return new Shaped(part);
  }

  @Override
  public void admit(SlaState state, RateLimit limit, Problems problems) {
    long most = profile.bufferBytes();
    for (Direction direction : DIRECTIONS) {
      OptionalLong rateBps = limit.rateBps(direction);
      if (rateBps.isEmpty()) {
        continue;
      }
      if (!ShapeProfile.canRepresent(rateBps.getAsLong())) {
        problems.add(
            Code.INVALID,
            direction.text() + "Bps",
            rateBps.getAsLong(),
            RateWord.MIN_RATE_BPS + " to " + RateWord.MAX_RATE_BPS + " bit/s",
            String.format(
                Locale.ROOT,
                "%sBps of %d bit/s is not a rate that the switch shapes to.",
                direction.text(),
                rateBps.getAsLong()));
      } else {
        most = Math.min(most, profile.maxBurstBytes(rateBps.getAsLong()));
      }
    }
    OptionalInt burst = limit.burstBytes();
    if (burst.isPresent()
        && (burst.getAsInt() < ShapeProfile.MIN_BURST_BYTES || burst.getAsInt() > most)) {
      problems.add(
          Code.INVALID,
          "burstBytes",
          burst.getAsInt(),
          ShapeProfile.MIN_BURST_BYTES + " to " + most + " bytes",
          String.format(
              Locale.ROOT,
              "burstBytes is %d; at this rate the switch holds %d (one packet) to %d bytes.",
              burst.getAsInt(),
              ShapeProfile.MIN_BURST_BYTES,
              most));
    }
  }

  @Override
  public void grant(SlaState state, RateLimit limit, Grants out) {
    for (Direction direction : DIRECTIONS) {
      if (limit.rateBps(direction).isEmpty()) {
        continue;
      }
      long rateBps = limit.rateBps(direction).getAsLong();
      long granted = RateWord.rateBps(word(limit, direction));
      if (limit.burstBytes().isPresent()) {
        int burst = limit.burstBytes().getAsInt();
        long waits = ShapeProfile.burstBytes(burst, granted, longest(state, limit, direction));
        String note = burst == waits ? "" : "what may wait for maxDelayMillis, of limit or policy";
        out.grant(new Grant("burstBytes", Optional.of(direction), burst, waits, "byte", note));
      }
      out.grant(
          new Grant(
              direction, rateBps, granted, rateBps == granted ? "" : ROUNDED, Enforcement.SHAPE));
    }
  }

  /**
   * The longest wait under a limit in ns; 0 for a tree's or port's, whose subscribers' policies say
   * it.
   */
  private static long longest(SlaState state, RateLimit limit, Direction direction) {
    return limit.scope() instanceof Scope.OfSubscriber of
        ? WaitSettings.of(
                limit.delay(),
                state
                    .subscriber(of.subscriberId())
                    .flatMap(each -> state.policy(each.subscriber().policyId(direction)))
                    .map(each -> each.policy().limitDelay())
                    .orElse(LimitDelay.UNSAID))
            .longestNanos()
        : 0;
  }

  private static int word(RateLimit limit, Direction direction) {
    return RateWord.of(limit.rateBps(direction).getAsLong());
  }

  @Override
  protected SwitchEntry ofSubscriber(
      LimitedSubscriber subscriber, Direction direction, Optional<RateLimit> own) {
    int word = own.map(of -> word(of, direction)).orElse(RateWord.UNLIMITED);
    WaitSetting delay =
        own.map(limit -> WaitSettings.ofLimit(limit.delay())).orElse(WaitSetting.OF_POLICY);
    return new SubscriberLimitEntry(
        subscriber.state().index(),
        direction,
        subscriber.state().subscriber().attachment(),
        word,
        delay);
  }

  @Override
  protected SwitchEntry ofTree(Attachment at, Direction direction, RateLimit limit) {
    return new TreeLimitEntry(at, direction, word(limit, direction));
  }

  @Override
  protected SwitchEntry ofPort(int port, Direction direction, RateLimit limit) {
    return new PortLimitEntry(port, direction, word(limit, direction));
  }

  @Override
  public Stream<SwitchEntry> baseEntries() {
    return IntStream.range(0, loopPorts.size())
        .mapToObj(pipe -> new LoopPortEntry(pipe, loopPorts.get(pipe), profile.bufferBytes()));
  }
}
