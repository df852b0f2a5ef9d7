package net.sluice.rest.answer;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import net.sluice.core.traffic.SwitchReadings;
import net.sluice.core.traffic.UnknownStatus;

/** Writes traffic of addresses that no subscriber has. */
public final class UnknownWriter {
  private UnknownWriter() {}

  /**
   * An object with one element per port, and one per switch that was not read.
   *
   * @param limit most addresses of a port
   */
  public static void write(JsonGenerator json, SwitchReadings<UnknownStatus> unknown, int limit)
      throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart("unknown");
    for (UnknownStatus port : unknown.read()) {
      json.writeStartObject();
      if (port.switchName().isPresent()) {
        json.writeStringField("switch", port.switchName().get());
      }
      json.writeNumberField("port", port.port());
      json.writeStringField("direction", port.direction().text());
      json.writeStringField("from", port.from().toString());
      json.writeStringField("to", port.to().toString());
      json.writeNumberField("bps", port.bps());
      json.writeNumberField("packetsPerSecond", port.packetsPerSecond());
      json.writeArrayFieldStart("addresses");
      for (UnknownStatus.Address each :
          port.addresses().subList(0, Math.min(limit, port.addresses().size()))) {
        json.writeStartObject();
        json.writeStringField("address", each.address());
        json.writeNumberField("bps", each.bps());
        json.writeNumberField("errorBps", each.errorBps());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
    QueueWriter.writeUnread(json, unknown);
    json.writeEndObject();
  }
}
