package net.sluice.emulator.server.gnmi;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import net.sluice.emulator.server.gnmi.TreeNode.Leaf;
import net.sluice.gnmi.GnmiPaths;
import net.sluice.gnmi.wire.Notification;
import net.sluice.gnmi.wire.Path;
import net.sluice.gnmi.wire.SubscribeRequest;
import net.sluice.gnmi.wire.SubscribeResponse;
import net.sluice.gnmi.wire.Subscription;
import net.sluice.gnmi.wire.SubscriptionList;

/**
 * One Subscribe call. Everything happens under the simulation's lock.
 *
 * <p>A client that reads slowly holds nobody up and costs no more memory than one set of answers:
 * while those wait, samples that fall due are counted, not made. When the client has read on, it
 * gets the values of that moment, with the number of samples left out in {@code duplicates}.
 */
final class SubscribeSession {

  /** Shortest interval of samples and heartbeats, which 0 asks for, nanoseconds. */
  static final long SHORTEST_INTERVAL_NANOS = 100_000_000L;

  /** Interval at which the target samples what it may choose for, nanoseconds. */
  static final long DEFAULT_INTERVAL_NANOS = 10_000_000_000L;

  /** How often counters are looked at for changes. */
  private static final long COUNTER_CHANGES_NANOS = 1_000_000_000L;

  private final SwitchTree tree;
  private final GnmiClock clock;
  private final Outlet out;
  private final Runnable onEnd;

  private SubscriptionList.Mode mode;
  private boolean updatesOnly;
  private Prefixed prefixed;
  private final List<Watch> watches = new ArrayList<>();
  private final Deque<SubscribeResponse> outbox = new ArrayDeque<>();
  private int polls;
  private boolean ending;
  private boolean ended;

  /** Where answers go. */
  interface Outlet {

    /** Whether an answer would leave at once. */
    boolean isReady();

    void send(SubscribeResponse response);

    void complete();

    void fail(GnmiException refusal);
  }

  /**
   * @param onEnd told once when the call has ended
   */
  SubscribeSession(SwitchTree tree, GnmiClock clock, Outlet out, Runnable onEnd) {
    this.tree = tree;
    this.clock = clock;
    this.out = out;
    this.onEnd = onEnd;
  }

  /** The client has sent something. */
  void onRequest(SubscribeRequest request) {
    if (ended) {
      return;
    }
    try {
      GnmiAnswers.checkExtensions(request.getExtensionList());
      switch (request.getRequestCase()) {
        case SUBSCRIBE -> {
          if (mode != null) {
            throw GnmiException.invalid("subscribe: must come once, as the first request");
          }
          begin(request.getSubscribe());
        }
        case POLL -> {
          if (mode != SubscriptionList.Mode.POLL) {
            throw GnmiException.invalid("poll: must follow a subscribe of mode POLL");
          }
          polls++;
        }
        default -> throw GnmiException.invalid("request: must be subscribe or poll");
      }
      pump();
    } catch (GnmiException refusal) {
      fail(refusal);
    }
  }

  /** The client will send nothing more. A stream goes on, polls that have come are answered. */
  void onRequestsEnd() {
    if (mode == null || mode == SubscriptionList.Mode.POLL) {
      ending = true;
      onReady();
    }
  }

  /** The client has read on. */
  void onReady() {
    try {
      pump();
    } catch (GnmiException refusal) {
      fail(refusal);
    }
  }

  /** Something that is an event may have changed. */
  void onChange() {
    for (Watch watch : watches) {
      if (watch.onChange) {
        watch.due = true;
      }
    }
    onReady();
  }

  /** The call has ended: the client is gone, or the server goes. */
  void end() {
    if (!ended) {
      ended = true;
      outbox.clear();
      watches.clear();
      onEnd.run();
    }
  }

  private void fail(GnmiException refusal) {
    if (!ended) {
      end();
      out.fail(refusal);
    }
  }

  private void begin(SubscriptionList list) throws GnmiException {
    GnmiAnswers.checkModels(list.getUseModelsList());
    GnmiAnswers.checkEncoding(list.getEncoding());
    if (list.hasQos() && list.getQos().getMarking() != 0) {
      throw GnmiException.unimplemented(
          "qos.marking " + list.getQos().getMarking() + ": must be 0, answers are not marked");
    }
    if (list.getSubscriptionCount() == 0) {
      throw GnmiException.invalid("subscription: must have at least one");
    }
    switch (list.getMode()) {
      case STREAM, ONCE, POLL -> {}
      default -> throw GnmiException.invalid("mode: must be STREAM, ONCE or POLL");
    }
    updatesOnly = list.getUpdatesOnly();
    prefixed = new Prefixed(list.getPrefix());
    for (Subscription subscription : list.getSubscriptionList()) {
      add(list, subscription);
    }
    mode = list.getMode();
    for (Watch watch : watches) {
      if (updatesOnly) {
        watch.skip(tree.walk());
      } else {
        put(watch, true);
      }
      if (mode == SubscriptionList.Mode.STREAM) {
        every(watch, watch.intervalNanos, false);
        every(watch, watch.heartbeatNanos, true);
      }
    }
    sync();
    ending = mode == SubscriptionList.Mode.ONCE;
  }

