package net.sluice.core.network;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.plan.Change;
import net.sluice.intents.validate.Problem.Code;

/**
 * The declarations of a network as clients know them from the answers they got. A change whose
 * commit failed is in doubt: it may have been made or not, until somebody looks.
 */
final class NetworkModel {
  /** Name of a declaration. */
  record Key(Kind kind, String id) {}

  /**
   * A declaration in force.
   *
   * @param at its switch; empty for a policy and for the limit of a subscriber
   */
  record Placed(Declaration declaration, String at) {}

  private static final Optional<Placed> NOTHING = Optional.empty();

  /** All that a declaration may be; those that are certainly not there are left out. */
  private final Map<Key, Set<Optional<Placed>>> known = new HashMap<>();

  /** Of switches that are not in the network, what was in force there. */
  private final Map<String, Map<Key, Placed>> away = new HashMap<>();

  /** By switch, what was stored there and collided with others as the switch came back. */
  private final Map<String, Map<Key, Declaration>> aside = new TreeMap<>();

  /** Of {@link #aside}, what may be there or not. */
  private final Set<String> perhapsAside = new HashSet<>();

  /** What may have been served at a switch since {@link #allMovesEnded}; may still be. */
  private final Set<Served> lately = new HashSet<>();

  private record Served(String at, String subscriber, String policy, Object name) {}

  // ---------------------------------------------------------------- answers

  /** A change is durable. */
  void acknowledged(Change change) {
    Key key = new Key(change.kind(), change.id());
    known.put(key, new HashSet<>(Set.of(after(change))));
    rememberServed();
  }

  /** The commit of a change failed. */
  void inDoubt(Change change) {
    may(new Key(change.kind(), change.id())).add(after(change));
    rememberServed();
  }

  private Set<Optional<Placed>> may(Key key) {
    return known.computeIfAbsent(key, unused -> new HashSet<>(Set.of(NOTHING)));
  }

  private static Optional<Placed> after(Change change) {
    return change instanceof Change.Put put
        ? Optional.of(new Placed(put.declaration(), put.switchName().orElse("")))
        : NOTHING;
  }

  /** Somebody looked: true if what was found is what may be. */
  boolean found(Key key, Optional<Placed> found) {
    boolean expected = may(key).contains(found);
    known.put(key, new HashSet<>(Set.of(found)));
    return expected;
  }

  /** All that a declaration may be, for the message of a test that fails. */
  Set<Optional<Placed>> possible(Key key) {
    return may(key);
  }

  /** No subscriber leaves a switch any more. */
  void allMovesEnded() {
    lately.clear();
    rememberServed();
  }

  private void rememberServed() {
    // A limit is served where its subscriber is, so that all of it is remembered each time.
    all(Kind.SUBSCRIBER)
        .forEach(
            placed -> {
              Subscriber subscriber = (Subscriber) placed.declaration();
              Stream<Object> limits =
                  all(Kind.RATE_LIMIT)
                      .filter(limit -> limits(limit).equals(Optional.of(subscriber.id())))
                      .map(limit -> limit.declaration().id());
              Stream.concat(limits, subscriber.prefixes().stream())
                  .map(
                      name -> new Served(placed.at(), subscriber.id(), subscriber.policyId(), name))
                  .forEach(lately::add);
            });
  }

  private Stream<Placed> all(Kind kind) {
    return known.entrySet().stream()
        .filter(each -> each.getKey().kind() == kind)
        .flatMap(each -> each.getValue().stream())
        .flatMap(Optional::stream);
  }

  /** The subscriber that a limit is of. */
  private static Optional<String> limits(Placed limit) {
    return ((RateLimit) limit.declaration()).scope() instanceof Scope.OfSubscriber of
        ? Optional.of(of.subscriberId())
        : Optional.empty();
  }

  // ---------------------------------------------------------------- what is in force

  /** Whether nothing is in doubt. */
  boolean isCertain() {
    return known.values().stream().allMatch(may -> may.size() == 1);
  }

