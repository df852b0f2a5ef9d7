package net.sluice.intents.compile;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.sluice.intents.marker.RateBins;
import net.sluice.intents.marker.ValueCode;
import net.sluice.intents.model.BuiltInFunction;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.PointsFunction;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.ThroughputValueFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Expected;
import net.sluice.intents.plan.Grant;
import net.sluice.intents.plan.Grants;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.OwnerIds;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.PlanBuilder;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.SwitchEntry.PolicyValueEntry;
import net.sluice.intents.plan.Write;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Problems;
import net.sluice.intents.validate.Refusal;

/** Compiles policies: one packet value for each rate bin. */
final class PolicyCompiler extends KindCompiler<Policy, PolicyState> {
  private static final int NAMED_USERS = 3;

  private final SwitchProfile profile;
  private final RateBins bins;
  private final ManagedQueues queues;

  PolicyCompiler(SwitchProfile profile, RateBins bins, ManagedQueues queues) {
    super(Kind.POLICY, Policy.class);
    this.profile = profile;
    this.bins = bins;
    this.queues = queues;
  }

  Stream<SwitchEntry> entries(PolicyState policy) {
    return IntStream.range(0, RateBins.BINS)
        .mapToObj(bin -> entry(policy.slot(), policy.policy().function(), bin));
  }

  /** The entry with the key of {@code actual}; empty if there is none. */
  Optional<Expected<SwitchEntry>> expected(SlaState state, PolicyValueEntry actual) {
    return actual.bin() < 0 || actual.bin() >= RateBins.BINS
        ? Optional.empty()
        : state
            .policyInSlot(actual.policySlot())
            .map(p -> entry(p.slot(), p.policy().function(), actual.bin()))
            .map(entry -> new Expected<>(entry, OwnerIds.policy(entry.policySlot())));
  }

  private PolicyValueEntry entry(int slot, ThroughputValueFunction function, int bin) {
    return new PolicyValueEntry(slot, bin, ValueCode.encode(function.valueAt(bins.upperBps(bin))));
  }

  private Write<SwitchEntry> write(
      Op op, PolicyValueEntry entry, ThroughputValueFunction function) {
    double requested = function.valueAt(bins.upperBps(entry.bin()));
    double granted = ValueCode.decode(entry.packetValue());
    return new Write<>(
        op,
        entry,
        OwnerIds.policy(entry.policySlot()),
        Optional.empty(),
        Optional.of(
            new Grant("throughputValue", Optional.empty(), requested, granted, "value", "")));
  }

  @Override
  Optional<PolicyState> find(SlaState state, String id) {
    return state.policy(id);
  }

  private static int slot(SlaState state, Optional<PolicyState> old) {
    return old.isPresent() ? old.get().slot() : state.nextPolicySlot();
  }

  @Override
  void admit(SlaState state, Policy policy, Optional<PolicyState> old, Problems problems) {
    if (slot(state, old) >= profile.policySlots()) {
      problems.add(
          Code.CAPACITY,
          "policy",
          policy.id(),
          "at most " + (profile.policySlots() - 1) + " policies",
          String.format(
              Locale.ROOT,
              "The switch holds %d policies and has %d; no slot is left for %s.",
              profile.policySlots() - 1,
              state.policies(),
              policy.id()));
    }
    queues.admit(state, policy, problems);
  }

  @Override
  void readmit(SlaState state, PolicyState stored, Problems problems) {
    admit(state, stored.policy(), Optional.of(stored), problems);
  }

  @Override
  Plan put(
      SlaState state, Change.Put put, Policy policy, Optional<PolicyState> old, Problems problems)
      throws Refusal {
    problems.refuseIfAny();
    ThroughputValueFunction function = policy.function();
    int slot = slot(state, old);
    PlanBuilder plan = new PlanBuilder();
    for (int bin = 0; bin < RateBins.BINS; bin++) {
      PolicyValueEntry entry = entry(slot, function, bin);
      if (old.isEmpty()) {
        plan.add(write(Op.INSERT, entry, function));
      } else if (!entry.equals(entry(slot, old.get().policy().function(), bin))) {
        plan.add(write(Op.MODIFY, entry, function));
      }
    }
    grant(state, policy, plan.grants());
    queues.put(state, policy, OwnerIds.policy(slot), plan);
    return plan.build(put, old.isPresent(), slot);
  }

  @Override
  void grant(SlaState state, Policy policy, Grants out) {
    noteFunction(policy.function(), out);
    queues.grant(state, policy, out);
  }

  private void noteFunction(ThroughputValueFunction function, Grants out) {
    out.note(
        String.format(
            Locale.ROOT,
            "throughputValue: realised in %d rate bins 1.13 %% apart, from %.0f to %.0f bit/s",
            RateBins.BINS,
            bins.upperBps(0),
            bins.upperBps(RateBins.BINS - 1)));
    PointsFunction curve =
        function instanceof BuiltInFunction builtIn ? builtIn.curve() : (PointsFunction) function;
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

  @Override
  Plan delete(SlaState state, Change delete, PolicyState old) throws Refusal {
    int users = state.subscribersUsing(delete.id());
    if (users > 0) {
      List<String> named = state.someSubscribersUsing(delete.id(), NAMED_USERS);
      throw new Refusal(
          List.of(
              new Problem(
                  Code.CONFLICT,
                  "policy",
                  delete.id(),
                  "a policy that no subscriber has",
                  String.format(
                      Locale.ROOT,
                      "Policy %s is in use by %d subscriber%s: %s%s.",
                      delete.id(),
                      users,
                      users == 1 ? "" : "s",
                      String.join(", ", named),
                      users > named.size() ? " and " + (users - named.size()) + " more" : ""))));
    }
    PlanBuilder plan = new PlanBuilder();
    ThroughputValueFunction function = old.policy().function();
    for (int bin = 0; bin < RateBins.BINS; bin++) {
      plan.add(Op.DELETE, entry(old.slot(), function, bin), OwnerIds.policy(old.slot()));
    }
    return plan.build(delete, true, old.slot());
  }
}
