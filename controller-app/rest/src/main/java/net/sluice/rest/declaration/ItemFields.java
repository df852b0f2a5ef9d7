package net.sluice.rest.declaration;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.sluice.northbound.json.JsonContent;
import net.sluice.rest.answer.JsonAnswer;
import net.sluice.rest.request.Query;

/** The fields of a declaration's answer that are asked for. */
final class ItemFields {
  private static final String ID = "id";
  private static final List<String> ALL =
      List.of(
          ID,
          "declared",
          "inForce",
          "requested",
          "granted",
          "limits",
          "effective",
          "notes",
          "targets",
          "leaving");

  private ItemFields() {}

  /** The fields that a query asks for, and the id; empty for all. */
  static Set<String> of(Query query) {
    return query
        .parsed(ListQuery.FIELDS, "some of " + String.join(",", ALL), ItemFields::parse)
        .orElse(Set.of());
  }

  private static Optional<Set<String>> parse(String text) {
    Set<String> fields = new LinkedHashSet<>(Arrays.asList(text.split(",", -1)));
    if (!ALL.containsAll(fields)) {
      return Optional.empty();
    }
    fields.add(ID);
    return Optional.of(fields);
  }

  /** The same of an answer, without the fields that are not asked for. */
  static JsonContent only(Set<String> fields, JsonContent answer) {
    return fields.isEmpty() ? answer : JsonAnswer.only(fields::contains, answer);
  }
}
