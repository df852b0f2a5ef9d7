package net.sluice.emulator.v1model.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import net.sluice.emulator.trace.v1.Trace;
import net.sluice.emulator.trace.v1.TraceFilter;
import net.sluice.emulator.v1model.LoadedProgram;
import net.sluice.emulator.v1model.V1modelSwitch;

/** A program all of whose packets are traced. */
public final class TracedProgram {

  private TracedProgram() {}

  /** Traces the packets that pass a filter. */
  public static TraceSession follow(LoadedProgram program, TraceFilter filter) {
    Tracing tracing = new Tracing(new ReentrantLock());
    tracing.install(program.tracer(), program.pipeline());
    return tracing.open(filter);
  }

  /** Traces everything. */
  public static TraceSession follow(LoadedProgram program) {
    return follow(program, TraceFilter.newBuilder().setPendingLimit(65_536).build());
  }

  /** A switch with a program in force. */
  public static V1modelSwitch device(LoadedProgram program) {
    V1modelSwitch device = new V1modelSwitch(1, 1);
    device.install(program);
    return device;
  }

  /** Traces everything in a switch. */
  public static TraceSession follow(V1modelSwitch device) {
    return device.tracing().open(TraceFilter.newBuilder().setPendingLimit(65_536).build());
  }

  /** The traces that wait. */
  public static List<Trace> all(TraceSession session) {
    List<Trace> traces = new ArrayList<>();
    for (Optional<Trace> next = session.poll(); next.isPresent(); next = session.poll()) {
      traces.add(next.get());
    }
    return traces;
  }
}
