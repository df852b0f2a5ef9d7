package net.sluice.emulator.v1model.trace;

import java.util.ArrayDeque;
import java.util.Optional;
import net.sluice.emulator.trace.v1.Trace;
import net.sluice.emulator.trace.v1.TraceFilter;

/**
 * Traces of the packets that pass a filter. They wait until they are polled, up to the filter's
 * limit and {@value #MAX_PENDING_BYTES} bytes; beyond that they are counted and dropped.
 */
public final class TraceSession implements AutoCloseable {

  /** Most bytes of waiting traces, in wire format. */
  public static final long MAX_PENDING_BYTES = 64L << 20;

  private static final int DEFAULT_PENDING = 256;
  private static final int MAX_PENDING = 65_536;

  private final Tracing tracing;
  private final PacketFilter packets;
  private final OutcomeFilter outcomes;
  private final long sampleOneIn;
  private final long limit;
  private final int pendingLimit;
  private final ArrayDeque<Trace> pending = new ArrayDeque<>();
  private long pendingBytes;
  private long candidates;
  private long kept;
  private long dropped;
  private boolean closed;
  private Runnable listener = () -> {};

  TraceSession(Tracing tracing, TraceFilter filter) {
    this.tracing = tracing;
    packets = new PacketFilter(filter);
    outcomes = new OutcomeFilter(filter);
    sampleOneIn = Math.max(1, Integer.toUnsignedLong(filter.getSampleOneIn()));
    limit = filter.getLimit();
    pendingLimit = filter.getPendingLimit() == 0 ? DEFAULT_PENDING : filter.getPendingLimit();
    if (pendingLimit < 1 || pendingLimit > MAX_PENDING) {
      throw new IllegalArgumentException(
          "pending_limit %s: must be from 1 to %s, or 0 for %s"
              .formatted(
                  Integer.toUnsignedString(filter.getPendingLimit()),
                  MAX_PENDING,
                  DEFAULT_PENDING));
    }
    if (limit < 0) {
      throw new IllegalArgumentException(
          "limit " + Long.toUnsignedString(limit) + ": must be from 0 to " + Long.MAX_VALUE);
    }
  }

  OutcomeFilter outcomes() {
    return outcomes;
  }

  /** Sets the listener for new traces and for the end; called under locks, so it must be brief. */
  public synchronized void setListener(Runnable listener) {
    this.listener = listener;
  }

  /** Whether a packet about to enter ingress is to be traced. */
  synchronized boolean wants(byte[] bytes, int offset, int length, int port) {
    return !isEnded()
        && packets.passes(bytes, offset, length, port)
        && candidates++ % sampleOneIn == 0;
  }

  /** A trace that it wanted is complete. */
  void offer(Trace trace) {
    Runnable told;
    synchronized (this) {
      if (isEnded() || !outcomes.passes(trace)) {
        return;
      }
      long bytes = trace.getSerializedSize();
      if (pending.size() >= pendingLimit || pendingBytes + bytes > MAX_PENDING_BYTES) {
        dropped++;
      } else {
        pending.addLast(trace);
        pendingBytes += bytes;
        kept++;
      }
      told = listener;
    }
    told.run();
  }

  /** A packet that it wanted could not be traced. */
  synchronized void miss() {
    dropped++;
  }

  /** The next trace, if one is waiting. */
  public synchronized Optional<Trace> poll() {
    Trace next = pending.pollFirst();
    if (next != null) {
      pendingBytes -= next.getSerializedSize();
    }
    return Optional.ofNullable(next);
  }

  /** Traces dropped so far for lack of room. */
  public synchronized long dropped() {
    return dropped;
  }

  /** Whether no traces will come but those waiting. */
  public synchronized boolean isEnded() {
    return closed || limit > 0 && kept >= limit;
  }

  /** Ends the session. Waiting traces can still be polled. */
  @Override
  public void close() {
    Runnable told;
    synchronized (this) {
      closed = true;
      told = listener;
    }
    tracing.closed(this);
    told.run();
  }
}
