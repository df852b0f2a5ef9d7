package net.sluice.emulator.p4runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.net.InetSocketAddress;
import net.sluice.emulator.bmv2.Bmv2Switch;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import p4.v1.P4RuntimeOuterClass.MasterArbitrationUpdate;
import p4.v1.P4RuntimeOuterClass.PacketOut;
import p4.v1.P4RuntimeOuterClass.Role;
import p4.v1.P4RuntimeOuterClass.StreamMessageRequest;
import p4.v1.P4RuntimeOuterClass.StreamMessageResponse;
import p4.v1.P4RuntimeOuterClass.Uint128;

/**
 * Section "Client Arbitration and Controller Replication" of the P4Runtime specification, over real
 * connections.
 */
class ArbitrationTest {

  private P4RuntimeServer server;

  @BeforeEach
  void start() throws Exception {
    Bmv2Switch device = new Bmv2Switch(Controller.DEVICE, 1);
    server = P4RuntimeServer.start(device, new InetSocketAddress("127.0.0.1", 0));
    server.install(TestInfo.CONFIG);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Controller connect() {
    return new Controller(server.port());
  }

  private static void assertDenied(Controller controller) {
    Assertions.assertThatThrownBy(() -> controller.write(TestInfo.insert(TestInfo.host(99, 1))))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED));
  }

  @Test
  void theHighestElectionIdIsPrimaryAndEveryoneHears() {
    try (Controller a = connect();
        Controller b = connect()) {
      a.claim(10);
      assertThat(a.news()).isEqualTo("OK 10");
      b.claim(20);
      assertThat(b.news()).isEqualTo("OK 20");
      assertThat(a.news()).isEqualTo("ALREADY_EXISTS 20");
      b.write(TestInfo.insert(TestInfo.host(1, 1)));
      assertDenied(a);
    }
  }

  @Test
  void aLowerElectionIdIsABackupAndOnlyItHears() {
    try (Controller a = Controller.primary(server.port(), 10);
        Controller b = connect()) {
      b.claim(5);
      assertThat(b.news()).isEqualTo("ALREADY_EXISTS 10");
      assertDenied(b);
      a.write(TestInfo.insert(TestInfo.host(1, 1)));
      assertThat(a.heardNothingMore()).isTrue();
    }
  }

  @Test
  void electionIdsHave128BitsAndAreUnsigned() {
    try (Controller a = connect();
        Controller b = connect()) {
      a.send(claim(Uint128.newBuilder().setHigh(0).setLow(-1).build()));
      assertThat(a.news()).isEqualTo("OK -1");
      b.send(claim(Uint128.newBuilder().setHigh(1).setLow(0).build()));
      assertThat(b.news()).isEqualTo("OK 0");
      assertThat(a.news()).isEqualTo("ALREADY_EXISTS 0");
    }
  }

  private static MasterArbitrationUpdate claim(Uint128 id) {
    return MasterArbitrationUpdate.newBuilder()
        .setDeviceId(Controller.DEVICE)
        .setElectionId(id)
        .build();
  }

  @Test
  void anElectionIdInUseIsRefusedWithoutHarmToItsOwner() throws Exception {
    try (Controller a = Controller.primary(server.port(), 10);
        Controller b = connect()) {
      b.claim(10);
      assertThat(b.streamStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
      a.write(TestInfo.insert(TestInfo.host(1, 1)));
      assertThat(a.heardNothingMore()).isTrue();
    }
  }

  @Test
  void whenThePrimaryGoesNobodyIsPromotedUntilTheHighestIdIsClaimed() {
    Controller a = Controller.primary(server.port(), 10);
    try (Controller b = connect();
        Controller c = connect()) {
      b.claim(7);
      assertThat(b.news()).isEqualTo("ALREADY_EXISTS 10");
      a.close();
      assertThat(b.news()).isEqualTo("NOT_FOUND 10");
      assertDenied(b);
      b.claim(9);
      assertThat(b.news()).isEqualTo("NOT_FOUND 10");
      assertDenied(b);
      c.claim(10);
      assertThat(c.news()).isEqualTo("OK 10");
      assertThat(b.news()).isEqualTo("ALREADY_EXISTS 10");
      c.write(TestInfo.insert(TestInfo.host(1, 1)));
      b.claim(11);
      assertThat(b.news()).isEqualTo("OK 11");
      b.write(TestInfo.insert(TestInfo.host(2, 1)));
      assertDenied(c);
    }
  }

  @Test
  void aPrimaryCanStepBack() {
    try (Controller a = Controller.primary(server.port(), 10);
        Controller b = connect()) {
      b.claim(5);
      assertThat(b.news()).isEqualTo("ALREADY_EXISTS 10");
      a.claim(3);
      assertThat(a.news()).isEqualTo("NOT_FOUND 10");
      assertThat(b.news()).isEqualTo("NOT_FOUND 10");
      assertDenied(a);
      a.claim(10);
      assertThat(a.news()).isEqualTo("OK 10");
      a.write(TestInfo.insert(TestInfo.host(1, 1)));
    }
  }

  @Test
  void aControllerWithoutElectionIdIsNeverPrimary() {
    try (Controller a = connect()) {
      a.send(MasterArbitrationUpdate.newBuilder().setDeviceId(Controller.DEVICE).build());
      assertThat(a.news()).isEqualTo("NOT_FOUND none");
      assertDenied(a);
    }
  }

  @Test
  void anUnknownDeviceEndsTheStream() throws Exception {
    try (Controller a = connect()) {
      a.send(
          MasterArbitrationUpdate.newBuilder()
              .setDeviceId(6)
              .setElectionId(Controller.id(1))
              .build());
      assertThat(a.streamStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND);
    }
  }

  @Test
  void aLiveControllerCannotChangeItsDevice() throws Exception {
    try (Controller a = Controller.primary(server.port(), 10)) {
      a.send(
          MasterArbitrationUpdate.newBuilder()
              .setDeviceId(6)
              .setElectionId(Controller.id(10))
              .build());
      assertThat(a.streamStatus().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
      try (Controller b = connect()) {
        b.claim(10);
        assertThat(b.news()).isEqualTo("OK 10");
      }
    }
  }

  @Test
  void rolesAreRefusedByName() throws Exception {
    try (Controller a = connect();
        Controller b = connect()) {
      a.send(claim(Controller.id(1)).toBuilder().setRole(Role.newBuilder().setId(3)).build());
      assertThat(a.streamStatus().getDescription())
          .isEqualTo("roles other than the default one are not supported");
      b.send(
          claim(Controller.id(1)).toBuilder()
              .setRole(Role.newBuilder().setConfig(Any.getDefaultInstance()))
              .build());
      assertThat(b.streamStatus().getDescription())
          .isEqualTo("role.config is set; the default role has none");
    }
  }

  @Test
  void aPacketOutIsAnsweredWithAnError() {
    try (Controller a = Controller.primary(server.port(), 10)) {
      a.send(
          StreamMessageRequest.newBuilder()
              .setPacket(PacketOut.newBuilder().setPayload(TestInfo.bytes(7)))
              .build());
      StreamMessageResponse answer = a.next();
      assertThat(answer.getError().getMessage()).isEqualTo("PACKET messages are not supported");
      assertThat(answer.getError().getPacketOut().getPacketOut().getPayload())
          .isEqualTo(TestInfo.bytes(7));
      a.write(TestInfo.insert(TestInfo.host(1, 1)));
    }
  }
}
