package net.sluice.rest.bulk;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import net.sluice.core.Controller;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.Ids;
import net.sluice.northbound.json.JsonContent;
import net.sluice.northbound.simulate.ChangeSimulation;
import net.sluice.northbound.simulate.Simulated;
import net.sluice.rest.json.JsonTree;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.json.ObjectReader;

/**
 * The lines of a simulation: changes as a bulk request has them, and loads: {@code {"load":
 * {"subscriber": "alice", "downBps": 5000000}}}.
 *
 * @param lines the changes, those that cannot be made too
 * @param loads bit/s that subscribers want
 */
public record SimulatedLines(List<BulkLine> lines, Map<String, Map<Direction, Long>> loads) {
  private static final String LOAD = "load";
  private static final long MOST_BPS = 1_000_000_000_000L;

  public SimulatedLines {
    lines = List.copyOf(lines);
    loads = Map.copyOf(loads);
  }

  /**
   * Reads all lines.
   *
   * @throws Refusal if a load is none, or there are too many changes
   */
  public static SimulatedLines read(Controller controller, byte[] body) throws Refusal {
    List<BulkLine> lines = new ArrayList<>();
    Map<String, Map<Direction, Long>> loads = new LinkedHashMap<>();
    long number = 0;
    int from = 0;
    while (from < body.length) {
      int end = from;
      while (end < body.length && body[end] != '\n') {
        end++;
      }
      int to = end > from && body[end - 1] == '\r' ? end - 1 : end;
      number++;
      if (!readLoad(body, from, to, loads)) {
        lines.add(line(controller, number, body, from, to));
      }
      from = end + 1;
    }
    if (lines.size() > Controller.MOST_TOGETHER) {
      throw new Refusal(
          List.of(
              Problem.of(
                  Problem.Code.INVALID,
                  ObjectReader.DOCUMENT,
                  lines.size() + " changes",
                  "at most " + Controller.MOST_TOGETHER)));
    }
    return new SimulatedLines(lines, loads);
  }

  /** Changes alone, as an export has them. */
  public static List<BulkLine> changes(byte[] body) {
    List<BulkLine> lines = new ArrayList<>();
    LineSplitter splitter = new LineSplitter(lines::add);
    splitter.take(body, body.length);
    splitter.end();
    return lines;
  }

  private static BulkLine line(Controller controller, long number, byte[] body, int from, int to) {
    try {
      BulkLine line = BulkLineDecoder.decodeFully(number, body, from, to);
      return BulkExchange.conditional(controller, false, line);
    } catch (Refusal e) {
      return new BulkLine(number, e.problems());
    }
  }

  /** Whether it is a load; a line that cannot be read at all is none. */
  private static boolean readLoad(
      byte[] body, int from, int to, Map<String, Map<Direction, Long>> loads) throws Refusal {
    JsonValue value;
    try {
      value = JsonTree.read(body, from, to - from);
    } catch (Refusal e) {
      return false;
    }
    boolean isLoad =
        value instanceof JsonValue.Obj object
            && object.members().stream().anyMatch(member -> member.name().equals(LOAD));
    if (!isLoad) {
      return false;
    }
    List<Problem> problems = new ArrayList<>();
    ObjectReader line = new ObjectReader(value, "", problems);
    ObjectReader load = line.object(LOAD);
    String id = load.string("subscriber", "an id: " + Ids.ALLOWED);
    Map<Direction, Long> rates = new EnumMap<>(Direction.class);
    for (Direction direction : Direction.values()) {
      String field = direction.text() + "Bps";
      OptionalLong bps = load.optionalWhole(field);
      if (bps.isPresent() && (bps.getAsLong() < 0 || bps.getAsLong() > MOST_BPS)) {
        load.problem(Problem.Code.INVALID, field, bps.getAsLong(), "0 to " + MOST_BPS);
      }
      bps.ifPresent(rate -> rates.put(direction, rate));
    }
    load.finish();
    line.finish();
    if (!problems.isEmpty()) {
      throw new Refusal(problems);
    }
    loads.computeIfAbsent(id, any -> new EnumMap<>(Direction.class)).putAll(rates);
    return true;
  }

  /** Has subscribers want their loads. */
  public void load(ChangeSimulation simulation) {
    loads.forEach((id, rates) -> rates.forEach((way, bps) -> simulation.wants(id, way, bps)));
  }

  /**
   * Simulates the changes.
   *
   * @param losesPercent as {@link ChangeSimulation#of}
   * @param limit most subscribers that are told
   * @return the answer of the API
   */
  public JsonContent simulated(ChangeSimulation simulation, double losesPercent, int limit) {
    List<BulkLine> sound = new ArrayList<>();
    Map<Long, List<Problem>> refused = new TreeMap<>();
    for (BulkLine line : lines) {
      if (line.isSound()) {
        sound.add(line);
      } else {
        refused.put(line.number(), line.problems());
      }
    }
    Simulated simulated =
        simulation.of(sound.stream().map(BulkLine::change).toList(), losesPercent);
    simulated
        .refused()
        .forEach((place, of) -> refused.put(sound.get(place).number(), of.problems()));
    return json -> write(json, simulated, refused, limit);
  }

  private static void write(
      JsonGenerator json, Simulated simulated, Map<Long, List<Problem>> refused, int limit)
      throws IOException {
    json.writeStartObject();
    json.writeNumberField("subscribers", simulated.subscribers().size());
    json.writeNumberField("changed", simulated.changed());
    json.writeNumberField("losing", simulated.losing());
    json.writeArrayFieldStart("refused");
    for (Map.Entry<Long, List<Problem>> each : refused.entrySet()) {
      for (Problem problem : each.getValue()) {
        json.writeStartObject();
        json.writeNumberField("line", each.getKey());
        json.writeStringField("field", problem.field());
        json.writeStringField("value", String.valueOf(problem.value()));
        json.writeStringField("allowed", problem.allowed());
        json.writeStringField("detail", problem.detail());
        json.writeEndObject();
      }
    }
    json.writeEndArray();
    json.writeArrayFieldStart("items");
    for (Simulated.Subscriber each :
        simulated.subscribers().subList(0, Math.min(limit, simulated.subscribers().size()))) {
      json.writeStartObject();
      json.writeStringField("id", each.id());
      for (Map.Entry<Direction, Simulated.Way> way : new TreeMap<>(each.ways()).entrySet()) {
        write(json, way.getKey().text(), way.getValue());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, String direction, Simulated.Way way)
      throws IOException {
    json.writeObjectFieldStart(direction);
    if (way.wantedBps().isPresent()) {
      json.writeNumberField("wantedBps", Math.round(way.wantedBps().getAsDouble()));
    }
    json.writeNumberField("beforeBps", Math.round(way.beforeBps()));
    json.writeNumberField("afterBps", Math.round(way.afterBps()));
    json.writeStringField("limitedBy", way.limitedBy());
    json.writeBooleanField("loses", way.loses());
    json.writeEndObject();
  }
}
