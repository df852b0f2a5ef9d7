package net.sluice.it.p4;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.PacketMetadata;
import p4.v1.P4RuntimeOuterClass.PacketOut;
import p4.v1.P4RuntimeOuterClass.StreamMessageRequest;
import p4.v1.P4RuntimeOuterClass.StreamMessageResponse;

/** Controllers of the emulated switch and of bmv2 get the same packets for those they send. */
class ControllerMessagesTest {
  private static final int CPU_PORT = 64;
  private static final int PACKETS = 60;

  private static PacketMetadata metadata(int id, int value) {
    byte[] bytes =
        value > 0xff ? new byte[] {(byte) (value >> 8), (byte) value} : new byte[] {(byte) value};
    return PacketMetadata.newBuilder()
        .setMetadataId(id)
        .setValue(ByteString.copyFrom(bytes))
        .build();
  }

  /** A packet that the program sends back to the controller. */
  private static StreamMessageRequest packetOut(Random random) {
    byte[] payload = new byte[1 + random.nextInt(80)];
    random.nextBytes(payload);
    // The program adds a header to all but one kind.
    payload[0] &= 0x3f;
    return StreamMessageRequest.newBuilder()
        .setPacket(
            PacketOut.newBuilder()
                .setPayload(ByteString.copyFrom(payload))
                .addMetadata(metadata(1, random.nextInt(512)))
                .addMetadata(metadata(2, 1))
                .addMetadata(metadata(3, random.nextInt(64))))
        .build();
  }

  @Test
  void packetsToTheControllerAreThoseOfBmv2() {
    SimpleSwitchGrpc.assumeInstalled();
    ForwardingPipelineConfig program = CopiesTest.config("cpu");
    try (SwitchUnderTest bmv2 =
            SimpleSwitchGrpc.start(program, List.of("--cpu-port", String.valueOf(CPU_PORT)));
        EmulatedNode emulated = EmulatedNode.start(program, CPU_PORT)) {
      Random random = new Random(5);
      for (int i = 0; i < PACKETS; i++) {
        StreamMessageRequest packet = packetOut(random);
        bmv2.control().send(packet);
        emulated.control().send(packet);
        emulated.control().settle();
        emulated.pass();
        assertThat(emulated.control().next()).isEqualTo(bmv2.control().next());
      }
      for (int i = 0; i < PACKETS; i++) {
        byte[] frame = new byte[1 + random.nextInt(80)];
        random.nextBytes(frame);
        frame[0] = CPU_PORT;
        PortFrame in = new PortFrame(random.nextInt(4), ByteString.copyFrom(frame));
        assertThat(emulated.pass(List.of(in))).isEqualTo(bmv2.pass(List.of(in)));
        StreamMessageResponse message = emulated.control().next();
        assertThat(message).isEqualTo(bmv2.control().next());
        assertThat(message.getPacket().getPayload().toByteArray()).isEqualTo(frame);
      }
    }
  }
}
