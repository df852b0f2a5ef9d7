package net.sluice.rest.answer;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import net.sluice.core.traffic.NextHopStatus;
import net.sluice.core.traffic.SwitchReadings;

/** Writes next hops that are given by their IP addresses. */
public final class NextHopWriter {
  private NextHopWriter() {}

  /** An object with one element per next hop. */
  public static void write(JsonGenerator json, SwitchReadings<NextHopStatus> hops)
      throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart("nextHops");
    for (NextHopStatus hop : hops.read()) {
      json.writeStartObject();
      if (hop.switchName().isPresent()) {
        json.writeStringField("switch", hop.switchName().get());
      }
      json.writeNumberField("port", hop.port());
      json.writeStringField("address", hop.address());
      json.writeStringField("state", hop.state().text());
      json.writeStringField("since", hop.since().toString());
      if (hop.mac().isPresent()) {
        json.writeStringField("mac", NextHopStatus.macText(hop.mac().getAsLong()));
      }
      json.writeNumberField("unanswered", hop.unanswered());
      json.writeStringField("nextRequest", hop.nextRequest().toString());
      if (hop.droppedPackets().isPresent()) {
        json.writeNumberField("packetsDropped", hop.droppedPackets().getAsLong());
      }
      if (hop.droppedBytes().isPresent()) {
        json.writeNumberField("bytesDropped", hop.droppedBytes().getAsLong());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
