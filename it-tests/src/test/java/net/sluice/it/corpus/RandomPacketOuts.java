package net.sluice.it.corpus;

import com.google.protobuf.ByteString;
import java.math.BigInteger;
import java.util.List;
import java.util.Random;
import p4.config.v1.P4InfoOuterClass.ControllerPacketMetadata;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.PacketMetadata;
import p4.v1.P4RuntimeOuterClass.PacketOut;

/**
 * Random packets from the controller: a program's packet_out header, if it has one, with any value
 * that fits in each field, in front of a packet as it may come in at a port, with or without the
 * bytes where a parser that begins with the header has it.
 */
final class RandomPacketOuts {

  private final List<ControllerPacketMetadata.Metadata> header;
  private final RandomPackets packets;
  private final Random random;

  RandomPacketOuts(P4Info info, RandomPackets packets, long seed) {
    this.header =
        info.getControllerPacketMetadataList().stream()
            .filter(metadata -> metadata.getPreamble().getName().equals("packet_out"))
            .findFirst()
            .map(ControllerPacketMetadata::getMetadataList)
            .orElse(List.of());
    this.packets = packets;
    this.random = new Random(seed);
  }

  /** Whether the program has a header for them. */
  boolean haveHeader() {
    return !header.isEmpty();
  }

  /** The next packet. */
  PacketOut next() {
    PacketOut.Builder packet = PacketOut.newBuilder();
    int bits = 0;
    for (ControllerPacketMetadata.Metadata field : header) {
      packet.addMetadata(
          PacketMetadata.newBuilder()
              .setMetadataId(field.getId())
              .setValue(shortest(value(field.getBitwidth()))));
      bits += field.getBitwidth();
    }
    ByteString payload = packets.next().bytes();
    int headerBytes = (bits + 7) / 8;
    if (random.nextBoolean() && payload.size() > headerBytes) {
      payload = payload.substring(headerBytes);
    }
    return packet.setPayload(payload).build();
  }

  /** Small numbers, which ports are, and all ones are met more often than chance has them. */
  private BigInteger value(int widthBits) {
    int style = random.nextInt(5);
    return style == 0
        ? BigInteger.ONE.shiftLeft(widthBits).subtract(BigInteger.ONE)
        : new BigInteger(style < 3 ? Math.min(3, widthBits) : widthBits, random);
  }

  private static ByteString shortest(BigInteger value) {
    byte[] bytes = value.toByteArray();
    return bytes.length > 1 && bytes[0] == 0
        ? ByteString.copyFrom(bytes, 1, bytes.length - 1)
        : ByteString.copyFrom(bytes);
  }
}
