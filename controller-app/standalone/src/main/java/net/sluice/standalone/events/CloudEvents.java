package net.sluice.standalone.events;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.sluice.rest.SluiceApplication;

/**
 * The lines of a log as CloudEvents 1.0 in JSON, with the extension {@code sequence}. Those made
 * last are kept, because all who follow the log ask for the same. Thread-safe.
 */
final class CloudEvents {
  /** The beginning of all types. */
  static final String TYPES = "net.sluice.";

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int KEPT_LINES = 64;

  private final String log;

  private final Map<Long, List<Made>> kept =
      new LinkedHashMap<>(KEPT_LINES, 1, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, List<Made>> eldest) {
          return size() > KEPT_LINES;
        }
      };

  /**
   * An event.
   *
   * @param id the log's name and the number
   */
  record Made(long seq, String id, String type, String subject, String json) {}

  /** Of the log of that name. */
  CloudEvents(String log) {
    this.log = log;
  }

  /** Id of the event of a number. */
  String id(long seq) {
    return new EventId(log, seq).toString();
  }

  /** The events of a line. */
  List<Made> of(EventLog.Line line) throws IOException {
    synchronized (kept) {
      List<Made> made = kept.get(line.first());
      if (made != null) {
        return made;
      }
    }
    List<Made> made = make(line);
    synchronized (kept) {
      kept.put(line.first(), made);
    }
    return made;
  }

  private List<Made> make(EventLog.Line line) throws IOException {
    JsonNode node = MAPPER.readTree(line.json());
    String type = TYPES + node.path("type").asText();
    String path = node.path("path").asText();
    String at = node.path("at").asText();
    String data =
        node.has("data")
            ? ",\"datacontenttype\":\"application/json\",\"data\":" + node.get("data")
            : "";
    List<Made> made = new ArrayList<>(line.count());
    for (JsonNode id : node.path("ids")) {
      long seq = line.first() + made.size();
      String subject = path + id.asText();
      made.add(new Made(seq, id(seq), type, subject, json(id(seq), seq, type, subject, at, data)));
    }
    return made;
  }

  /** An event that is in no log, for one client only. */
  String alone(String id, String type, String subject, String at, String data) {
    return json(
        id,
        0,
        TYPES + type,
        subject,
        at,
        ",\"datacontenttype\":\"application/json\",\"data\":" + data);
  }

  // Nothing in here but data needs escaping: ids are of letters, digits and a few signs.
  private static String json(
      String id, long seq, String type, String subject, String at, String data) {
    return "{\"specversion\":\"1.0\",\"id\":\""
        + id
        + "\",\"source\":\""
        + SluiceApplication.BASE_PATH
        + "\",\"type\":\""
        + type
        + "\",\"subject\":\""
        + subject
        + "\",\"time\":\""
        + at
        + "\""
        + (seq == 0 ? "" : ",\"sequence\":\"%019d\"".formatted(seq))
        + data
        + "}";
  }
}
