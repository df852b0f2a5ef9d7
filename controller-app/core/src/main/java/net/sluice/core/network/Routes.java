package net.sluice.core.network;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import net.sluice.core.Declared;
import net.sluice.core.Outcome;
import net.sluice.core.shard.SwitchShard;
import net.sluice.core.state.Names;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Precondition;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;

/** Which switches a change is for, by what it says and by what is in force. */
final class Routes {
  private final Network network;
  private final Names names;

  Routes(Network network, Names names) {
    this.network = network;
    this.names = names;
  }

  /** Where a change is made. */
  sealed interface Route {
    /** At one switch. */
    record At(SwitchShard shard) implements Route {
      @Override
      public List<SwitchShard> shards(Network network) {
        return List.of(shard);
      }
    }

    /** At every switch. */
    record Everywhere() implements Route {
      @Override
      public List<SwitchShard> shards(Network network) {
        return List.copyOf(network.all());
      }
    }

    /**
     * A subscriber comes to be in force at another switch.
     *
     * @param from where it is in force; empty if nowhere
     * @param to where it is to be
     * @param leavers those it leaves already
     */
    record Move(Optional<SwitchShard> from, SwitchShard to, List<SwitchShard> leavers)
        implements Route {
      @Override
      public List<SwitchShard> shards(Network network) {
        return Stream.of(from.stream(), Stream.of(to), leavers.stream())
            .flatMap(each -> each)
            .toList();
      }
    }

    /** A rate limit comes to limit something at another switch. */
    record MoveLimit(SwitchShard from, SwitchShard to) implements Route {
      @Override
      public List<SwitchShard> shards(Network network) {
        return List.of(from, to);
      }
    }

    /**
     * A subscriber is deleted that leaves some switch.
     *
     * @param at where it is in force; empty if nowhere
     */
    record DeleteEverywhere(Optional<SwitchShard> at, List<SwitchShard> leavers) implements Route {
      @Override
      public List<SwitchShard> shards(Network network) {
        return Stream.concat(at.stream(), leavers.stream()).toList();
      }
    }

    /** The switches that make the change. */
    List<SwitchShard> shards(Network network);
  }

  /**
   * Where a change is made; the change's claims are held.
   *
   * @throws Refusal if the switch is missing or unknown
   */
  Route of(Change change) throws Refusal {
    return of(change, Map.of());
  }

  /**
   * Where a change is made.
   *
   * @param coming switches of subscribers that are changed together with this, before it, by id
   * @throws Refusal if the switch is missing or unknown
   */
  Route of(Change change, Map<String, SwitchShard> coming) throws Refusal {
    if (change.kind().isOfNetwork()) {
      return new Route.Everywhere();
    }
    Optional<SwitchShard> now = holding(change.kind(), change.id());
    requireAsExpected(change, now);
    List<SwitchShard> leavers = change.kind() == Kind.SUBSCRIBER ? leavers(change.id()) : List.of();
    if (!(change instanceof Change.Put put)) {
      if (!leavers.isEmpty()) {
        return new Route.DeleteEverywhere(now, leavers);
      } else if (now.isEmpty()) {
        // A switch may have it of somebody who leaves.
        throw new Refusal(List.of(Problem.notFound(change.kind(), change.id())));
      }
      return new Route.At(now.get());
    }
    SwitchShard there = wanted(put, now, coming);
    if (put.declaration() instanceof RateLimit limit) {
      Optional<Problem> taken = takenByLeaver(limit, there);
      if (taken.isPresent() && limitsSomething(limit, coming)) {
        throw new Refusal(wrongAnyway(put, there).orElse(List.of(taken.get())));
      }
      return now.isEmpty() || now.get() == there
          ? new Route.At(there)
          : new Route.MoveLimit(now.get(), there);
    }
    boolean stays = now.isEmpty() ? leavers.isEmpty() : now.get() == there;
    return stays
        ? new Route.At(there)
        : new Route.Move(now.isPresent() ? now : Optional.empty(), there, leavers);
  }

