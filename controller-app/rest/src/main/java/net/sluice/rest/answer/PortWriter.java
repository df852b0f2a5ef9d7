package net.sluice.rest.answer;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.temporal.ChronoUnit;
import java.util.OptionalDouble;
import net.sluice.core.PortSummary;
import net.sluice.core.traffic.PortStatus;

/** Writes what is known of the switch's ports. */
final class PortWriter {
  private static final double PARTS = 10_000;

  private PortWriter() {}

  /** The fields {@code portSession}, {@code portDetail} and {@code ports}. */
  static void write(JsonGenerator json, PortSummary summary) throws IOException {
    json.writeStringField("portSession", summary.session().name());
    if (summary.detail().isPresent()) {
      json.writeStringField("portDetail", summary.detail().get());
    }
    json.writeArrayFieldStart("ports");
    for (PortStatus port : summary.ports()) {
      write(json, port);
    }
    json.writeEndArray();
  }

  private static void write(JsonGenerator json, PortStatus port) throws IOException {
    json.writeStartObject();
    json.writeNumberField("port", port.port());
    if (port.name().isPresent()) {
      json.writeStringField("name", port.name().get());
    }
    json.writeStringField(
        "state", port.up().isEmpty() ? "UNKNOWN" : port.up().get() ? "UP" : "DOWN");
    if (port.enabled().isPresent()) {
      json.writeBooleanField("enabled", port.enabled().get());
    }
    if (port.since().isPresent()) {
      json.writeStringField("since", port.since().get().truncatedTo(ChronoUnit.MILLIS).toString());
    }
    json.writeNumberField("rateBps", port.rateBps());
    bps(json, "inBps", port.inBps());
    bps(json, "outBps", port.outBps());
    if (port.utilisation().isPresent()) {
      json.writeNumberField(
          "utilisation", Math.round(port.utilisation().getAsDouble() * PARTS) / PARTS);
    }
    if (port.traffic().isPresent()) {
      PortStatus.Traffic traffic = port.traffic().get();
      json.writeNumberField("inOctets", traffic.inOctets());
      json.writeNumberField("outOctets", traffic.outOctets());
      json.writeNumberField("inDiscards", traffic.inDiscards());
      json.writeNumberField("outDiscards", traffic.outDiscards());
      json.writeNumberField("inErrors", traffic.inErrors());
      json.writeNumberField("outErrors", traffic.outErrors());
    }
    if (port.note().isPresent()) {
      json.writeStringField("note", port.note().get());
    }
    json.writeEndObject();
  }

  private static void bps(JsonGenerator json, String field, OptionalDouble bps) throws IOException {
    if (bps.isPresent()) {
      json.writeNumberField(field, Math.round(bps.getAsDouble()));
    }
  }
}
