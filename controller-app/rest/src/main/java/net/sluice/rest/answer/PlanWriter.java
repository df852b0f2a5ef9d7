package net.sluice.rest.answer;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.sluice.core.Outcome;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.intents.model.AggregateMarker;
import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.MarkingSetting;
import net.sluice.intents.plan.MeterSetting;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.QueueId;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.plan.Write;
import net.sluice.intents.profile.RateWord;
import net.sluice.rest.form.SubscriberForm;

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
      if (write.entity() instanceof SwitchEntry entry) {
        json.writeStringField("op", write.op().name());
        json.writeStringField("table", entry.tableName());
        writeEntry(json, entry);
      } else if (write.entity() instanceof FpgaSetting setting) {
        json.writeStringField("op", "SET");
        writeSetting(json, setting, ((FpgaSetting) write.previous().orElseThrow()).value());
      }
      if (write.grant().isPresent()) {
        GrantWriter.writeOne(json, write.grant().get());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void writeEntry(JsonGenerator json, SwitchEntry entry) throws IOException {
    if (entry instanceof SwitchEntry.SubscriberPrefixEntry e) {
      json.writeStringField("prefix", e.prefix().toString());
      if (e.tableNumber().isPresent()) {
        json.writeNumberField("tableNumber", e.tableNumber().getAsInt());
      }
      writeSubscriber(json, e.data());
    } else if (entry instanceof SwitchEntry.SubscriberVlanEntry e) {
      json.writeNumberField("ingressPort", e.ingressPort());
      SubscriberForm.writeTags(json, e.vlans());
      writeSubscriber(json, e.data());
    } else if (entry instanceof SwitchEntry.EncapsulationEntry e) {
      json.writeNumberField("subscriberIndex", e.index());
      SubscriberForm.writeTags(json, e.vlans());
    } else if (entry instanceof SwitchEntry.DirectionPolicyEntry e) {
      json.writeNumberField("subscriberIndex", e.index());
      json.writeStringField("direction", e.direction().text());
      json.writeNumberField("policySlot", e.policySlot());
    } else if (entry instanceof SwitchEntry.PolicyValueEntry e) {
      json.writeNumberField("policySlot", e.policySlot());
      json.writeNumberField("rateBin", e.bin());
      json.writeNumberField("packetValue", e.packetValue());
    } else if (entry instanceof SwitchEntry.QueueAqmEntry e) {
      json.writeNumberField("port", e.port());
      json.writeNumberField("queue", e.queue());
      json.writeStringField("kind", e.kind().text());
      json.writeNumberField("targetMicros", e.targetMicros());
      json.writeNumberField("intervalMicros", e.intervalMicros());
      json.writeBooleanField("ecn", e.ecn());
    } else if (entry instanceof SwitchEntry.QueueRioEntry e) {
      json.writeNumberField("port", e.port());
      json.writeNumberField("queue", e.queue());
      json.writeNumberField("inDscp", e.dscpIn());
      json.writeNumberField("limitPackets", e.limitPackets());
      json.writeNumberField("weightShift", e.weightShift());
      json.writeNumberField("idleShift", e.idleShift());
      writeCurve(json, "in", e.in());
      writeCurve(json, "out", e.out());
    } else if (entry instanceof SwitchEntry.AggregateEntry e) {
      json.writeNumberField("subscriberIndex", e.index());
      json.writeStringField("direction", e.direction().text());
      json.writeNumberField("aggregate", e.aggregate());
      writeMarking(json, e.marking());
      json.writeNumberField("inDscp", e.dscpIn());
      json.writeNumberField("outDscp", e.dscpOut());
    } else if (entry instanceof SwitchEntry.FlowWeightEntry e) {
      json.writeNumberField("aggregate", e.aggregate());
      json.writeNumberField("dscp", e.dscp());
      json.writeNumberField("weightLog", e.weightLog());
    } else if (entry instanceof SwitchEntry.TrafficClassEntry e) {
      json.writeNumberField("policySlot", e.policySlot());
      json.writeNumberField("dscp", e.dscp());
      json.writeNumberField("queueClass", e.queueClass());
    } else if (entry instanceof SwitchEntry.SubscriberMeterEntry e) {
      json.writeNumberField("subscriberIndex", e.index());
      json.writeStringField("direction", e.direction().text());
      json.writeNumberField("port", e.at().port());
      json.writeNumberField("tree", e.at().tree());
      writeMeter(json, e.meter());
    } else if (entry instanceof SwitchEntry.TreeMeterEntry e) {
      json.writeNumberField("port", e.at().port());
      json.writeNumberField("tree", e.at().tree());
      json.writeStringField("direction", e.direction().text());
      writeMeter(json, e.meter());
    } else if (entry instanceof SwitchEntry.PortMeterEntry e) {
      json.writeNumberField("port", e.port());
      json.writeStringField("direction", e.direction().text());
      writeMeter(json, e.meter());
    } else if (entry instanceof SwitchEntry.SubscriberLimitEntry e) {
      json.writeNumberField("subscriberIndex", e.index());
      json.writeStringField("direction", e.direction().text());
      json.writeNumberField("port", e.at().port());
      json.writeNumberField("tree", e.at().tree());
      writeRate(json, e.rateWord());
    } else if (entry instanceof SwitchEntry.TreeLimitEntry e) {
      json.writeNumberField("port", e.at().port());
      json.writeNumberField("tree", e.at().tree());
      json.writeStringField("direction", e.direction().text());
      writeRate(json, e.rateWord());
    } else if (entry instanceof SwitchEntry.PortLimitEntry e) {
      json.writeNumberField("port", e.port());
      json.writeStringField("direction", e.direction().text());
      writeRate(json, e.rateWord());
    } else {
      throw new IllegalArgumentException("no change of a declaration writes " + entry);
    }
  }

  private static void writeCurve(JsonGenerator json, String name, SwitchEntry.RedCurve curve)
      throws IOException {
    json.writeObjectFieldStart(name);
    json.writeNumberField("least", curve.least());
    json.writeNumberField("most", curve.most());
    json.writeNumberField("slope", curve.slope());
    json.writeEndObject();
  }

  private static void writeMarking(JsonGenerator json, MarkingSetting marking) throws IOException {
    String marker;
    Map<String, Long> numbers = new LinkedHashMap<>();
    if (marking instanceof MarkingSetting.TokenBucket m) {
      marker = AggregateMarker.TOKEN_BUCKET;
      bucket(m.fill(), m.burst(), numbers);
    } else if (marking instanceof MarkingSetting.Tsw2cm m) {
      marker = AggregateMarker.TSW2CM;
      numbers.put("cirLog", (long) m.cirLog());
      numbers.put("timeShift", (long) m.timeShift());
    } else if (marking instanceof MarkingSetting.Pam m) {
      marker = AggregateMarker.PAM;
      bucket(m.fill(), m.burst(), numbers);
      numbers.put("leastBits", m.leastBits());
      numbers.put("mostBits", m.mostBits());
      numbers.put("scaleLog", (long) m.scaleLog());
      numbers.put("averageShift", (long) m.averageShift());
    } else if (marking instanceof MarkingSetting.Fsam m) {
      marker = AggregateMarker.F_SAM;
      bucket(m.fill(), m.burst(), numbers);
      numbers.put("cirRate", m.cirRate());
      numbers.put("cirLog", (long) m.cirLog());
      numbers.put("timeShift", (long) m.timeShift());
      numbers.put("windowMicros", m.windowMicros());
    } else {
      throw new IllegalArgumentException("unknown marking " + marking);
    }
    json.writeStringField("marker", marker);
    json.writeObjectFieldStart("marking");
    for (Map.Entry<String, Long> number : numbers.entrySet()) {
      json.writeNumberField(number.getKey(), number.getValue());
    }
    json.writeEndObject();
  }

  private static void bucket(long fill, long burst, Map<String, Long> numbers) {
    numbers.put("fill", fill);
    numbers.put("burst", burst);
  }

  private static void writeMeter(JsonGenerator json, Optional<MeterSetting> meter)
      throws IOException {
    if (meter.isPresent()) {
      json.writeNumberField("rateBps", meter.get().rateBps());
      json.writeNumberField("burstBytes", meter.get().burstBytes());
    }
  }

  private static void writeRate(JsonGenerator json, int rateWord) throws IOException {
    if (rateWord != RateWord.UNLIMITED) {
      json.writeNumberField("rateBps", RateWord.rateBps(rateWord));
    }
  }

  private static void writeSubscriber(JsonGenerator json, SwitchEntry.SubscriberData data)
      throws IOException {
    json.writeNumberField("subscriberIndex", data.index());
    json.writeNumberField("policySlot", data.policySlot());
    json.writeNumberField("egressPort", data.egressPort());
    json.writeBooleanField("shapeDown", data.shapeDown());
    json.writeBooleanField("shapeUp", data.shapeUp());
    json.writeBooleanField("hasLine", data.hasLine());
    if (data.shapeDown() || data.shapeUp()) {
      json.writeObjectFieldStart("queue");
      json.writeNumberField("port", QueueId.port(data.queueId()));
      json.writeNumberField("tree", QueueId.tree(data.queueId()));
      json.writeNumberField("customer", QueueId.customer(data.queueId()));
      json.writeEndObject();
    }
  }

  private static void writeSetting(JsonGenerator json, FpgaSetting setting, int previous)
      throws IOException {
    if (setting instanceof FpgaSetting.RateWord s) {
      json.writeStringField("setting", "rate");
      json.writeStringField("level", s.level().text());
      writePlace(json, s.level(), s.index());
      json.writeNumberField("word", s.word());
      json.writeNumberField("previousWord", previous);
    } else if (setting instanceof FpgaSetting.BucketSize s) {
      json.writeStringField("setting", "bucketSize");
      json.writeStringField("level", s.level().text());
      json.writeNumberField("bytes", s.bytes());
      json.writeNumberField("previousBytes", previous);
    } else if (setting instanceof FpgaSetting.CustomerBurst s) {
      json.writeStringField("setting", "burst");
      json.writeStringField("level", FpgaLevel.CUSTOMER.text());
      writePlace(json, FpgaLevel.CUSTOMER, s.customer());
      json.writeNumberField("bytes", s.bytes());
      json.writeNumberField("previousBytes", previous);
    } else if (setting instanceof FpgaSetting.QueueDepth s) {
      json.writeStringField("setting", "queueDepth");
      json.writeNumberField("queueClass", s.queueClass());
      json.writeNumberField("bytes", s.bytes());
      json.writeNumberField("previousBytes", previous);
    } else if (setting instanceof FpgaSetting.ClassShares s) {
      json.writeStringField("setting", "classes");
      writePlace(json, FpgaLevel.CUSTOMER, s.customer());
      writeClasses(json, "classes", s.word());
      writeClasses(json, "previousClasses", previous);
    } else {
      throw new IllegalArgumentException("unknown setting " + setting);
    }
  }

  private static void writeClasses(JsonGenerator json, String name, int word) throws IOException {
    json.writeArrayFieldStart(name);
    for (int left = word; left != 0; left >>>= FpgaSetting.ClassShares.BITS) {
      json.writeNumber(left & FpgaSetting.ClassShares.FIRST);
    }
    json.writeEndArray();
  }

  private static void writePlace(JsonGenerator json, FpgaLevel level, int index)
      throws IOException {
    switch (level) {
      case CUSTOMER:
        // A queue id is a customer's index with three bits of class behind it.
        json.writeNumberField("port", QueueId.port(index << 3));
        json.writeNumberField("tree", QueueId.tree(index << 3));
        json.writeNumberField("customer", QueueId.customer(index << 3));
        break;
      case TREE:
        json.writeNumberField("port", index >>> 6);
        json.writeNumberField("tree", index & 63);
        break;
      case PORT:
        json.writeNumberField("port", index);
        break;
    }
  }
}
