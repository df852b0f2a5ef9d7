package net.sluice.intents.compile;

import java.util.Optional;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.value.Direction;

/** The slots of the policies that value the packets of a subscriber, by direction. */
record PolicySlots(int down, int up) {
  /**
   * In place of a policy's slot, for packets that do not pass (p4/v1model/subscriber/admission.p4).
   */
  private static final int STOPPED = 255;

  /**
   * Those of a subscriber as it is now.
   *
   * @throws IllegalStateException if there is no such policy
   */
  static PolicySlots of(SlaState state, Subscriber subscriber) {
    if (subscriber.parts().stopped()) {
      return new PolicySlots(STOPPED, STOPPED);
    }
    int down = slot(state, subscriber, Direction.DOWN);
    return new PolicySlots(
        down, subscriber.isSplit() ? slot(state, subscriber, Direction.UP) : down);
  }

  private static int slot(SlaState state, Subscriber subscriber, Direction direction) {
    String policyId = subscriber.policyId(direction);
    Optional<PolicyState> policy = state.policy(policyId);
    if (policy.isEmpty()) {
      throw new IllegalStateException(
          "subscriber "
              + subscriber.id()
              + " has policy "
              + policyId
              + ", which the store does not hold");
    }
    return policy.get().slot();
  }
}
