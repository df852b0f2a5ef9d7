package net.sluice.rest.answer;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.sluice.core.Outcome;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.plan.Write;
import net.sluice.intents.plan.form.FieldSink;

/** Writes what a change does to each target, in domain words. */
public final class PlanWriter {
  private PlanWriter() {}

  /** The writes of a plan: an object with one array per target. */
  public static void write(JsonGenerator json, Plan plan) throws IOException {
    json.writeStartObject();
    for (TargetKey<?> target : TargetKey.all()) {
      write(json, target.text(), plan.writes(target));
    }
    json.writeEndObject();
  }

  /** The writes at several switches: an object with one array per target that is written to. */
  public static void write(JsonGenerator json, List<Outcome.SwitchPlan> plans) throws IOException {
    Map<String, List<Plan>> bySwitch = new LinkedHashMap<>();
    plans.forEach(
        each ->
            bySwitch
                .computeIfAbsent(each.switchName(), unused -> new ArrayList<>())
                .add(each.plan()));
    json.writeStartObject();
    for (Map.Entry<String, List<Plan>> each : bySwitch.entrySet()) {
      for (TargetKey<?> target : TargetKey.all()) {
        List<? extends Write<?>> writes =
            each.getValue().stream().flatMap(plan -> plan.writes(target).stream()).toList();
        if (target == TargetKey.SWITCH || !writes.isEmpty()) {
          write(json, NetworkSwitch.targetName(each.getKey(), target), writes);
        }
      }
    }
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, String target, List<? extends Write<?>> writes)
      throws IOException {
    json.writeArrayFieldStart(target);
    for (Write<?> write : writes) {
      json.writeStartObject();
      tell(json, write);
      if (write.grant().isPresent()) {
        GrantWriter.writeOne(json, write.grant().get());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void tell(JsonGenerator json, Write<?> write) throws IOException {
    try {
      write.entity().tell(write.op(), write.previous(), new JsonFields(json));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Writes fields as members of the object that is open. */
  private record JsonFields(JsonGenerator json) implements FieldSink {
    private interface Step {
      void write() throws IOException;
    }

    private static void unchecked(Step step) {
      try {
        step.write();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void number(String name, long value) {
      unchecked(() -> json.writeNumberField(name, value));
    }

    @Override
    public void flag(String name, boolean value) {
      unchecked(() -> json.writeBooleanField(name, value));
    }

    @Override
    public void text(String name, String value) {
      unchecked(() -> json.writeStringField(name, value));
    }

    @Override
    public void begin(String name) {
      unchecked(() -> json.writeObjectFieldStart(name));
    }

    @Override
    public void beginList(String name) {
      unchecked(() -> json.writeArrayFieldStart(name));
    }

    @Override
    public void element(long value) {
      unchecked(() -> json.writeNumber(value));
    }

    @Override
    public void end() {
      unchecked(
          () -> {
            if (json.getOutputContext().inArray()) {
              json.writeEndArray();
            } else {
              json.writeEndObject();
            }
          });
    }
  }
}
