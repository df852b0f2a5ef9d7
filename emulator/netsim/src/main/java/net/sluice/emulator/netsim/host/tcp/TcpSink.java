package net.sluice.emulator.netsim.host.tcp;

import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.host.IpAddress;

/**
 * An application that accepts connections, takes everything they bring and measures it; it closes
 * when the other side has.
 */
public final class TcpSink implements TcpAcceptor {

  private static final double BITS_PER_BYTE = 8;
  private static final double NANOS_PER_SECOND = 1e9;

  private final Simulation simulation;
  private final List<Flow> flows = new ArrayList<>();
  private long resetNanos;

  private TcpSink(Simulation simulation) {
    this.simulation = simulation;
    this.resetNanos = simulation.nowNanos();
  }

  /** A sink that listens on a port. */
  public static TcpSink listen(TcpStack stack, int port) {
    TcpSink sink = new TcpSink(stack.host().simulation());
    stack.listen(port, sink);
    return sink;
  }

  /** An accepted connection, with the data received so far. */
  public final class Flow implements TcpHandler {
    private final IpAddress remoteAddress;
    private final int remotePort;
    private long totalBytes;
    private long bytes;
    private long firstNanos = -1;
    private long lastNanos = -1;
    private CloseReason closeReason;

    private Flow(IpAddress remoteAddress, int remotePort) {
      this.remoteAddress = remoteAddress;
      this.remotePort = remotePort;
    }

    /** Address of the sender. */
    public IpAddress remoteAddress() {
      return remoteAddress;
    }

    /** Port of the sender. */
    public int remotePort() {
      return remotePort;
    }

    /** Bytes since the connection was made. */
    public long totalBytes() {
      return totalBytes;
    }

    /** Bytes since the last reset. */
    public long bytes() {
      return bytes;
    }

    /** Goodput since the last reset: bits of the stream per second; 0 for an empty interval. */
    public double goodputBps() {
      return rate(bytes);
    }

    /** When the first byte came, virtual nanoseconds; -1 before. */
    public long firstNanos() {
      return firstNanos;
    }

    /** When the last byte so far came, virtual nanoseconds; -1 before. */
    public long lastNanos() {
      return lastNanos;
    }

    /** Why the connection is over; null before. */
    public CloseReason closeReason() {
      return closeReason;
    }

    @Override
    public void onData(TcpConnection connection, byte[] buffer, int offset, int length) {
      lastNanos = simulation.nowNanos();
      if (firstNanos < 0) {
        firstNanos = lastNanos;
      }
      totalBytes += length;
      bytes += length;
    }

    @Override
    public void onRemoteClosed(TcpConnection connection) {
      connection.close();
    }

    @Override
    public void onClosed(TcpConnection connection, CloseReason reason) {
      closeReason = reason;
    }
  }

  @Override
  public TcpHandler accept(IpAddress remoteAddress, int remotePort) {
    Flow flow = new Flow(remoteAddress, remotePort);
    flows.add(flow);
    return flow;
  }

  /** Connections accepted so far, in order. */
  public List<Flow> flows() {
    return List.copyOf(flows);
  }

  /** Bytes of all connections since the last reset. */
  public long bytes() {
    long sum = 0;
    for (Flow flow : flows) {
      sum += flow.bytes;
    }
    return sum;
  }

  /** Goodput of all connections since the last reset, bits per second; 0 for an empty interval. */
  public double goodputBps() {
    return rate(bytes());
  }

  /** Resets the counts, at the end of a warm-up. */
  public void resetStatistics() {
    resetNanos = simulation.nowNanos();
    for (Flow flow : flows) {
      flow.bytes = 0;
    }
  }

  private double rate(long count) {
    long nanos = simulation.nowNanos() - resetNanos;
    return nanos == 0 ? 0 : count * BITS_PER_BYTE * NANOS_PER_SECOND / nanos;
  }
}
