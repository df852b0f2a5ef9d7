package net.sluice.northbound.events;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import net.sluice.core.store.ChangeRecords;
import net.sluice.core.store.Journal;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;
import net.sluice.northbound.json.JsonContent;

/**
 * Events as a journal has them: a record has one, or several that differ in the end of their
 * subject only. Each event has a number of its own.
 */
final class EventRecords {
  /** Most events of a record. */
  static final int MOST_IDS = 500;

  /** The records of changes that were accepted. */
  static final ChangeRecords OF_CHANGES = EventRecords::ofChanges;

  private EventRecords() {}

  private static List<Journal.Item> ofChanges(List<Change> changes) {
    List<Journal.Item> items = new ArrayList<>(1);
    int from = 0;
    for (int to = 1; to <= changes.size(); to++) {
      boolean goesOn =
          to < changes.size()
              && to - from < MOST_IDS
              && isAlike(changes.get(from), changes.get(to));
      if (!goesOn) {
        Change first = changes.get(from);
        List<String> ids = changes.subList(from, to).stream().map(Change::id).toList();
        items.add(of("declaration." + what(first), path(first.kind()), ids, null));
        from = to;
      }
    }
    return items;
  }

  private static boolean isAlike(Change one, Change other) {
    return one.kind() == other.kind() && what(one).equals(what(other));
  }

  private static String what(Change change) {
    if (!(change instanceof Change.Put put)) {
      return "deleted";
    }
    return put.dueAt().isPresent() ? "scheduled" : "put";
  }

  /** The beginning of the subjects of a kind of declarations. */
  static String path(Kind kind) {
    return kind.path() + "/";
  }

  /**
   * The record of events.
   *
   * @param path beginning of their subjects
   * @param ids ends of their subjects, one for each
   * @param data writes the fields of their data; null for none
   */
  static Journal.Item of(String type, String path, List<String> ids, JsonContent data) {
    return new Journal.Item(
        ids.size(), JsonContent.object(json -> write(json, type, path, ids, data)));
  }

  private static void write(
      JsonGenerator json, String type, String path, List<String> ids, JsonContent data)
      throws IOException {
    json.writeStringField("type", type);
    json.writeStringField("path", path);
    json.writeArrayFieldStart("ids");
    for (String id : ids) {
      json.writeString(id);
    }
    json.writeEndArray();
    if (data != null) {
      json.writeObjectFieldStart("data");
      data.write(json);
      json.writeEndObject();
    }
  }
}
