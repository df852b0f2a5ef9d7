package net.sluice.northbound.events;

import java.util.List;

/**
 * The events that a client wants.
 *
 * @param types beginnings of their types; empty for any
 * @param subject the beginning of their subject; "" for any
 */
public record EventFilter(List<String> types, String subject) {
  /** All events. */
  public static final EventFilter ALL = new EventFilter(List.of(), "");

  public EventFilter {
    types = List.copyOf(types);
  }

  /** Whether an event is wanted. */
  public boolean wants(String type, String ofSubject) {
    return ofSubject.startsWith(subject)
        && (types.isEmpty() || types.stream().anyMatch(type::startsWith));
  }
}