  private void add(SubscriptionList list, Subscription subscription) throws GnmiException {
    Path path = tree.moduleNames().join(list.getPrefix(), subscription.getPath());
    tree.walk().checkSchema(path);
    String where = "subscription '" + GnmiPaths.print(path) + "'";
    if (list.getMode() != SubscriptionList.Mode.STREAM) {
      // What was polled with updates_only counts as known.
      watches.add(
          new Watch(path, leaf -> true, list.getEncoding(), false, 0, list.getUpdatesOnly(), 0));
      return;
    }
    long interval = interval(where, "sample_interval", subscription.getSampleInterval());
    long heartbeat =
        subscription.getHeartbeatInterval() == 0
            ? 0
            : interval(where, "heartbeat_interval", subscription.getHeartbeatInterval());
    switch (subscription.getMode()) {
      case SAMPLE:
        if (heartbeat > 0 && !subscription.getSuppressRedundant()) {
          throw GnmiException.invalid(
              where + ": heartbeat_interval needs suppress_redundant in mode SAMPLE");
        }
        watches.add(
            sampled(
                list,
                path,
                leaf -> true,
                interval,
                subscription.getSuppressRedundant(),
                heartbeat));
        return;
      case ON_CHANGE:
        watches.add(changing(list, path, Leaf::onChange, heartbeat));
        if (tree.walk().hasLeavesWithoutEvents(path)) {
          watches.add(
              sampled(
                  list, path, leaf -> !leaf.onChange(), COUNTER_CHANGES_NANOS, true, heartbeat));
        }
        return;
      case TARGET_DEFINED:
        watches.add(changing(list, path, Leaf::onChange, heartbeat));
        watches.add(
            sampled(
                list,
                path,
                leaf -> !leaf.onChange(),
                subscription.getSampleInterval() == 0 ? DEFAULT_INTERVAL_NANOS : interval,
                subscription.getSuppressRedundant(),
                subscription.getSuppressRedundant() ? heartbeat : 0));
        return;
      default:
        throw GnmiException.invalid(where + ": mode must be TARGET_DEFINED, ON_CHANGE or SAMPLE");
    }
  }

  private static Watch changing(
      SubscriptionList list, Path path, Predicate<Leaf> filter, long heartbeat) {
    return new Watch(path, filter, list.getEncoding(), true, 0, true, heartbeat);
  }

  private static Watch sampled(
      SubscriptionList list,
      Path path,
      Predicate<Leaf> filter,
      long interval,
      boolean changesOnly,
      long heartbeat) {
    return new Watch(path, filter, list.getEncoding(), false, interval, changesOnly, heartbeat);
  }

  private static long interval(String where, String field, long nanos) throws GnmiException {
    if (nanos == 0) {
      return SHORTEST_INTERVAL_NANOS;
    }
    if (nanos < SHORTEST_INTERVAL_NANOS) {
      throw GnmiException.invalid(
          "%s: %s %s: must be 0 or at least %s (nanoseconds)",
          where, field, Long.toUnsignedString(nanos), SHORTEST_INTERVAL_NANOS);
    }
    return nanos;
  }

  private void every(Watch watch, long interval, boolean heartbeat) {
    if (interval > 0) {
      arm(watch, clock.nowNanos() + interval, interval, heartbeat);
    }
  }

  private void arm(Watch watch, long atNanos, long interval, boolean heartbeat) {
    clock.schedule(
        atNanos,
        () -> {
          if (ended) {
            return;
          }
          if (heartbeat) {
            watch.everything = true;
          } else if (watch.due) {
            watch.missed++;
          }
          watch.due = true;
          onReady();
          long next = atNanos + interval;
          // A machine that fell behind leaves samples out; it does not make up for them.
          while (!heartbeat && next <= clock.nowNanos()) {
            next += interval;
            watch.missed++;
          }
          arm(watch, Math.max(next, clock.nowNanos()), interval, heartbeat);
        });
  }

  /** Sends what can leave, and makes new answers only when all before have left. */
  private void pump() throws GnmiException {
    while (!ended && out.isReady()) {
      if (!outbox.isEmpty()) {
        out.send(outbox.poll());
      } else if (!refill()) {
        if (ending) {
          end();
          out.complete();
        }
        return;
      }
    }
  }

  private boolean refill() throws GnmiException {
    for (Watch watch : watches) {
      if (watch.due) {
        boolean all = watch.everything || !watch.changesOnly;
        watch.due = false;
        watch.everything = false;
        put(watch, all);
      }
    }
    if (outbox.isEmpty() && polls > 0) {
      polls--;
      for (Watch watch : watches) {
        put(watch, !updatesOnly);
      }
      sync();
    }
    return !outbox.isEmpty();
  }

  private void put(Watch watch, boolean all) throws GnmiException {
    for (Notification notification : watch.take(tree.walk(), all, clock.epochNanos(), prefixed)) {
      outbox.add(SubscribeResponse.newBuilder().setUpdate(notification).build());
    }
  }

  private void sync() {
    outbox.add(SubscribeResponse.newBuilder().setSyncResponse(true).build());
  }
}
