package net.sluice.emulator.server.p4runtime.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Any;
import com.google.protobuf.StringValue;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import net.sluice.emulator.server.p4runtime.Controller;
import net.sluice.emulator.server.p4runtime.ServedTest;
import net.sluice.emulator.server.p4runtime.TestInfo;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.Test;
import p4.v1.P4RuntimeOuterClass.MasterArbitrationUpdate;
import p4.v1.P4RuntimeOuterClass.Role;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigRequest.Action;
import p4.v1.P4RuntimeOuterClass.StreamMessageRequest;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.WriteRequest;

/** Roles: each has its own primary, its own election ids and access to everything. */
class RolesTest extends ServedTest {

  RolesTest() {
    super(TestInfo.CONFIG, 0);
  }

  private Controller connect(String role) {
    return new Controller(server.port()).in(role);
  }

  @Test
  void everyRoleHasAPrimaryOfItsOwn() {
    try (Controller any = Controller.primary(server.port(), 10);
        Controller routes = connect("routes");
        Controller rates = connect("rates")) {
      routes.claim(10);
      MasterArbitrationUpdate news = routes.next().getArbitration();
      assertThat(news.getStatus().getCode()).isZero();
      assertThat(news.getElectionId().getLow()).isEqualTo(10);
      assertThat(news.getRole().getName()).isEqualTo("routes");
      rates.claim(3);
      assertThat(rates.news()).isEqualTo("OK 3");
      any.write(TestInfo.insert(TestInfo.host(1, 1)));
      routes.write(TestInfo.insert(TestInfo.host(2, 1)));
      rates.write(TestInfo.insert(TestInfo.host(3, 1)));
      rates.setPipeline(Action.VERIFY, TestInfo.CONFIG);
      assertThat(any.heardNothingMore()).isTrue();
      assertThat(routes.heardNothingMore()).isTrue();
    }
  }

  @Test
  void backupsBelongToTheirRole() {
    try (Controller routes = connect("routes").becomePrimary(10);
        Controller backup = connect("routes");
        Controller rates = connect("rates").becomePrimary(20)) {
      backup.claim(5);
      assertThat(backup.news()).isEqualTo("ALREADY_EXISTS 10");
      routes.close();
      assertThat(backup.news()).isEqualTo("NOT_FOUND 10");
      backup.claim(10);
      assertThat(backup.news()).isEqualTo("OK 10");
      backup.write(TestInfo.insert(TestInfo.host(1, 1)));
      assertThat(rates.heardNothingMore()).isTrue();
    }
  }

  @Test
  void thePrimaryOfOneRoleIsNobodyInAnother() {
    try (Controller routes = connect("routes").becomePrimary(10);
        Controller rates = connect("rates").becomePrimary(20)) {
      WriteRequest foreign =
          rates
              .writeRequest(TestInfo.insert(TestInfo.host(1, 1)))
              .setElectionId(Controller.id(10))
              .build();
      assertThatThrownBy(() -> rates.stub.write(foreign))
          .hasMessage(
              "PERMISSION_DENIED: the controller with this election_id is not primary in role"
                  + " 'rates'");
      routes.write(TestInfo.insert(TestInfo.host(1, 1)));
    }
  }

  @Test
  void aRoleThatNobodyClaimedIsNotFound() {
    try (Controller any = Controller.primary(server.port(), 10)) {
      any.in("ghosts");
      String refusal = "NOT_FOUND: the device does not know role 'ghosts': no controller has";
      assertThatThrownBy(() -> any.write(TestInfo.insert(TestInfo.host(1, 1))))
          .hasMessageStartingWith(refusal);
      assertThatThrownBy(() -> any.setPipeline(Action.VERIFY, TestInfo.CONFIG))
          .hasMessageStartingWith(refusal);
      assertThatThrownBy(() -> any.readEntries(TableEntry.getDefaultInstance()))
          .hasMessageStartingWith(refusal);
    }
  }

