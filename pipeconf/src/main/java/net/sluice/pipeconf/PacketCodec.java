package net.sluice.pipeconf;

import com.google.protobuf.ByteString;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import net.sluice.intents.profile.Topology;
import p4.config.v1.P4InfoOuterClass.ControllerPacketMetadata;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.CloneSessionEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.PacketIn;
import p4.v1.P4RuntimeOuterClass.PacketMetadata;
import p4.v1.P4RuntimeOuterClass.PacketOut;
import p4.v1.P4RuntimeOuterClass.PacketReplicationEngineEntry;
import p4.v1.P4RuntimeOuterClass.Replica;
import p4.v1.P4RuntimeOuterClass.Update;

/**
 * Packets between a program and its controller in P4Runtime, with what the program says of them.
 */
public final class PacketCodec {
  private static final String PORT = "port";
  private static final String REASON = "reason";

  /** UNKNOWN_CLONE_SESSION of the programs, which P4Info does not tell. */
  private static final int UNKNOWN_SESSION = 2;

  /** Fields of the header of each way, by name. */
  private final Map<String, Integer> out;

  private final Map<String, Integer> in;

  /** Why a program hands a packet over; the codes are those of {@code telling.p4}. */
  public enum Reason {
    /** A next hop answers, or tells of itself. */
    FROM_NEXT_HOP,
    /** The packet's time is over. */
    TIME_EXCEEDED,
    /** A copy of a packet of an address that no subscriber has. */
    OF_NO_SUBSCRIBER
  }

  /**
   * A packet that the program hands over.
   *
   * @param port where it came in
   */
  public record Received(int port, Reason reason, byte[] frame) {}

  private PacketCodec(ControllerPacketMetadata out, ControllerPacketMetadata in) {
    this.out = ids(out, PORT);
    this.in = ids(in, PORT, REASON);
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

  private static Map<String, Integer> ids(ControllerPacketMetadata header, String... needed) {
    Map<String, Integer> ids = new LinkedHashMap<>();
    header.getMetadataList().forEach(each -> ids.put(each.getName(), each.getId()));
    for (String name : needed) {
      if (!ids.containsKey(name)) {
        throw new IllegalStateException("a packet's header has no " + name);
      }
    }
    return ids;
  }

  /** Has a switch hand copies of packets of addresses over that no subscriber has. */
  public static Update copiesOfUnknown() {
    return Update.newBuilder()
        .setType(Update.Type.INSERT)
        .setEntity(
            Entity.newBuilder()
                .setPacketReplicationEngineEntry(
                    PacketReplicationEngineEntry.newBuilder()
                        .setCloneSessionEntry(
                            CloneSessionEntry.newBuilder()
                                .setSessionId(UNKNOWN_SESSION)
                                .addReplicas(
                                    Replica.newBuilder()
                                        .setEgressPort(Topology.CONTROLLER_PORT)
                                        .setInstance(1)))))
        .build();
  }

  /** The fields that tell the program of a frame that leaves by a port, by name. */
  public Map<String, byte[]> outFields(int port) {
    Map<String, byte[]> fields = new LinkedHashMap<>();
    out.keySet().forEach(name -> fields.put(name, bytes(name.equals(PORT) ? port : 0)));
    return fields;
  }

  private static byte[] bytes(int value) {
    return value > 0xff
        ? new byte[] {(byte) (value >> 8), (byte) value}
        : new byte[] {(byte) value};
  }

  /** A frame that is to leave by a port. */
  public PacketOut out(int port, byte[] frame) {
    PacketOut.Builder packet = PacketOut.newBuilder().setPayload(ByteString.copyFrom(frame));
    outFields(port)
        .forEach(
            (name, value) ->
                packet.addMetadata(
                    PacketMetadata.newBuilder()
                        .setMetadataId(out.get(name))
                        .setValue(ByteString.copyFrom(value))));
    return packet.build();
  }

  /** The packet that a switch hands over; empty if it does not say what the program says. */
  public Optional<Received> in(PacketIn packet) {
    Map<String, byte[]> fields = new LinkedHashMap<>();
    in.forEach(
        (name, id) ->
            packet.getMetadataList().stream()
                .filter(each -> each.getMetadataId() == id)
                .forEach(each -> fields.put(name, each.getValue().toByteArray())));
    return in(fields, packet.getPayload().toByteArray());
  }

  /** The same of what the program says by field. */
  public Optional<Received> in(Map<String, byte[]> fields, byte[] frame) {
    int port = value(fields.get(PORT));
    int reason = value(fields.get(REASON));
    return port < 0 || reason < 1 || reason > Reason.values().length
        ? Optional.empty()
        : Optional.of(new Received(port, Reason.values()[reason - 1], frame));
  }

  private static int value(byte[] bytes) {
    if (bytes == null || bytes.length > 2) {
      return -1;
    }
    int value = 0;
    for (byte octet : bytes) {
      value = value << 8 | (octet & 0xff);
    }
    return value;
  }
}
