package net.sluice.core.network;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import net.sluice.core.ControllerConfig;
import net.sluice.core.ControllerException;
import net.sluice.core.Outcome;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.core.shard.SwitchShard;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.state.Conflicts;
import net.sluice.core.state.Names;
import net.sluice.core.store.NetworkStore;
import net.sluice.core.store.Revision;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.compile.Revalidation;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Trunks;
import net.sluice.intents.state.Leaving;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.InvalidValueException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which switches are in the network.
 *
 * <p>What is stored for a switch that comes may collide with what is in force: it was away while
 * its names were given to others. The switch that was in the network later has the older right, and
 * of two that were in it together, the one that is named first; what the other one has is set
 * aside, see {@link Conflicts}. A policy is everywhere what it is at the switch with the older
 * right.
 *
 * <p>More than 500 lines, because coming, going and the rights of names are decided under one lock.
 */
public final class Membership {
  private static final Logger LOG = LoggerFactory.getLogger(Membership.class);
  private static final int SOME = 3;

  /** Changes of policies may come again and again while a switch is read. */
  private static final int MOST_READS = 4;

  private final Network network;
  private final Names names;
  private final NetworkStore store;
  private final Function<ControllerConfig, Compiler> compilers;
  private final Function<NetworkSwitch, SwitchShard> shards;
  private final BiConsumer<SwitchShard, Consumer<Outcome>> catchingUp;

  /** Switches that could not be taken in as the controller was opened, with the reason. */
  private final Map<String, String> leftOut = new ConcurrentSkipListMap<>();

  private boolean closed;

  /**
   * The switches of a network.
   *
   * @param catchingUp brings what has come due at a switch into force before it is driven, and
   *     passes each change on
   */
  public Membership(
      Network network,
      Names names,
      NetworkStore store,
      Function<ControllerConfig, Compiler> compilers,
      Function<NetworkSwitch, SwitchShard> shards,
      BiConsumer<SwitchShard, Consumer<Outcome>> catchingUp) {
    this.catchingUp = catchingUp;
    this.network = network;
    this.names = names;
    this.store = store;
    this.compilers = compilers;
    this.shards = shards;
  }

  // ---------------------------------------------------------------- opening

  /**
   * Takes in the first switches; {@link SwitchShard#start} is the caller's.
   *
   * @param due is given what has come due since they were driven last
   * @throws InvalidValueException if they do not fit each other
   * @throws ControllerException if what is stored does not fit the topology or the profiles
   */
  public void open(List<NetworkSwitch> switches, Consumer<Outcome> due) {
    requireFitting(switches);
    switches.forEach(member -> network.put(shards.apply(member)));
    Map<String, Long> lastSeen = store.lastSeen();
    List<SwitchShard> byRight = byRight(network.all(), lastSeen);
    byRight.forEach(SwitchShard::join);
    see(lastSeen, network.byName().keySet());
    Map<String, Change.Put> policies = NetworkPolicies.of(holdings(byRight), lastSeen);
    for (SwitchShard shard : byRight) {
      List<Problem> problems = spread(policies, shard);
      if (problems.isEmpty()) {
        catchingUp.accept(shard, due);
      } else {
        leaveOut(shard, problems);
      }
    }
  }

  private static List<SwitchShard> byRight(
      Collection<SwitchShard> all, Map<String, Long> lastSeen) {
    return all.stream().sorted(Comparator.comparing(SwitchShard::name, byRight(lastSeen))).toList();
  }

  /** Of switches by name, those that were in the network later first. */
  static Comparator<String> byRight(Map<String, Long> lastSeen) {
    return Comparator.comparingLong((String name) -> lastSeen.getOrDefault(name, 0L)).reversed();
  }

  private static List<NetworkPolicies.Holding> holdings(List<SwitchShard> shards) {
    return shards.stream()
        .map(shard -> new NetworkPolicies.Holding(shard.name(), shard.policies(), shard::uses))
        .toList();
  }

