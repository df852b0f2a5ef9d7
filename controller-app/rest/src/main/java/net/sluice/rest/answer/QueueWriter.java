package net.sluice.rest.answer;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Map;
import net.sluice.core.traffic.QueueCounters;
import net.sluice.core.traffic.QueueStatus;
import net.sluice.core.traffic.SwitchReadings;
import net.sluice.intents.compile.ManagedQueue;
import net.sluice.intents.model.policy.Aqm;
import net.sluice.rest.form.AqmForm;

/** Writes the queues whose delay is managed. */
public final class QueueWriter {
  private QueueWriter() {}

  /** An object with one element per queue, and one per switch that could not be read. */
  public static void write(JsonGenerator json, SwitchReadings<QueueStatus> report)
      throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart("queues");
    for (QueueStatus queue : report.read()) {
      json.writeStartObject();
      if (queue.switchName().isPresent()) {
        json.writeStringField("switch", queue.switchName().get());
      }
      ManagedQueue managed = queue.managed();
      json.writeNumberField("port", managed.queue().port());
      json.writeNumberField("queue", managed.queue().queue());
      if (managed.aqm() instanceof Aqm.Rio) {
        AqmForm.write(json, Aqm.NONE);
      }
      AqmForm.write(json, managed.aqm());
      if (managed.policy().isPresent()) {
        json.writeStringField("policy", managed.policy().get().policy().id());
      }
      QueueCounters counters = queue.counters();
      json.writeNumberField("droppedPackets", counters.droppedPackets());
      json.writeNumberField("droppedBytes", counters.droppedBytes());
      json.writeNumberField("markedPackets", counters.markedPackets());
      json.writeNumberField("markedBytes", counters.markedBytes());
      json.writeNumberField("cycles", counters.cycles());
      json.writeNumberField("mirroredPackets", counters.mirroredPackets());
      if (managed.aqm() instanceof Aqm.Rio && counters.rio().isPresent()) {
        QueueCounters.Rio rio = counters.rio().get();
        json.writeObjectFieldStart("rioPackets");
        json.writeNumberField("passedIn", rio.passedIn());
        json.writeNumberField("droppedIn", rio.droppedIn());
        json.writeNumberField("passedOut", rio.passedOut());
        json.writeNumberField("droppedOut", rio.droppedOut());
        json.writeEndObject();
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    writeUnread(json, report);
    json.writeEndObject();
  }

  /** Writes which switches could not be read, if any. */
  static void writeUnread(JsonGenerator json, SwitchReadings<?> report) throws IOException {
    if (!report.unread().isEmpty()) {
      json.writeArrayFieldStart("unread");
      for (Map.Entry<String, String> each : report.unread().entrySet()) {
        json.writeStartObject();
        json.writeStringField("switch", each.getKey());
        json.writeStringField("error", each.getValue());
        json.writeEndObject();
      }
      json.writeEndArray();
    }
  }
}
