package net.sluice.rest.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.ws.rs.core.Response;
import net.sluice.core.ControllerException;
import net.sluice.core.UnavailableException;
import org.junit.jupiter.api.Test;

/** The log lines and the answers of requests that fail. */
class MappersTest {
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();

  private Response answered(ControllerException failure) {
    PrintStream err = System.err;
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try {
      return new Mappers.OfController().toResponse(failure);
    } finally {
      System.setErr(err);
    }
  }

  /** There may be thousands of requests while a store is down or a leader takes over. */
  @Test
  void whatPassesByItselfIsNotLoggedWithEachRequest() {
    Response answer = answered(new UnavailableException("taking over", Duration.ofMillis(4_001)));
    assertThat(answer.getStatus()).isEqualTo(503);
    assertThat(answer.getHeaderString("Retry-After")).isEqualTo("5");
    assertThat(log.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  @Test
  void anyOtherFailureIsLogged() {
    Response answer = answered(new ControllerException("out of order"));
    assertThat(answer.getStatus()).isEqualTo(503);
    assertThat(log.toString(StandardCharsets.UTF_8)).contains("WARN").contains("out of order");
  }
}