  private void see(Map<String, Long> lastSeen, Collection<String> present) {
    long number = 1 + lastSeen.values().stream().mapToLong(Long::longValue).max().orElse(0);
    Map<String, Long> now = new TreeMap<>(lastSeen);
    present.forEach(name -> now.put(name, number));
    store.lastSeen(now);
  }

  private void leaveOut(SwitchShard shard, List<Problem> problems) {
    String reason = Problem.sentences(problems);
    LOG.error(
        "switch {} is left out of the network, because it cannot be given the policies in force:"
            + " {}",
        shard.name(),
        reason);
    leftOut.put(shard.name(), reason);
    shard.close();
    network.remove(shard.name());
    names.drop(shard.name());
  }

  /** Switches that could not be taken in, with the reason, by name. */
  public Map<String, String> leftOut() {
    return leftOut;
  }

  // ---------------------------------------------------------------- policies

  /** Gives a switch the network's policies and no others; what refused one, if something did. */
  private static List<Problem> spread(Map<String, Change.Put> policies, SwitchShard shard) {
    List<Change> changes =
        NetworkPolicies.changes(
            shard.policies(),
            policies,
            other -> {
              if (other.kind() == Kind.POLICY && shard.holdsAnything()) {
                LOG.warn(
                    "switch {}: policy {} is another one in the network; the one stored here is"
                        + " kept aside: see GET /sluice/v1/conflicts",
                    shard.name(),
                    other.id());
                shard.conflicts().keep(shard.policyState(other.id()));
              }
            });
    List<Problem> problems = new ArrayList<>();
    shard
        .changes()
        .applyAll(
            changes,
            outcome -> {
              if (outcome instanceof Outcome.Refused refused) {
                problems.addAll(refused.problems());
              }
            });
    return problems;
  }

  // ---------------------------------------------------------------- coming and going

  /**
   * Takes a switch into the network, or drives the one of that name otherwise from now on; what is
   * stored of it is admitted again first. The controller closes its targets.
   *
   * @return true if there was none of that name
   * @throws Refusal if what is stored would lose service there, it has no room for the policies, or
   *     a trunk could not be; nothing has changed, and the targets are not closed
   * @throws ControllerException if the controller is closed, or the store fails; the switch that is
   *     there goes on as before
   */
  public boolean put(NetworkSwitch member) throws Refusal {
    requireThatItFits(member);
    Optional<Boolean> isNew = Optional.empty();
    try {
      for (int left = MOST_READS - 1; isNew.isEmpty(); left--) {
        isNew = take(member, prepare(member), left > 0);
      }
    } finally {
      network.named(member.name()).ifPresent(shard -> shard.changes().resume());
    }
    return isNew.get();
  }

  /**
   * Takes in a switch that has been read.
   *
   * @param mayFail whether it is left as it is if something has changed since it was read; changes
   *     at that switch wait from then on. Otherwise it is read once more while all changes wait
   * @return true if there was none of that name; empty if something has changed
   */
  private Optional<Boolean> take(NetworkSwitch member, Prepared read, boolean mayFail)
      throws Refusal {
    Prepared[] prepared = {read};
    try {
      return network.changing(
          () -> {
            Optional<SwitchShard> before = network.named(member.name());
            requireThatItFits(member);
            if (!read.isUpToDate()) {
              if (mayFail) {
                before.ifPresent(shard -> shard.changes().pause());
                return Optional.empty();
              }
              prepared[0] = prepare(member);
              read.shard.close();
            }
            prepared[0].requireAccepted();
            SwitchShard shard = prepared[0].shard;
            settle(shard);
            unlessClosed(
                () -> {
                  // Its sessions must not look for names that are the new one's.
                  before.ifPresent(SwitchShard::close);
                  shard.join();
                  network.put(shard);
                  leftOut.remove(member.name());
                  shard.start();
                });
            return Optional.of(before.isEmpty());
          });
    } finally {
      if (network.named(member.name()).filter(prepared[0].shard::equals).isEmpty()) {
        prepared[0].shard.close();
      }
    }
  }

