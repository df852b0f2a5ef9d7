package net.sluice.core.store;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SubscriberState;

/** The content of a store, made at random. */
final class RandomContent {
  private final long seed;

  /** The commits of each switch. */
  final Map<String, StoreHistory> histories = new TreeMap<>();

  RandomContent(long seed) {
    this.seed = seed;
  }

  /** Passes it on, the same each time. */
  void copyTo(StoreContent to) {
    Random random = new Random(seed);
    to.identity(random.nextLong() | 1);
    if (random.nextBoolean()) {
      to.lastSeen(Map.of("bng1", 1L + random.nextInt(9), "bng2", 3L));
    }
    for (String name : List.of("bng1", "bng2", NetworkSwitch.ONLY)) {
      if (random.nextInt(4) > 0) {
        ofSwitch(name, random, to);
      }
    }
    for (String name : List.of("audit", "events")) {
      if (random.nextInt(4) > 0) {
        journal(name, random, to);
      }
    }
    int documents = random.nextInt(20);
    for (String of : List.of("answers", "webhooks")) {
      for (int i = 10; i < 10 + documents; i++) {
        to.document(of, "at/" + i, bytes(random, 2_000));
      }
    }
  }

  private static byte[] bytes(Random random, int most) {
    byte[] bytes = new byte[random.nextInt(most)];
    random.nextBytes(bytes);
    return bytes;
  }

  private void ofSwitch(String name, Random random, StoreContent to) {
    StoreHistory history = StoreHistory.NONE;
    long number = 0;
    for (int opening = 1; opening <= 1 + random.nextInt(3); opening++) {
      number += 1 + random.nextInt(50);
      history = history.with(opening * 1000 + random.nextInt(1000), number);
    }
    histories.put(name, history);
    to.history(name, history);
    if (random.nextBoolean()) {
      to.declaration(name, bytes(random, 300));
    }
    int subscribers = random.nextInt(200);
    List<String> ids = new ArrayList<>();
    for (int i = 1; i <= subscribers; i++) {
      ids.add("s" + i);
    }
    for (String id : new TreeSet<>(ids)) {
      int index = Integer.parseInt(id.substring(1));
      SubscriberState state =
          new SubscriberState(
              TestNetwork.subscriber(id, "10.0.0." + index + "/32"), index, SubscriberState.NONE);
      to.record(name, StoreContent.Kind.SUBSCRIBER, id, StoreCodec.encode(state));
    }
    for (String id : List.of("gold", "silver")) {
      PolicyState state =
          new PolicyState(new Policy(id, BuiltInFunction.GOLD, Optional.empty()), 1);
      to.record(name, StoreContent.Kind.POLICY, id, StoreCodec.encode(state));
    }
    RateLimit limit =
        new RateLimit(
            "l",
            new Scope.OfPort(random.nextInt(8)),
            OptionalLong.of(10_000_000),
            OptionalLong.empty(),
            OptionalInt.empty(),
            Optional.empty());
    to.record(name, StoreContent.Kind.RATE_LIMIT, "l", StoreCodec.encode(limit));
  }

  private static void journal(String name, Random random, StoreContent to) {
    long number = 1 + random.nextInt(1_000);
    long millis = 1_000_000;
    for (int left = 1 + random.nextInt(100); left > 0; left--) {
      int count = 1 + random.nextInt(3);
      millis += random.nextInt(1_000);
      Instant at = Instant.ofEpochMilli(millis);
      to.entry(name, new Journal.Entry(number, count, at, bytes(random, 5_000)));
      number += count;
      number += random.nextInt(30) == 0 ? Journal.SKIPPED : 0;
    }
  }
}
