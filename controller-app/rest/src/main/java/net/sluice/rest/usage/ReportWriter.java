package net.sluice.rest.usage;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import net.sluice.intents.value.Direction;
import net.sluice.northbound.explain.SlaReport;
import net.sluice.northbound.explain.SlaReports;
import net.sluice.northbound.usage.Delay;

/** Writes reports. */
final class ReportWriter {
  private static final String HEAD =
      "id,direction,row,from,to,seconds,cause,entitledBps,gotBps,metPercent,suspendedSeconds,"
          + "delayP50Millis,delayP95Millis,delayP99Millis";

  private ReportWriter() {}

  // ---------------------------------------------------------------- JSON

  /** An object with the report of one. */
  static void one(JsonGenerator json, SlaReports reports) throws IOException {
    json.writeStartObject();
    json.writeStringField("id", reports.reports().get(0).id());
    writeTime(json, reports);
    write(json, reports.reports().get(0));
    json.writeEndObject();
  }

  /** An object with those of a page. */
  static void all(JsonGenerator json, SlaReports reports, Optional<String> next)
      throws IOException {
    json.writeStartObject();
    writeTime(json, reports);
    json.writeArrayFieldStart("items");
    for (SlaReport each : reports.reports()) {
      json.writeStartObject();
      json.writeStringField("id", each.id());
      write(json, each);
      json.writeEndObject();
    }
    json.writeEndArray();
    if (next.isPresent()) {
      json.writeStringField("next", next.get());
    }
    json.writeEndObject();
  }

  private static void writeTime(JsonGenerator json, SlaReports reports) throws IOException {
    json.writeStringField("from", reports.from().toString());
    json.writeStringField("to", reports.to().toString());
  }

  private static void write(JsonGenerator json, SlaReport report) throws IOException {
    for (Direction direction : Direction.values()) {
      json.writeFieldName(direction.text());
      write(json, report.sides().get(direction));
    }
    json.writeArrayFieldStart("gaps");
    for (SlaReport.Gap gap : report.gaps()) {
      json.writeStartObject();
      json.writeStringField("from", text(gap.from()));
      json.writeStringField("to", text(gap.to()));
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void write(JsonGenerator json, SlaReport.Side side) throws IOException {
    json.writeStartObject();
    json.writeNumberField("measuredSeconds", side.measuredSeconds());
    json.writeNumberField("suspendedSeconds", side.suspendedSeconds());
    json.writeNumberField("shortSeconds", side.shortSeconds());
    OptionalDouble met = side.metPercent();
    if (met.isPresent()) {
      json.writeNumberField("metPercent", met.getAsDouble());
    } else {
      json.writeNullField("metPercent");
    }
    json.writeFieldName("delayMillis");
    UsageWriter.write(json, side.delay());
    json.writeArrayFieldStart("breaches");
    for (SlaReport.Breach each : side.breaches()) {
      json.writeStartObject();
      json.writeStringField("from", text(each.from()));
      json.writeStringField("to", text(each.to()));
      json.writeNumberField("seconds", each.seconds());
      json.writeNumberField("stepSeconds", each.stepSeconds());
      json.writeStringField("cause", each.cause().text());
      if (each.entitledBps() > 0) {
        json.writeNumberField("entitledBps", each.entitledBps());
      }
      json.writeNumberField("gotBps", each.gotBps());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static String text(long second) {
    return Instant.ofEpochSecond(second).toString();
  }

  // ---------------------------------------------------------------- CSV

  /** Lines of RFC 4180: of each subscriber the sums of both directions, breaches and gaps. */
  static void csv(OutputStream out, SlaReports reports) throws IOException {
    Writer lines = new OutputStreamWriter(out, StandardCharsets.UTF_8);
    line(lines, HEAD);
    for (SlaReport report : reports.reports()) {
      for (Direction direction : Direction.values()) {
        SlaReport.Side side = report.sides().get(direction);
        String begin = report.id() + "," + direction.text() + ",";
        line(
            lines,
            begin
                + String.join(
                    ",",
                    List.of(
                        "total",
                        reports.from().toString(),
                        reports.to().toString(),
                        Long.toString(side.measuredSeconds()),
                        "",
                        "",
                        "",
                        side.metPercent().isPresent()
                            ? Double.toString(side.metPercent().getAsDouble())
                            : "",
                        Long.toString(side.suspendedSeconds()),
                        side.delay().map(ReportWriter::text).orElse(",,"))));
        for (SlaReport.Breach each : side.breaches()) {
          line(
              lines,
              begin
                  + String.join(
                      ",",
                      List.of(
                          "breach",
                          text(each.from()),
                          text(each.to()),
                          Long.toString(each.seconds()),
                          each.cause().text(),
                          each.entitledBps() > 0 ? Long.toString(each.entitledBps()) : "",
                          Long.toString(each.gotBps()),
                          ",,,,")));
        }
      }
      for (SlaReport.Gap gap : report.gaps()) {
        line(
            lines,
            String.join(
                ",",
                List.of(
                    report.id(),
                    "",
                    "gap",
                    text(gap.from()),
                    text(gap.to()),
                    Long.toString(gap.to() - gap.from()),
                    ",,,,,,,")));
      }
    }
    lines.flush();
  }

  private static String text(Delay delay) {
    return delay.p50() + "," + delay.p95() + "," + delay.p99();
  }

  private static void line(Writer to, String line) throws IOException {
    to.write(line);
    to.write("\r\n");
  }
}