  /** What is in force, where that is certain. */
  Map<Key, Placed> inForce() {
    Map<Key, Placed> inForce = new HashMap<>();
    known.forEach((key, may) -> may.iterator().next().ifPresent(one -> inForce.put(key, one)));
    return inForce;
  }

  /** The subscribers in force at a switch, where that is certain. */
  Map<String, Subscriber> subscribersAt(String name) {
    Map<String, Subscriber> subscribers = new TreeMap<>();
    inForce()
        .forEach(
            (key, placed) -> {
              if (key.kind() == Kind.SUBSCRIBER && placed.at().equals(name)) {
                subscribers.put(key.id(), (Subscriber) placed.declaration());
              }
            });
    return subscribers;
  }

  /** The limits in force that apply to a subscriber at its switch, where that is certain. */
  List<RateLimit> limitsOf(Subscriber subscriber, String at) {
    Scope.OfTree tree =
        new Scope.OfTree(subscriber.attachment().port(), subscriber.attachment().tree());
    return all(Kind.RATE_LIMIT)
        .filter(
            limit ->
                limits(limit).equals(Optional.of(subscriber.id()))
                    || (limit.at().equals(at)
                        && ((RateLimit) limit.declaration()).scope().equals(tree)))
        .map(limit -> (RateLimit) limit.declaration())
        .toList();
  }

  /** A policy in force, where that is certain. */
  Policy policy(String id) {
    return (Policy) inForce().get(new Key(Kind.POLICY, id)).declaration();
  }

  // ---------------------------------------------------------------- refusals

  /**
   * Whether a change is refused.
   *
   * @param must whether it has to be
   * @param may the codes it may be refused with
   */
  record Refusals(boolean must, Set<Code> may) {}

  /**
   * Whether a change has to be refused, may be, or must not be.
   *
   * @param isSmall whether the switch that it names may have no room
   * @return empty if that is in doubt
   */
  Optional<Refusals> refusals(Change change, boolean isSmall) {
    if (!isCertain()) {
      return Optional.empty();
    }
    Set<Code> must = EnumSet.noneOf(Code.class);
    Set<Code> may = EnumSet.noneOf(Code.class);
    if (change instanceof Change.Put put) {
      if (put.declaration() instanceof Subscriber subscriber) {
        put(subscriber, put.switchName().orElseThrow(), must, may);
        if (isSmall) {
          may.add(Code.CAPACITY);
        }
      } else if (put.declaration() instanceof RateLimit limit) {
        put(limit, must, may);
      }
    } else {
      delete(change, must, may);
    }
    may.addAll(must);
    return Optional.of(new Refusals(!must.isEmpty(), may));
  }

  private void put(Subscriber subscriber, String at, Set<Code> must, Set<Code> may) {
    if (!inForce().containsKey(new Key(Kind.POLICY, subscriber.policyId()))) {
      must.add(Code.INVALID);
    }
    all(Kind.SUBSCRIBER)
        .map(Placed::declaration)
        .filter(other -> !other.id().equals(subscriber.id()) && overlap(other, subscriber))
        .forEach(other -> must.add(Code.CONFLICT));
    lately.stream()
        .filter(served -> served.at.equals(at) && !served.subscriber.equals(subscriber.id()))
        .filter(served -> subscriber.prefixes().contains(served.name))
        .forEach(served -> may.add(Code.CONFLICT));
    // The limit that comes along may still limit somebody who leaves there.
    all(Kind.RATE_LIMIT)
        .filter(limit -> limits(limit).equals(Optional.of(subscriber.id())))
        .filter(limit -> isLimitServed(limit.declaration().id(), at, subscriber.id()))
        .forEach(limit -> may.add(Code.CONFLICT));
  }

  private boolean isLimitServed(String limitId, String at, String exceptSubscriber) {
    return lately.stream()
        .anyMatch(
            served ->
                served.at.equals(at)
                    && served.name.equals(limitId)
                    && !served.subscriber.equals(exceptSubscriber));
  }

  private static boolean overlap(Declaration one, Declaration other) {
    List<IpPrefix> prefixes = ((Subscriber) one).prefixes();
    return ((Subscriber) other).prefixes().stream().anyMatch(prefixes::contains);
  }

