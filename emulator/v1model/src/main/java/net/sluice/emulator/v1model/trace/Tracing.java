package net.sluice.emulator.v1model.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import net.sluice.emulator.trace.v1.Trace;
import net.sluice.emulator.trace.v1.TraceFilter;
import net.sluice.emulator.v1model.runtime.CompiledPipeline;
import net.sluice.emulator.v1model.runtime.PacketTap;
import net.sluice.emulator.v1model.runtime.PacketTrace;
import net.sluice.emulator.v1model.runtime.ParsedPacket;

/**
 * Traces of a switch's packets. While a session is open, packets that it wants go through a second
 * pipeline of the program in force, generated with calls to {@code PacketTrace}, on the same
 * tables, registers, counters and random numbers; all others go through the pipeline without
 * tracing.
 */
public final class Tracing {

  /** Most packets in the switch that are traced at a time. */
  private static final int MAX_IN_FLIGHT = 4096;

  private final ReentrantLock lock;
  private final List<TraceSession> sessions = new CopyOnWriteArrayList<>();
  private ProgramTracer tracer;
  private CompiledPipeline pipeline;
  private long lastNumber;
  private int inFlight;

  /**
   * @param lock the device's
   */
  public Tracing(ReentrantLock lock) {
    this.lock = lock;
  }

  /**
   * Begins to trace packets that pass a filter, until the session is closed or the filter's limit
   * is reached. Any thread.
   *
   * @throws IllegalArgumentException if the filter is inconsistent, or has names that the program
   *     in force does not
   */
  public TraceSession open(TraceFilter filter) {
    TraceSession session = new TraceSession(this, filter);
    ProgramTracer ahead = tracer();
    if (ahead != null) {
      // Outside of the lock, so as not to hold up packets.
      ahead.prepare();
    }
    lock.lock();
    try {
      if (tracer != null) {
        session.outcomes().check(tracer.tables());
      }
      sessions.add(session);
      attach();
    } finally {
      lock.unlock();
    }
    return session;
  }

  private ProgramTracer tracer() {
    lock.lock();
    try {
      return tracer;
    } finally {
      lock.unlock();
    }
  }

  /** Prepares the tracer of a program that is about to be put in force. */
  public void prepare(ProgramTracer next) {
    if (!sessions.isEmpty()) {
      next.prepare();
    }
  }

  /** A program is put in force; under the device's lock. */
  public void install(ProgramTracer next, CompiledPipeline nextPipeline) {
    tracer = next;
    pipeline = nextPipeline;
    attach();
  }

  private void attach() {
    if (pipeline != null) {
      pipeline.setTap(sessions.isEmpty() ? null : new Tap(tracer));
    }
  }

  void closed(TraceSession session) {
    lock.lock();
    try {
      if (sessions.remove(session)) {
        attach();
      }
    } finally {
      lock.unlock();
    }
  }

  /** The number of a trace that begins. */
  long nextNumber() {
    inFlight++;
    return ++lastNumber;
  }

  /** Delivers a complete trace to its sessions. */
  void finished(Recording recording, Trace trace) {
    inFlight--;
    for (TraceSession session : recording.sessions()) {
      session.offer(trace);
      if (session.isEnded()) {
        closed(session);
      }
    }
  }

  /** Chooses packets of one program. */
  private final class Tap extends PacketTap {

    private final ProgramTracer tracer;

    Tap(ProgramTracer tracer) {
      super(tracer.traced());
      this.tracer = tracer;
    }

    @Override
    protected PacketTrace begin(ParsedPacket packet, int port, long nowMicros) {
      List<TraceSession> wanting = List.of();
      for (TraceSession session : sessions) {
        if (session.wants(packet.bytes(), packet.offset(), packet.length(), port)) {
          if (wanting.isEmpty()) {
            wanting = new ArrayList<>();
          }
          wanting.add(session);
        }
      }
      if (wanting.isEmpty()) {
        return null;
      }
      if (inFlight == MAX_IN_FLIGHT) {
        wanting.forEach(TraceSession::miss);
        return null;
      }
      return new Recording(tracer, Tracing.this, wanting, nextNumber(), packet, port, nowMicros);
    }
  }
}
