package net.sluice.intents.limit.police;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import net.sluice.intents.limit.delay.WaitSettings;
import net.sluice.intents.limit.entries.EntryLedger;
import net.sluice.intents.limit.entries.EntryLimiter;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.plan.Grant;
import net.sluice.intents.plan.Grants;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.entry.limit.MeterSetting;
import net.sluice.intents.plan.entry.limit.PortMeterEntry;
import net.sluice.intents.plan.entry.limit.SubscriberMeterEntry;
import net.sluice.intents.plan.entry.limit.TreeMeterEntry;
import net.sluice.intents.profile.MeterProfile;
import net.sluice.intents.state.Ledger;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Problems;
import net.sluice.intents.value.Direction;

/** Policing by the switch's meters: each limit is a meter of a subscriber, tree or port. */
public final class Policing extends EntryLimiter {
  private static final Direction[] DIRECTIONS = Direction.values();

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
  protected void grant(RateLimit limit, Grants out) {
    for (Direction direction : DIRECTIONS) {
      if (limit.rateBps(direction).isEmpty()) {
        continue;
      }
      MeterSetting meter = meter(limit, direction);
      int asked = limit.burstBytes().orElse(0);
      out.grant(
          new Grant(
              "burstBytes",
              Optional.of(direction),
              asked == 0 ? meter.burstBytes() : asked,
              meter.burstBytes(),
              "byte",
              ""));
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

  private static MeterSetting meter(RateLimit limit, Direction direction) {
    return MeterProfile.meter(limit.rateBps(direction).getAsLong(), limit.burstBytes());
  }

  @Override
  protected SwitchEntry ofSubscriber(
      int index, Direction direction, Attachment at, Optional<RateLimit> own) {
    return new SubscriberMeterEntry(index, direction, at, own.map(of -> meter(of, direction)));
  }

  @Override
  protected SwitchEntry ofTree(Attachment at, Direction direction, RateLimit limit) {
    return new TreeMeterEntry(at, direction, Optional.of(meter(limit, direction)));
  }

  @Override
  protected SwitchEntry ofPort(int port, Direction direction, RateLimit limit) {
    return new PortMeterEntry(port, direction, Optional.of(meter(limit, direction)));
  }
}
