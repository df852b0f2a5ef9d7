package net.sluice.emulator.server.p4runtime.stream;

import com.google.rpc.Code;
import net.sluice.emulator.server.p4runtime.program.Binding;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.v1model.V1modelSwitch;
import p4.v1.P4RuntimeOuterClass.PacketIn;
import p4.v1.P4RuntimeOuterClass.StreamMessageRequest;
import p4.v1.P4RuntimeOuterClass.StreamMessageResponse;

/**
 * Brings what leaves by the CPU port to the primary controllers, and what they send in at it. A
 * packet that is shorter than its header, or that no controller takes, is lost and counted.
 */
public final class PacketIo implements StreamRequests.Handler {

  private final V1modelSwitch device;
  private final Notifier notifier;
  private Binding committed;

  public PacketIo(V1modelSwitch device, Notifier notifier) {
    this.device = device;
    this.notifier = notifier;
  }

  /** Serves the config that is in force from now on. */
  public void follow(Binding binding) {
    device.lock().lock();
    try {
      committed = binding;
    } finally {
      device.lock().unlock();
    }
  }

  /**
   * A frame has left by the CPU port; under the switch's lock.
   *
   * @return whether a controller gets it
   */
  public boolean deliver(byte[] bytes, int offset, int length) {
    if (committed == null || !notifier.hasPrimary()) {
      return false;
    }
    PacketIn packet = committed.packetIo().message(bytes, offset, length);
    return packet != null
        && notifier.toPrimaries(StreamMessageResponse.newBuilder().setPacket(packet).build()) > 0;
  }

  /** A controller sends a packet. */
  @Override
  public void handle(Binding binding, StreamMessageRequest message) throws RpcException {
    if (device.cpuPort() == 0) {
      throw new RpcException(
          Code.FAILED_PRECONDITION, "the switch has no CPU port, which packets come in at");
    }
    byte[] frame = binding.packetIo().frame(message.getPacket());
    if (frame.length == 0) {
      throw RpcException.invalid("the packet is empty");
    }
    if (!device.packetOut(frame)) {
      throw new RpcException(
          Code.RESOURCE_EXHAUSTED,
          "there are " + V1modelSwitch.MAX_PACKET_OUTS + " packets waiting to come in already");
    }
  }
}
