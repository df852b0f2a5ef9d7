package net.sluice.emulator.server.p4runtime.stream;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.rpc.Code;
import net.sluice.emulator.server.p4runtime.Controller;
import net.sluice.emulator.server.p4runtime.ServedTest;
import net.sluice.emulator.server.p4runtime.TestInfo;
import org.junit.jupiter.api.Test;
import p4.v1.P4RuntimeOuterClass.PacketOut;
import p4.v1.P4RuntimeOuterClass.StreamError;
import p4.v1.P4RuntimeOuterClass.StreamMessageRequest;

/** Messages on a stream that are no claims: what is wrong with them is answered on the stream. */
class StreamMessagesTest extends ServedTest {

  StreamMessagesTest() {
    super(TestInfo.CONFIG, 0);
  }

  private static String text(StreamError error) {
    return Code.forNumber(error.getCanonicalCode()) + " " + error.getMessage();
  }

  @Test
  void anotherProtocolsMessageIsNamedAndTheStreamGoesOn() {
    try (Controller a = Controller.primary(server.port(), 10)) {
      Any foreign = Any.newBuilder().setTypeUrl("example.org/other").build();
      a.send(StreamMessageRequest.newBuilder().setOther(foreign).build());
      StreamError error = a.next().getError();
      assertThat(text(error)).isEqualTo("UNIMPLEMENTED OTHER messages are not supported");
      assertThat(error.getOther().getOther()).isEqualTo(foreign);
      a.write(TestInfo.insert(TestInfo.host(1, 1)));
    }
  }

  @Test
  void anEmptyMessageIsInvalid() {
    try (Controller a = Controller.primary(server.port(), 10)) {
      a.send(StreamMessageRequest.getDefaultInstance());
      StreamError error = a.next().getError();
      assertThat(text(error))
          .isEqualTo(
              "INVALID_ARGUMENT the stream message has no update; it must be arbitration, packet"
                  + " or digest_ack");
      assertThat(error.hasOther()).isTrue();
    }
  }

  @Test
  void aPacketOutIsAnsweredWithAnError() {
    try (Controller a = Controller.primary(server.port(), 10)) {
      PacketOut packet = PacketOut.newBuilder().setPayload(TestInfo.bytes(7)).build();
      a.send(StreamMessageRequest.newBuilder().setPacket(packet).build());
      StreamError error = a.next().getError();
      assertThat(text(error))
          .isEqualTo("FAILED_PRECONDITION the switch has no CPU port, which packets come in at");
      assertThat(error.getPacketOut().getPacketOut()).isEqualTo(packet);
      a.write(TestInfo.insert(TestInfo.host(1, 1)));
    }
  }
}
