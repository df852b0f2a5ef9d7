package net.sluice.intents.state;

import java.util.Optional;
import java.util.function.ToLongFunction;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.TableUse;

/**
 * Something that a switch has a number of and that declarations use.
 *
 * @param name see {@link TableUse#resource}
 * @param used how many a state uses; counted for each change, so without a search
 * @param size how many the switch has
 * @param more how many more a plan uses; 0 or less where it uses none
 */
public record TableResource(
    String name, ToLongFunction<SlaState> used, long size, ToLongFunction<Plan> more) {
  /** How full it is. */
  public TableUse in(SlaState state) {
    return new TableUse(name, used.applyAsLong(state), size);
  }

  /** True if it is nearly full with that many more. */
  public boolean isNearlyFull(SlaState state, long most) {
    return TableUse.isNearlyFull(used.applyAsLong(state) + most, size);
  }

  /** Says, for people, that it is nearly or quite full with what a plan takes more of it. */
  public Optional<String> note(SlaState state, Plan plan) {
    long grows = more.applyAsLong(plan);
    return grows > 0 && isNearlyFull(state, grows)
        ? new TableUse(name, used.applyAsLong(state) + grows, size).note()
        : Optional.empty();
  }
}
