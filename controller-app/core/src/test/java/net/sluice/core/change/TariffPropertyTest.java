package net.sluice.core.change;

import static net.sluice.core.testing.TestNetwork.limit;
import static net.sluice.core.testing.TestNetwork.policy;
import static net.sluice.core.testing.TestNetwork.subscriber;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.sluice.core.Outcome;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.testing.ControllerRig;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Labels;
import net.sluice.intents.model.LimitValues;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.Tariff;
import net.sluice.intents.model.TariffUse;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.model.policy.LimitDelay;
import net.sluice.intents.model.schedule.Schedule;
import net.sluice.intents.plan.Change;

/**
 * After any changes of tariffs and their subscribers, targets hold what they hold where policies
 * and limits are declared for each subscriber. A change is refused exactly where that of one of
 * them would be.
 */
class TariffPropertyTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final int STEPS = 40;
  private static final int SUBSCRIBERS = 8;
  private static final int TARIFFS = 3;

  /** No rate, three that FPGAs have, and one that is more than they have. */
  private static final List<Long> RATES =
      List.of(0L, 10_000_000L, 50_000_000L, 80_000_000L, 900_000_000_000L);

  /** A tariff; a rate of 0 is none. */
  private record Sold(String policy, long downBps, long upBps) {}

  /** What a subscriber declares; rates of 0 are the tariff's. */
  private record Having(
      Optional<String> tariff, Optional<String> policy, long downBps, long upBps) {}

  private static ControllerRig settled() {
    ControllerRig rig = ControllerRig.create(TestNetwork.smallConfig());
    rig.time.pass(SECOND);
    rig.accept(policy("gold", BuiltInFunction.GOLD));
    rig.accept(policy("silver", BuiltInFunction.SILVER));
    return rig;
  }

  @Property(tries = 30, shrinking = ShrinkingMode.OFF, seed = "1")
  void anyHistoryLeadsToWhatDeclarationsWithoutTariffsLeadTo(@ForAll long seed) {
    try (History history = new History(seed)) {
      history.make();
    }
  }

  /** A network that knows of tariffs, and one in which each subscriber's part is declared. */
  private static final class History implements AutoCloseable {
    private final ControllerRig rig = settled();
    private final ControllerRig declared = settled();
    private final Map<String, Sold> tariffs = new TreeMap<>();
    private final Map<String, Having> subscribers = new TreeMap<>();
    private final Random random;

    History(long seed) {
      random = new Random(seed);
    }

    @Override
    public void close() {
      rig.close();
      declared.close();
    }

    void make() {
      for (int step = 0; step < STEPS; step++) {
        String id = "s" + random.nextInt(SUBSCRIBERS);
        String tariff = "t" + random.nextInt(TARIFFS);
        switch (random.nextInt(8)) {
          case 0 -> deleteTariff(tariff);
          case 1, 2, 3 -> putTariff(tariff);
          case 4 -> deleteSubscriber(id);
          default -> putSubscriber(id);
        }
        if (random.nextInt(4) == 0) {
          rig.time.pass(SECOND);
          declared.time.pass(SECOND);
        }
      }
      rig.time.pass(SECOND);
      declared.time.pass(SECOND);
      assertThat(rig.switchTarget.content()).isEqualTo(declared.switchTarget.content());
      assertThat(rig.down.content()).isEqualTo(declared.down.content());
      assertThat(rig.up.content()).isEqualTo(declared.up.content());
      assertThat(rig.switchTarget.content())
          .isEqualTo(rig.expectedSwitch(CompactSlaState.load(rig.store, rig.compiler)));
    }

    private long rate() {
      return RATES.get(random.nextInt(16) == 0 ? 4 : random.nextInt(4));
    }

    private String anyPolicy() {
      return random.nextBoolean() ? "gold" : "silver";
    }

    private static LimitValues values(long downBps, long upBps) {
      return new LimitValues(
          downBps == 0 ? OptionalLong.empty() : OptionalLong.of(downBps),
          upBps == 0 ? OptionalLong.empty() : OptionalLong.of(upBps),
          OptionalInt.empty(),
          Optional.empty(),
          Optional.empty(),
          LimitDelay.UNSAID);
    }

    private boolean isTaken(Change change) {
      Outcome dryRun = rig.controller.dryRun(change);
      Outcome outcome = rig.controller.apply(change);
      assertThat(outcome.isAccepted()).isEqualTo(dryRun.isAccepted());
      return outcome.isAccepted();
    }

    // ---------------------------------------------------------------- with tariffs

    private void putTariff(String id) {
      Sold sold = new Sold(anyPolicy(), rate(), rate());
      boolean isTaken =
          isTaken(
              new Change.Put(
                  new Tariff(
                      id,
                      sold.policy,
                      Optional.empty(),
                      values(sold.downBps, sold.upBps),
                      new Schedule<>(List.of()),
                      Labels.NONE,
                      Optional.empty())));
      Map<String, Sold> after = new TreeMap<>(tariffs);
      after.put(id, sold);
      List<String> users = usersOf(id);
      assertThat(isTaken)
          .isEqualTo(users.stream().allMatch(user -> fits(subscribers.get(user), after)));
      if (isTaken) {
        tariffs.put(id, sold);
        users.forEach(user -> declare(user, subscribers.get(user)));
      }
    }

    private void deleteTariff(String id) {
      boolean isTaken = isTaken(new Change.Delete(Kind.TARIFF, id));
      assertThat(isTaken).isEqualTo(tariffs.containsKey(id) && usersOf(id).isEmpty());
      if (isTaken) {
        tariffs.remove(id);
      }
    }

    private void putSubscriber(String id) {
      boolean hasTariff = random.nextInt(5) > 0;
      Having having =
          hasTariff
              ? new Having(
                  Optional.of("t" + random.nextInt(TARIFFS)),
                  random.nextInt(3) == 0 ? Optional.of(anyPolicy()) : Optional.empty(),
                  random.nextBoolean() ? 0 : rate(),
                  random.nextBoolean() ? 0 : rate())
              : new Having(Optional.empty(), Optional.of(anyPolicy()), 0, 0);
      Subscriber plain = subscriber(id, prefix(id)).withPolicy(having.policy.orElse("unknown"));
      Optional<TariffUse> use =
          having.tariff.map(
              tariff ->
                  new TariffUse(
                      tariff,
                      having.policy,
                      Optional.empty(),
                      values(having.downBps, having.upBps)));
      boolean isTaken = isTaken(new Change.Put(plain.withParts(plain.parts().withTariff(use))));
      assertThat(isTaken)
          .isEqualTo(having.tariff.map(tariffs::containsKey).orElse(true) && fits(having, tariffs));
      if (isTaken) {
        subscribers.put(id, having);
        declare(id, having);
      }
    }

    private void deleteSubscriber(String id) {
      boolean isThere = subscribers.remove(id) != null;
      assertThat(isTaken(new Change.Delete(Kind.SUBSCRIBER, id))).isEqualTo(isThere);
      if (isThere) {
        undeclareLimit(id);
        declared.accept(new Change.Delete(Kind.SUBSCRIBER, id));
      }
    }

    /** In the order in which a tariff comes to them. */
    private List<String> usersOf(String tariff) {
      CompactSlaState state = CompactSlaState.load(declared.store, declared.compiler);
      List<String> users = new ArrayList<>();
      subscribers.forEach(
          (id, having) -> {
            if (having.tariff.equals(Optional.of(tariff))) {
              users.add(id);
            }
          });
      users.sort(Comparator.comparing(id -> state.subscriber(id).orElseThrow().index()));
      return users;
    }

    // ---------------------------------------------------------------- without

    private static String prefix(String id) {
      return "10.0.1." + id.substring(1) + "/32";
    }

    private static long rate(long own, Optional<Long> ofTariff) {
      return own == 0 ? ofTariff.orElse(0L) : own;
    }

    private static long downBps(Having having, Map<String, Sold> all) {
      return rate(having.downBps, having.tariff.map(id -> all.get(id).downBps));
    }

    private static long upBps(Having having, Map<String, Sold> all) {
      return rate(having.upBps, having.tariff.map(id -> all.get(id).upBps));
    }

    private static boolean fits(Having having, Map<String, Sold> all) {
      return having.tariff.map(id -> !all.containsKey(id)).orElse(false)
          || Math.max(downBps(having, all), upBps(having, all)) < RATES.get(4);
    }

    private void declare(String id, Having having) {
      String policy =
          having.policy.orElseGet(() -> tariffs.get(having.tariff.orElseThrow()).policy);
      declared.accept(new Change.Put(subscriber(id, prefix(id)).withPolicy(policy)));
      long down = downBps(having, tariffs);
      long up = upBps(having, tariffs);
      if (down == 0 && up == 0) {
        undeclareLimit(id);
      } else {
        declared.accept(limit("of-" + id, new Scope.OfSubscriber(id), down, up));
      }
    }

    private void undeclareLimit(String id) {
      if (declared.controller.find(Kind.RATE_LIMIT, "of-" + id).isPresent()) {
        declared.accept(new Change.Delete(Kind.RATE_LIMIT, "of-" + id));
      }
    }
  }
}
