package net.sluice.intents.validate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RefusalTest {
  @Test
  void gravestProblemNamesTheRefusal() {
    Problem invalid = Problem.of(Problem.Code.INVALID, "a", 1, "2");
    Problem conflict = Problem.of(Problem.Code.CONFLICT, "b", 1, "2");
    Problem malformed = Problem.of(Problem.Code.MALFORMED, "c", 1, "2");
    assertThat(new Refusal(List.of(conflict, invalid)).code()).isEqualTo(Problem.Code.INVALID);
    assertThat(new Refusal(List.of(conflict, malformed)).code()).isEqualTo(Problem.Code.MALFORMED);
    assertThat(new Refusal(List.of(invalid))).hasMessage("INVALID: a is 1; allowed: 2.");
    assertThat(new Refusal(List.of(invalid)).getStackTrace()).isEmpty();
  }
}
