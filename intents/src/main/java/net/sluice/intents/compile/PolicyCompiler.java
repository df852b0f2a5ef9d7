package net.sluice.intents.compile;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import net.sluice.intents.limit.Limiters;
import net.sluice.intents.marker.Markers;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.Tariff;
import net.sluice.intents.model.policy.LikeFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Grants;
import net.sluice.intents.plan.OwnerIds;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.PlanBuilder;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Problems;
import net.sluice.intents.validate.Refusal;

/** Compiles policies: what markers and limiters make of them, and how queues are managed. */
final class PolicyCompiler extends KindCompiler<Policy, PolicyState> {
  private static final int NAMED_USERS = 3;

  private final Limiters limiters;
  private final Markers markers;
  private final ManagedQueues queues;

  PolicyCompiler(Limiters limiters, Markers markers, ManagedQueues queues) {
    super(Kind.POLICY, Policy.class);
    this.limiters = limiters;
    this.markers = markers;
    this.queues = queues;
  }

  @Override
  Policy declared(PolicyState inForce) {
    return inForce.policy();
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
    markers.admit(state, new PolicyState(policy, slot(state, old)), problems);
    queues.admit(state, policy, problems);
    if (policy.function() instanceof LikeFunction like) {
      admit(state, policy.id(), like, problems);
    }
  }

  /** One is like another that is like none, so that no chain of them is to be followed. */
  private static void admit(SlaState state, String id, LikeFunction like, Problems problems) {
    Optional<PolicyState> other = state.policy(like.policyId());
    String field = "throughputValue.like";
    if (other.isEmpty()) {
      problems.add(
          Code.INVALID,
          field,
          like.policyId(),
          "the id of an existing policy",
          "There is no policy " + like.policyId() + ".");
    } else if (like.policyId().equals(id)
        || other.get().policy().function() instanceof LikeFunction) {
      problems.add(
          Problem.of(
              Code.INVALID, field, like.policyId(), "another policy, with a function of its own"));
    }
    List<String> alike = alike(state, id).map(each -> each.policy().id()).toList();
    if (!alike.isEmpty()) {
      problems.add(
          Code.CONFLICT,
          field,
          like.policyId(),
          "a function of its own",
          "Policies are like " + id + ": " + String.join(", ", alike) + ".");
    }
  }

  /** The policies that have the function of one. */
  private static Stream<PolicyState> alike(SlaState state, String id) {
    return state.allPolicies().filter(each -> each.policy().isLike(id));
  }

  private static PolicyState resolved(SlaState state, Policy policy, int slot) {
    PolicyState own = new PolicyState(policy, slot);
    return policy.function() instanceof LikeFunction like
        ? state.policy(like.policyId()).map(own::like).orElse(own)
        : own;
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
    PolicyState after = resolved(state, policy, slot(state, old));
    PlanBuilder plan = new PlanBuilder();
    markers.replace(old.orElse(null), after, plan);
    alike(state, policy.id()).forEach(each -> markers.replace(each, each.like(after), plan));
    limiters.replace(state, old.orElse(null), after, plan);
    grant(state, policy, plan.grants());
    queues.put(state, policy, OwnerIds.policy(after.slot()), plan);
    return plan.build(put, old.isPresent(), after.slot());
  }

  @Override
  Plan keep(Change.Put kept, PolicyState old) {
    throw new IllegalArgumentException("a policy is always the same");
  }

  @Override
  void grant(SlaState state, Policy policy, Grants out) {
    markers.grant(resolved(state, policy, slot(state, state.policy(policy.id()))), out);
    queues.grant(state, policy, out);
  }

  @Override
  Plan delete(SlaState state, Change delete, PolicyState old) throws Refusal {
    int users = state.subscribersUsing(delete.id());
    if (users > 0) {
      List<String> named = state.someSubscribersUsing(delete.id(), NAMED_USERS);
      throw inUse(
          delete.id(),
          "a policy that no subscriber has",
          String.format(
              Locale.ROOT,
              "Policy %s is in use by %d subscriber%s: %s%s.",
              delete.id(),
              users,
              users == 1 ? "" : "s",
              String.join(", ", named),
              users > named.size() ? " and " + (users - named.size()) + " more" : ""));
    }
    int naming = state.subscribersNaming(delete.id());
    if (naming > 0) {
      List<String> named = state.someSubscribersNaming(delete.id(), NAMED_USERS);
      throw inUse(
          delete.id(),
          "a policy that no schedule or suspension names",
          String.format(
              Locale.ROOT,
              "Policy %s is what %d subscriber%s may come to have by schedule or suspension, or had"
                  + " before: %s%s.",
              delete.id(),
              naming,
              naming == 1 ? "" : "s",
              String.join(", ", named),
              naming > named.size() ? " and " + (naming - named.size()) + " more" : ""));
    }
    List<String> tariffs =
        state.allTariffs().filter(each -> each.names(delete.id())).map(Tariff::id).toList();
    if (!tariffs.isEmpty()) {
      throw inUse(
          delete.id(),
          "a policy that no tariff has",
          String.format(
              Locale.ROOT,
              "Policy %s is that of tariffs: %s%s.",
              delete.id(),
              String.join(", ", tariffs.subList(0, Math.min(tariffs.size(), NAMED_USERS))),
              tariffs.size() > NAMED_USERS
                  ? " and " + (tariffs.size() - NAMED_USERS) + " more"
                  : ""));
    }
    List<String> alike = alike(state, delete.id()).map(each -> each.policy().id()).toList();
    if (!alike.isEmpty()) {
      throw inUse(
          delete.id(),
          "a policy that no other is like",
          "Policies are like " + delete.id() + ": " + String.join(", ", alike) + ".");
    }
    PlanBuilder plan = new PlanBuilder();
    markers.replace(old, null, plan);
    return plan.build(delete, true, old.slot());
  }

  private static Refusal inUse(String policyId, String allowed, String detail) {
    return new Refusal(List.of(new Problem(Code.CONFLICT, "policy", policyId, allowed, detail)));
  }
}
