package net.sluice.core.state;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import net.sluice.core.Conflict;
import net.sluice.core.Outcome;
import net.sluice.core.store.IntentStore;
import net.sluice.core.store.NetworkStore;
import net.sluice.core.store.Revision;
import net.sluice.core.store.StoreBatch;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.validate.Problem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The declarations that are stored for a switch and not in force there, because one in force at
 * another switch has their id or their prefixes. It was so when the switch came into the network,
 * and stays so until somebody decides.
 */
public final class Conflicts {
  private static final Logger LOG = LoggerFactory.getLogger(Conflicts.class);
  private static final int AT_ONCE = 10_000;
  private static final int NAMED = 3;

  /** No switch is called so: the store keeps apart what is set aside for one. */
  private static final String SUFFIX = "~conflicts";

  private final String switchName;
  private final NetworkStore network;
  private final Names names;

  /** Null until something is kept. */
  private volatile IntentStore kept;

  /** Written by one thread at a time. */
  private volatile long count;

  public Conflicts(String switchName, NetworkStore network, Names names) {
    this.switchName = switchName;
    this.network = network;
    this.names = names;
    if (areKept(network, switchName)) {
      IntentStore unused = begin();
    }
    recount();
  }

  /** Name of the switch. */
  String switchName() {
    return switchName;
  }

  /** Whether something may have been set aside for a switch. */
  public static boolean areKept(NetworkStore network, String switchName) {
    return network.holds(switchName + SUFFIX);
  }

  /** How far a store has got with what is set aside for a switch. */
  public static Revision revision(NetworkStore network, String switchName) {
    return areKept(network, switchName)
        ? network.of(switchName + SUFFIX).history().revision()
        : Revision.NONE;
  }

  /** How many are set aside already, for people; empty if none are. */
  public Optional<String> keptText() {
    return count == 0
        ? Optional.empty()
        : Optional.of(
            count
                + (count == 1 ? " declaration is" : " declarations are")
                + " kept aside from earlier and not installed: see GET /sluice/v1/conflicts");
  }

  /** Brings a state into force; what cannot be because of another switch is set aside first. */
  void join(CompactSlaState state) {
    List<Names.Collision> collisions;
    do {
      collisions = state.join(names, switchName);
      setAside(state, collisions);
    } while (!collisions.isEmpty());
  }

  /** Takes all names of the switch out of the network's, before another state is brought in. */
  void leaveNames() {
    names.drop(switchName);
  }

  /** Sets aside what cannot be in force because of another switch. */
  void settle(CompactSlaState state) {
    setAside(state, state.collisions(names, switchName));
  }

  private void setAside(CompactSlaState state, List<Names.Collision> collisions) {
    if (collisions.isEmpty()) {
      return;
    }
    LOG.warn("switch {}: {}: see GET /sluice/v1/conflicts", switchName, text(collisions));
    for (int from = 0; from < collisions.size(); from += AT_ONCE) {
      int to = Math.min(collisions.size(), from + AT_ONCE);
      StoreBatch aside = new StoreBatch();
      state.setAside(collisions.subList(from, to), aside);
      commit(state.seal(), aside);
      state.committed();
    }
  }

  /** How many collide, and what becomes of them. */
  public static String text(List<Names.Collision> collisions) {
    String some =
        collisions.stream()
            .limit(NAMED)
            .map(collision -> collision.kind().words() + " " + collision.id())
            .collect(Collectors.joining(", "));
    return collisions.size()
        + (collisions.size() == 1 ? " declaration" : " declarations")
        + " collide with what other switches have in force, and are kept and not installed: "
        + some
        + (collisions.size() > NAMED ? " and others" : "");
  }

  private IntentStore begin() {
    if (kept == null) {
      kept = network.of(switchName + SUFFIX);
    }
    return kept;
  }

  private synchronized void commit(StoreBatch inForce, StoreBatch aside) {
    IntentStore unused = begin();
    Map<String, StoreBatch> batches = new LinkedHashMap<>();
    batches.put(switchName, inForce);
    batches.put(switchName + SUFFIX, aside);
    network.commit(batches);
    recount();
  }

