package net.sluice.rest.answer;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Function;
import net.sluice.core.ChangeNeeds;
import net.sluice.core.Declared;
import net.sluice.core.InstallSummary;
import net.sluice.core.Outcome;
import net.sluice.core.Page;
import net.sluice.core.StoreHealth;
import net.sluice.core.SwitchStatus;
import net.sluice.core.TargetStatus;
import net.sluice.core.traffic.SubscriberCounters;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Grant;
import net.sluice.intents.value.Direction;
import net.sluice.northbound.json.JsonContent;
import net.sluice.pipeconf.WaitRange;
import net.sluice.rest.form.DeclarationForm;

/** Writes the answers of the API; each method writes one JSON value. */
public final class AnswerWriter {
  private AnswerWriter() {}

  /**
   * A rate limit that a subscriber is under.
   *
   * @param level {@code subscriber}, {@code tree} or {@code port}
   * @param limit the limit in force at that level
   */
  public record LimitInForce(String level, Declared limit) {}

  /** A declaration in force, see {@code notes} and {@code limits} of {@link #write}. */
  public static void write(JsonGenerator json, Declared declared) throws IOException {
    write(json, declared, declared.notes(), List.of());
  }

  /**
   * A declaration in force.
   *
   * @param notes what is said instead of the declaration's own notes
   * @param limits the rate limits of a subscriber; empty for anything else
   */
  public static void write(
      JsonGenerator json, Declared declared, Collection<String> notes, List<LimitInForce> limits)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("id", declared.id());
    json.writeFieldName("declared");
    DeclarationForm.write(json, declared.declared(), declared.switchName());
    writeInForce(json, declared.declared());
    GrantWriter.write(json, declared.grants());
    if (!limits.isEmpty()) {
      writeLimits(json, limits);
    }
    writeNotes(json, notes);
    writeTargets(json, declared.targets());
    if (!declared.leaving().isEmpty()) {
      writeLeaving(json, declared.leaving());
    }
    json.writeEndObject();
  }

  private static void writeInForce(JsonGenerator json, Declaration declaration) throws IOException {
    if (declaration.isTimed()) {
      json.writeFieldName("inForce");
      DeclarationForm.writeInForce(json, declaration);
    }
  }

  private static void writeLeaving(JsonGenerator json, List<Declared.LeavingAt> leaving)
      throws IOException {
    json.writeArrayFieldStart("leaving");
    for (Declared.LeavingAt each : leaving) {
      json.writeStartObject();
      json.writeStringField("switch", each.switchName());
      json.writeStringField("since", text(each.since()));
      json.writeStringField("waitsFor", each.waitsFor());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /** Writes which targets still hold a part of a deleted declaration. */
  public static void writeDeleting(JsonGenerator json, String id, List<TargetStatus> remaining)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("id", id);
    json.writeBooleanField("deleting", true);
    writeTargets(json, remaining);
    json.writeEndObject();
  }

  private static void writeTargets(JsonGenerator json, List<TargetStatus> targets)
      throws IOException {
    json.writeArrayFieldStart("targets");
    for (TargetStatus target : targets) {
      write(json, target);
    }
    json.writeEndArray();
  }

  /**
   * A part of a list.
   *
   * @param next the place at which the list goes on; empty at its end
   * @param item writes an item
   */
  public static void write(
      JsonGenerator json, Page page, Optional<String> next, Function<Declared, JsonContent> item)
      throws IOException {
    json.writeStartObject();
    if (page.total().isPresent()) {
      json.writeNumberField("total", page.total().getAsLong());
    }
    json.writeArrayFieldStart("items");
    for (Declared each : page.items()) {
      item.apply(each).write(json);
    }
    json.writeEndArray();
    if (next.isPresent()) {
      json.writeStringField("next", next.get());
    }
    json.writeEndObject();
  }

  /** Writes the effect that an accepted change would have. */
  public static void writeDryRun(JsonGenerator json, Outcome.Accepted accepted) throws IOException {
    json.writeStartObject();
    json.writeStringField("id", accepted.change().id());
    writeDryRunFields(json, accepted);
    json.writeEndObject();
  }

  /** The fields of {@link #writeDryRun} after the id. */
  public static void writeDryRunFields(JsonGenerator json, Outcome.Accepted accepted)
      throws IOException {
    json.writeBooleanField("dryRun", true);
    if (accepted.change() instanceof Change.Put put) {
      json.writeFieldName("declared");
      DeclarationForm.write(json, put.declaration(), put.switchName());
      writeInForce(json, put.declaration());
    }
    GrantWriter.write(json, accepted.plan().grants());
    writeNotes(json, accepted.plan().notes());
    json.writeFieldName("plan");
    if (accepted.plans().isEmpty()) {
      PlanWriter.write(json, accepted.plan());
    } else {
      PlanWriter.write(json, accepted.plans());
    }
  }

  /** The field {@code notes}. */
  public static void writeNotes(JsonGenerator json, Collection<String> notes) throws IOException {
    json.writeArrayFieldStart("notes");
    for (String note : notes) {
      json.writeString(note);
    }
    json.writeEndArray();
  }

  /** A subscriber's counters. */
  public static void write(JsonGenerator json, String id, SubscriberCounters counters)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("id", id);
    for (Direction direction : Direction.values()) {
      SubscriberCounters.Traffic traffic = counters.of(direction);
      json.writeObjectFieldStart(direction.text());
      writeCount(json, "In", traffic.in());
      writeCount(json, "Out", Optional.of(traffic.out()));
      writeCount(json, "Policed", traffic.policed());
      writeCount(json, "Overflowed", traffic.overflowed());
      writeCount(json, "Suspended", traffic.suspended());
      writeShaped(json, traffic.shaped());
      json.writeEndObject();
    }
    if (!counters.aggregates().isEmpty()) {
      json.writeObjectFieldStart("aggregate");
      for (Map.Entry<Direction, SubscriberCounters.Marked> each :
          counters.aggregates().entrySet()) {
        json.writeObjectFieldStart(each.getKey().text());
        json.writeNumberField("packetsInProfile", each.getValue().packetsInProfile());
        json.writeNumberField("bytesInProfile", each.getValue().bytesInProfile());
        json.writeNumberField("packetsOutOfProfile", each.getValue().packetsOutOfProfile());
        json.writeNumberField("bytesOutOfProfile", each.getValue().bytesOutOfProfile());
        json.writeEndObject();
      }
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  /** The field {@code shaped}; null where nothing is counted. */
  private static void writeShaped(JsonGenerator json, Optional<SubscriberCounters.Shaped> shaped)
      throws IOException {
    if (shaped.isEmpty()) {
      json.writeNullField("shaped");
      return;
    }
    json.writeObjectFieldStart("shaped");
    writeCount(json, "First", Optional.of(shaped.get().first()));
    writeCount(json, "Marked", Optional.of(shaped.get().marked()));
    writeCount(json, "Dropped", Optional.of(shaped.get().dropped()));
    json.writeArrayFieldStart("waits");
    for (Map.Entry<WaitRange, SubscriberCounters.Count> each : shaped.get().waits().entrySet()) {
      json.writeStartObject();
      OptionalInt upToMillis = each.getKey().upToMillis();
      json.writeFieldName("upToMillis");
      json.writeObject(upToMillis.isPresent() ? upToMillis.getAsInt() : null);
      json.writeNumberField("packets", each.getValue().packets());
      json.writeNumberField("bytes", each.getValue().bytes());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  /** The fields {@code packets} and {@code bytes} of a place; null where nothing is counted. */
  private static void writeCount(
      JsonGenerator json, String place, Optional<SubscriberCounters.Count> count)
      throws IOException {
    json.writeFieldName("packets" + place);
    json.writeObject(count.map(SubscriberCounters.Count::packets).orElse(null));
    json.writeFieldName("bytes" + place);
    json.writeObject(count.map(SubscriberCounters.Count::bytes).orElse(null));
  }

  /**
   * How far the targets have got, what changes lack, and of each switch how its ports are if that
   * is known, and how full it is; of the only switch without naming it.
   */
  public static void write(
      JsonGenerator json,
      InstallSummary summary,
      List<ChangeNeeds.Lack> lacks,
      List<SwitchStatus> switches,
      List<String> notes)
      throws IOException {
    json.writeStartObject();
    json.writeBooleanField("allInstalled", summary.isAllInstalled());
    if (!lacks.isEmpty()) {
      json.writeArrayFieldStart("lacking");
      for (ChangeNeeds.Lack lack : lacks) {
        json.writeStartObject();
        json.writeStringField("need", lack.need());
        json.writeStringField("reason", lack.reason());
        json.writeEndObject();
      }
      json.writeEndArray();
    }
    if (!notes.isEmpty()) {
      json.writeArrayFieldStart("notes");
      for (String note : notes) {
        json.writeString(note);
      }
      json.writeEndArray();
    }
    json.writeFieldName("store");
    write(json, summary.store());
    json.writeArrayFieldStart("targets");
    for (InstallSummary.PerTarget target : summary.targets()) {
      TargetWriter.write(json, target);
    }
    json.writeEndArray();
    if (switches.size() == 1) {
      SwitchWriter.writeFields(json, switches.get(0));
    } else {
      json.writeArrayFieldStart("switches");
      for (SwitchStatus each : switches) {
        json.writeStartObject();
        json.writeStringField("switch", each.name());
        SwitchWriter.writeFields(json, each);
        json.writeEndObject();
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, StoreHealth store) throws IOException {
    json.writeStartObject();
    json.writeStringField("state", store.isWritable() ? "WRITABLE" : "FAILED");
    if (store instanceof StoreHealth.Failed failed) {
      json.writeStringField("error", failed.reason());
      json.writeStringField("since", text(failed.since()));
      if (failed.next().isPresent()) {
        json.writeStringField("next", text(failed.next().get()));
      }
    }
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, TargetStatus target) throws IOException {
    json.writeStartObject();
    json.writeStringField("target", target.target());
    json.writeStringField("state", target.state().name());
    json.writeStringField("since", text(target.since()));
    if (target.error().isPresent()) {
      json.writeStringField("error", target.error().get());
    }
    if (target.awaits().isPresent()) {
      json.writeStringField("awaits", target.awaits().get());
    }
    if (target.next().isPresent()) {
      json.writeStringField("next", text(target.next().get()));
    }
    if (target.brokenBatch().isPresent()) {
      json.writeStringField("brokenBatch", target.brokenBatch().get().name());
    }
    json.writeEndObject();
  }

  private static String text(Instant time) {
    return time.truncatedTo(ChronoUnit.MILLIS).toString();
  }

  private static void writeLimits(JsonGenerator json, List<LimitInForce> limits)
      throws IOException {
    json.writeArrayFieldStart("limits");
    for (LimitInForce limit : limits) {
      json.writeStartObject();
      json.writeStringField("level", limit.level());
      json.writeStringField("rateLimit", limit.limit().id());
      GrantWriter.write(json, limit.limit().grants());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeObjectFieldStart("effective");
    for (Direction direction : Direction.values()) {
      String field = direction.text() + "Bps";
      OptionalDouble lowest =
          limits.stream()
              .flatMap(limit -> limit.limit().grants().stream())
              .filter(grant -> GrantWriter.name(grant).equals(field))
              .mapToDouble(Grant::granted)
              .min();
      if (lowest.isPresent()) {
        json.writeNumberField(field, (long) lowest.getAsDouble());
      }
    }
    json.writeEndObject();
  }
}
