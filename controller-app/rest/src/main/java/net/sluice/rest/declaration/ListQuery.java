package net.sluice.rest.declaration;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.ws.rs.core.UriInfo;
import net.sluice.core.Selection;
import net.sluice.core.TargetState;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Labels;
import net.sluice.intents.model.PlainText;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Ids;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.rest.request.Query;

/**
 * The query of a list of declarations.
 *
 * @param which the declarations that are asked for
 * @param afterId the id after which the page begins
 * @param limit most items of it
 * @param fields the fields of each item; empty for all
 * @param filters what makes this list another one than that of all declarations
 */
record ListQuery(
    Selection which, String afterId, int limit, Set<String> fields, List<String> filters) {
  static final String FIELDS = "fields";

  private static final String CURSOR = "cursor";
  private static final String POLICY = "policy";
  private static final String SWITCH = "switch";
  private static final String PORT = "port";
  private static final String TREE = "tree";
  private static final String STATE = "state";
  private static final String ADDRESS = "address";
  private static final String LABEL = "label";
  private static final String TARIFF = "tariff";
  private static final String TEXT = "text";

  /** As long as names for people may be. */
  private static final int MAX_TEXT = PlainText.MAX_NAME;

  private static final String LABELS_ALLOWED =
      "KEY:VALUE, several with commas between, at most "
          + Labels.MAX_LABELS
          + " and each key once; keys and values of "
          + Ids.ALLOWED;

  /**
   * Reads the query of a list of a kind.
   *
   * @throws Refusal with everything that is wrong with it
   */
  static ListQuery of(UriInfo uri, Kind kind) throws Refusal {
    List<String> filters =
        switch (kind) {
          case POLICY -> List.of(STATE);
          case SUBSCRIBER ->
              List.of(POLICY, TARIFF, SWITCH, PORT, TREE, STATE, ADDRESS, LABEL, TEXT);
          case RATE_LIMIT -> List.of(SWITCH, PORT, TREE, STATE);
          case TARIFF -> List.of(POLICY, STATE, LABEL);
        };
    List<String> known = new ArrayList<>(List.of(CURSOR, Query.LIMIT, FIELDS));
    known.addAll(filters);
    Query query = new Query(uri, known.toArray(String[]::new));
    Selection which =
        new Selection(
            query.parsed(POLICY, "an id: " + Ids.ALLOWED, ListQuery::id),
            query.parsed(TARIFF, "an id: " + Ids.ALLOWED, ListQuery::id),
            query.parsed(SWITCH, "an id: " + Ids.ALLOWED, ListQuery::id),
            query.optional(PORT, 0, Attachment.MAX_PORT),
            query.optional(TREE, 0, Attachment.MAX_TREE),
            query.parsed(STATE, "INSTALLED, PENDING or FAILED", ListQuery::state),
            query.parsed(ADDRESS, "an IPv4 or IPv6 address", ListQuery::address),
            query.parsed(LABEL, LABELS_ALLOWED, ListQuery::labels).orElse(Labels.NONE),
            query.parsed(TEXT, "1 to " + MAX_TEXT + " characters", ListQuery::part));
    List<String> given =
        filters.stream()
            .filter(name -> query.text(name) != null)
            .map(name -> name + "=" + query.text(name))
            .toList();
    String after =
        query
            .parsed(
                CURSOR,
                "next of a page of this list, with the same filters",
                text -> Cursor.afterId(text, kind, given))
            .orElse("");
    int limit = query.limit();
    Set<String> fields = ItemFields.of(query);
    query.refuseIfUnsound();
    return new ListQuery(which, after, limit, fields, given);
  }

  private static Optional<String> id(String text) {
    return Optional.of(text).filter(Ids::isValid);
  }

  private static Optional<String> part(String text) {
    return Optional.of(text).filter(it -> !it.isBlank() && it.length() <= MAX_TEXT);
  }

  private static Optional<TargetState> state(String text) {
    return Stream.of(TargetState.values()).filter(each -> each.name().equals(text)).findAny();
  }

  private static Optional<Labels> labels(String text) {
    SortedMap<String, String> byKey = new TreeMap<>();
    for (String label : text.split(",", -1)) {
      int colon = label.indexOf(':');
      if (colon < 0 || byKey.put(label.substring(0, colon), label.substring(colon + 1)) != null) {
        return Optional.empty();
      }
    }
    try {
      return Optional.of(new Labels(byKey));
    } catch (InvalidValueException e) {
      return Optional.empty();
    }
  }

  private static Optional<IpPrefix> address(String text) {
    try {
      int bits = (text.indexOf(':') < 0 ? IpPrefix.Family.V4 : IpPrefix.Family.V6).bits();
      return text.indexOf('/') < 0
          ? Optional.of(IpPrefix.parse(text + "/" + bits))
          : Optional.empty();
    } catch (InvalidValueException e) {
      return Optional.empty();
    }
  }
}
