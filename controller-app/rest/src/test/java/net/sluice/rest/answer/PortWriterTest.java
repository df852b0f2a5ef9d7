package net.sluice.rest.answer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.PortSummary;
import net.sluice.core.traffic.PortStatus;
import org.junit.jupiter.api.Test;

class PortWriterTest {

  private static String written(PortSummary summary) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.writeStartObject();
      PortWriter.write(json, summary);
      json.writeEndObject();
    }
    return text.toString();
  }

  @Test
  void whatIsKnownIsWritten() throws IOException {
    PortStatus port =
        new PortStatus(
            1,
            Optional.of("eth1"),
            Optional.of(true),
            Optional.of(true),
            Optional.of(Instant.parse("2026-01-02T03:04:05.678901Z")),
            1_000_000_000,
            Optional.of(new PortStatus.Traffic(1, 2, 3, 4, 5, 6)),
            OptionalDouble.of(1e6),
            OptionalDouble.of(123_456_789),
            Optional.of("was not set"));
    assertThat(written(new PortSummary(SessionState.READY, Optional.empty(), List.of(port))))
        .isEqualTo(
            "{\"portSession\":\"READY\",\"ports\":[{\"port\":1,\"name\":\"eth1\",\"state\":\"UP\","
                + "\"enabled\":true,\"since\":\"2026-01-02T03:04:05.678Z\","
                + "\"rateBps\":1000000000,\"inBps\":1000000,\"outBps\":123456789,"
                + "\"utilisation\":0.1235,\"inOctets\":1,\"outOctets\":2,\"inDiscards\":3,"
                + "\"outDiscards\":4,\"inErrors\":5,\"outErrors\":6,\"note\":\"was not set\"}]}");
  }

  @Test
  void whatIsNotKnownIsLeftOut() throws IOException {
    PortStatus port =
        new PortStatus(
            7,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            10,
            Optional.empty(),
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            Optional.empty());
    assertThat(
            written(
                new PortSummary(
                    SessionState.CONNECTING, Optional.of("UNAVAILABLE"), List.of(port))))
        .isEqualTo(
            "{\"portSession\":\"CONNECTING\",\"portDetail\":\"UNAVAILABLE\","
                + "\"ports\":[{\"port\":7,\"state\":\"UNKNOWN\",\"rateBps\":10}]}");
  }
}
