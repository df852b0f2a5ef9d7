package net.sluice.it.p4;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import net.sluice.emulator.server.p4runtime.P4RuntimeServer;
import net.sluice.emulator.switching.PacketPipeline;
import net.sluice.emulator.switching.SwitchPacket;
import net.sluice.emulator.v1model.V1modelSwitch;

/**
 * An emulated switch with its access port 1 and core port 2, through which packets of subscribers
 * are passed at moments of the test's choice.
 */
public final class ProbedSwitch implements AutoCloseable {
  private static final int ACCESS = 1;
  private static final int CORE = 2;

  private static final String HOST = "198.51.100.1";

  /** From one packet to the next, in the switch's own time. */
  private static final long SPACING_MICROS = 1_000;

  private static final int QUEUE_MICROS = 40;

  private final V1modelSwitch device = new V1modelSwitch(1, 1);
  private final P4RuntimeServer server;
  private final int subscribers;
  private long nowMicros = 600_000_000;

  /** A switch for subscribers with the addresses 10.0.0.0 and up. */
  public ProbedSwitch(int subscribers) throws IOException {
    this.subscribers = subscribers;
    server =
        P4RuntimeServer.start(device, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  /** Where its P4Runtime server listens, on 127.0.0.1. */
  public int port() {
    return server.port();
  }

  /** Passes a packet to each subscriber and one from it; how many of them are lost. */
  public int lost() {
    int lost = 0;
    for (int number = 0; number < subscribers; number++) {
      String address = "10.0.%d.%d".formatted(number >> 8, number & 255);
      lost += passes(TestFrame.from(address, HOST).at(ACCESS), CORE) ? 0 : 1;
      lost += passes(TestFrame.from(HOST, address).at(CORE), ACCESS) ? 0 : 1;
    }
    return lost;
  }

  private boolean passes(PortFrame frame, int to) {
    byte[] bytes = frame.bytes().toByteArray();
    device.lock().lock();
    try {
      nowMicros += SPACING_MICROS;
      PacketPipeline pipeline = device.pipeline();
      SwitchPacket packet = pipeline.acquire();
      packet.setBytes(bytes, 0, bytes.length);
      pipeline.ingress(packet, frame.port(), nowMicros);
      if (!packet.dropped) {
        packet.enqMicros = nowMicros;
        packet.deqTimedelta = QUEUE_MICROS;
        pipeline.egress(packet, nowMicros + QUEUE_MICROS);
      }
      boolean passed = !packet.dropped && packet.egressPort == to;
      pipeline.release(packet);
      return passed;
    } finally {
      device.lock().unlock();
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
