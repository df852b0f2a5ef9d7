package net.sluice.pipeconf;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.Optional;
import p4.config.v1.P4InfoOuterClass.ControllerPacketMetadata;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.PacketIn;
import p4.v1.P4RuntimeOuterClass.PacketMetadata;
import p4.v1.P4RuntimeOuterClass.PacketOut;

/**
 * Packets between a program and its controller in P4Runtime, with what the program says of them.
 */
public final class PacketCodec {
  private final int outPort;
  private final List<Integer> outRest;
  private final int inPort;
  private final int inReason;

  /** Why a program hands a packet over; the codes are those of {@code neighbours.p4}. */
  public enum Reason {
    /** A next hop answers, or tells of itself. */
    FROM_NEXT_HOP,
    /** The packet's time is over. */
    TIME_EXCEEDED
  }

  /**
   * A packet that the program hands over.
   *
   * @param port where it came in
   */
  public record Received(int port, Reason reason, byte[] frame) {}

  private PacketCodec(ControllerPacketMetadata out, ControllerPacketMetadata in) {
    outPort = id(out, "port");
    outRest =
        out.getMetadataList().stream()
            .map(ControllerPacketMetadata.Metadata::getId)
            .filter(each -> each != outPort)
            .toList();
    inPort = id(in, "port");
    inReason = id(in, "reason");
  }

  /** The packets of a program; empty if it has none. */
  public static Optional<PacketCodec> of(P4Info program) {
    Optional<ControllerPacketMetadata> out = header(program, "packet_out");
    Optional<ControllerPacketMetadata> in = header(program, "packet_in");
    return out.isPresent() && in.isPresent()
        ? Optional.of(new PacketCodec(out.get(), in.get()))
        : Optional.empty();
  }

  private static Optional<ControllerPacketMetadata> header(P4Info program, String name) {
    return program.getControllerPacketMetadataList().stream()
        .filter(each -> each.getPreamble().getName().equals(name))
        .findFirst();
  }

  private static int id(ControllerPacketMetadata header, String name) {
    return header.getMetadataList().stream()
        .filter(each -> each.getName().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("a packet's header has no " + name))
        .getId();
  }

  /** A frame that is to leave by a port. */
  public PacketOut out(int port, byte[] frame) {
    PacketOut.Builder out =
        PacketOut.newBuilder()
            .setPayload(ByteString.copyFrom(frame))
            .addMetadata(metadata(outPort, port));
    outRest.forEach(each -> out.addMetadata(metadata(each, 0)));
    return out.build();
  }

  private static PacketMetadata metadata(int id, int value) {
    byte[] bytes =
        value > 0xff ? new byte[] {(byte) (value >> 8), (byte) value} : new byte[] {(byte) value};
    return PacketMetadata.newBuilder()
        .setMetadataId(id)
        .setValue(ByteString.copyFrom(bytes))
        .build();
  }

  /** The packet that a switch hands over; empty if it does not say what the program says. */
  public Optional<Received> in(PacketIn packet) {
    int port = value(packet, inPort);
    int reason = value(packet, inReason);
    return port < 0 || reason < 1 || reason > Reason.values().length
        ? Optional.empty()
        : Optional.of(
            new Received(port, Reason.values()[reason - 1], packet.getPayload().toByteArray()));
  }

  private static int value(PacketIn packet, int id) {
    for (PacketMetadata each : packet.getMetadataList()) {
      if (each.getMetadataId() == id && each.getValue().size() <= 2) {
        int value = 0;
        for (byte octet : each.getValue().toByteArray()) {
          value = value << 8 | (octet & 0xff);
        }
        return value;
      }
    }
    return -1;
  }
}
