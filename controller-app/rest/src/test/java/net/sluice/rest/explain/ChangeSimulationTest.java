package net.sluice.rest.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyList;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.sluice.core.Controller;
import net.sluice.core.Outcome;
import net.sluice.core.SetOutcome;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;
import net.sluice.intents.validate.Problem;
import net.sluice.northbound.simulate.ChangeSimulation;
import net.sluice.northbound.simulate.Simulated;
import org.junit.jupiter.api.Test;

class ChangeSimulationTest {
  private final Controller controller = mock(Controller.class);

  /** Of each set, the first change is refused as soon as those before it are left out. */
  private void refusesOneAfterTheOther(int untilLeft) {
    when(controller.sharing()).thenReturn(List.of());
    when(controller.suppose(anyList(), any()))
        .thenAnswer(
            call -> {
              List<Change> left = call.getArgument(0);
              boolean isMade = left.size() <= untilLeft;
              List<Outcome> outcomes = new ArrayList<>();
              for (Change change : left) {
                outcomes.add(
                    !isMade && outcomes.isEmpty()
                        ? new Outcome.Refused(
                            change, List.of(Problem.notFound(Kind.SUBSCRIBER, change.id())))
                        : new Outcome.Unmade(change, "others"));
              }
              return new SetOutcome(isMade, outcomes);
            });
  }

  private Simulated simulated(int changes) {
    List<Change> all =
        IntStream.range(0, changes)
            .<Change>mapToObj(i -> new Change.Delete(Kind.SUBSCRIBER, "s" + i))
            .toList();
    return new ChangeSimulation(controller).of(all, 10);
  }

  @Test
  void whatIsLeftWithoutThoseThatAreRefusedIsSimulated() {
    refusesOneAfterTheOther(15);
    assertThat(simulated(20).refused()).containsOnlyKeys(0, 1, 2, 3, 4);
  }

  @Test
  void aSetThatIsRefusedTimeAndAgainIsToldAsRefused() {
    refusesOneAfterTheOther(5);
    Simulated simulated = simulated(20);
    assertThat(simulated.refused()).hasSize(20);
    assertThat(simulated.refused().get(7).problems().get(0).code())
        .isEqualTo(Problem.Code.NOT_FOUND);
    assertThat(simulated.refused().get(8).problems().get(0).detail())
        .isEqualTo(
            "Not simulated: each time the refused ones were left out, others of the set were"
                + " refused.");
  }
}