  /** Keeps a policy whose definition is another one in the network. */
  public synchronized void keep(PolicyState policy) {
    StoreBatch aside = new StoreBatch();
    aside.put(policy);
    boolean isNew = find(Kind.POLICY, policy.policy().id()).isEmpty();
    begin().commit(aside);
    count += isNew ? 1 : 0;
  }

  /** Number of declarations that are set aside. */
  public long count() {
    return count;
  }

  private int readPolicies(String afterId, int limit, Consumer<Declaration> out) {
    return kept.scanPolicies(afterId, 0, limit, policy -> out.accept(policy.policy()));
  }

  private int readSubscribers(String afterId, int limit, Consumer<Declaration> out) {
    return kept.scanSubscribers(
        afterId, 0, limit, subscriber -> out.accept(subscriber.subscriber()));
  }

  private void recount() {
    if (kept == null) {
      return;
    }
    count =
        countAll((after, out) -> readPolicies(after, AT_ONCE, out))
            + countAll((after, out) -> readSubscribers(after, AT_ONCE, out))
            + countAll((after, out) -> kept.scanRateLimits(after, 0, AT_ONCE, out));
  }

  private interface Chunk {
    int read(String afterId, Consumer<Declaration> out);
  }

  private static long countAll(Chunk chunk) {
    String[] last = {""};
    long all = 0;
    int read;
    do {
      read = chunk.read(last[0], declaration -> last[0] = declaration.id());
      all += read;
    } while (read == AT_ONCE);
    return all;
  }

  /**
   * The first that are set aside, each with what is in its way, as the switch's dry run answers it.
   */
  public List<Conflict> first(int limit, Function<Change, Outcome> dryRun) {
    List<Declaration> first = new ArrayList<>();
    if (count > 0) {
      int unused = readPolicies("", limit, first::add);
      unused = readSubscribers("", limit - first.size(), first::add);
      unused = kept.scanRateLimits("", 0, limit - first.size(), first::add);
    }
    return first.stream()
        .map(each -> new Conflict(switchName, each, reason(each, dryRun)))
        .toList();
  }

  private String reason(Declaration declaration, Function<Change, Outcome> dryRun) {
    Kind kind = declaration.kind();
    String named = kind.words() + " " + declaration.id();
    if (kind == Kind.POLICY) {
      return named + " is declared otherwise in the network";
    }
    Optional<String> other = names.switchOf(kind, declaration.id());
    if (other.isPresent()) {
      return named + " is in force at switch " + other.get();
    }
    Outcome outlook = dryRun.apply(new Change.Put(declaration));
    return outlook instanceof Outcome.Refused refused
        ? Problem.sentences(refused.problems())
        : "nothing is in its way any more";
  }

  /** The declaration that is set aside under an id. */
  public Optional<Declaration> find(Kind kind, String id) {
    if (kept == null) {
      return Optional.empty();
    }
    return switch (kind) {
      case POLICY -> kept.policy(id).map(PolicyState::policy);
      case SUBSCRIBER -> kept.subscriber(id).map(SubscriberState::subscriber);
      case RATE_LIMIT -> kept.rateLimit(id).map(limit -> (Declaration) limit);
      // That of the network is in force.
      case TARIFF -> Optional.empty();
    };
  }

  /** Forgets what is set aside under an id. */
  public synchronized void forget(Kind kind, String id) {
    if (find(kind, id).isEmpty()) {
      return;
    }
    StoreBatch batch = new StoreBatch();
    switch (kind) {
      case POLICY -> batch.deletePolicy(id);
      case SUBSCRIBER -> batch.deleteSubscriber(id);
      case RATE_LIMIT -> batch.deleteRateLimit(id);
      case TARIFF -> batch.deleteTariff(id);
    }
    kept.commit(batch);
    // To count all that are left takes the longer the more there are.
    count--;
  }
}
