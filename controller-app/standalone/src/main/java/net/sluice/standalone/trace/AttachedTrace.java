package net.sluice.standalone.trace;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.Iterator;
import java.util.function.Consumer;
import net.sluice.emulator.trace.v1.Trace;
import net.sluice.emulator.trace.v1.TraceFilter;
import net.sluice.emulator.trace.v1.TraceMessage;
import net.sluice.emulator.trace.v1.TracerGrpc;
import net.sluice.standalone.ListenAddress;
import net.sluice.standalone.StartFailure;

/** Traces of a running switch's packets. */
final class AttachedTrace {

  private static final int MAX_MESSAGE_BYTES = 64 << 20;

  /** Exit code of a trace that has been ended by something else than its limits. */
  static final int ENDED = 1;

  private final String name;
  private final InetSocketAddress address;
  private final TraceFilter filter;

  AttachedTrace(String name, InetSocketAddress address, TraceFilter filter) {
    this.name = name;
    this.address = address;
    this.filter = filter;
  }

  /**
   * Passes traces on until there are no more, and says on {@code err} how many were missed.
   *
   * @return exit code
   * @throws StartFailure if there is no such switch, or it refuses the filter
   */
  int run(Consumer<Trace> traces, PrintWriter err) throws StartFailure {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(address)
            .usePlaintext()
            .maxInboundMessageSize(MAX_MESSAGE_BYTES)
            .build();
    boolean started = false;
    long missed = 0;
    try {
      Iterator<TraceMessage> messages = TracerGrpc.newBlockingStub(channel).follow(filter);
      while (messages.hasNext()) {
        TraceMessage message = messages.next();
        if (message.hasStarted()) {
          started = true;
          err.println(
              "sluice trace: following packets of device " + message.getStarted().getDeviceId());
          err.flush();
        } else {
          if (message.getDroppedTraces() != missed) {
            err.println(
                "sluice trace: "
                    + (message.getDroppedTraces() - missed)
                    + " traces missed: they came faster than they were taken");
            err.flush();
            missed = message.getDroppedTraces();
          }
          traces.accept(message.getTrace());
        }
      }
      return 0;
    } catch (StatusRuntimeException e) {
      if (!started) {
        throw refusal(e);
      }
      err.println("sluice trace: the switch at " + name + " has ended the session: " + text(e));
      err.flush();
      return ENDED;
    } finally {
      channel.shutdownNow();
    }
  }

  private StartFailure refusal(StatusRuntimeException e) {
    Status.Code code = e.getStatus().getCode();
    if (code == Status.Code.INVALID_ARGUMENT) {
      return new StartFailure("the switch at " + name + " refuses: " + text(e), e);
    }
    if (code == Status.Code.UNIMPLEMENTED) {
      return new StartFailure("--attach " + name + ": what serves there has no traces", e);
    }
    return new StartFailure(
        "--attach "
            + name
            + ": no switch answers: "
            + (e.getCause() == null ? text(e) : ListenAddress.reason(e)),
        e);
  }

  private static String text(StatusRuntimeException e) {
    String description = e.getStatus().getDescription();
    return description == null ? e.getStatus().getCode().toString() : description;
  }
}
