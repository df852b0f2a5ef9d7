package net.sluice.emulator.cli.trace;

import io.grpc.ChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.PrintWriter;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.util.Iterator;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import net.sluice.cli.ListenAddress;
import net.sluice.cli.OptionException;
import net.sluice.cli.StartFailure;
import net.sluice.emulator.cli.tls.ClientTlsOptions;
import net.sluice.emulator.trace.v1.Trace;
import net.sluice.emulator.trace.v1.TraceFilter;
import net.sluice.emulator.trace.v1.TraceMessage;
import net.sluice.emulator.trace.v1.TracerGrpc;

/** Traces of a running switch's packets. */
final class AttachedTrace {

  private static final int MAX_MESSAGE_BYTES = 64 << 20;

  /** Exit code of a trace that has been ended by something else than its limits. */
  static final int ENDED = 1;

  private final String name;
  private final InetSocketAddress address;
  private final ClientTlsOptions tls;
  private final ChannelCredentials credentials;
  private final TraceFilter filter;

  /**
   * @param name how the user calls the switch
   * @throws OptionException if an option of {@code tls} is not allowed
   */
  AttachedTrace(String name, InetSocketAddress address, ClientTlsOptions tls, TraceFilter filter) {
    this.name = name;
    this.address = address;
    this.tls = tls;
    this.credentials = tls.credentials();
    this.filter = filter;
  }

  /**
   * Passes traces on until there are no more, and says on {@code err} how many were missed.
   *
   * @return exit code
   * @throws StartFailure if there is no such switch, or it refuses the filter
   */
  int run(Consumer<Trace> traces, PrintWriter err) throws StartFailure {
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress(address, credentials)
            .maxInboundMessageSize(MAX_MESSAGE_BYTES);
    if (tls.name() != null) {
      builder.overrideAuthority(tls.name());
    }
    ManagedChannel channel = builder.build();
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
                "sluice trace: %s traces missed: they came faster than they were taken"
                    .formatted(message.getDroppedTraces() - missed));
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
    String reason = e.getCause() == null ? text(e) : ListenAddress.reason(e);
    if (tls.tls() && causedBy(SSLException.class, e)) {
      return new StartFailure("--attach " + name + ": no session over TLS: " + reason, e);
    }
    return new StartFailure(
        "--attach %s: no switch answers%s: %s"
            .formatted(
                name,
                tls.tls() || ofConnecting(e) ? "" : " in plain text (over TLS, perhaps: --tls)",
                reason),
        e);
  }

  /** Whether nothing is there that could have answered. */
  private static boolean ofConnecting(Throwable failure) {
    return causedBy(ConnectException.class, failure)
        || causedBy(NoRouteToHostException.class, failure);
  }

  private static boolean causedBy(Class<? extends Throwable> kind, Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (kind.isInstance(cause)) {
        return true;
      }
    }
    return false;
  }

  private static String text(StatusRuntimeException e) {
    String description = e.getStatus().getDescription();
    return description == null ? e.getStatus().getCode().toString() : description;
  }
}
