package net.sluice.onos.southbound.driver;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.sluice.pipeconf.PacketCodec;
import net.sluice.pipeconf.PacketCodec.Received;
import org.onlab.util.ImmutableByteSequence;
import org.onosproject.net.pi.model.PiPacketMetadataId;
import org.onosproject.net.pi.model.PiPacketOperationType;
import org.onosproject.net.pi.runtime.PiPacketMetadata;
import org.onosproject.net.pi.runtime.PiPacketOperation;

/** Packets between a program and its controller, as ONOS has them. */
public final class PiPackets {
  private final PacketCodec codec;

  PiPackets(PacketCodec codec) {
    this.codec = codec;
  }

  /** A frame that is to leave by a port. */
  public PiPacketOperation out(int port, byte[] frame) {
    List<PiPacketMetadata> fields =
        codec.outFields(port).entrySet().stream()
            .map(
                field ->
                    PiPacketMetadata.builder()
                        .withId(PiPacketMetadataId.of(field.getKey()))
                        .withValue(ImmutableByteSequence.copyFrom(field.getValue()))
                        .build())
            .toList();
    return PiPacketOperation.builder()
        .withType(PiPacketOperationType.PACKET_OUT)
        .withData(ImmutableByteSequence.copyFrom(frame))
        .withMetadatas(fields)
        .build();
  }

  /** The packet that a switch hands over; empty if it does not say what the program says. */
  public Optional<Received> in(PiPacketOperation packet) {
    Map<String, byte[]> fields = new HashMap<>();
    packet.metadatas().forEach(field -> fields.put(field.id().id(), field.value().asArray()));
    return codec.in(fields, packet.data().asArray());
  }
}
