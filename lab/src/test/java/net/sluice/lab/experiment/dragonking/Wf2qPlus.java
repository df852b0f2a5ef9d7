package net.sluice.lab.experiment.dragonking;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;

/**
 * WF2Q+ by its definition, packet by packet, as a shaper: the virtual time is the clock (paper 004,
 * figure 2). A queue's first packet has S = max(F of the one before, arrival) and F = S + L / R; of
 * the queues whose S the clock has reached the one with the least F sends, for as long as its
 * packet takes on the line.
 */
final class Wf2qPlus {
  /** A packet and the time at which its first bit leaves, nanoseconds. */
  record Sent(int limit, double startNanos, double sendNanos) {}

  private record Waiting(int limit, double startNanos, double finishNanos, long order) {}

  private final double lineNanos;
  private final double spacingNanos;
  private final double[] lastFinish;
  private final List<ArrayDeque<Waiting>> queues = new ArrayList<>();

  /** First packets of queues, those that the clock has not reached, by S. */
  private final PriorityQueue<Waiting> early =
      new PriorityQueue<>(
          (a, b) ->
              a.startNanos != b.startNanos
                  ? Double.compare(a.startNanos, b.startNanos)
                  : Long.compare(a.order, b.order));

  /** The others, by F. */
  private final PriorityQueue<Waiting> eligible =
      new PriorityQueue<>(
          (a, b) ->
              a.finishNanos != b.finishNanos
                  ? Double.compare(a.finishNanos, b.finishNanos)
                  : Long.compare(a.order, b.order));

  private final List<Sent> sent = new ArrayList<>();
  private double freeNanos;
  private long order;

  /** Empty queues of limits that have one rate and packets of one length. */
  Wf2qPlus(int limits, double lineNanos, double spacingNanos) {
    this.lineNanos = lineNanos;
    this.spacingNanos = spacingNanos;
    lastFinish = new double[limits];
    for (int i = 0; i < limits; i++) {
      queues.add(new ArrayDeque<>());
    }
  }

  /** A packet comes; arrivals are in order. */
  void arrives(int limit, double nowNanos) {
    sendUntil(nowNanos);
    double start = Math.max(lastFinish[limit], nowNanos);
    lastFinish[limit] = start + spacingNanos;
    Waiting packet = new Waiting(limit, start, lastFinish[limit], order++);
    ArrayDeque<Waiting> queue = queues.get(limit);
    queue.add(packet);
    if (queue.size() == 1) {
      early.add(packet);
    }
  }

  /** Sends what can begin before a time; tells all packets sent so far. */
  List<Sent> sendUntil(double endNanos) {
    while (true) {
      double now = freeNanos;
      if (eligible.isEmpty()) {
        if (early.isEmpty()) {
          return sent;
        }
        now = Math.max(now, early.peek().startNanos);
      }
      if (now >= endNanos) {
        return sent;
      }
      while (!early.isEmpty() && early.peek().startNanos <= now) {
        eligible.add(early.poll());
      }
      Waiting packet = eligible.poll();
      sent.add(new Sent(packet.limit, packet.startNanos, now));
      freeNanos = now + lineNanos;
      ArrayDeque<Waiting> queue = queues.get(packet.limit);
      queue.remove();
      if (!queue.isEmpty()) {
        early.add(queue.peek());
      }
    }
  }
}
