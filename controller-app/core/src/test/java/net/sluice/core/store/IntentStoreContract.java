package net.sluice.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.model.policy.Aqm;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.model.policy.PointsFunction;
import net.sluice.intents.model.policy.PointsFunction.Point;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SubscriberState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every store does. */
public abstract class IntentStoreContract {
  /** The store under test. */
  protected IntentStore store;

  /** Opens a store: an empty one at first, and the same again after it was closed. */
  protected abstract IntentStore open();

  @BeforeEach
  void openStore() {
    store = open();
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  protected static SubscriberState subscriber(
      String id, int index, int queueId, String... prefixes) {
    List<IpPrefix> parsed = new ArrayList<>();
    for (String prefix : prefixes) {
      parsed.add(IpPrefix.parse(prefix));
    }
    return new SubscriberState(
        new Subscriber(
            id,
            "gold",
            parsed,
            prefixes.length % 2 == 0
                ? Optional.of(VlanTags.pair(4094, 1 + index % 4000))
                : Optional.empty(),
            new Attachment(7, 63)),
        index,
        queueId);
  }

  protected static RateLimit limit(String id, Scope scope) {
    return new RateLimit(
        id, scope, OptionalLong.of(Long.MAX_VALUE), OptionalLong.empty(), OptionalInt.of(32_767));
  }

  protected void commit(Object... records) {
    StoreBatch batch = new StoreBatch();
    for (Object record : records) {
      if (record instanceof SubscriberState s) {
        batch.put(s);
      } else if (record instanceof PolicyState p) {
        batch.put(p);
      } else {
        batch.put((RateLimit) record);
      }
    }
    store.commit(batch);
  }

  @Test
  void howFarItHasGotIsKept() {
    assertThat(store.history().revision()).isEqualTo(Revision.NONE);
    commit(subscriber("first", 1, SubscriberState.NONE, "10.0.0.1/32"));
    Revision first = store.history().revision();
    commit(subscriber("second", 2, SubscriberState.NONE, "10.0.0.2/32"));
    Revision second = store.history().revision();
    assertThat(second.number()).isGreaterThan(first.number());
    assertThat(store.has(first)).isTrue();
    assertThat(store.has(new Revision(second.mark(), second.number() + 1))).isFalse();
    store.close();
    store = open();
    assertThat(store.history().revision()).isEqualTo(second);
    commit(subscriber("third", 3, SubscriberState.NONE, "10.0.0.3/32"));
    assertThat(store.history().revision().number()).isGreaterThan(second.number());
    assertThat(store.has(first)).isTrue();
    assertThat(store.has(second)).isTrue();
    assertThat(store.history().upTo(second)).hasValue(second.number());
  }

  @Test
  void everyRecordComesBackAsItWasWritten() {
    List<SubscriberState> subscribers =
        List.of(
            subscriber("none", 1, SubscriberState.NONE),
            subscriber("v4", 2, 0, "0.0.0.0/0"),
            subscriber("long", 1_048_575, 262_136, "255.255.255.255/32", "10.0.0.0/9"),
            subscriber(
                "v6",
                3,
                8,
                "::/0",
                "2001:db8::/56",
                "fe00::/7",
                "2001:db8::1/128",
                "8000::/126",
                "2001:db8:0:1::2/127",
                "1::/64"),
            new SubscriberState(
                new Subscriber(
                    "Single.tag_-",
                    "p.olicy",
                    List.of(),
                    Optional.of(VlanTags.single(1)),
                    new Attachment(0, 0)),
                77,
                SubscriberState.NONE));
    List<PolicyState> policies =
        List.of(
            new PolicyState(new Policy("gold", BuiltInFunction.GOLD), 1),
            new PolicyState(new Policy("silver", BuiltInFunction.SILVER), 63),
            new PolicyState(new Policy("off", BuiltInFunction.SILVER, Optional.of(Aqm.NONE)), 3),
            new PolicyState(
                new Policy(
                    "act",
                    BuiltInFunction.GOLD,
                    Optional.of(new Aqm.CoDel(AqmKind.CODEL_ACT, 5_000, 100_000, true))),
                4),
            new PolicyState(
                new Policy(
                    "plain",
                    BuiltInFunction.GOLD,
                    Optional.of(new Aqm.CoDel(AqmKind.RFC8289, 1, 1_000_000, false))),
                5),
            new PolicyState(
                new Policy(
                    "points",
                    new PointsFunction(
                        List.of(new Point(1, 1e9), new Point(10_000_000_000_000L, 1.5)))),
                2));
    List<RateLimit> limits =
        List.of(
            limit("a", new Scope.OfSubscriber("v4")),
            limit("b", new Scope.OfTree(7, 63)),
            limit("c", new Scope.OfPort(7)),
            new RateLimit(
                "d",
                new Scope.OfPort(0),
                OptionalLong.empty(),
                OptionalLong.of(1),
                OptionalInt.empty()));
    subscribers.forEach(this::commit);
    commit(policies.toArray());
    commit(limits.toArray());

    for (SubscriberState s : subscribers) {
      assertThat(store.subscriber(s.subscriber().id())).contains(s);
    }
    for (PolicyState p : policies) {
      assertThat(store.policy(p.policy().id())).contains(p);
    }
    for (RateLimit l : limits) {
      assertThat(store.rateLimit(l.id())).contains(l);
    }
    assertThat(store.subscriber("gold")).isEmpty();
    assertThat(store.policy("v4")).isEmpty();
    assertThat(store.rateLimit("v4")).isEmpty();
  }

  @Test
  void scansAreInOrderOfIdsAndCanBeContinued() {
    int index = 1;
    for (String id : List.of("b", "a", "a.b", "a-b", "a_b", "aa", "A", "0", "ab")) {
      commit(subscriber(id, index++, SubscriberState.NONE, "10.0.0." + index + "/32"));
    }
    assertThat(scan("", 0, 100))
        .containsExactly("0", "A", "a", "a-b", "a.b", "a_b", "aa", "ab", "b");
    assertThat(scan("", 2, 3)).containsExactly("a", "a-b", "a.b");
    assertThat(scan("a", 0, 2)).containsExactly("a-b", "a.b");
    assertThat(scan("a.", 0, 1)).containsExactly("a.b");
    assertThat(scan("a", 5, 9)).containsExactly("b");
    assertThat(scan("b", 0, 9)).isEmpty();
    assertThat(scan("", 99, 9)).isEmpty();
  }

  private List<String> scan(String after, long skip, int limit) {
    List<String> ids = new ArrayList<>();
    int count = store.scanSubscribers(after, skip, limit, s -> ids.add(s.subscriber().id()));
    assertThat(count).isEqualTo(ids.size());
    return ids;
  }

  @Test
  void policiesAndRateLimitsAreScannedToo() {
    commit(
        new PolicyState(new Policy("b", BuiltInFunction.GOLD), 1),
        new PolicyState(new Policy("a", BuiltInFunction.GOLD), 2),
        limit("y", new Scope.OfPort(1)),
        limit("x", new Scope.OfPort(2)));
    List<String> ids = new ArrayList<>();
    store.scanPolicies("", 0, 9, p -> ids.add(p.policy().id()));
    store.scanRateLimits("x", 0, 9, l -> ids.add(l.id()));
    assertThat(ids).containsExactly("a", "b", "y");
  }

  @Test
  void theLastChangeOfARecordCounts() {
    commit(subscriber("a", 1, 0, "10.0.0.1/32"), subscriber("b", 2, 0, "10.0.0.2/32"));
    StoreBatch batch = new StoreBatch();
    batch.deleteSubscriber("a");
    batch.put(subscriber("a", 5, 8, "10.0.0.5/32"));
    batch.put(subscriber("b", 6, 8, "10.0.0.6/32"));
    batch.deleteSubscriber("b");
    batch.deleteSubscriber("never-there");
    store.commit(batch);
    assertThat(store.subscriber("a")).contains(subscriber("a", 5, 8, "10.0.0.5/32"));
    assertThat(store.subscriber("b")).isEmpty();
  }

  @Test
  void deletionsOfEveryKindAreKept() {
    commit(
        new PolicyState(new Policy("p", BuiltInFunction.GOLD), 1), limit("l", new Scope.OfPort(1)));
    StoreBatch batch = new StoreBatch();
    batch.deletePolicy("p");
    batch.deleteRateLimit("l");
    assertThat(batch.isEmpty()).isFalse();
    store.commit(batch);
    assertThat(store.policy("p")).isEmpty();
    assertThat(store.rateLimit("l")).isEmpty();
  }
}
