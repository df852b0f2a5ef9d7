package net.sluice.emulator.netsim.host.tcp;

import java.util.Objects;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.host.IpAddress;

/** An application that opens a connection, sends as fast as TCP lets it, and closes. */
public final class TcpBulkSender implements TcpHandler {

  private static final long NOT_YET = -1;

  private final PayloadSource payload;
  private TcpConnection connection;
  private long establishedNanos = NOT_YET;
  private long closedNanos = NOT_YET;
  private CloseReason closeReason;

  private TcpBulkSender(PayloadSource payload) {
    this.payload = payload;
  }

  /** Describes a sender to a destination; {@link Builder#start} then makes it. */
  public static Builder to(TcpStack stack, IpAddress remote, int remotePort) {
    return new Builder(stack, remote, remotePort);
  }

  /** Configuration of a sender. */
  public static final class Builder {
    private final TcpStack stack;
    private final IpAddress remote;
    private final int remotePort;
    private long bytes = Long.MAX_VALUE;
    private long startNanos;
    private long stopNanos = Long.MAX_VALUE;
    private PayloadSource payload = PayloadSource.ZEROS;

    private Builder(TcpStack stack, IpAddress remote, int remotePort) {
      this.stack = stack;
      this.remote = remote;
      this.remotePort = remotePort;
    }

    /** Bytes to send before closing, at least 0; unlimited by default. */
    public Builder bytes(long count) {
      if (count < 0) {
        throw new IllegalArgumentException("bytes " + count + ": must be at least 0");
      }
      this.bytes = count;
      return this;
    }

    /** When to open the connection, virtual nanoseconds; at once when that is past, or not set. */
    public Builder startNanos(long nanos) {
      this.startNanos = nanos;
      return this;
    }

    /** When to stop sending new data and to close, virtual nanoseconds; never unless set. */
    public Builder stopNanos(long nanos) {
      this.stopNanos = nanos;
      return this;
    }

    /** Source of the payload; zeros unless set. */
    public Builder payload(PayloadSource source) {
      this.payload = Objects.requireNonNull(source, "payload");
      return this;
    }

    /**
     * The sender, whose events are scheduled.
     *
     * @throws IllegalArgumentException when it would stop before it starts
     */
    public TcpBulkSender start() {
      Simulation simulation = stack.host().simulation();
      long from = Math.max(simulation.nowNanos(), startNanos);
      if (stopNanos < from) {
        throw new IllegalArgumentException(
            "stopNanos " + stopNanos + ": must be at least the start, " + from);
      }
      TcpBulkSender sender = new TcpBulkSender(payload);
      simulation.schedule(
          from, (now, argument) -> sender.open(stack, remote, remotePort, bytes), 0);
      if (stopNanos != Long.MAX_VALUE) {
        simulation.schedule(stopNanos, (now, argument) -> sender.stop(), 0);
      }
      return sender;
    }
  }

  private void open(TcpStack stack, IpAddress remote, int remotePort, long bytes) {
    connection = stack.connect(remote, remotePort, this);
    connection.offer(bytes);
  }

  private void stop() {
    if (connection.state() != TcpState.CLOSED) {
      connection.withdrawUnsent();
      connection.close();
    }
  }

  /**
   * Its connection.
   *
   * @throws IllegalStateException before the sender has started
   */
  public TcpConnection connection() {
    if (connection == null) {
      throw new IllegalStateException("the sender has not started yet");
    }
    return connection;
  }

  /** When the connection was established, virtual nanoseconds; -1 before. */
  public long establishedNanos() {
    return establishedNanos;
  }

  /** When the connection was over, virtual nanoseconds; -1 before. */
  public long closedNanos() {
    return closedNanos;
  }

  /** Why the connection is over; null before. */
  public CloseReason closeReason() {
    return closeReason;
  }

  @Override
  public PayloadSource payload() {
    return payload;
  }

  @Override
  public void onEstablished(TcpConnection established) {
    establishedNanos = established.simulation().nowNanos();
    if (established.unsentBytes() < Long.MAX_VALUE / 2) {
      established.close();
    }
  }

  @Override
  public void onRemoteClosed(TcpConnection closing) {
    closing.withdrawUnsent();
    closing.close();
  }

  @Override
  public void onClosed(TcpConnection closed, CloseReason reason) {
    closedNanos = closed.simulation().nowNanos();
    closeReason = reason;
  }
}