  private void requireThatItFits(NetworkSwitch member) throws Refusal {
    requireWritable();
    requireTargetsOf(member);
    requireTrunks(member);
  }

  /**
   * A switch that is about to come, with what is stored for it.
   *
   * @param brought the policies that it has and the others do not
   * @param policies those of the network as it was admitted with them
   * @param revisions how far the store had got for it before it was read
   */
  private record Prepared(
      SwitchShard shard,
      List<Change.Put> brought,
      Map<String, Change.Put> policies,
      List<Revision> revisions,
      Membership of) {
    /** Whether it would be the same if it were prepared now. */
    private boolean isUpToDate() {
      return revisions.equals(of.revisions(shard.name()))
          && policies.equals(of.policiesBeside(shard.name()));
    }

    private void requireAccepted() throws Refusal {
      for (Change.Put policy : brought) {
        Membership.requireAccepted(of.others(shard.name()), policy);
      }
    }
  }

  /** Reads and admits what is stored of a switch. That takes long, so nothing is held meanwhile. */
  private Prepared prepare(NetworkSwitch member) throws Refusal {
    List<Revision> revisions = revisions(member.name());
    Map<String, Change.Put> policies = policiesBeside(member.name());
    List<Change.Put> brought = requireAdmitted(member, policies);
    return new Prepared(shards.apply(member), brought, policies, revisions, this);
  }

  private List<Revision> revisions(String name) {
    return List.of(store.of(name).history().revision(), Conflicts.revision(store, name));
  }

  /** The policies in force at other switches; none if there is no other. */
  private Map<String, Change.Put> policiesBeside(String name) {
    Map<String, Change.Put> policies = new TreeMap<>();
    others(name).stream()
        .findFirst()
        .ifPresent(
            other ->
                other
                    .policies()
                    .forEach(policy -> policies.put(NetworkPolicies.key(policy), policy)));
    return policies;
  }

  /**
   * Stores what has to be for a switch that is about to come: what cannot be in force is set aside,
   * and it gets the policies of the others, and they those that it brings. The one of its name that
   * is there goes on meanwhile, and for good if this fails.
   */
  private void settle(SwitchShard shard) {
    shard.settleConflicts();
    Map<String, Long> lastSeen = store.lastSeen();
    List<SwitchShard> byRight = new ArrayList<>(byRight(network.all(), lastSeen));
    byRight.removeIf(each -> each.name().equals(shard.name()));
    byRight.add(shard);
    see(lastSeen, byRight.stream().map(SwitchShard::name).toList());
    if (byRight.size() > 1) {
      Map<String, Change.Put> policies = NetworkPolicies.of(holdings(byRight), lastSeen);
      for (SwitchShard each : byRight) {
        List<Problem> problems = spread(policies, each);
        if (!problems.isEmpty()) {
          throw new ControllerException("switch " + each.name() + ": " + problems.get(0).detail());
        }
      }
    }
    // Each change has an event of its own.
    catchingUp.accept(shard, outcome -> {});
  }

  /** The content of a store that has failed is known only once all have read it again. */
  private void requireWritable() {
    network.all().forEach(shard -> shard.changes().requireWritable());
  }

  /** Runs an action unless this is closed; after that no switch comes any more. */
  private synchronized void unlessClosed(Runnable action) {
    if (closed) {
      throw new ControllerException("the controller is closed");
    }
    action.run();
  }

  /** No switch is taken in any more. */
  public synchronized void close() {
    closed = true;
  }

