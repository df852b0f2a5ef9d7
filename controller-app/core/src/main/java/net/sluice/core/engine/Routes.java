package net.sluice.core.engine;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
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
   * @param maySee see {@link Claims.Held#maySee}
   * @throws Refusal if the switch is missing or unknown, or another switch has what must be unique
   */
  Route of(Change change, boolean maySee) throws Refusal {
    return look(List.of(change), 0, unused -> maySee).of(0, Map.of());
  }

  /**
   * What is in force of what some changes name. Each switch is asked once for all of them, so that
   * many changes at a time wait for nobody else's in between, and only for what it may have.
   */
  final class Looked {
    private final List<Change> changes;
    private final int[] asked;

    /** Where the declarations of those asked for are in force, by number of the change. */
    private final Map<Integer, SwitchShard> holding = new HashMap<>();

    /** Changes with a prefix that overlaps one at a switch they do not name. */
    private final BitSet overlapping = new BitSet();

    private Looked(List<Change> changes, int[] asked) {
      this.changes = changes;
      this.asked = asked;
      if (asked.length > 0) {
        for (SwitchShard shard : network.all()) {
          int unused = shard.looking(looking -> lookAt(shard, looking));
        }
      }
    }

    private int lookAt(SwitchShard shard, SwitchShard.Looking looking) {
      for (int i : asked) {
        Change change = changes.get(i);
        if (!holding.containsKey(i) && looking.has(change.kind(), change.id())) {
          holding.put(i, shard);
        }
        if (change instanceof Change.Put put
            && put.declaration() instanceof Subscriber subscriber
            && put.switchName().filter(shard.name()::equals).isEmpty()
            && looking.overlaps(subscriber)) {
          overlapping.set(i);
        }
      }
      return asked.length;
    }

    /**
     * Where a change is made.
     *
     * @param coming switches of subscribers that are changed together with this, before it, by id
     * @throws Refusal as {@link Routes#of}
     */
    Route of(int number, Map<String, SwitchShard> coming) throws Refusal {
      return route(
          changes.get(number),
          Optional.ofNullable(holding.get(number)),
          overlapping.get(number),
          coming);
    }
  }

  /**
   * Looks into changes whose claims have been held since before.
   *
   * @param from number of the first that is looked into
   * @param maySee see {@link Claims.Held#maySee}, by number
   */
  Looked look(List<Change> changes, int from, IntPredicate maySee) {
    return new Looked(
        changes,
        IntStream.range(from, changes.size())
            .filter(i -> changes.get(i).kind() != Kind.POLICY)
            .filter(maySee)
            .toArray());
  }

  private Route route(
      Change change,
      Optional<SwitchShard> now,
      boolean overlapsElsewhere,
      Map<String, SwitchShard> coming)
      throws Refusal {
    if (change.kind() == Kind.POLICY) {
      return new Route.Everywhere();
    }
    if (!(change instanceof Change.Put put)) {
      // A switch that does not have it says so.
      return new Route.At(now.orElse(network.first()));
    }
    SwitchShard there = wanted(put, now, coming);
    if (overlapsElsewhere) {
      requireUnique((Subscriber) put.declaration(), there);
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
