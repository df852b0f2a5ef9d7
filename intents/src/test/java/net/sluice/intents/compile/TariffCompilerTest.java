package net.sluice.intents.compile;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import net.sluice.intents.model.Labels;
import net.sluice.intents.model.LimitValues;
import net.sluice.intents.model.Tariff;
import net.sluice.intents.model.schedule.Schedule;
import net.sluice.intents.plan.Change;
import net.sluice.intents.state.InMemorySlaState;
import org.junit.jupiter.api.Test;

/** Demands on tariffs alone; with subscribers see the core's tests. */
class TariffCompilerTest {
  private final Compiler compiler =
      new Compiler(Network.topology(), Network.SWITCH, Network.SMALL_FPGA);
  private final InMemorySlaState state = Network.withPolicies(compiler);

  private static Change tariff(int number) {
    return new Change.Put(
        new Tariff(
            "t" + number,
            "gold",
            Optional.empty(),
            LimitValues.NONE,
            Schedule.empty(),
            Labels.NONE,
            Optional.empty()));
  }

  @Test
  void thereIsAMostOfThem() {
    for (int i = 1; i <= Tariff.MOST; i++) {
      Network.apply(compiler, state, tariff(i));
    }
    Network.apply(compiler, state, tariff(1));
    assertThatThrownBy(() -> compiler.compile(state, tariff(Tariff.MOST + 1)))
        .hasMessageContaining("There are 32767 tariffs, as many as there can be.");
  }
}