  /**
   * Leaves a switch out of the network. What is installed there stays installed; nobody drives it.
   * If it comes back it takes the policies in force then.
   *
   * @throws Refusal NOT_FOUND if there is none of that name; CONFLICT if it is the last, or
   *     subscribers or rate limits are declared there, or another switch has a trunk to it
   * @throws StoreException if the store fails; the switch stays
   */
  public void remove(String name) throws Refusal {
    boolean unused =
        network.changing(
            () -> {
              SwitchShard shard = network.named(name).orElse(null);
              if (shard == null) {
                throw refusal(
                    Problem.Code.NOT_FOUND,
                    name,
                    "one of " + String.join(", ", network.byName().keySet()),
                    "There is no switch " + name + ".");
              }
              if (network.isOne()) {
                throw refusal(
                    Problem.Code.CONFLICT,
                    name,
                    "one of several switches",
                    "Switch " + name + " is the only one.");
              }
              requireWritable();
              requireUnused(shard);
              requireNoTrunkTo(name);
              // What is left of it in the store are policies without a user: see NetworkPolicies.
              see(store.lastSeen(), others(name).stream().map(SwitchShard::name).toList());
              shard.close();
              network.remove(name);
              names.drop(name);
              return true;
            });
  }

  private List<SwitchShard> others(String name) {
    return network.all().stream().filter(shard -> !shard.name().equals(name)).toList();
  }

  // ---------------------------------------------------------------- what is asked of a switch

  private void requireTargetsOf(NetworkSwitch member) throws Refusal {
    for (SwitchShard shard : network.all()) {
      for (String target : member.targetNames()) {
        if (!shard.name().equals(member.name()) && shard.hasTarget(target)) {
          throw new Refusal(
              List.of(
                  Problem.of(
                      Problem.Code.CONFLICT,
                      "id",
                      member.name(),
                      "a name with which no target is called as "
                          + target
                          + " of switch "
                          + shard.name())));
        }
      }
    }
  }

  /** Its trunks, and those of others that end at it, in the network as it is to be. */
  private void requireTrunks(NetworkSwitch member) throws Refusal {
    Map<String, Topology> topologies = network.topologies();
    // As the last, it is the misfit of two that cannot be together.
    topologies.remove(member.name());
    topologies.put(member.name(), member.config().topology());
    List<Problem> problems =
        Trunks.of(topologies).misfits().stream()
            .map(
                misfit ->
                    misfit.switchName().equals(member.name())
                        ? misfit.problem("topology")
                        : ofAnother(misfit, member.name()))
            .toList();
    if (!problems.isEmpty()) {
      throw new Refusal(problems);
    }
  }

  private static Problem ofAnother(Trunks.Misfit misfit, String name) {
    return new Problem(
        Problem.Code.CONFLICT,
        "topology",
        name,
        "a topology with which the trunks of other switches can end here",
        "The topology does not fit the trunks of switch "
            + misfit.switchName()
            + ": "
            + misfit.problem("topology").detail());
  }

  /**
   * Its declarations, and the network's policies, as the switch is to be.
   *
   * @return the policies that it brings
   */
  private List<Change.Put> requireAdmitted(NetworkSwitch member, Map<String, Change.Put> policies)
      throws Refusal {
    Compiler compiler = compilers.apply(member.config());
    Revalidation readmission = compiler.readmission();
    CompactSlaState state = CompactSlaState.load(store.of(member.name()), compiler, readmission);
    if (!readmission.misfits().isEmpty()) {
      throw new Refusal(
          List.of(
              new Problem(
                  Problem.Code.CONFLICT,
                  "topology",
                  member.name(),
                  "a topology and a profile under which nothing loses service",
                  readmission.misfits().text())));
    }
    if (others(member.name()).isEmpty()) {
      return List.of();
    }
    List<Change.Put> here = SwitchShard.ofNetwork(state);
    for (Change change : NetworkPolicies.changes(here, policies, other -> {})) {
      // One that the switch brings and uses comes into force at the others, too.
      if (change instanceof Change.Put || !SwitchShard.uses(state, change)) {
        int unused = state.apply(compiler.compile(state, change));
      }
    }
    return SwitchShard.ofNetwork(state).stream()
        .filter(each -> !policies.containsKey(NetworkPolicies.key(each)))
        .toList();
  }

