package net.sluice.core.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.Gate;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.OptionalParts;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.model.policy.Aqm;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;

/** Changes drawn from so few ids, prefixes and tags that they collide all the time. */
public final class RandomChanges {
  private final Random random;
  private final Random upstream;
  private final int ids;

  /** {@code ids} of each kind. */
  public RandomChanges(long seed, int ids) {
    this.random = new Random(seed);
    this.upstream = new Random(~seed);
    this.ids = ids;
  }

  /** The next change. */
  public Change next() {
    int kind = random.nextInt(100);
    if (kind < 50) {
      return new Change.Put(subscriber());
    } else if (kind < 65) {
      return new Change.Delete(Kind.SUBSCRIBER, "s" + random.nextInt(ids));
    } else if (kind < 75) {
      return new Change.Put(
          new Policy(
              "p" + random.nextInt(4),
              random.nextBoolean() ? BuiltInFunction.GOLD : BuiltInFunction.SILVER,
              aqm()));
    } else if (kind < 78) {
      return new Change.Delete(Kind.POLICY, "p" + random.nextInt(4));
    } else if (kind < 94) {
      return new Change.Put(limit());
    }
    return new Change.Delete(Kind.RATE_LIMIT, "l" + random.nextInt(ids));
  }

  private Subscriber subscriber() {
    List<IpPrefix> prefixes = new ArrayList<>();
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      prefixes.add(
          random.nextInt(3) > 0
              ? IpPrefix.v4(0x0a000000 + 4 * random.nextInt(3 * ids), 30 + random.nextInt(3) / 2)
              : IpPrefix.v6(0x20010db800000000L + ((long) random.nextInt(2 * ids) << 8), 0, 56));
    }
    boolean tagged = prefixes.isEmpty() || random.nextInt(3) == 0;
    VlanTags tags =
        random.nextBoolean()
            ? VlanTags.single(1 + random.nextInt(ids))
            : VlanTags.pair(1 + random.nextInt(ids), 1 + random.nextInt(2));
    return new Subscriber(
        "s" + random.nextInt(ids),
        "p" + random.nextInt(4),
        prefixes,
        tagged ? Optional.of(tags) : Optional.empty(),
        new Attachment(random.nextInt(2), random.nextInt(2)),
        OptionalParts.NONE.withUpstreamPolicy(
            upstream.nextInt(4) == 0 ? Optional.of("p" + upstream.nextInt(4)) : Optional.empty()));
  }

  private Optional<Aqm> aqm() {
    return switch (random.nextInt(6)) {
      case 0 -> Optional.of(Aqm.NONE);
      case 1 -> Optional.of(new Aqm.CoDel(AqmKind.CODEL_ACT, 5_000, 100_000, false));
      case 2 -> Optional.of(new Aqm.CoDel(AqmKind.RFC8289, 1_000, 20_000, true));
      default -> Optional.empty();
    };
  }

  private RateLimit limit() {
    int scope = random.nextInt(10);
    Scope of =
        scope < 7
            ? new Scope.OfSubscriber("s" + random.nextInt(ids))
            : scope < 9
                ? new Scope.OfTree(random.nextInt(2), random.nextInt(2))
                : new Scope.OfPort(random.nextInt(2));
    int which = random.nextInt(3);
    Gate gate = random.nextInt(5) == 0 ? Gate.CLOSED : Gate.OPEN;
    return new RateLimit(
        "l" + random.nextInt(ids),
        of,
        which == 1 ? OptionalLong.empty() : OptionalLong.of(1_000_000L * (1 + random.nextInt(99))),
        which == 2 ? OptionalLong.empty() : OptionalLong.of(1_000_000L * (1 + random.nextInt(99))),
        random.nextBoolean()
            ? OptionalInt.empty()
            : OptionalInt.of(1600 + 100 * random.nextInt(50)),
        enforcement(),
        gate,
        scope < 7 || random.nextBoolean()
            ? OptionalInt.empty()
            : OptionalInt.of(50 + random.nextInt(1_000)));
  }

  private Optional<Enforcement> enforcement() {
    return switch (random.nextInt(4)) {
      case 0 -> Optional.of(Enforcement.FPGA);
      case 1 -> Optional.of(Enforcement.POLICE);
      default -> Optional.empty();
    };
  }
}
