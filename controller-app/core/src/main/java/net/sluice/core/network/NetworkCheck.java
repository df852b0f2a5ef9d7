package net.sluice.core.network;

import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import net.sluice.core.ControllerConfig;
import net.sluice.core.StoredState;
import net.sluice.core.shard.SwitchShard;
import net.sluice.core.state.Agenda;
import net.sluice.core.state.CompactSlaState;
import net.sluice.core.state.Conflicts;
import net.sluice.core.state.Names;
import net.sluice.core.store.NetworkStore;
import net.sluice.core.store.StoreBatch;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.compile.Revalidation;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;
import net.sluice.intents.validate.Refusal;

/**
 * A look into a store, which is only read, as a controller would find it; see {@link Membership}.
 */
public final class NetworkCheck {
  private final NetworkStore store;
  private final Function<ControllerConfig, Compiler> compilers;
  private final Clock clock;
  private final Names names = new Names();
  private final Map<String, CompactSlaState> states = new TreeMap<>();
  private final Map<String, List<String>> notes = new TreeMap<>();

  public NetworkCheck(
      NetworkStore store, Function<ControllerConfig, Compiler> compilers, Clock clock) {
    this.clock = clock;
    this.store = store;
    this.compilers = compilers;
  }

  /**
   * The stored state of each of some switches, and what would become of it.
   *
   * @param switches their configurations by name, in the order of the network
   */
  public Map<String, StoredState> of(Map<String, ControllerConfig> switches) {
    Map<String, Long> lastSeen = store.lastSeen();
    List<String> byRight = switches.keySet().stream().sorted(Membership.byRight(lastSeen)).toList();
    Map<String, StoredState> found = new LinkedHashMap<>();
    for (String name : byRight) {
      found.put(name, load(name, switches.get(name)));
    }
    List<String> fitting = byRight.stream().filter(states::containsKey).toList();
    if (fitting.size() > 1) {
      spread(fitting, lastSeen, switches);
    }
    fitting.forEach(name -> catchUp(name, compilers.apply(switches.get(name))));
    Map<String, StoredState> told = new LinkedHashMap<>();
    switches
        .keySet()
        .forEach(
            name -> told.put(name, found.get(name).withNotes(notes.getOrDefault(name, List.of()))));
    return told;
  }

  private StoredState load(String name, ControllerConfig config) {
    new Conflicts(name, store, names).keptText().ifPresent(text -> note(name, text));
    Compiler compiler = compilers.apply(config);
    Revalidation readmission = compiler.readmission();
    CompactSlaState state = CompactSlaState.load(store.of(name), compiler, readmission);
    if (readmission.misfits().isEmpty()) {
      List<Names.Collision> collisions = state.collisions(names, name);
      if (!collisions.isEmpty()) {
        note(name, Conflicts.text(collisions));
        state.setAside(collisions, new StoreBatch());
      }
      if (!state.join(names, name).isEmpty()) {
        throw new IllegalStateException("what was set aside collides");
      }
      states.put(name, state);
    }
    return new StoredState(
        store.of(name).identity(),
        store.of(name).history().revision().number(),
        readmission.misfits(),
        compiler.uses(state),
        List.of());
  }

  /** As a start does: see {@link ScheduledChanges#catchUp}. */
  private void catchUp(String name, Compiler compiler) {
    CompactSlaState state = states.get(name);
    Agenda agenda = state.agenda(clock.instant(), false);
    for (Optional<Change.Put> due = agenda.next(); due.isPresent(); due = agenda.next()) {
      try {
        compiler.coming(state, due.get()).plan().ifPresent(state::apply);
      } catch (Refusal refusal) {
        throw new IllegalStateException("what is due has no precondition", refusal);
      }
    }
    state
        .longestOutOfForce()
        .ifPresent(
            longest ->
                note(
                    name,
                    ScheduledChanges.text(
                        state.countOutOfForce(),
                        longest.kind().words()
                            + " "
                            + longest.id()
                            + " is "
                            + compiler.outText(state, longest, clock.instant()))));
  }

  private void note(String name, String note) {
    notes.computeIfAbsent(name, unused -> new ArrayList<>()).add(note);
  }

  private void spread(
      List<String> byRight, Map<String, Long> lastSeen, Map<String, ControllerConfig> switches) {
    Map<String, Change.Put> policies =
        NetworkPolicies.of(
            byRight.stream()
                .map(
                    name ->
                        new NetworkPolicies.Holding(
                            name,
                            SwitchShard.ofNetwork(states.get(name)),
                            each -> SwitchShard.uses(states.get(name), each)))
                .toList(),
            lastSeen);
    for (String name : byRight) {
      CompactSlaState state = states.get(name);
      Compiler compiler = compilers.apply(switches.get(name));
      boolean holdsAnything =
          state.subscribers() > 0
              || state.rateLimits() > 0
              || notes.containsKey(name)
              || Conflicts.areKept(store, name);
      List<Change> changes =
          NetworkPolicies.changes(
              SwitchShard.ofNetwork(state),
              policies,
              other -> {
                if (other.kind() == Kind.POLICY && holdsAnything) {
                  note(
                      name,
                      "policy " + other.id() + " is another one in the network, and kept aside");
                }
              });
      for (Change change : changes) {
        try {
          int unused = state.apply(compiler.compile(state, change));
        } catch (Refusal refusal) {
          note(
              name,
              "it would be left out of the network, because it cannot be given the policies in"
                  + " force: "
                  + refusal.problems().get(0).detail());
          break;
        }
      }
    }
  }
}
