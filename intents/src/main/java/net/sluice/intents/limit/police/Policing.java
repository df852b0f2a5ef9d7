package net.sluice.intents.limit.police;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.sluice.intents.limit.AppliedLimits;
import net.sluice.intents.limit.LimitPlanner;
import net.sluice.intents.limit.LimitedSubscriber;
import net.sluice.intents.limit.Limiter;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.plan.Expected;
import net.sluice.intents.plan.Grant;
import net.sluice.intents.plan.Grants;
import net.sluice.intents.plan.MeterSetting;
import net.sluice.intents.plan.OwnerIds;
import net.sluice.intents.plan.PlanBuilder;
import net.sluice.intents.plan.QueueId;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.SwitchEntry.PortMeterEntry;
import net.sluice.intents.plan.SwitchEntry.SubscriberMeterEntry;
import net.sluice.intents.plan.SwitchEntry.TreeMeterEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.profile.MeterProfile;
import net.sluice.intents.state.Ledger;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Problems;

/**
 * Policing by the switch's meters: each limit is a meter of a subscriber, tree or port, and whoever
 * is under a limit has an entry by which its packets find these.
 */
public final class Policing implements Limiter {
  private static final Direction[] DIRECTIONS = Direction.values();

  private final MeterProfile profile;
  private final Function<RateLimit, Optional<RateLimit>> part;

  /**
   * The meters of one switch.
   *
   * @param part of a limit the directions that the meters enforce
   */
  public Policing(MeterProfile profile, Function<RateLimit, Optional<RateLimit>> part) {
    this.profile = profile;
    this.part = part;
  }

  @Override
  public Optional<RateLimit> part(RateLimit limit) {
    return part.apply(limit);
  }

  @Override
  public Ledger newLedger() {
    return new MeterLedger(part);
  }

  @Override
  public LimitPlanner planner(SlaState state, PlanBuilder plan) {
    return new PolicingPlanner(this, state, plan);
  }

  private static MeterLedger ledger(SlaState state) {
    return state.ledger(MeterLedger.class);
  }

  // ---------------------------------------------------------------- admission

