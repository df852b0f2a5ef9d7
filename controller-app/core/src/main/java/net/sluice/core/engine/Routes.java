package net.sluice.core.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.plan.Change;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;

/** Which switches a change is for, by what it says and by what is in force. */
final class Routes {
  private final Network network;

  Routes(Network network) {
    this.network = network;
  }

  /** Where a change is made. */
  sealed interface Route {
    /** At one switch. */
    record At(SwitchShard shard) implements Route {}

    /** At every switch. */
    record Everywhere() implements Route {}

    /** At one switch for the first time, with what is left at the other deleted. */
    record Move(SwitchShard from, SwitchShard to) implements Route {}
  }

  /**
   * Where a change is made; the change's claims are held.
   *
   * @param coming switches of subscribers that are changed together with this, before it, by id
   * @throws Refusal if the switch is missing or unknown, or another switch has what must be unique
   */
  Route of(Change change, Map<String, SwitchShard> coming) throws Refusal {
    if (change.kind() == Kind.POLICY) {
      return new Route.Everywhere();
    }
    Optional<SwitchShard> now = holding(change.kind(), change.id());
    if (!(change instanceof Change.Put put)) {
      // A switch that does not have it says so.
      return new Route.At(now.orElse(network.first()));
    }
    SwitchShard there = wanted(put, now, coming);
    if (put.declaration() instanceof Subscriber subscriber) {
      requireUnique(subscriber, there);
    }
    return now.isEmpty() || now.get() == there
        ? new Route.At(there)
        : new Route.Move(now.get(), there);
  }

  /** The switch at which a declaration is in force; a policy is at all of them. */
  Optional<SwitchShard> holding(Kind kind, String id) {
    for (SwitchShard shard : network.all()) {
      if (shard.has(kind, id)) {
        return Optional.of(shard);
      }
    }
    return Optional.empty();
  }

  private SwitchShard wanted(
      Change.Put put, Optional<SwitchShard> now, Map<String, SwitchShard> coming) throws Refusal {
    boolean ofSubscriber =
        put.declaration() instanceof RateLimit limit && limit.scope() instanceof Scope.OfSubscriber;
    String field = put.kind() == Kind.SUBSCRIBER ? "attachment.switch" : "scope.switch";
    Optional<SwitchShard> named = Optional.empty();
    if (put.switchName().isPresent()) {
      named = Optional.of(named(field, put.switchName().get()));
    }
    if (ofSubscriber) {
      Scope.OfSubscriber scope = (Scope.OfSubscriber) ((RateLimit) put.declaration()).scope();
      // Without the subscriber, whichever switch is asked says so.
      return Optional.ofNullable(coming.get(scope.subscriberId()))
          .or(() -> holding(Kind.SUBSCRIBER, scope.subscriberId()))
          .or(() -> now)
          .orElse(network.first());
    }
    if (named.isEmpty()) {
      throw new Refusal(
          List.of(Problem.of(Problem.Code.INVALID, field, "absent", "one of " + names())));
    }
    return named.get();
  }

  private SwitchShard named(String field, String name) throws Refusal {
    Optional<SwitchShard> shard = network.named(name);
    if (shard.isEmpty()) {
      throw new Refusal(
          List.of(Problem.of(Problem.Code.INVALID, field, name, "one of " + names())));
    }
    return shard.get();
  }

  private String names() {
    return String.join(", ", network.byName().keySet());
  }

  /** The switch itself looks at those that it has. */
  private void requireUnique(Subscriber subscriber, SwitchShard there) throws Refusal {
    List<Problem> problems = new ArrayList<>();
    List<IpPrefix> prefixes = subscriber.prefixes();
    for (int i = 0; i < prefixes.size(); i++) {
      IpPrefix prefix = prefixes.get(i);
      for (SwitchShard shard : network.all()) {
        Optional<String> other =
            shard == there
                ? Optional.empty()
                : shard.subscriberOverlapping(prefix, subscriber.id());
        if (other.isPresent()) {
          problems.add(
              new Problem(
                  Problem.Code.CONFLICT,
                  "prefixes[" + i + "]",
                  prefix.toString(),
                  "a prefix that overlaps no other subscriber's",
                  String.format(
                      Locale.ROOT,
                      "%s overlaps a prefix of subscriber %s on switch %s.",
                      prefix,
                      other.get(),
                      shard.name())));
        }
      }
    }
    if (!problems.isEmpty()) {
      throw new Refusal(problems);
    }
  }
}
