package net.sluice.emulator.server.p4runtime.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import net.sluice.emulator.server.p4runtime.Controller;
import net.sluice.emulator.server.p4runtime.P4RuntimeServer;
import net.sluice.emulator.server.p4runtime.ServedTest;
import net.sluice.emulator.server.p4runtime.TestInfo;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.Test;
import p4.v1.P4RuntimeOuterClass.MasterArbitrationUpdate;
import p4.v1.P4RuntimeOuterClass.StreamMessageRequest;
import p4.v1.P4RuntimeOuterClass.Uint128;
import p4.v1.P4RuntimeOuterClass.WriteRequest;

/**
 * Section "Client Arbitration and Controller Replication" of the P4Runtime specification, over real
 * connections.
 */
class ArbitrationTest extends ServedTest {

  ArbitrationTest() {
    super(TestInfo.CONFIG, 0);
  }

  private Controller connect() {
    return new Controller(server.port());
  }

  private static void assertDenied(Controller controller) {
    assertThatThrownBy(() -> controller.write(TestInfo.insert(TestInfo.host(99, 1))))
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
  void electionIdZeroIsAnIdLikeAnyOther() {
    try (Controller a = connect();
        Controller b = connect()) {
      a.claim(0);
      assertThat(a.news()).isEqualTo("OK 0");
      a.write(TestInfo.insert(TestInfo.host(1, 1)));
      b.claim(1);
      assertThat(b.news()).isEqualTo("OK 1");
      assertDenied(a);
    }
  }

  @Test
  void aWriteWithoutElectionIdIsNotOneWithElectionIdZero() {
    try (Controller a = connect()) {
      a.claim(0);
      assertThat(a.news()).isEqualTo("OK 0");
      WriteRequest unset =
          a.writeRequest(TestInfo.insert(TestInfo.host(1, 1))).clearElectionId().build();
      assertThatThrownBy(() -> a.stub.write(unset))
          .hasMessage(
              "PERMISSION_DENIED: election_id is missing; only a primary may change the switch");
    }
  }

  @Test
  void severalControllersMayWaitWithoutElectionId() {
    try (Controller a = Controller.primary(server.port(), 10);
        Controller b = connect();
        Controller c = connect()) {
      b.send(b.claimOf(null));
      assertThat(b.news()).isEqualTo("ALREADY_EXISTS 10");
      c.send(c.claimOf(null));
      assertThat(c.news()).isEqualTo("ALREADY_EXISTS 10");
      assertThat(a.heardNothingMore()).isTrue();
    }
  }

  @Test
  void aPrimaryThatRaisesItsElectionIdStaysPrimaryAndEveryoneHears() {
    try (Controller a = Controller.primary(server.port(), 10);
        Controller b = connect()) {
      b.claim(5);
      assertThat(b.news()).isEqualTo("ALREADY_EXISTS 10");
      a.claim(12);
      assertThat(a.news()).isEqualTo("OK 12");
      assertThat(b.news()).isEqualTo("ALREADY_EXISTS 12");
      a.write(TestInfo.insert(TestInfo.host(1, 1)));
      b.claim(10);
      assertThat(b.news()).isEqualTo("ALREADY_EXISTS 12");
      assertDenied(b);
    }
  }

  @Test
  void aLiveControllerThatClaimsAnotherOnesIdLosesItsStreamOnly() throws Exception {
    try (Controller a = Controller.primary(server.port(), 10);
        Controller b = connect()) {
      b.claim(5);
      assertThat(b.news()).isEqualTo("ALREADY_EXISTS 10");
      b.claim(10);
      assertThat(b.streamStatus().getDescription())
          .isEqualTo("election_id 10 is in use by another controller of the default role");
      a.write(TestInfo.insert(TestInfo.host(1, 1)));
      assertThat(a.heardNothingMore()).isTrue();
    }
  }

  @Test
  void theSixtyFifthControllerOfARoleIsRefused() throws Exception {
    try (Controller a = Controller.primary(server.port(), 1000)) {
      List<StreamObserver<StreamMessageRequest>> others = new ArrayList<>();
      for (int i = 1; i < 64; i++) {
        others.add(a.anotherStream(i));
      }
      CompletableFuture<Throwable> end = new CompletableFuture<>();
      a.anotherStream(64, end);
      assertThat(Status.fromThrowable(end.get(Patience.SECONDS, TimeUnit.SECONDS)).toString())
          .contains("RESOURCE_EXHAUSTED", "the default role has 64 controllers already");
      a.write(TestInfo.insert(TestInfo.host(1, 1)));
      others.forEach(StreamObserver::onCompleted);
    }
  }

  @Test
  void deviceZeroIsADeviceLikeAnyOther() throws Exception {
    V1modelSwitch zero = new V1modelSwitch(0, 1);
    try (P4RuntimeServer other =
            P4RuntimeServer.start(zero, new InetSocketAddress("127.0.0.1", 0));
        Controller a = new Controller(other.port())) {
      other.install(TestInfo.CONFIG);
      a.send(a.claimOf(Controller.id(1)).toBuilder().clearDeviceId().build());
      assertThat(a.news()).isEqualTo("OK 1");
      a.stub.write(
          WriteRequest.newBuilder()
              .setElectionId(Controller.id(1))
              .addUpdates(TestInfo.insert(TestInfo.host(1, 1)))
              .build());
    }
  }
}