  @Override
  public void admit(SlaState state, RateLimit limit, Problems problems) {
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
  public void readmit(SlaState state, LimitedSubscriber stored, Problems problems) {
    checkRoom(state, entries(stored.limits()), "attachment", treeText(stored), problems);
  }

  private static String treeText(LimitedSubscriber subscriber) {
    Attachment at = subscriber.state().subscriber().attachment();
    return at.port() + "/" + at.tree();
  }

  /** Adds a problem if there is no room for that many more metered directions. */
  void checkRoom(SlaState state, long more, String field, Object value, Problems problems) {
    long used = ledger(state).policed();
    if (more > 0 && used + more > profile.subscribers()) {
      problems.add(
          Code.CAPACITY,
          field,
          value,
          "at most "
              + Math.max(0, profile.subscribers() - used)
              + " more directions of policed subscribers",
          String.format(
              Locale.ROOT,
              "The switch polices %d directions of subscribers, %d are policed, and this needs %d"
                  + " more.",
              profile.subscribers(),
              used,
              more));
    }
  }

  int capacity() {
    return profile.subscribers();
  }

  /** Entries of a subscriber under those limits. */
  int entries(AppliedLimits limits) {
    AppliedLimits parts = limits.parts(part);
    int entries = 0;
    for (Direction direction : DIRECTIONS) {
      entries += parts.in(direction) ? 1 : 0;
    }
    return entries;
  }

  // ---------------------------------------------------------------- grants

  @Override
  public void grant(SlaState state, RateLimit limit, Grants out) {
    grant(limit, out);
  }

  static void grant(RateLimit limit, Grants out) {
    for (Direction direction : DIRECTIONS) {
      Optional<MeterSetting> meter = meter(Optional.of(limit), direction);
      if (meter.isEmpty()) {
        continue;
      }
      int asked = limit.burstBytes().orElse(0);
      out.grant(
          new Grant(
              "burstBytes",
              Optional.of(direction),
              asked == 0 ? meter.get().burstBytes() : asked,
              meter.get().burstBytes(),
              "byte",
              ""));
      long rateBps = limit.rateBps(direction).getAsLong();
      out.grant(
          new Grant(
              direction.text() + "Bps",
              Optional.of(direction),
              rateBps,
              meter.get().rateBps(),
              "bit/s",
              MeterProfile.note(rateBps, meter.get()),
              Optional.of(Enforcement.POLICE)));
    }
  }

  /** The meter of a limit in a direction; empty if it does not limit it. */
  private static Optional<MeterSetting> meter(Optional<RateLimit> limit, Direction direction) {
    if (limit.isEmpty() || limit.get().rateBps(direction).isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        MeterProfile.meter(limit.get().rateBps(direction).getAsLong(), limit.get().burstBytes()));
  }

  // ---------------------------------------------------------------- what targets should hold

  @Override
  public Set<TargetKey<?>> targets(RateLimit limit) {
    Set<TargetKey<?>> targets = new LinkedHashSet<>();
    if (!(limit.scope() instanceof Scope.OfSubscriber)) {
      targets.add(TargetKey.SWITCH);
    }
    return targets;
  }

  @Override
  public IntStream limited(SlaState state, Scope scope) {
    boolean policed = state.rateLimitOf(scope).flatMap(part).isPresent();
    if (!policed) {
      return IntStream.empty();
    }
    return scope instanceof Scope.OfTree of
        ? ledger(state).attachedTo(QueueId.treeIndex(of.port(), of.tree()), 1)
        : ledger(state)
            .attachedTo(
                QueueId.treeIndex(((Scope.OfPort) scope).port(), 0), Attachment.MAX_TREE + 1);
  }

  @Override
  public void entries(LimitedSubscriber subscriber, Consumer<? super SwitchEntry> out) {
    AppliedLimits parts = subscriber.limits().parts(part);
    for (Direction direction : DIRECTIONS) {
      if (parts.in(direction)) {
        out.accept(
            new SubscriberMeterEntry(
                subscriber.state().index(),
                direction,
                subscriber.state().subscriber().attachment(),
                meter(parts.own(), direction)));
      }
    }
  }

  @Override
  public int entries(SlaState state, int subscriberIndex) {
    MeterLedger ledger = ledger(state);
    int entries = 0;
    for (Direction direction : DIRECTIONS) {
      boolean policed =
          ledger.isPolicedWithTree(subscriberIndex, direction)
              || ledger.areOthersPoliced(subscriberIndex, direction)
                  && ownPart(state, subscriberIndex)
                      .filter(limit -> limit.rateBps(direction).isPresent())
                      .isPresent();
      entries += policed ? 1 : 0;
    }
    return entries;
  }

  private Optional<RateLimit> ownPart(SlaState state, int subscriberIndex) {
    return state.rateLimitOf(new Scope.OfSubscriber(state.idOf(subscriberIndex))).flatMap(part);
  }

  @Override
  public long entries(SlaState state, Table table) {
    return table == Table.SUBSCRIBER_METER ? ledger(state).policed() : 0;
  }

  @Override
  public Stream<Expected<SwitchEntry>> sharedEntries(SlaState state) {
    MeterLedger ledger = ledger(state);
    List<Scope> scopes = new ArrayList<>();
    for (int port = 0; port <= Attachment.MAX_PORT; port++) {
      if (ledger.isPortPoliced(port, Direction.DOWN) || ledger.isPortPoliced(port, Direction.UP)) {
        scopes.add(new Scope.OfPort(port));
      }
    }
    for (int tree = 0; tree < Attachment.TREES; tree++) {
      if (ledger.isTreePoliced(tree, Direction.DOWN) || ledger.isTreePoliced(tree, Direction.UP)) {
        Attachment at = Attachment.ofTreeIndex(tree);
        scopes.add(new Scope.OfTree(at.port(), at.tree()));
      }
    }
    return scopes.stream()
        .map(scope -> state.rateLimitOf(scope).orElseThrow())
        .flatMap(
            limit ->
                shared(part.apply(limit)).stream()
                    .map(entry -> new Expected<>(entry, owner(state, limit))));
  }

  /** The owner of what is written for a limit. */
  static int owner(SlaState state, RateLimit limit) {
    return OwnerIds.limit(state.limitNumber(limit.id()));
  }

  /** The entries of a limit of a tree or port itself. */
  static List<SwitchEntry> shared(Optional<RateLimit> limit) {
    List<SwitchEntry> entries = new ArrayList<>();
    for (Direction direction : DIRECTIONS) {
      Optional<MeterSetting> meter = meter(limit, direction);
      if (meter.isEmpty()) {
        continue;
      }
      if (limit.get().scope() instanceof Scope.OfTree of) {
        entries.add(new TreeMeterEntry(new Attachment(of.port(), of.tree()), direction, meter));
      } else if (limit.get().scope() instanceof Scope.OfPort of) {
        entries.add(new PortMeterEntry(of.port(), direction, meter));
      }
    }
    return entries;
  }
}
