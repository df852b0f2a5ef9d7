package net.sluice.rest.answer;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import net.sluice.core.InstallSummary;
import net.sluice.core.SwitchStatus;
import net.sluice.intents.plan.TableUse;
import net.sluice.intents.profile.Topology.Trunk;

/** Writes what is known of switches. */
public final class SwitchWriter {
  private SwitchWriter() {}

  /** All switches. */
  public static void write(
      JsonGenerator json,
      List<SwitchStatus> switches,
      InstallSummary summary,
      Map<String, byte[]> documents)
      throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart("switches");
    for (SwitchStatus each : switches) {
      write(json, each, summary, documents.get(each.name()));
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  /**
   * A switch.
   *
   * @param document as it was declared, JSON; null if it was given otherwise
   */
  public static void write(
      JsonGenerator json, SwitchStatus of, InstallSummary summary, byte[] document)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("id", of.name());
    if (document != null) {
      json.writeFieldName("declared");
      json.writeRawValue(new String(document, StandardCharsets.UTF_8).strip());
    }
    json.writeArrayFieldStart("targets");
    for (InstallSummary.PerTarget target : summary.targets()) {
      if (of.targets().contains(target.target())) {
        TargetWriter.write(json, target);
      }
    }
    json.writeEndArray();
    json.writeArrayFieldStart("trunks");
    for (Trunk trunk : of.trunks()) {
      json.writeStartObject();
      json.writeNumberField("port", trunk.port());
      json.writeStringField("toSwitch", trunk.toSwitch());
      json.writeNumberField("toPort", trunk.toPort());
      json.writeEndObject();
    }
    json.writeEndArray();
    writeFields(json, of);
    json.writeEndObject();
  }

  /** Its ports, if they are known, and how full it is. */
  static void writeFields(JsonGenerator json, SwitchStatus of) throws IOException {
    if (of.ports().isPresent()) {
      PortWriter.write(json, of.ports().get());
    }
    if (of.leaving() > 0) {
      json.writeNumberField("leaving", of.leaving());
    }
    if (of.conflicts() > 0) {
      json.writeNumberField("conflicts", of.conflicts());
    }
    json.writeArrayFieldStart("tables");
    for (TableUse table : of.tables()) {
      json.writeStartObject();
      json.writeStringField("resource", table.resource());
      json.writeNumberField("used", table.used());
      json.writeNumberField("size", table.size());
      if (table.note().isPresent()) {
        json.writeStringField("note", table.note().get());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
