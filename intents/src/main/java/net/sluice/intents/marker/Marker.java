package net.sluice.intents.marker;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import net.sluice.intents.plan.Expected;
import net.sluice.intents.plan.Grants;
import net.sluice.intents.plan.PlanBuilder;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.state.Ledger;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.validate.Problems;

/**
 * A way to give packets their values by policies. It owns what that takes: which policies it can
 * hold, its part of a plan, what is granted, and what the switch should hold of it. Pure functions
 * of the state, in which it may have a {@link Ledger} of its own.
 */
public interface Marker {
  /** An empty ledger; empty if it keeps none. */
  default Optional<Ledger> newLedger() {
    return Optional.empty();
  }

  /** The switch entries that depend on no declaration. */
  Stream<SwitchEntry> baseEntries();

  /** Notes for people about its layout; empty if nothing is lost. */
  List<String> baseNotes();

  /** Adds what stands against a policy in its slot. */
  void admit(SlaState state, PolicyState policy, Problems problems);

  /** Adds what a policy is granted. */
  void grant(PolicyState policy, Grants out);

  /** Plans a policy; {@code before} or {@code after} is null if it is not there. */
  void replace(PolicyState before, PolicyState after, PlanBuilder plan);

  /** The switch entries of a policy. */
  Stream<Expected<SwitchEntry>> expected(PolicyState policy);

  /** The entry of a policy with the key of {@code actual}; empty if there is none. */
  Optional<Expected<SwitchEntry>> expected(SlaState state, SwitchEntry actual);
}
