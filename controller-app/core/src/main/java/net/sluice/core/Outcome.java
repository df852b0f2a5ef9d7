package net.sluice.core;

import java.util.Comparator;
import java.util.List;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.validate.Problem;

/** The outcome of a change. */
public sealed interface Outcome {
  /** The change the outcome belongs to. */
  Change change();

  /** True if the change was accepted. */
  default boolean isAccepted() {
    return this instanceof Accepted;
  }

  /**
   * The change is durable, or, as the answer to a dry run, would be.
   *
   * @param change what was asked for
   * @param plan the writes it takes, what is granted, and notes for people
   * @param targets how far each target has got; empty for a dry run, for a deletion and for a
   *     change of a bulk
   * @param plans in a network, the writes by switch, in the order in which they come to be; empty
   *     where the plan is all there is
   * @param moves whether a put takes what it declares from another switch
   */
  record Accepted(
      Change change, Plan plan, List<TargetStatus> targets, List<SwitchPlan> plans, boolean moves)
      implements Outcome {
    public Accepted {
      targets = List.copyOf(targets);
      plans = List.copyOf(plans);
    }

    /** Of the only switch. */
    public Accepted(Change change, Plan plan, List<TargetStatus> targets) {
      this(change, plan, targets, List.of(), false);
    }

    /** The same with the plans of switches. */
    public Accepted withPlans(List<SwitchPlan> ofSwitches) {
      return new Accepted(change, plan, targets, ofSwitches, moves);
    }

    /** The same with how far targets have got. */
    public Accepted withTargets(List<TargetStatus> others) {
      return new Accepted(change, plan, others, plans, moves);
    }

    /** The same with these notes. */
    public Accepted withNotes(List<String> notes) {
      return new Accepted(change, plan.withNotes(notes), targets, plans, moves);
    }

    /** The same of what comes from another switch. */
    public Accepted moved() {
      return new Accepted(change, plan, targets, plans, true);
    }

    /** Whether a put replaces what was declared; at its new switch what moves is new. */
    public boolean replaces() {
      return moves || plan.delta().replaces();
    }
  }

  /** The part of a change at one switch and its FPGAs. */
  record SwitchPlan(String switchName, Plan plan) {}

  /**
   * The change was refused and nothing was done.
   *
   * @param change what was asked for
   * @param problems every reason found, at least one
   */
  record Refused(Change change, List<Problem> problems) implements Outcome {
    public Refused {
      problems = List.copyOf(problems);
      if (problems.isEmpty()) {
        throw new IllegalArgumentException("a refusal needs at least one problem");
      }
    }

    /** The gravest kind among the problems: the first in the order of {@link Problem.Code}. */
    public Problem.Code code() {
      return problems.stream().map(Problem::code).min(Comparator.naturalOrder()).orElseThrow();
    }
  }

  /**
   * A change of a bulk that was not made for a reason that is not the caller's; another attempt may
   * do.
   *
   * @param change what was asked for
   * @param reason for people
   */
  record Unmade(Change change, String reason) implements Outcome {}
}
