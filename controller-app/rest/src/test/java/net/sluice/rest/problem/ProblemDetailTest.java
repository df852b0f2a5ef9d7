package net.sluice.rest.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.sluice.intents.validate.Problem;
import org.junit.jupiter.api.Test;

class ProblemDetailTest {
  @Test
  void aSentenceOfSeveralFieldsIsSaidOnce() {
    Problem now = Problem.of(Problem.Code.CONFLICT, "aqm", "5 ms", "9 ms, as the others");
    Problem then = now.below("schedule[0].");
    ProblemDetail told = ProblemDetail.of(List.of(now, then));
    assertThat(told.detail()).isEqualTo("aqm is 5 ms; allowed: 9 ms, as the others.");
    assertThat(told.errors())
        .extracting(ProblemDetail.FieldError::field)
        .containsExactly("aqm", "schedule[0].aqm");
  }
}
