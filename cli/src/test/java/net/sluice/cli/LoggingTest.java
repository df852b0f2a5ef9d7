package net.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.List;
import net.sluice.cli.Logging.Format;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lines of the log in both formats, and the options that choose them. */
final class LoggingTest {
  private static final Logger OURS = LoggerFactory.getLogger(LoggingTest.class);
  private static final Logger LIBRARY = LoggerFactory.getLogger("org.example.Library");

  private final PrintStream err = System.err;

  @AfterEach
  void restore() {
    System.setErr(err);
    Logging.configure(Level.INFO, Format.TEXT);
  }

  private List<String> logged(Level level, Format format, Runnable logging) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    System.setErr(new PrintStream(text, true, StandardCharsets.UTF_8));
    Logging.configure(level, format);
    logging.run();
    System.setErr(err);
    return text.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private static void sayAll() {
    OURS.debug("{} entries were compared", 3);
    OURS.info("the switch is filled:\n{} entries", 3);
    OURS.warn("the switch cannot be reached");
    OURS.error("it failed", new IOException("disk full"));
    LIBRARY.info("started");
    LIBRARY.warn("slow");
  }

  @Test
  void aLineOfTextSaysWhenHowGraveWhereAndWhat() {
    List<String> lines = logged(Level.INFO, Format.TEXT, LoggingTest::sayAll);
    String first = lines.get(0);
    assertThat(OffsetDateTime.parse(first.substring(0, first.indexOf(' ')))).isNotNull();
    assertThat(first).endsWith(" INFO LoggingTest - the switch is filled: 3 entries");
    assertThat(lines.get(1)).endsWith(" WARN LoggingTest - the switch cannot be reached");
    assertThat(lines.get(2)).endsWith(" ERROR LoggingTest - it failed");
    assertThat(lines.get(3)).isEqualTo("java.io.IOException: disk full");
    assertThat(lines.get(lines.size() - 1)).endsWith(" WARN Library - slow");
    assertThat(lines).noneMatch(line -> line.contains("compared") || line.contains("started"));
  }

  @Test
  void aLineOfJsonIsOneObject() throws IOException {
    List<String> lines = logged(Level.DEBUG, Format.JSON, LoggingTest::sayAll);
    assertThat(lines).hasSize(5);
    JsonNode filled = new ObjectMapper().readTree(lines.get(1));
    assertThat(filled.get("timestamp").asLong()).isPositive();
    assertThat(filled.get("level").asText()).isEqualTo("INFO");
    assertThat(filled.get("loggerName").asText()).isEqualTo(LoggingTest.class.getName());
    assertThat(filled.get("formattedMessage").asText())
        .isEqualTo("the switch is filled:\n3 entries");
    assertThat(new ObjectMapper().readTree(lines.get(3)).at("/throwable/message").asText())
        .isEqualTo("disk full");
  }

  /** In a network namespace of its own a switch has no interface yet that Netty could look at. */
  @Test
  void whatNettyMissesInANetworkNamespaceIsNotLogged() {
    assertThat(
            logged(
                Level.INFO,
                Format.TEXT,
                () -> {
                  for (String name : List.of("internal.MacAddressUtil", "NetUtilInitializations")) {
                    LoggerFactory.getLogger("io.grpc.netty.shaded.io.netty.util." + name)
                        .warn("Failed");
                  }
                }))
        .isEmpty();
  }

  @Test
  void theLevelIsWhatIsAskedFor() {
    assertThat(logged(Level.WARN, Format.TEXT, LoggingTest::sayAll).get(0)).contains(" WARN ");
    assertThat(logged(Level.ERROR, Format.TEXT, LoggingTest::sayAll))
        .filteredOn(line -> line.contains(" - "))
        .singleElement()
        .asString()
        .contains(" ERROR ");
    assertThat(logged(Level.OFF, Format.TEXT, LoggingTest::sayAll)).isEmpty();
  }
}
