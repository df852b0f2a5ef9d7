package net.sluice.onos.southbound.packet;

import net.sluice.onos.cluster.MessageForm;
import net.sluice.pipeconf.PacketCodec.Reason;
import net.sluice.pipeconf.PacketCodec.Received;
import org.onosproject.net.DeviceId;
import org.onosproject.net.pi.model.PiPipeconfId;

/** Packets as messages of the cluster. */
final class PacketMessage {
  private PacketMessage() {}

  /**
   * A frame that is to leave a switch.
   *
   * @param pipeconf what the switch has to run
   */
  record Out(DeviceId device, PiPipeconfId pipeconf, int port, byte[] frame) {
    byte[] encode() {
      return MessageForm.write(
          out -> {
            out.writeUTF(device.toString());
            out.writeUTF(pipeconf.id());
            out.writeInt(port);
            MessageForm.putBytes(out, frame);
          });
    }

    static Out decode(byte[] message) {
      return MessageForm.read(
          message,
          in ->
              new Out(
                  DeviceId.deviceId(in.readUTF()),
                  new PiPipeconfId(in.readUTF()),
                  in.readInt(),
                  MessageForm.bytes(in)));
    }
  }

  /** A frame that a switch has handed over. */
  record In(DeviceId device, Received received) {
    byte[] encode() {
      return MessageForm.write(
          out -> {
            out.writeUTF(device.toString());
            out.writeInt(received.port());
            out.writeByte(received.reason().ordinal());
            MessageForm.putBytes(out, received.frame());
          });
    }

    static In decode(byte[] message) {
      return MessageForm.read(
          message,
          in ->
              new In(
                  DeviceId.deviceId(in.readUTF()),
                  new Received(
                      in.readInt(), Reason.values()[in.readByte()], MessageForm.bytes(in))));
    }
  }
}
