package net.sluice.pipeconf.table;

import static net.sluice.pipeconf.table.TableBinding.bind;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.sluice.intents.plan.entry.forwarding.RouteEntry;
import net.sluice.intents.plan.entry.subscriber.DirectionPolicyEntry;
import net.sluice.pipeconf.p4info.DirectionPolicyTable;
import net.sluice.pipeconf.p4info.V1ModelProgram;
import org.junit.jupiter.api.Test;

/** A binding that leaves something of the table or of the entry out is refused. */
class TableBindingTest {
  private static final DirectionPolicyTable TABLE = V1ModelProgram.DESCRIPTOR.directionPolicy();

  private static TableBinding<DirectionPolicyEntry> matched() {
    return bind(TABLE, DirectionPolicyEntry.FORM)
        .exact(TABLE.index(), DirectionPolicyEntry.INDEX)
        .exact(TABLE.direction(), DirectionPolicyEntry.DIRECTION);
  }

  @Test
  void aMatchFieldThatCarriesNothing() {
    assertRefused(
        () ->
            bind(TABLE, DirectionPolicyEntry.FORM)
                .exact(TABLE.index(), DirectionPolicyEntry.INDEX)
                .means(DirectionPolicyEntry.DIRECTION, 0)
                .action(
                    TABLE.setPolicy(),
                    (a, set) -> a.param(set.policy(), DirectionPolicyEntry.POLICY_SLOT))
                .codec(),
        "nothing is bound to [" + TABLE.direction() + "]");
  }

  @Test
  void anActionThatNoEntryHas() {
    assertRefused(() -> matched().codec(), "nothing is bound to [][" + TABLE.setPolicy() + "]");
  }

  @Test
  void aParameterThatCarriesNothing() {
    assertRefused(
        () ->
            matched()
                .action(
                    TABLE.setPolicy(), (a, set) -> a.means(DirectionPolicyEntry.POLICY_SLOT, 1)),
        "nothing is bound to [" + TABLE.setPolicy().policy() + "]");
  }

  @Test
  void aFieldThatNothingTells() {
    assertRefused(
        () -> matched().action(TABLE.setPolicy(), (a, set) -> a.derived(set.policy(), entry -> 1L)),
        "does not tell policySlot");
    assertRefused(
        () ->
            bind(TABLE, RouteEntry.FORM)
                .exact(TABLE.index(), RouteEntry.PORT)
                .exact(TABLE.direction(), RouteEntry.PORT)
                .action(TABLE.setPolicy(), (a, set) -> a.derived(set.policy(), entry -> 1L))
                .codec(),
        "does not tell prefix");
  }

  @Test
  void aPartThatIsBoundTwice() {
    assertRefused(
        () -> matched().exact(TABLE.index(), DirectionPolicyEntry.INDEX),
        TABLE.index() + " is not left of " + TABLE.name());
    assertRefused(
        () ->
            matched()
                .action(
                    TABLE.setPolicy(),
                    (a, set) ->
                        a.param(set.policy(), DirectionPolicyEntry.POLICY_SLOT)
                            .means(DirectionPolicyEntry.POLICY_SLOT, 1)),
        "tells policySlot twice");
  }

  private static void assertRefused(Runnable binding, String message) {
    assertThatThrownBy(binding::run)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(message);
  }
}
