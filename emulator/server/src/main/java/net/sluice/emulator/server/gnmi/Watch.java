package net.sluice.emulator.server.gnmi;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import net.sluice.emulator.server.gnmi.TreeNode.Leaf;
import net.sluice.gnmi.wire.Encoding;
import net.sluice.gnmi.wire.Notification;
import net.sluice.gnmi.wire.Path;
import net.sluice.gnmi.wire.Update;

/** The paths of one subscription, and the values that its client has been sent. */
final class Watch {

  /** Values in a message. */
  private static final int UPDATES_PER_NOTIFICATION = 1_000;

  final Path pattern;
  final boolean onChange;
  private final Predicate<Leaf> filter;
  private final Encoding encoding;
  private final boolean keepsLast;

  /** Nanoseconds between samples; 0 if it is not sampled. */
  final long intervalNanos;

  /** Whether only what has changed is sent between heartbeats. */
  final boolean changesOnly;

  /** Nanoseconds between heartbeats, or 0. */
  final long heartbeatNanos;

  /** Whether there is something to send, and whether that is everything. */
  boolean due;

  boolean everything;

  /** Samples that the client was too slow for. */
  int missed;

  private Map<Path, Object> last = new HashMap<>();

  Watch(
      Path pattern,
      Predicate<Leaf> filter,
      Encoding encoding,
      boolean onChange,
      long intervalNanos,
      boolean changesOnly,
      long heartbeatNanos) {
    this.pattern = pattern;
    this.filter = filter;
    this.encoding = encoding;
    this.onChange = onChange;
    this.intervalNanos = intervalNanos;
    this.changesOnly = changesOnly;
    this.heartbeatNanos = heartbeatNanos;
    this.keepsLast = onChange || changesOnly;
  }

  /** Notes the present values as known without sending them. */
  void skip(TreeWalk walk) throws GnmiException {
    last = values(walk);
  }

  /**
   * The notifications to send now.
   *
   * @param all whether values that the client knows are sent again
   */
  List<Notification> take(TreeWalk walk, boolean all, long epochNanos, Prefixed prefixed)
      throws GnmiException {
    List<Notification> notifications = new ArrayList<>();
    Map<Path, Leaf> leaves = walk.leaves(pattern, filter);
    Map<Path, Object> now = new LinkedHashMap<>();
    Notification.Builder current = begin(epochNanos, prefixed);
    for (Map.Entry<Path, Leaf> entry : leaves.entrySet()) {
      Leaf leaf = entry.getValue();
      Object value = leaf.value();
      if (value == null) {
        continue;
      }
      now.put(entry.getKey(), value);
      if (all || !value.equals(last.get(entry.getKey()))) {
        current.addUpdate(
            Update.newBuilder()
                .setPath(prefixed.relative(entry.getKey()))
                .setVal(JsonEncoding.value(leaf, value, encoding))
                .setDuplicates(missed));
        if (current.getUpdateCount() == UPDATES_PER_NOTIFICATION) {
          notifications.add(current.build());
          current = begin(epochNanos, prefixed);
        }
      }
    }
    if (keepsLast) {
      for (Path known : last.keySet()) {
        if (!now.containsKey(known)) {
          current.addDelete(prefixed.relative(known));
        }
      }
      last = now;
    }
    missed = 0;
    if (current.getUpdateCount() > 0 || current.getDeleteCount() > 0) {
      notifications.add(current.build());
    }
    return notifications;
  }

  private Map<Path, Object> values(TreeWalk walk) throws GnmiException {
    Map<Path, Object> values = new LinkedHashMap<>();
    walk.leaves(pattern, filter)
        .forEach(
            (path, leaf) -> {
              Object value = leaf.value();
              if (value != null) {
                values.put(path, value);
              }
            });
    return values;
  }

  private static Notification.Builder begin(long epochNanos, Prefixed prefixed) {
    Notification.Builder notification = Notification.newBuilder().setTimestamp(epochNanos);
    prefixed.into(notification);
    return notification;
  }
}