  @Test
  void aReadInARoleSeesEverything() {
    try (Controller any = Controller.primary(server.port(), 10);
        Controller rates = connect("rates").becomePrimary(20)) {
      any.write(TestInfo.insert(TestInfo.host(1, 1)));
      assertThat(
              rates.readEntries(
                  TableEntry.newBuilder().setTableId(TestInfo.table("In.lpm_table")).build()))
          .hasSize(1);
    }
  }

  @Test
  void rolesMayBeNumberedAsInEarlierVersions() {
    try (Controller a = new Controller(server.port())) {
      a.send(a.claimOf(Controller.id(1)).toBuilder().setRole(Role.newBuilder().setId(3)).build());
      MasterArbitrationUpdate news = a.next().getArbitration();
      assertThat(news.getRole()).isEqualTo(Role.newBuilder().setId(3).build());
      WriteRequest.Builder write =
          WriteRequest.newBuilder()
              .setDeviceId(Controller.DEVICE)
              .setElectionId(Controller.id(1))
              .addUpdates(TestInfo.insert(TestInfo.host(1, 1)));
      a.stub.write(write.setRoleId(3).build());
      assertThatThrownBy(() -> a.stub.write(write.setRoleId(4).build()))
          .hasMessageStartingWith("NOT_FOUND: the device does not know role 4");
    }
  }

  @Test
  void aStreamKeepsItsRole() throws Exception {
    try (Controller a = connect("routes").becomePrimary(10);
        Controller b = connect("routes")) {
      a.in("rates").claim(11);
      Status status = a.streamStatus();
      assertThat(status.getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
      assertThat(status.getDescription())
          .isEqualTo(
              "the claim is for role 'rates'; this stream is in role 'routes', and another role"
                  + " needs a stream of its own");
      b.claim(10);
      assertThat(b.news()).isEqualTo("OK 10");
    }
  }

  @Test
  void aRoleConfigIsRefused() throws Exception {
    try (Controller a = connect("routes");
        Controller b = new Controller(server.port())) {
      a.send(withConfig(a));
      assertThat(a.streamStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
      assertThat(a.streamStatus().getDescription())
          .isEqualTo(
              "role.config of role 'routes' is a 'type.googleapis.com/google.protobuf.StringValue';"
                  + " it must be unset, for access to the full pipeline, or a"
                  + " 'stratum.P4RoleConfig'");
      b.send(withConfig(b));
      assertThat(b.streamStatus().getDescription()).startsWith("role.config of the default role");
    }
  }

  private static MasterArbitrationUpdate withConfig(Controller controller) {
    MasterArbitrationUpdate claim = controller.claimOf(Controller.id(1));
    return claim.toBuilder()
        .setRole(claim.getRole().toBuilder().setConfig(Any.pack(StringValue.of("all"))))
        .build();
  }

  @Test
  void aRefusedClaimMakesNoRole() throws Exception {
    try (Controller a = connect("routes");
        Controller any = Controller.primary(server.port(), 1)) {
      a.send(withConfig(a));
      a.streamStatus();
      any.in("routes");
      assertThatThrownBy(() -> any.write(TestInfo.insert(TestInfo.host(1, 1))))
          .hasMessageStartingWith("NOT_FOUND");
    }
  }

  @Test
  void namesAndNumbersOfRolesAreLimited() throws Exception {
    try (Controller a = connect("x".repeat(256));
        Controller b = new Controller(server.port())) {
      a.claim(1);
      assertThat(a.streamStatus().getDescription())
          .isEqualTo("role.name has 256 bytes; at most 255 are allowed");
      List<StreamObserver<StreamMessageRequest>> others = new ArrayList<>();
      for (int i = 1; i < 64; i++) {
        others.add(b.in("role " + i).anotherStream(1));
      }
      CompletableFuture<Throwable> end = new CompletableFuture<>();
      b.in("role 64").anotherStream(1, end);
      assertThat(Status.fromThrowable(end.get(Patience.SECONDS, TimeUnit.SECONDS)).getDescription())
          .isEqualTo("role 'role 64' would be one too many: there are 64 roles already");
      others.forEach(StreamObserver::onCompleted);
    }
  }
}
