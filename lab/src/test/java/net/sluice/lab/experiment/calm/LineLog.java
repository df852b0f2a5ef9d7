package net.sluice.lab.experiment.calm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.sluice.emulator.netsim.traffic.Ecn;
import net.sluice.emulator.netsim.traffic.FrameBuilder;

/** Keeps the frames that a line sent and dropped, by their tags. */
final class LineLog implements QueuedLine.Observer {

  /** A frame that was sent or dropped at a time. */
  record Event(long nanos, long tag) {}

  final List<Event> sent = new ArrayList<>();
  final List<Event> dropped = new ArrayList<>();
  final List<Event> marked = new ArrayList<>();
  final Map<Long, Long> bytes = new HashMap<>();
  final Map<Long, Long> longestWait = new HashMap<>();

  @Override
  public void sent(long tag, int length, long waitNanos, boolean ce, long nowNanos) {
    sent.add(new Event(nowNanos, tag));
    if (ce) {
      marked.add(new Event(nowNanos, tag));
    }
    bytes.merge(tag, (long) length, Long::sum);
    longestWait.merge(tag, waitNanos, Math::max);
  }

  @Override
  public void dropped(long tag, int length, long nowNanos) {
    dropped.add(new Event(nowNanos, tag));
  }

  /** A frame of a flow with so many bytes. */
  static byte[] frame(int flow, int length, Ecn ecn) {
    return new FrameBuilder()
        .addresses("10.0.0.1", "10.0.1." + flow)
        .ecn(ecn)
        .frameBytes(length)
        .build()
        .frame(flow, 0);
  }
}
