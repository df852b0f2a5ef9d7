package net.sluice.emulator.server.p4runtime.packet;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.server.p4runtime.value.ByteStrings;
import net.sluice.emulator.server.p4runtime.value.StringType;
import net.sluice.emulator.server.p4runtime.value.TranslatedTypes;
import net.sluice.emulator.v1model.program.Header;
import p4.config.v1.P4InfoOuterClass.ControllerPacketMetadata;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.PacketIn;
import p4.v1.P4RuntimeOuterClass.PacketMetadata;
import p4.v1.P4RuntimeOuterClass.PacketOut;

/**
 * The headers that packets carry on the CPU port, and the metadata that stands for them in messages
 * to and from the controller. Without a header a message has only the payload.
 */
public final class PacketIoBinding {

  private static final String IN = "packet_in";
  private static final String OUT = "packet_out";

  /** A field of a header. */
  private record Field(int id, String name, int widthBits, StringType strings) {}

  private final List<Field> in;
  private final List<Field> out;

  private PacketIoBinding(List<Field> in, List<Field> out) {
    this.in = in;
    this.out = out;
  }

  /**
   * Takes the headers from P4Info.
   *
   * @param program headers that the program has
   */
  public static PacketIoBinding of(P4Info info, List<Header> program, TranslatedTypes types)
      throws RpcException {
    List<Field> in = null;
    List<Field> out = null;
    for (ControllerPacketMetadata header : info.getControllerPacketMetadataList()) {
      String name = header.getPreamble().getName();
      if (name.equals(IN) && in == null) {
        in = fields(header, program, types);
      } else if (name.equals(OUT) && out == null) {
        out = fields(header, program, types);
      } else {
        throw RpcException.invalid(
            "P4Info has controller_packet_metadata '"
                + name
                + "'; there may be one 'packet_in' and one 'packet_out'");
      }
    }
    return new PacketIoBinding(in == null ? List.of() : in, out == null ? List.of() : out);
  }

  private static List<Field> fields(
      ControllerPacketMetadata header, List<Header> program, TranslatedTypes types)
      throws RpcException {
    List<Field> fields = new ArrayList<>();
    List<Integer> widths = widths(header, program);
    for (ControllerPacketMetadata.Metadata metadata : header.getMetadataList()) {
      String what =
          "metadata '" + metadata.getName() + "' of '" + header.getPreamble().getName() + "'";
      int width = widths == null ? metadata.getBitwidth() : widths.get(fields.size());
      // Without a header in the program no packet has one, but P4Info may describe it all the same.
      if (width < 1) {
        throw RpcException.invalid(
            what
                + " has no bitwidth in P4Info, and no header of the device config has the same"
                + " fields");
      }
      for (Field other : fields) {
        if (other.id() == metadata.getId()) {
          throw RpcException.invalid(what + " has the id of '" + other.name() + "' in P4Info");
        }
      }
      fields.add(
          new Field(
              metadata.getId(), metadata.getName(), width, types.strings(metadata.getTypeName())));
    }
    return List.copyOf(fields);
  }

  /**
   * Widths of the fields in the program, whose header has another name: the one with fields of the
   * same names, and of the widths that P4Info has for those that are not translated. Null if there
   * is none, or if several disagree.
   */
  private static List<Integer> widths(ControllerPacketMetadata metadata, List<Header> program) {
    List<Integer> found = null;
    for (Header header : program) {
      if (!header.metadata() && matches(metadata, header)) {
        List<Integer> widths = new ArrayList<>();
        for (int i = 0; i < metadata.getMetadataCount(); i++) {
          widths.add(header.fields().get(i).widthBits());
        }
        if (found != null && !found.equals(widths)) {
          return null;
        }
        found = widths;
      }
    }
    return found;
  }

  private static boolean matches(ControllerPacketMetadata metadata, Header header) {
    boolean same = header.fields().size() == metadata.getMetadataCount();
    for (int i = 0; same && i < metadata.getMetadataCount(); i++) {
      ControllerPacketMetadata.Metadata declared = metadata.getMetadata(i);
      Header.Field field = header.fields().get(i);
      same =
          declared.getName().equals(field.name())
              && (declared.hasTypeName() || declared.getBitwidth() == field.widthBits());
    }
    return same;
  }

  private static int bytes(List<Field> fields) {
    return (fields.stream().mapToInt(Field::widthBits).sum() + 7) / 8;
  }

  /**
   * The frame that a message from the controller stands for.
   *
   * @throws RpcException INVALID_ARGUMENT or OUT_OF_RANGE if its metadata are not those of the
   *     header
   */
  public byte[] frame(PacketOut packet) throws RpcException {
    for (PacketMetadata metadata : packet.getMetadataList()) {
      if (out.stream().noneMatch(field -> field.id() == metadata.getMetadataId())) {
        throw RpcException.invalid(
            "there is no metadata with id %s%s",
            Integer.toUnsignedString(metadata.getMetadataId()),
            out.isEmpty() ? "; the program has no 'packet_out' header" : " in 'packet_out'");
      }
    }
    BigInteger header = BigInteger.ZERO;
    int headerBytes = bytes(out);
    int left = 8 * headerBytes;
    for (Field field : out) {
      left -= field.widthBits();
      header = header.or(value(packet, field).shiftLeft(left));
    }
    byte[] frame = new byte[headerBytes + packet.getPayload().size()];
    for (int i = 0; i < headerBytes; i++) {
      frame[i] = header.shiftRight(8 * (headerBytes - 1 - i)).byteValue();
    }
    packet.getPayload().copyTo(frame, headerBytes);
    return frame;
  }

  private static BigInteger value(PacketOut packet, Field field) throws RpcException {
    String what = "metadata '" + field.name() + "' (id " + field.id() + ") of 'packet_out'";
    ByteString bytes = null;
    for (PacketMetadata metadata : packet.getMetadataList()) {
      if (metadata.getMetadataId() == field.id()) {
        if (bytes != null) {
          throw RpcException.invalid(what + " is there twice");
        }
        bytes = metadata.getValue();
      }
    }
    if (bytes == null) {
      throw RpcException.invalid(what + " is missing");
    }
    if (field.strings() != null) {
      bytes = field.strings().number(bytes, field.widthBits(), what);
    }
    return ByteStrings.number(bytes, field.widthBits(), what);
  }

  /**
   * The message that a frame to the controller becomes.
   *
   * @return null if the frame is shorter than the header
   */
  public PacketIn message(byte[] frame, int offset, int length) {
    int headerBytes = bytes(in);
    if (length < headerBytes) {
      return null;
    }
    PacketIn.Builder packet =
        PacketIn.newBuilder()
            .setPayload(ByteString.copyFrom(frame, offset + headerBytes, length - headerBytes));
    if (headerBytes > 0) {
      BigInteger header = new BigInteger(1, frame, offset, headerBytes);
      int left = 8 * headerBytes;
      for (Field field : in) {
        left -= field.widthBits();
        BigInteger ones = BigInteger.ONE.shiftLeft(field.widthBits()).subtract(BigInteger.ONE);
        byte[] value = header.shiftRight(left).and(ones).toByteArray();
        // BigInteger puts a zero byte before values whose highest bit is set.
        int from = value.length > 1 && value[0] == 0 ? 1 : 0;
        ByteString number = UnsafeByteOperations.unsafeWrap(value, from, value.length - from);
        packet
            .addMetadataBuilder()
            .setMetadataId(field.id())
            .setValue(field.strings() == null ? number : field.strings().string(number));
      }
    }
    return packet.build();
  }
}
