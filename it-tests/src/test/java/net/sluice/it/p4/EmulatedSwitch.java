package net.sluice.it.p4;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannelBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.server.p4runtime.P4RuntimeServer;
import net.sluice.emulator.switching.PacketPipeline;
import net.sluice.emulator.switching.SwitchPacket;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.pipeconf.SwitchPipeline;

/**
 * Sluice's own switch behind its P4Runtime server, in virtual time: a frame every {@value
 * #SPACING_MICROS} us, and each waits {@value #QUEUE_MICROS} us in its egress queue.
 */
final class EmulatedSwitch implements SwitchUnderTest {
  static final long SPACING_MICROS = 1_000;
  static final int QUEUE_MICROS = 40;

  private static final long DEVICE_ID = 1;
  private static final long SEED = 20_001;

  private final V1modelSwitch device;
  private final P4RuntimeServer server;
  private final ControlClient control;

  /** So late that a clock of 256 ns ticks in 32 bits has gone half way. */
  private long nowMicros = 600_000_000;

  private EmulatedSwitch(ProgramUnderTest program, long seed) {
    device = new V1modelSwitch(DEVICE_ID, seed);
    try {
      server =
          P4RuntimeServer.start(device, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot serve the emulated switch", e);
    }
    control =
        new ControlClient(
            ManagedChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build(),
            DEVICE_ID,
            program);
  }

  /** Starts one and loads the program. */
  static EmulatedSwitch start(SwitchPipeline program) {
    return start(program, SEED);
  }

  /** Starts one that draws its random numbers from a seed. */
  static EmulatedSwitch start(SwitchPipeline program, long seed) {
    return start(ProgramUnderTest.of(program), seed);
  }

  /** The same with a program that the product may not have. */
  static EmulatedSwitch start(ProgramUnderTest program, long seed) {
    return new EmulatedSwitch(program, seed);
  }

  @Override
  public String name() {
    return "the emulated switch";
  }

  @Override
  public ControlClient control() {
    return control;
  }

  /** The device, for tests that build a network around it. */
  V1modelSwitch device() {
    return device;
  }

  /** Virtual time at which the last frame came in, microseconds. */
  long nowMicros() {
    return nowMicros;
  }

  @Override
  public List<List<PortFrame>> pass(List<PortFrame> frames) {
    List<List<PortFrame>> out = new ArrayList<>();
    for (PortFrame frame : frames) {
      out.add(passAt(nowMicros + SPACING_MICROS, frame));
    }
    return out;
  }

  /**
   * Passes one frame at a time of the caller's choice.
   *
   * @param micros virtual time of arrival, microseconds, not before that of the last frame
   */
  List<PortFrame> passAt(long micros, PortFrame frame) {
    return passAt(micros, QUEUE_MICROS, frame);
  }

  /**
   * The same with a time of the caller's choice in the egress queue.
   *
   * @param queueMicros microseconds
   */
  List<PortFrame> passAt(long micros, int queueMicros, PortFrame frame) {
    nowMicros = micros;
    device.lock().lock();
    try {
      PacketPipeline pipeline = device.pipeline();
      SwitchPacket packet = pipeline.acquire();
      byte[] bytes = frame.bytes().toByteArray();
      packet.setBytes(bytes, 0, bytes.length);
      pipeline.ingress(packet, frame.port(), micros);
      List<PortFrame> out = new ArrayList<>();
      passClone(pipeline, packet, micros, out);
      throughQueue(pipeline, packet, micros, queueMicros, out);
      return out;
    } finally {
      device.lock().unlock();
    }
  }

  private static void passClone(
      PacketPipeline pipeline, SwitchPacket packet, long now, List<PortFrame> out) {
    if ((packet.requests & SwitchPacket.CLONE) != 0) {
      packet.requests &= ~SwitchPacket.CLONE;
      SwitchPacket clone = packet.clone;
      packet.clone = null;
      pipeline.becomeReplica(clone, packet.cloneSession.replicas().instance(0));
      clone.egressPort = packet.cloneSession.replicas().port(0);
      throughQueue(pipeline, clone, now, 0, out);
    }
  }

  /** From the end of ingress on; what is cloned or sent back finds no queue. */
  private static void throughQueue(
      PacketPipeline pipeline,
      SwitchPacket packet,
      long enqMicros,
      int queueMicros,
      List<PortFrame> out) {
    if (!packet.dropped) {
      packet.enqMicros = enqMicros;
      packet.deqTimedelta = queueMicros;
      long now = enqMicros + queueMicros;
      pipeline.egress(packet, now);
      passClone(pipeline, packet, now, out);
      int requests = packet.requests;
      packet.requests = 0;
      if ((requests & SwitchPacket.REENTER) != 0) {
        pipeline.reenter(packet, now);
        throughQueue(pipeline, packet, now, 0, out);
        return;
      }
    }
    if (!packet.dropped) {
      out.add(new PortFrame(packet.egressPort, ByteString.copyFrom(packet.toByteArray())));
    }
    pipeline.release(packet);
  }

  @Override
  public void close() {
    control.close();
    server.close();
  }
}
