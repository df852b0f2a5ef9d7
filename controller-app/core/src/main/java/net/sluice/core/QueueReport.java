package net.sluice.core;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The class queues whose delay is managed, as far as they can be read.
 *
 * @param queues those of the switches that have answered
 * @param unread by the names of the others, why not, for people; in the order of the switches
 */
public record QueueReport(List<QueueStatus> queues, Map<String, String> unread) {
  public QueueReport {
    queues = List.copyOf(queues);
    unread = Collections.unmodifiableMap(new LinkedHashMap<>(unread));
  }

  /** This and that of other switches. */
  public QueueReport and(QueueReport other) {
    List<QueueStatus> all = new ArrayList<>(queues);
    all.addAll(other.queues);
    Map<String, String> allUnread = new LinkedHashMap<>(unread);
    allUnread.putAll(other.unread);
    return new QueueReport(all, allUnread);
  }
}
