package net.sluice.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import net.sluice.intents.model.Labels;
import net.sluice.intents.model.LimitValues;
import net.sluice.intents.model.Tariff;
import net.sluice.intents.model.schedule.Schedule;
import org.junit.jupiter.api.Test;

class TariffsTest {
  private final Tariffs tariffs = new Tariffs();

  private static Tariff tariff(String id) {
    return new Tariff(
        id,
        "gold",
        Optional.empty(),
        LimitValues.NONE,
        Schedule.empty(),
        Labels.NONE,
        Optional.empty());
  }

  @Test
  void numbersOfThoseThatWereDeletedAreGivenAgain() {
    tariffs.put(tariff("stays"));
    tariffs.use(tariffs.numberOf("stays"), 1);
    for (int i = 0; i < 2 * Tariff.MOST; i++) {
      String id = "t" + i;
      assertThat(tariffs.users(id)).isZero();
      tariffs.put(tariff(id));
      assertThat(tariffs.numberOf(id)).isBetween(2, Tariff.MOST);
      tariffs.remove(id);
      assertThat(tariffs.numberOf(id)).isZero();
    }
    assertThat(tariffs.users("stays")).isEqualTo(1);
  }

  @Test
  void asManyAsThereCanBeHaveNumbersOfTheirOwn() {
    for (int i = 1; i <= Tariff.MOST; i++) {
      tariffs.put(tariff("t" + i));
      assertThat(tariffs.numberOf("t" + i)).isEqualTo(i);
    }
    assertThat(tariffs.copy().numberOf("t7")).isEqualTo(7);
  }
}
