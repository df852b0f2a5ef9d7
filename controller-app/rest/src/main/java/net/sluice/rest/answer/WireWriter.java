package net.sluice.rest.answer;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Optional;
import net.sluice.core.traffic.SubscriberCounters.Count;
import net.sluice.core.traffic.SwitchReadings;
import net.sluice.core.traffic.WireStatus;

/** Writes what passes wires and belongs to no subscriber. */
public final class WireWriter {
  private WireWriter() {}

  /** An object with one element per end of a wire, and one per switch that was not read. */
  public static void write(JsonGenerator json, SwitchReadings<WireStatus> wires)
      throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart("wires");
    for (WireStatus end : wires.read()) {
      json.writeStartObject();
      if (end.switchName().isPresent()) {
        json.writeStringField("switch", end.switchName().get());
      }
      json.writeNumberField("port", end.port());
      json.writeNumberField("partner", end.partner());
      json.writeStringField("direction", end.direction().text());
      json.writeObjectFieldStart("unknown");
      write(json, "In", end.unknown().in());
      write(json, "Out", Optional.of(end.unknown().out()));
      write(json, "Policed", end.unknown().policed());
      json.writeEndObject();
      json.writeEndObject();
    }
    json.writeEndArray();
    QueueWriter.writeUnread(json, wires);
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, String what, Optional<Count> count)
      throws IOException {
    if (count.isPresent()) {
      json.writeNumberField("packets" + what, count.get().packets());
      json.writeNumberField("bytes" + what, count.get().bytes());
    }
  }
}
