package net.sluice.rest.answer;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import net.sluice.core.InstallSummary;
import net.sluice.core.TargetDrift;

/** Writes how targets are, and how they differed from the declarations. */
public final class TargetWriter {
  private TargetWriter() {}

  /** One target. */
  public static void write(JsonGenerator json, InstallSummary.PerTarget target) throws IOException {
    json.writeStartObject();
    json.writeStringField("target", target.target());
    json.writeStringField("session", target.session().name());
    if (target.sessionDetail().isPresent()) {
      json.writeStringField("detail", target.sessionDetail().get());
    }
    json.writeNumberField("installed", target.installed());
    json.writeNumberField("pending", target.pending());
    json.writeNumberField("failed", target.failed());
    json.writeNumberField("queuedWrites", target.queuedWrites());
    json.writeNumberField("inFlightWrites", target.inFlightWrites());
    if (target.agent().isPresent()) {
      json.writeStringField("agent", target.agent().get());
    }
    json.writeEndObject();
  }

  /** All targets. */
  public static void write(JsonGenerator json, List<InstallSummary.PerTarget> targets)
      throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart("targets");
    for (InstallSummary.PerTarget target : targets) {
      write(json, target);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  /** Writes the result of the last comparison and of the repairs after it. */
  public static void write(JsonGenerator json, TargetDrift drift) throws IOException {
    json.writeStartObject();
    json.writeStringField("target", drift.target());
    TargetDrift.Comparison compared = drift.compared();
    if (compared.at().isPresent()) {
      json.writeStringField(
          "comparedAt", compared.at().get().truncatedTo(ChronoUnit.MILLIS).toString());
      json.writeNumberField("tookMillis", compared.took().toMillis());
      json.writeNumberField("read", compared.read());
      json.writeNumberField("malformed", compared.malformed());
      json.writeNumberField("revision", compared.revision());
      if (compared.revisionKept().isPresent()) {
        json.writeNumberField("revisionKept", compared.revisionKept().getAsLong());
      }
    }
    json.writeArrayFieldStart("tables");
    for (TargetDrift.TableDrift table : compared.tables()) {
      write(json, table);
    }
    json.writeEndArray();
    json.writeObjectFieldStart("repairs");
    json.writeNumberField("written", drift.repairs());
    json.writeNumberField("done", drift.repaired());
    json.writeNumberField("failed", drift.failed());
    json.writeEndObject();
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, TargetDrift.TableDrift table) throws IOException {
    json.writeStartObject();
    json.writeStringField("table", table.table());
    json.writeNumberField("foreign", table.foreign());
    json.writeNumberField("missing", table.missing());
    json.writeNumberField("changed", table.changed());
    json.writeArrayFieldStart("samples");
    for (TargetDrift.Sample sample : table.samples()) {
      json.writeStartObject();
      json.writeStringField("difference", sample.difference().name().toLowerCase(Locale.ROOT));
      if (sample.held().isPresent()) {
        json.writeStringField("held", sample.held().get());
      }
      if (sample.declared().isPresent()) {
        json.writeStringField("declared", sample.declared().get());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