  /**
   * The switch that a change names, or the only one, where what it changes is in force; the
   * change's claims are held.
   *
   * @throws Refusal if that is not there
   */
  Route inPlace(Change.Put put) throws Refusal {
    Optional<SwitchShard> now = holding(put.kind(), put.id());
    boolean isThere =
        now.isPresent() && put.switchName().map(now.get().name()::equals).orElse(network.isOne());
    if (!isThere) {
      throw new Refusal(List.of(Problem.notFound(put.kind(), put.id())));
    }
    return new Route.At(now.get());
  }

  /**
   * Refuses a change whose precondition does not hold. Where it is made at several switches, none
   * of them could tell; it stands still while it is claimed.
   */
  private static void requireAsExpected(Change change, Optional<SwitchShard> now) throws Refusal {
    Precondition expected = change.precondition();
    if (expected instanceof Precondition.None) {
      return;
    }
    Optional<Declaration> inForce =
        now.flatMap(shard -> shard.find(change.kind(), change.id())).map(Declared::declared);
    if (!expected.holds(inForce) || !expected.holdsAt(now.map(SwitchShard::name))) {
      throw new Refusal(List.of(Problem.overtaken(change.kind(), change.id())));
    }
  }

  /** The switch at which a subscriber or a rate limit is in force. */
  private Optional<SwitchShard> holding(Kind kind, String id) {
    return names.switchOf(kind, id).flatMap(network::named);
  }

  private List<SwitchShard> leavers(String subscriberId) {
    List<SwitchShard> leavers = List.of();
    for (SwitchShard shard : network.all()) {
      if (shard.leaving(subscriberId).isPresent()) {
        leavers = leavers.isEmpty() ? new ArrayList<>() : leavers;
        leavers.add(shard);
      }
    }
    return leavers;
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
      String id = scope.subscriberId();
      // Without the subscriber, any switch says so that does not serve it for another one.
      return Optional.ofNullable(coming.get(id))
          .or(() -> holding(Kind.SUBSCRIBER, id))
          .or(() -> network.all().stream().filter(s -> s.leaving(id).isEmpty()).findFirst())
          .orElseThrow(() -> new Refusal(List.of(noSubscriber(id))));
    }
    if (named.isPresent()) {
      return named.get();
    }
    if (network.isOne()) {
      return network.first();
    }
    throw new Refusal(
        List.of(Problem.of(Problem.Code.INVALID, field, "absent", "one of " + names())));
  }

  /** False for a limit of a subscriber that there is not, which is refused for that. */
  private boolean limitsSomething(RateLimit limit, Map<String, SwitchShard> coming) {
    return !(limit.scope() instanceof Scope.OfSubscriber of)
        || coming.containsKey(of.subscriberId())
        || holding(Kind.SUBSCRIBER, of.subscriberId()).isPresent();
  }

  /** The problems of a limit that no wait for the end of a move would solve. */
  private static Optional<List<Problem>> wrongAnyway(Change.Put put, SwitchShard there) {
    return there.dryRun(put) instanceof Outcome.Refused refused
            && refused.code() == Problem.Code.INVALID
        ? Optional.of(refused.problems())
        : Optional.empty();
  }

  private static Problem noSubscriber(String id) {
    return new Problem(
        Problem.Code.INVALID,
        "scope.subscriber",
        id,
        "the id of an existing subscriber",
        "There is no subscriber " + id + ".");
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

  /** Refuses to give the limit of a subscriber that leaves there to another one meanwhile. */
  static Optional<Problem> takenByLeaver(RateLimit limit, SwitchShard there) {
    return there
        .leaverLimitedBy(limit.id())
        .filter(leaver -> !limit.scope().equals(new Scope.OfSubscriber(leaver)))
        .map(
            leaver ->
                new Problem(
                    Problem.Code.CONFLICT,
                    "id",
                    limit.id(),
                    "an id that is free at switch " + there.name(),
                    "Rate limit "
                        + limit.id()
                        + " still limits subscriber "
                        + leaver
                        + " at switch "
                        + there.name()
                        + ", which the subscriber leaves; try again when the move is over."));
  }
}
