package net.sluice.northbound.events;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.sluice.core.store.Journal;

/**
 * The records of a journal as CloudEvents 1.0 in JSON, with the extension {@code sequence}. Those
 * made last are kept, because all who follow the events ask for the same. Thread-safe.
 */
final class CloudEvents {
  /** The beginning of all types. */
  static final String TYPES = "net.sluice.";

  private static final String SOURCE = "/sluice/v1";
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int KEPT_RECORDS = 64;

  private final String journal;

  private final Map<Long, List<Made>> kept =
      new LinkedHashMap<>(KEPT_RECORDS, 1, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, List<Made>> eldest) {
          return size() > KEPT_RECORDS;
        }
      };

  /**
   * An event.
   *
   * @param id the log's name and the number
   */
  record Made(long seq, String id, String type, String subject, String json) {}

  /** Of the journal of that id. */
  CloudEvents(String journal) {
    this.journal = journal;
  }

  /** Id of the event of a number. */
  String id(long seq) {
    return new EventId(journal, seq).toString();
  }

  /** The events of a record. */
  List<Made> of(Journal.Entry entry) throws IOException {
    synchronized (kept) {
      List<Made> made = kept.get(entry.number());
      if (made != null) {
        return made;
      }
    }
    List<Made> made = make(entry);
    synchronized (kept) {
      kept.put(entry.number(), made);
    }
    return made;
  }

  private List<Made> make(Journal.Entry entry) throws IOException {
    JsonNode node = MAPPER.readTree(entry.bytes());
    String type = TYPES + node.path("type").asText();
    String path = node.path("path").asText();
    String at = entry.at().toString();
    String data =
        node.has("data")
            ? ",\"datacontenttype\":\"application/json\",\"data\":" + node.get("data")
            : "";
    List<Made> made = new ArrayList<>(entry.count());
    for (JsonNode id : node.path("ids")) {
      long seq = entry.number() + made.size();
      String subject = path + id.asText();
      made.add(new Made(seq, id(seq), type, subject, json(id(seq), seq, type, subject, at, data)));
    }
    return made;
  }

  /** An event that is in no log, for one client only, which gets it after that of a number. */
  String alone(long after, String id, String type, String subject, String at, String data) {
    return json(
        id,
        after,
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
        + SOURCE
        + "\",\"type\":\""
        + type
        + "\",\"subject\":\""
        + subject
        + "\",\"time\":\""
        + at
        + "\",\"sequence\":\"%019d\"".formatted(seq)
        + data
        + "}";
  }
}