  private void put(RateLimit limit, Set<Code> must, Set<Code> may) {
    if (limit.scope() instanceof Scope.OfSubscriber of) {
      Placed subscriber = inForce().get(new Key(Kind.SUBSCRIBER, of.subscriberId()));
      if (subscriber == null) {
        must.add(Code.INVALID);
        return;
      }
      if (isLimitServed(limit.id(), subscriber.at(), of.subscriberId())) {
        may.add(Code.CONFLICT);
      }
    }
    all(Kind.RATE_LIMIT)
        .map(Placed::declaration)
        .filter(other -> !other.id().equals(limit.id()))
        .filter(other -> ((RateLimit) other).scope().equals(limit.scope()))
        .forEach(
            other -> {
              // Trees of two switches are two trees.
              may.add(Code.CONFLICT);
              if (limit.scope() instanceof Scope.OfSubscriber) {
                must.add(Code.CONFLICT);
              }
            });
  }

  private void delete(Change change, Set<Code> must, Set<Code> may) {
    Key key = new Key(change.kind(), change.id());
    if (!inForce().containsKey(key)) {
      // Somebody who leaves for a switch that is not there is not in force.
      boolean leaves =
          lately.stream().anyMatch(served -> served.subscriber.equals(change.id()))
              && change.kind() == Kind.SUBSCRIBER;
      (leaves ? may : must).add(Code.NOT_FOUND);
    } else if (change.kind() == Kind.SUBSCRIBER
        && all(Kind.RATE_LIMIT).anyMatch(l -> limits(l).equals(Optional.of(change.id())))) {
      must.add(Code.CONFLICT);
    } else if (change.kind() == Kind.POLICY) {
      if (all(Kind.SUBSCRIBER).anyMatch(placed -> uses(placed.declaration(), change.id()))) {
        must.add(Code.CONFLICT);
      } else if (lately.stream().anyMatch(served -> served.policy.equals(change.id()))) {
        may.add(Code.CONFLICT);
      }
    }
  }

  private static boolean uses(Declaration subscriber, String policyId) {
    return ((Subscriber) subscriber).policyId().equals(policyId);
  }

  // ---------------------------------------------------------------- switches that come and go

  /** The network goes on without a switch; nothing is in doubt. */
  void leaves(String name) {
    Map<Key, Placed> stored = new HashMap<>();
    inForce()
        .forEach(
            (key, placed) -> {
              if (placed.at().equals(name) || key.kind() == Kind.POLICY) {
                stored.put(key, placed);
              } else if (key.kind() == Kind.RATE_LIMIT && isLimitAt(placed, name)) {
                stored.put(key, placed);
              }
            });
    away.put(name, stored);
    stored.keySet().stream()
        .filter(key -> key.kind() != Kind.POLICY)
        .forEach(key -> known.put(key, new HashSet<>(Set.of(NOTHING))));
  }

  private boolean isLimitAt(Placed limit, String name) {
    return limits(limit)
        .map(id -> inForce().get(new Key(Kind.SUBSCRIBER, id)))
        .filter(Objects::nonNull)
        .filter(subscriber -> subscriber.at().equals(name))
        .isPresent();
  }

  /** A switch without anything is deleted. */
  void isDeleted(String name) {
    away.put(name, new HashMap<>());
  }

  /** Whether somebody may leave a switch. */
  boolean mayLeave(String name) {
    return lately.stream().anyMatch(served -> served.at.equals(name));
  }

  /** Whether a switch is not in the network. */
  boolean isAway(String name) {
    return away.containsKey(name);
  }

