package net.sluice.intents.marker.csaqm;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.sluice.intents.marker.Marker;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.marker.csaqm.tables.RateBins;
import net.sluice.intents.marker.csaqm.tables.ValueCode;
import net.sluice.intents.model.policy.PointsFunction;
import net.sluice.intents.model.policy.ThroughputValueFunction;
import net.sluice.intents.model.policy.WeightFunction;
import net.sluice.intents.plan.Expected;
import net.sluice.intents.plan.Grant;
import net.sluice.intents.plan.Grants;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.OwnerIds;
import net.sluice.intents.plan.PlanBuilder;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Write;
import net.sluice.intents.plan.entry.marker.PolicyValueEntry;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Problems;

/** The marker of paper 000: one packet value for each rate bin of a policy. */
public final class CsaqmMarker implements Marker {
  private final int policySlots;
  private final RateBins bins;
  private final RandomRates randomRates;

  /** The marker of a switch. */
  public CsaqmMarker(SwitchProfile profile) {
    this.policySlots = profile.policySlots();
    this.bins = profile.rateBins();
    this.randomRates = profile.randomRates();
  }

  @Override
  public Stream<SwitchEntry> baseEntries() {
    return Stream.concat(bins.entries(), randomRates.entries());
  }

  @Override
  public List<String> baseNotes() {
    long empty = IntStream.range(0, RateBins.BINS).filter(bins::isEmpty).count();
    return empty == 0
        ? List.of()
        : List.of(
            String.format(
                Locale.ROOT,
                "%d of %d rate bins contain no rate the switch can measure and have no entry; the"
                    + " lowest resolved rate is %.0f bit/s",
                empty,
                RateBins.BINS,
                bins.upperBps(0)));
  }

  @Override
  public void admit(SlaState state, PolicyState policy, Problems problems) {
    if (policy.slot() >= policySlots) {
      problems.add(
          Code.CAPACITY,
          "policy",
          policy.policy().id(),
          "at most " + (policySlots - 1) + " policies",
          String.format(
              Locale.ROOT,
              "The switch holds %d policies and has %d; no slot is left for %s.",
              policySlots - 1,
              state.policies(),
              policy.policy().id()));
    }
  }

  @Override
  public Stream<Expected<SwitchEntry>> expected(PolicyState policy) {
    return IntStream.range(0, RateBins.BINS).mapToObj(bin -> expected(policy, bin));
  }

  @Override
  public Optional<Expected<SwitchEntry>> expected(SlaState state, SwitchEntry actual) {
    return actual instanceof PolicyValueEntry value
            && value.bin() >= 0
            && value.bin() < RateBins.BINS
        ? state.policyInSlot(value.policySlot()).map(policy -> expected(policy, value.bin()))
        : Optional.empty();
  }

  private Expected<SwitchEntry> expected(PolicyState policy, int bin) {
    return new Expected<>(entry(policy, bin), OwnerIds.policy(policy.slot()));
  }

  private PolicyValueEntry entry(PolicyState policy, int bin) {
    double value = policy.function().valueAt(bins.upperBps(bin));
    return new PolicyValueEntry(policy.slot(), bin, ValueCode.encode(value));
  }

  @Override
  public void replace(PolicyState before, PolicyState after, PlanBuilder plan) {
    for (int bin = 0; bin < RateBins.BINS; bin++) {
      if (after == null) {
        plan.add(Op.DELETE, entry(before, bin), OwnerIds.policy(before.slot()));
        continue;
      }
      PolicyValueEntry entry = entry(after, bin);
      if (before == null) {
        plan.add(write(Op.INSERT, entry, after));
      } else if (!entry.equals(entry(before, bin))) {
        plan.add(write(Op.MODIFY, entry, after));
      }
    }
  }

  private Write<SwitchEntry> write(Op op, PolicyValueEntry entry, PolicyState policy) {
    double requested = policy.function().valueAt(bins.upperBps(entry.bin()));
    double granted = ValueCode.decode(entry.packetValue());
    return new Write<>(
        op,
        entry,
        OwnerIds.policy(policy.slot()),
        Optional.empty(),
        Optional.of(
            new Grant("throughputValue", Optional.empty(), requested, granted, "value", "")));
  }

  @Override
  public void grant(PolicyState policy, Grants out) {
    ThroughputValueFunction function = policy.function();
    out.note(
        String.format(
            Locale.ROOT,
            "throughputValue: realised in %d rate bins 1.13 %% apart, from %.0f to %.0f bit/s",
            RateBins.BINS,
            bins.upperBps(0),
            bins.upperBps(RateBins.BINS - 1)));
    if (function instanceof WeightFunction) {
      out.note(
          String.format(
              Locale.ROOT,
              "throughputValue: shares are by weight where a subscriber has %.0f bit/s and more;"
                  + " traffic below has one value, so that there the greater weight goes first",
              bins.upperBps(0)));
    }
    if (!(function instanceof PointsFunction curve)) {
      return;
    }
    for (PointsFunction.Point point : curve.points()) {
      if (point.rateBps() > bins.upperBps(RateBins.BINS - 1)) {
        out.note(
            String.format(
                Locale.ROOT,
                "throughputValue: the point at %d bit/s is beyond the switch's highest rate;"
                    + " traffic above %.0f bit/s has the value of that rate",
                point.rateBps(),
                bins.upperBps(RateBins.BINS - 1)));
        break;
      }
    }
    if (curve.points().get(0).rateBps() < bins.upperBps(0)) {
      out.note(
          String.format(
              Locale.ROOT,
              "throughputValue: the point at %d bit/s is below the switch's lowest resolved rate;"
                  + " traffic below %.0f bit/s has the value of that rate",
              curve.points().get(0).rateBps(),
              bins.upperBps(0)));
    }
  }
}
