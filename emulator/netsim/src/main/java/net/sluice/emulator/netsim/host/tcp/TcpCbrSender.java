package net.sluice.emulator.netsim.host.tcp;

import java.util.Objects;
import net.sluice.emulator.netsim.EventHandler;
import net.sluice.emulator.netsim.LineClock;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.host.IpAddress;

/**
 * An application that writes to a connection at a constant rate, a piece at a time, as a live
 * stream does. When TCP does not keep up, pieces that would exceed a given backlog are not written
 * and counted.
 */
public final class TcpCbrSender implements TcpHandler, EventHandler {

  private static final int BITS_PER_BYTE = 8;

  private final Simulation simulation;
  private final LineClock pace;
  private final int pieceBytes;
  private final long stopNanos;
  private final long maxBacklogBytes;
  private final PayloadSource payload;
  private TcpConnection connection;
  private long writtenBytes;
  private long skippedBytes;

  private TcpCbrSender(Simulation simulation, Builder builder) {
    this.simulation = simulation;
    this.pace = new LineClock(builder.rateBps);
    this.pieceBytes = builder.pieceBytes;
    this.stopNanos = builder.stopNanos;
    this.maxBacklogBytes = builder.maxBacklogBytes;
    this.payload = builder.payload;
  }

  /**
   * Describes a sender to a destination; {@link Builder#start} then makes it.
   *
   * @param rateBps bits of the stream per second, 1..{@link LineClock#MAX_RATE_BPS}
   */
  public static Builder to(TcpStack stack, IpAddress remote, int remotePort, long rateBps) {
    return new Builder(stack, remote, remotePort, rateBps);
  }

  /** Configuration of a sender. */
  public static final class Builder {
    private final TcpStack stack;
    private final IpAddress remote;
    private final int remotePort;
    private final long rateBps;
    private int pieceBytes = 1_250;
    private long startNanos;
    private long stopNanos = Long.MAX_VALUE;
    private long maxBacklogBytes = 1 << 20;
    private PayloadSource payload = PayloadSource.ZEROS;

    private Builder(TcpStack stack, IpAddress remote, int remotePort, long rateBps) {
      this.stack = stack;
      this.remote = remote;
      this.remotePort = remotePort;
      this.rateBps = rateBps;
    }

    /** Bytes written at a time, 1..2^20; 1250 unless set. */
    public Builder pieceBytes(int bytes) {
      if (bytes < 1 || bytes > 1 << 20) {
        throw new IllegalArgumentException("pieceBytes " + bytes + ": must be 1.." + (1 << 20));
      }
      this.pieceBytes = bytes;
      return this;
    }

    /** When to open the connection, virtual nanoseconds; at once when that is past, or not set. */
    public Builder startNanos(long nanos) {
      this.startNanos = nanos;
      return this;
    }

    /** When to stop writing and to close, virtual nanoseconds; never unless set. */
    public Builder stopNanos(long nanos) {
      this.stopNanos = nanos;
      return this;
    }

    /** Limit of bytes written and not yet acknowledged, at least one piece; 1 MiB by default. */
    public Builder maxBacklogBytes(long bytes) {
      this.maxBacklogBytes = bytes;
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
     * @throws IllegalArgumentException when it would stop before it starts, or never write
     */
    public TcpCbrSender start() {
      Simulation simulation = stack.host().simulation();
      long from = Math.max(simulation.nowNanos(), startNanos);
      if (stopNanos < from) {
        throw new IllegalArgumentException(
            "stopNanos " + stopNanos + ": must be at least the start, " + from);
      }
      if (maxBacklogBytes < pieceBytes) {
        throw new IllegalArgumentException(
            "maxBacklogBytes " + maxBacklogBytes + ": must be at least pieceBytes, " + pieceBytes);
      }
      TcpCbrSender sender = new TcpCbrSender(simulation, this);
      simulation.schedule(
          from,
          (now, argument) -> {
            sender.connection = stack.connect(remote, remotePort, sender);
            sender.onEvent(now, 0);
          },
          0);
      return sender;
    }
  }

  @Override
  public void onEvent(long nowNanos, long argument) {
    if (connection.state() == TcpState.CLOSED) {
      return;
    }
    if (nowNanos >= stopNanos) {
      connection.close();
      return;
    }
    if (connection.backlogBytes() + pieceBytes <= maxBacklogBytes) {
      writtenBytes += pieceBytes;
      connection.offer(pieceBytes);
    } else {
      skippedBytes += pieceBytes;
    }
    // The clock keeps the fraction of a nanosecond, so that the rate holds in the long run.
    long nextNanos = pace.send(nowNanos, (long) pieceBytes * BITS_PER_BYTE);
    simulation.schedule(Math.min(nextNanos, stopNanos), this, 0);
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

  /** Bytes written to the connection. */
  public long writtenBytes() {
    return writtenBytes;
  }

  /** Bytes not written as the backlog was full. */
  public long skippedBytes() {
    return skippedBytes;
  }

  @Override
  public PayloadSource payload() {
    return payload;
  }
}
