package net.sluice.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import net.sluice.rest.host.LogLevels;
import net.sluice.rest.testing.MemoryController;
import net.sluice.standalone.http.HttpSettings;
import net.sluice.standalone.http.ServedApi;
import net.sluice.testing.Http;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

final class LogLevelTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final String LOGGER = "net.sluice.tested";

  private final LogbackLevels levels = new LogbackLevels();
  private final LogLevels.Level before = levels.inForce(LogLevels.ALL);
  private ServedApi server;

  @BeforeEach
  void start() throws Exception {
    server = ServedApi.with(new MemoryController(10), levels, HttpSettings.on(ANY));
  }

  @AfterEach
  void stop() {
    server.close();
    levels.own().keySet().forEach(levels::reset);
  }

  private HttpResponse<String> send(String method, String logger, String body) throws Exception {
    return Http.send(method, server.base() + "/log-levels" + logger, body);
  }

  private JsonNode answer(String method, String logger, String body) throws Exception {
    HttpResponse<String> answer = send(method, logger, body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return MAPPER.readTree(answer.body());
  }

  private static JsonNode json(String text) throws Exception {
    return MAPPER.readTree(text);
  }

  @Test
  void aLevelHoldsForALoggerAndThoseBelowItFromNowOn() throws Exception {
    var below = LoggerFactory.getLogger(LOGGER + ".Part");
    assertThat(below.isTraceEnabled()).isFalse();
    assertThat(answer("PUT", "/" + LOGGER, "{\"level\":\"trace\"}"))
        .isEqualTo(
            json("{\"logger\":\"net.sluice.tested\",\"level\":\"trace\",\"inherited\":false}"));
    assertThat(below.isTraceEnabled()).isTrue();
    assertThat(answer("GET", "/" + LOGGER + ".Part", null))
        .isEqualTo(
            json("{\"logger\":\"net.sluice.tested.Part\",\"level\":\"trace\",\"inherited\":true}"));
    assertThat(answer("GET", "", null).get("items").findValuesAsText("logger")).contains(LOGGER);
    assertThat(send("DELETE", "/" + LOGGER, null).statusCode()).isEqualTo(204);
    assertThat(below.isTraceEnabled()).isFalse();
  }

  @Test
  void theLevelOfAllGoesBackToThatOfTheStart() throws Exception {
    answer("PUT", "/net.sluice", "{\"level\":\"off\"}");
    assertThat(LoggerFactory.getLogger("net.sluice.Any").isErrorEnabled()).isFalse();
    assertThat(send("DELETE", "/net.sluice", null).statusCode()).isEqualTo(204);
    assertThat(levels.inForce("net.sluice.Any")).isEqualTo(before);
  }

  @Test
  void theAuditLogHasTheLevelBefore() throws Exception {
    answer("PUT", "/" + LOGGER, "{\"level\":\"error\"}");
    answer("PUT", "/" + LOGGER, "{\"level\":\"debug\"}");
    JsonNode items =
        MAPPER
            .readTree(Http.send("GET", server.base() + "/audit?since=2", null).body())
            .get("items");
    assertThat(items.get(0).get("before")).isEqualTo(json("{\"level\":\"error\"}"));
    assertThat(items.get(0).get("after")).isEqualTo(json("{\"level\":\"debug\"}"));
    assertThat(items.get(1).get("outcome").asText()).isEqualTo("made");
  }

  /** Of a library's requests the log would have tokens. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "org.eclipse.jetty|{\"level\":\"debug\"}|422|logger",
        "ROOT|{\"level\":\"debug\"}|422|logger",
        "net.sluices|{\"level\":\"debug\"}|422|logger",
        "net.sluice..core|{\"level\":\"debug\"}|422|logger",
        "net.sluice.core|{\"level\":\"all\"}|422|level",
        "net.sluice.core|{}|400|level",
      })
  void otherLoggersAndLevelsAreRefused(String logger, String body, int status, String field)
      throws Exception {
    HttpResponse<String> answer = send("PUT", "/" + logger, body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    assertThat(MAPPER.readTree(answer.body()).at("/errors/0/field").asText()).isEqualTo(field);
    assertThat(levels.own()).doesNotContainKey(logger.equals("ROOT") ? "" : logger);
  }

  @Test
  void moreLoggersThanMayBeAreRefused() throws Exception {
    int own = levels.own().size();
    for (int i = own; i < LogLevels.MOST; i++) {
      levels.set(LOGGER + ".n" + i, LogLevels.Level.INFO);
    }
    assertThat(send("PUT", "/" + LOGGER, "{\"level\":\"debug\"}").statusCode()).isEqualTo(507);
    assertThat(send("PUT", "/" + LOGGER + ".n100", "{\"level\":\"debug\"}").statusCode())
        .isEqualTo(200);
  }
}