  /** A switch is in the network again; nothing is in doubt. */
  void comesBack(String name) {
    Map<Key, Placed> stored = away.remove(name);
    Map<Key, Placed> others = inForce();
    Set<Key> collide =
        stored.entrySet().stream()
            .filter(each -> each.getKey().kind() != Kind.POLICY)
            .filter(each -> collides(each.getValue(), others))
            .map(Map.Entry::getKey)
            .collect(Collectors.toCollection(HashSet::new));
    stored.forEach(
        (key, placed) -> {
          if (key.kind() == Kind.RATE_LIMIT
              && limits(placed)
                  .filter(id -> collide.contains(new Key(Kind.SUBSCRIBER, id)))
                  .isPresent()) {
            collide.add(key);
          }
        });
    Map<Key, Declaration> kept = aside.computeIfAbsent(name, unused -> new HashMap<>());
    stored.forEach(
        (key, placed) -> {
          if (key.kind() == Kind.POLICY) {
            comesBack(name, key, placed, stored, collide, others, kept);
          } else if (collide.contains(key)) {
            kept.put(key, placed.declaration());
          } else {
            known.put(key, new HashSet<>(Set.of(Optional.of(placed))));
          }
        });
    rememberServed();
  }

  private static boolean collides(Placed placed, Map<Key, Placed> others) {
    Declaration declaration = placed.declaration();
    return others.containsKey(new Key(declaration.kind(), declaration.id()))
        || (declaration instanceof Subscriber
            && others.values().stream()
                .map(Placed::declaration)
                .anyMatch(other -> other instanceof Subscriber && overlap(other, declaration)));
  }

  private void comesBack(
      String name,
      Key key,
      Placed policy,
      Map<Key, Placed> stored,
      Set<Key> collide,
      Map<Key, Placed> others,
      Map<Key, Declaration> kept) {
    if (others.containsKey(key)) {
      // A switch that serves nobody takes the policies there are.
      boolean keeps = stored.keySet().stream().anyMatch(each -> each.kind() != Kind.POLICY);
      boolean isLeft = lately.stream().anyMatch(served -> served.at.equals(name));
      if (!others.get(key).equals(policy) && (keeps || isLeft || !kept.isEmpty())) {
        kept.put(key, policy.declaration());
        if (!keeps && kept.keySet().stream().noneMatch(each -> each.kind() != Kind.POLICY)) {
          perhapsAside.add(words(name, policy.declaration()));
        }
      }
      return;
    }
    boolean isUsed =
        stored.entrySet().stream()
            .filter(each -> each.getKey().kind() == Kind.SUBSCRIBER)
            .filter(each -> !collide.contains(each.getKey()))
            .anyMatch(each -> uses(each.getValue().declaration(), key.id()));
    Set<Optional<Placed>> may = new HashSet<>(Set.of(Optional.of(policy)));
    if (!isUsed) {
      may.add(NOTHING);
      // Those who leave there use it, too.
      boolean mayBeUsed =
          lately.stream()
              .anyMatch(served -> served.at.equals(name) && served.policy.equals(key.id()));
      if (!mayBeUsed) {
        may.remove(Optional.of(policy));
      }
    }
    known.put(key, may);
  }

  // ---------------------------------------------------------------- conflicts

  /**
   * Somebody looked at the conflicts.
   *
   * @param found each as {@link #words}
   * @return what should be there in place of that; the same if all is well
   */
  Set<String> conflicts(Set<String> found) {
    Set<String> expected = new TreeSet<>();
    aside.forEach(
        (name, kept) -> {
          if (!isAway(name)) {
            kept.values()
                .removeIf(
                    each ->
                        perhapsAside.contains(words(name, each))
                            && !found.contains(words(name, each)));
            kept.values().forEach(each -> expected.add(words(name, each)));
          }
        });
    perhapsAside.removeIf(words -> !isAway(words.substring(0, words.indexOf(':'))));
    return expected;
  }

  /** A conflict as words. */
  static String words(String name, Declaration declaration) {
    return name + ": " + declaration;
  }

  /** Whether something is set aside for a switch. */
  boolean hasConflicts(String name) {
    return !aside.getOrDefault(name, Map.of()).isEmpty();
  }

  /** The commit of a decision about a conflict failed. */
  void mayBeMended(String name, Declaration declaration) {
    perhapsAside.add(words(name, declaration));
  }

  /** Whether a conflict may be there or not. */
  boolean mayBeMended() {
    return !perhapsAside.isEmpty();
  }

  /** Somebody decided about a conflict. */
  void mended(String name, Kind kind, String id) {
    aside.get(name).remove(new Key(kind, id));
  }
}
