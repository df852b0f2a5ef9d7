package net.sluice.it.p4;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.server.EmbeddedSwitch;

/**
 * The emulated switch with all ports there can be behind its P4Runtime server, in virtual time: a
 * frame every millisecond, all ports without a limit.
 */
public final class FramesThrough implements AutoCloseable {
  /** P4Runtime device id. */
  public static final long DEVICE_ID = EmbeddedSwitch.DEVICE_ID;

  private static final Duration HALF = Duration.ofNanos(500_000);

  private final EmbeddedSwitch embedded;
  private final List<PortFrame> out = new ArrayList<>();

  /** A switch with a CPU port, or 0 for none, and without a program. */
  public FramesThrough(int cpuPort) {
    int[] ports =
        IntStream.range(0, SwitchNode.MAX_PORT)
            .filter(port -> cpuPort == 0 || port != cpuPort)
            .toArray();
    try {
      embedded = EmbeddedSwitch.start(DEVICE_ID, 1, cpuPort, ports);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot serve the emulated switch", e);
    }
    for (int port : ports) {
      embedded
          .port(port)
          .connect(
              (bytes, offset, length, tag, nowNanos) ->
                  out.add(new PortFrame(port, ByteString.copyFrom(bytes, offset, length))));
    }
  }

  /** The switch. */
  public EmbeddedSwitch embedded() {
    return embedded;
  }

  /** A channel to its P4Runtime server. */
  public ManagedChannel channel() {
    return ManagedChannelBuilder.forAddress("127.0.0.1", embedded.p4RuntimePort())
        .usePlaintext()
        .build();
  }

  /** For each frame given, what left the switch because of it. */
  public List<List<PortFrame>> pass(List<PortFrame> frames) {
    List<List<PortFrame>> all = new ArrayList<>();
    for (PortFrame frame : frames) {
      embedded.run(HALF);
      embedded.send(frame.port(), frame.bytes().toByteArray());
      embedded.run(HALF);
      all.add(taken());
    }
    return all;
  }

  /** Lets a millisecond pass; what left the switch by ports. */
  public List<PortFrame> pass() {
    embedded.run(HALF.plus(HALF));
    return taken();
  }

  private List<PortFrame> taken() {
    List<PortFrame> taken = List.copyOf(out);
    out.clear();
    return taken;
  }

  @Override
  public void close() {
    embedded.close();
  }
}
