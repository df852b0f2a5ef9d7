package net.sluice.rest.answer;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Locale;
import net.sluice.core.traffic.DropStatus;
import net.sluice.core.traffic.SwitchReadings;
import net.sluice.pipeconf.DropReason;

/** Writes the packets that switches have dropped. */
public final class DropWriter {
  private DropWriter() {}

  /** A reason as answers and metrics have it, such as {@code no-subscriber}. */
  static String text(DropReason reason) {
    return reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** An object with one element per switch and reason, and one per switch that was not read. */
  public static void write(JsonGenerator json, SwitchReadings<DropStatus> drops)
      throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart("drops");
    for (DropStatus drop : drops.read()) {
      json.writeStartObject();
      if (drop.switchName().isPresent()) {
        json.writeStringField("switch", drop.switchName().get());
      }
      json.writeStringField("reason", text(drop.reason()));
      json.writeNumberField("packets", drop.packets());
      json.writeNumberField("bytes", drop.bytes());
      json.writeEndObject();
    }
    json.writeEndArray();
    QueueWriter.writeUnread(json, drops);
    json.writeEndObject();
  }
}