  /** A policy that the switch brings and uses has to be possible at the others. */
  private static void requireAccepted(List<SwitchShard> others, Change.Put policy) throws Refusal {
    for (SwitchShard shard : others) {
      if (shard.changes().dryRun(policy) instanceof Outcome.Refused refused) {
        throw new Refusal(
            refused.problems().stream()
                .map(
                    problem ->
                        new Problem(
                            problem.code(),
                            "policy",
                            policy.id(),
                            problem.allowed(),
                            "Policy "
                                + policy.id()
                                + ", which subscribers of this switch have, cannot be at switch "
                                + shard.name()
                                + ": "
                                + problem.detail()))
                .toList());
      }
    }
  }

  private static void requireUnused(SwitchShard shard) throws Refusal {
    for (Kind kind : List.of(Kind.SUBSCRIBER, Kind.RATE_LIMIT)) {
      int count = shard.count(kind);
      if (count > 0) {
        String some = String.join(", ", shard.ids(kind, "", SOME));
        throw refusal(
            Problem.Code.CONFLICT,
            shard.name(),
            "a switch that nothing is declared for",
            String.format(
                Locale.ROOT,
                "Switch %s is in use: %d %s%s, such as %s.",
                shard.name(),
                count,
                kind.words(),
                count == 1 ? "" : "s",
                some));
      }
    }
    if (shard.leavers() > 0) {
      Map.Entry<String, Leaving> first = shard.leaving().entrySet().iterator().next();
      throw refusal(
          Problem.Code.CONFLICT,
          shard.name(),
          "a switch that serves nobody",
          String.format(
              Locale.ROOT,
              "Switch %s is in use: it serves %d of those who leave it, such as %s until switch %s"
                  + " does.",
              shard.name(),
              shard.leavers(),
              first.getKey(),
              first.getValue().toSwitch()));
    }
    if (shard.conflicts().count() > 0) {
      throw refusal(
          Problem.Code.CONFLICT,
          shard.name(),
          "a switch without conflicts",
          String.format(
              Locale.ROOT,
              "For switch %s %d declarations are kept that are not in force: see GET"
                  + " /sluice/v1/conflicts.",
              shard.name(),
              shard.conflicts().count()));
    }
  }

  private void requireNoTrunkTo(String name) throws Refusal {
    List<String> from = new ArrayList<>();
    network
        .topologies()
        .forEach(
            (other, topology) ->
                topology.trunks().stream()
                    .filter(trunk -> trunk.toSwitch().equals(name) && !other.equals(name))
                    .forEach(trunk -> from.add(other + " port " + trunk.port())));
    if (!from.isEmpty()) {
      throw refusal(
          Problem.Code.CONFLICT,
          name,
          "a switch that no other switch has a trunk to",
          "Switch "
              + name
              + " is in use: trunks come to it from "
              + String.join(", ", from.subList(0, Math.min(SOME, from.size())))
              + (from.size() > SOME ? " and " + (from.size() - SOME) + " others" : "")
              + ".");
    }
  }

  private static Refusal refusal(Problem.Code code, String name, String allowed, String detail) {
    return new Refusal(List.of(new Problem(code, "switch", name, allowed, detail)));
  }

  private static void requireFitting(List<NetworkSwitch> switches) {
    if (switches.isEmpty()) {
      throw new InvalidValueException("switches", "[]", "at least one switch");
    }
    List<String> targets = new ArrayList<>();
    List<String> names = new ArrayList<>();
    Map<String, Topology> topologies = new LinkedHashMap<>();
    for (NetworkSwitch member : switches) {
      requireNew(names, "switch", member.name());
      member.targetNames().forEach(target -> requireNew(targets, "target", target));
      topologies.put(member.name(), member.config().topology());
    }
    Trunks.requireFitting(topologies);
  }

  private static void requireNew(List<String> known, String field, String name) {
    if (known.contains(name)) {
      throw new InvalidValueException(field, name, "a name that no other " + field + " has");
    }
    known.add(name);
  }
}
