package net.sluice.intents.limit.police;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import net.sluice.intents.limit.LimitedSubscriber;
import net.sluice.intents.limit.delay.WaitSettings;
import net.sluice.intents.limit.entries.EntryLedger;
import net.sluice.intents.limit.entries.EntryLimiter;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.plan.Grant;
import net.sluice.intents.plan.Grants;
import net.sluice.intents.plan.OwnerIds;
import net.sluice.intents.plan.PlanBuilder;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.entry.limit.MeterSetting;
import net.sluice.intents.plan.entry.limit.PortMeterEntry;
import net.sluice.intents.plan.entry.limit.SubscriberMeterEntry;
import net.sluice.intents.plan.entry.limit.TreeMeterEntry;
import net.sluice.intents.profile.MeterProfile;
import net.sluice.intents.state.Ledger;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Problems;
import net.sluice.intents.value.Direction;

/** Policing by the switch's meters: each limit is a meter of a subscriber, tree or port. */
public final class Policing extends EntryLimiter {
  private static final Direction[] DIRECTIONS = Direction.values();

  /** In place of a subscriber's own: no meter depends on them. */
  private static final List<IpPrefix> ANY_PREFIX = List.of(IpPrefix.v4(0, 32));

  private final Function<RateLimit, Optional<RateLimit>> part;

  /** The subscribers that are policed. */
  private static final class Metered extends EntryLedger {
    Metered(Function<RateLimit, Optional<RateLimit>> part) {
      super(part);
    }

    private Metered(Metered other) {
      super(other);
    }

    @Override
    public Metered copy() {
      return new Metered(this);
    }
  }

  /**
   * The meters of one switch.
   *
   * @param part of a limit the directions that the meters enforce
   */
  public Policing(MeterProfile profile, Function<RateLimit, Optional<RateLimit>> part) {
    super(
        new Words("polices", "policed"),
        Table.SUBSCRIBER_METER,
        profile.subscribers(),
        Metered.class,
        part);
    this.part = part;
  }

  @Override
  public Ledger newLedger() {
    return new Metered(part);
  }

  @Override
  public void admit(SlaState state, RateLimit limit, Problems problems) {
    WaitSettings.refuse(limit, "absent: nothing waits at a meter", problems);
    for (Direction direction : DIRECTIONS) {
      OptionalLong rateBps = limit.rateBps(direction);
      if (rateBps.isPresent() && !MeterProfile.canRepresent(rateBps.getAsLong())) {
        problems.add(
            Code.INVALID,
            direction.text() + "Bps",
            rateBps.getAsLong(),
            MeterProfile.RATE_STEP_BPS + " to " + MeterProfile.MAX_RATE_BPS + " bit/s",
            String.format(
                Locale.ROOT,
                "%sBps of %d bit/s is not a rate that a meter keeps to.",
                direction.text(),
                rateBps.getAsLong()));
      }
    }
    OptionalInt burst = limit.burstBytes();
    if (burst.isPresent() && burst.getAsInt() < MeterProfile.MIN_BURST_BYTES) {
      problems.add(
          Code.INVALID,
          "burstBytes",
          burst.getAsInt(),
          MeterProfile.MIN_BURST_BYTES + " bytes or more",
          String.format(
              Locale.ROOT,
              "burstBytes is %d; a meter with less than %d bytes drops every large packet.",
              burst.getAsInt(),
              MeterProfile.MIN_BURST_BYTES));
    }
  }

  @Override
  public void grant(SlaState state, RateLimit limit, Grants out) {
    for (Direction direction : DIRECTIONS) {
      if (limit.rateBps(direction).isEmpty()) {
        continue;
      }
      long burst = burstBytes(state, limit, direction);
      MeterSetting meter = meter(limit, direction, burst);
      out.grant(
          new Grant(
              "burstBytes",
              Optional.of(direction),
              burst,
              meter.burstBytes(),
              "byte",
              burst == meter.burstBytes() ? "" : "the most that a meter holds"));
      long rateBps = limit.rateBps(direction).getAsLong();
      out.grant(
          new Grant(
              direction,
              rateBps,
              meter.rateBps(),
              MeterProfile.note(rateBps, meter),
              Enforcement.POLICE));
    }
  }

  private static long burstBytes(SlaState state, RateLimit limit, Direction direction) {
    return limit.scope() instanceof Scope.OfSubscriber of
        ? burstBytes(
            limit,
            direction,
            state
                .subscriber(of.subscriberId())
                .flatMap(each -> state.policy(each.subscriber().policyId(direction))))
        : sharedBurstBytes(limit, direction);
  }

  private static long burstBytes(RateLimit own, Direction direction, Optional<PolicyState> policy) {
    int rttMillis = policy.map(each -> each.policy().rtt()).orElse(Policy.DEFAULT_RTT_MILLIS);
    return own.burstBytes().isPresent()
        ? own.burstBytes().getAsInt()
        : MeterProfile.flowBurstBytes(own.rateBps(direction).getAsLong(), rttMillis);
  }

  private static long sharedBurstBytes(RateLimit limit, Direction direction) {
    return limit.burstBytes().isPresent()
        ? limit.burstBytes().getAsInt()
        : MeterProfile.sharedBurstBytes(limit.rateBps(direction).getAsLong());
  }

  private static MeterSetting meter(RateLimit limit, Direction direction, long burstBytes) {
    return MeterProfile.meter(limit.rateBps(direction).getAsLong(), burstBytes);
  }

  /** Another round-trip time is another burst of each subscriber whose limit says none. */
  @Override
  public void replace(SlaState state, PolicyState before, PolicyState after, PlanBuilder plan) {
    if (before == null || after == null || before.policy().rtt() == after.policy().rtt()) {
      return;
    }
    limited(state)
        .forEach(
            index -> {
              Subscriber subscriber = state.outline(index, ANY_PREFIX).subscriber();
              for (Direction direction : DIRECTIONS) {
                if (subscriber.policyId(direction).equals(after.policy().id())) {
                  part(state.rateLimitOf(new Scope.OfSubscriber(subscriber.id())), direction)
                      .map(Optional::of)
                      .ifPresent(
                          own ->
                              plan.diff(
                                  List.of(entry(index, subscriber, direction, own, before)),
                                  List.of(entry(index, subscriber, direction, own, after)),
                                  OwnerIds.subscriber(index)));
                }
              }
            });
  }

  @Override
  protected SwitchEntry ofSubscriber(
      LimitedSubscriber limited, Direction direction, Optional<RateLimit> own) {
    Subscriber subscriber = limited.state().subscriber();
    PolicyState policy = limited.policies().policy(subscriber.policyId(direction)).orElse(null);
    return entry(limited.state().index(), subscriber, direction, own, policy);
  }

  /** The entry of a subscriber whose policy may be null. */
  private static SwitchEntry entry(
      int index,
      Subscriber subscriber,
      Direction direction,
      Optional<RateLimit> own,
      PolicyState policy) {
    return new SubscriberMeterEntry(
        index,
        direction,
        subscriber.attachment(),
        own.map(
            limit ->
                meter(
                    limit, direction, burstBytes(limit, direction, Optional.ofNullable(policy)))));
  }

  @Override
  protected SwitchEntry ofTree(Attachment at, Direction direction, RateLimit limit) {
    return new TreeMeterEntry(
        at, direction, Optional.of(meter(limit, direction, sharedBurstBytes(limit, direction))));
  }

  @Override
  protected SwitchEntry ofPort(int port, Direction direction, RateLimit limit) {
    return new PortMeterEntry(
        port, direction, Optional.of(meter(limit, direction, sharedBurstBytes(limit, direction))));
  }
}
