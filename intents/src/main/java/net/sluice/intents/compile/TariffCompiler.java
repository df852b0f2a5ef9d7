package net.sluice.intents.compile;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.Tariff;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Grants;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.PlanBuilder;
import net.sluice.intents.profile.MeterProfile;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Problems;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;

/**
 * Compiles tariffs, of which no target knows: they hold what the subscribers under one get of it,
 * as if it were declared for each.
 */
final class TariffCompiler extends KindCompiler<Tariff, Tariff> {
  private static final int NAMED_USERS = 3;

  private final SwitchProfile profile;

  TariffCompiler(SwitchProfile profile) {
    super(Kind.TARIFF, Tariff.class);
    this.profile = profile;
  }

  @Override
  Tariff declared(Tariff inForce) {
    return inForce;
  }

  @Override
  Optional<Tariff> find(SlaState state, String id) {
    return state.tariff(id);
  }

  @Override
  void admit(SlaState state, Tariff tariff, Optional<Tariff> old, Problems problems) {
    long count = state.allTariffs().count();
    if (old.isEmpty() && count >= Tariff.MOST) {
      problems.add(
          Code.CAPACITY,
          "tariff",
          tariff.id(),
          "at most " + Tariff.MOST + " tariffs",
          "There are " + count + " tariffs, as many as there can be.");
    }
    SubscriberChecks.policy(state, "policy", tariff.policyId(), problems);
    if (tariff.upstreamPolicyId().isPresent()) {
      String field = Subscriber.policyField(Direction.UP);
      SubscriberChecks.policy(state, field, tariff.upstreamPolicyId().get(), problems);
      if (profile.directionPolicies() == 0) {
        SubscriberChecks.refuseUpstream(field, tariff.upstreamPolicyId().get(), problems);
      }
    }
  }

  /** Whether a limiter keeps to a rate is seen with each subscriber; some has to. */
  private static void admitRates(String before, RateLimit limit, Problems problems) {
    for (Direction direction : Direction.values()) {
      OptionalLong rateBps = limit.rateBps(direction);
      if (rateBps.isPresent() && !MeterProfile.canRepresent(rateBps.getAsLong())) {
        String field = before + direction.text() + "Bps";
        problems.add(Problem.of(Code.INVALID, field, rateBps.getAsLong(), MeterProfile.RATE_FORM));
      }
    }
  }

  @Override
  void readmit(SlaState state, Tariff stored, Problems problems) {
    admit(state, stored, Optional.of(stored), problems);
  }

  @Override
  Plan put(SlaState state, Change.Put put, Tariff tariff, Optional<Tariff> old, Problems problems)
      throws Refusal {
    tariff
        .plainLimit()
        .ifPresent(limit -> limit.variants((field, each) -> admitRates(field, each, problems)));
    problems.refuseIfAny();
    PlanBuilder plan = new PlanBuilder();
    grant(state, tariff, plan.grants());
    return plan.build(put, old.isPresent(), 0);
  }

  @Override
  Plan keep(Change.Put kept, Tariff old) {
    throw new IllegalArgumentException("a tariff is always the same");
  }

  @Override
  void grant(SlaState state, Tariff tariff, Grants out) {
    int users = state.subscribersUnder(tariff.id());
    out.note(
        switch (users) {
          case 0 -> "no subscriber has it";
          case 1 -> "one subscriber has it";
          default -> users + " subscribers have it";
        });
  }

  @Override
  Plan delete(SlaState state, Change delete, Tariff old) throws Refusal {
    int users = state.subscribersUnder(delete.id());
    if (users > 0) {
      List<String> named = state.someSubscribersUnder(delete.id(), NAMED_USERS);
      throw new Refusal(
          List.of(
              new Problem(
                  Code.CONFLICT,
                  "tariff",
                  delete.id(),
                  "a tariff that no subscriber has",
                  String.format(
                      Locale.ROOT,
                      "Tariff %s is in use by %d subscriber%s: %s%s.",
                      delete.id(),
                      users,
                      users == 1 ? "" : "s",
                      String.join(", ", named),
                      users > named.size() ? " and " + (users - named.size()) + " more" : ""))));
    }
    return new PlanBuilder().build(delete, true, 0);
  }
}
