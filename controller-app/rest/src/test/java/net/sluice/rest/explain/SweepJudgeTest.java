package net.sluice.rest.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.SubscriberTerms;
import net.sluice.intents.model.SubscriberTerms.Holding;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.model.schedule.Schedule;
import net.sluice.intents.plan.Change;
import net.sluice.intents.profile.MeterProfile;
import net.sluice.intents.value.Direction;
import net.sluice.intents.verdict.Cause;
import net.sluice.northbound.explain.SweepJudge;
import net.sluice.northbound.usage.Judge.Finding;
import net.sluice.northbound.usage.Rates;
import net.sluice.rest.testing.MemoryController;
import org.junit.jupiter.api.Test;

/** What a sweep's loads come to, by subscriber. */
class SweepJudgeTest {
  private final MemoryController controller =
      new MemoryController(10, new MeterProfile(20), OptionalInt.empty());
  private final Map<Integer, Rates> loads = new HashMap<>();
  private final Map<Integer, String> ids = new HashMap<>();

  private void put(Declaration declaration) {
    assertThat(controller.apply(new Change.Put(declaration)).isAccepted()).isTrue();
  }

  private void subscriber(String id, int number, Attachment at, boolean suspended, Rates rates) {
    Subscriber subscriber =
        new Subscriber(
            id, "gold", List.of(IpPrefix.v4(0x0a00_0000 + number, 32)), Optional.empty(), at);
    put(
        suspended
            ? subscriber.withParts(
                subscriber
                    .parts()
                    .withTerms(
                        SubscriberTerms.of(
                            new Holding.Has("gold"),
                            Optional.of(new Holding.Stopped()),
                            Schedule.empty())))
            : subscriber);
    // Indices are given in the order of declarations.
    ids.put(number, id);
    loads.put(number, rates);
  }

  private void limit(Scope scope, String id, long downBps) {
    put(
        new RateLimit(
            id,
            scope,
            OptionalLong.of(downBps),
            OptionalLong.empty(),
            OptionalInt.empty(),
            Optional.of(Enforcement.POLICE)));
  }

  private static Rates rates(long offeredBps, long gotBps, long policedBps) {
    return new Rates(offeredBps, gotBps, policedBps, 0, 0, 0, Optional.empty());
  }

  private Map<String, Finding> judged() {
    Map<String, Finding> found = new TreeMap<>();
    new SweepJudge(controller)
        .judge(
            NetworkSwitch.ONLY,
            (index, direction) ->
                direction == Direction.DOWN
                    ? Optional.ofNullable(loads.get(index))
                    : Optional.empty(),
            (index, direction, finding) -> found.put(ids.get(index), finding));
    return found;
  }

  @Test
  void onlyThoseThatGetLessThanTheirShareAreShort() {
    put(new Policy("gold", BuiltInFunction.GOLD));
    Attachment alone = new Attachment(0, 0);
    Attachment crowded = new Attachment(1, 5);
    subscriber("calm", 1, alone, false, rates(2_000_000, 2_000_000, 0));
    subscriber("capped", 2, alone, false, rates(30_000_000, 20_000_000, 10_000_000));
    subscriber("starved", 3, alone, false, rates(30_000_000, 12_000_000, 18_000_000));
    subscriber("unknown", 4, alone, false, null);
    subscriber("stopped", 5, alone, true, rates(1_000, 0, 0));
    subscriber("crowd", 6, crowded, false, rates(80_000_000, 50_000_000, 30_000_000));
    limit(new Scope.OfSubscriber("capped"), "capped", 20_000_000);
    limit(new Scope.OfSubscriber("starved"), "starved", 20_000_000);
    limit(new Scope.OfTree(1, 5), "tree", 50_000_000);
    Map<String, Finding> found = judged();
    assertThat(found).containsOnlyKeys("capped", "starved", "stopped", "crowd");
    assertThat(found.get("stopped")).isEqualTo(new Finding(Cause.SUSPENDED, 0, false));
    assertThat(found.get("capped").cause()).isEqualTo(Cause.OWN_LIMIT);
    assertThat(found.get("capped").isShort()).isFalse();
    assertThat(found.get("capped").entitledBps()).isBetween(19_900_000L, 20_100_000L);
    assertThat(found.get("starved").isShort()).isTrue();
    assertThat(found.get("crowd").cause()).isEqualTo(Cause.TREE);
    assertThat(found.get("crowd").isShort()).isFalse();
  }

  @Test
  void anotherSwitchIsNotJudged() {
    assertThat(controller.ids(Kind.SUBSCRIBER, "", 1)).isEmpty();
    new SweepJudge(controller)
        .judge(
            "other",
            (index, direction) -> Optional.of(Rates.NONE),
            (index, direction, finding) -> assertThat(finding).isNull());
  }
}
