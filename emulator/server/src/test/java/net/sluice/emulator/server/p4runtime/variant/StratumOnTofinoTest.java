package net.sluice.emulator.server.p4runtime.variant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.TextFormat;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import net.sluice.emulator.server.p4runtime.Controller;
import net.sluice.emulator.server.p4runtime.P4RuntimeServer;
import net.sluice.emulator.server.p4runtime.P4Text;
import net.sluice.emulator.v1model.V1modelSwitch;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.GetForwardingPipelineConfigRequest;
import p4.v1.P4RuntimeOuterClass.ReadRequest;
import p4.v1.P4RuntimeOuterClass.ReadResponse;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigRequest.Action;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.WriteRequest;
import stratum.barefoot.BfPipelineConfig;

/** Refusals of Stratum on Tofino, and its deviations from the specification. */
class StratumOnTofinoTest {
  private static final String SEND =
      "action { action { action_id: $SwitchIngress.send params "
          + "{ param_id: 1 value: \"\\x01\" } } }";

  private P4RuntimeServer server;
  private Controller controller;
  private P4Text text;

  @BeforeEach
  void start() throws Exception {
    server =
        P4RuntimeServer.start(
            new V1modelSwitch(Controller.DEVICE, 1),
            new InetSocketAddress("127.0.0.1", 0),
            ServerVariant.stratumOnTofino(0.75));
    controller = Controller.primary(server.port(), 1);
    text = new P4Text(p4Info());
  }

  @AfterEach
  void stop() {
    controller.close();
    server.close();
  }

  private static P4Info p4Info() throws Exception {
    try (InputStream in = StratumOnTofinoTest.class.getResourceAsStream("tofino.p4info.txtpb")) {
      return TextFormat.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8), P4Info.class);
    }
  }

  private static BfPipelineConfig program(P4Info info) {
    StringBuilder tables = new StringBuilder();
    info.getTablesList()
        .forEach(t -> tables.append(", {\"name\": \"pipe." + t.getPreamble().getName() + "\"}"));
    info.getCountersList()
        .forEach(c -> tables.append(", {\"id\": " + c.getPreamble().getId() + "}"));
    info.getMetersList()
        .forEach(m -> tables.append(", {\"name\": \"pipe." + m.getPreamble().getName() + "\"}"));
    info.getRegistersList()
        .forEach(r -> tables.append(", {\"name\": \"pipe." + r.getPreamble().getName() + "\"}"));
    return BfPipelineConfig.newBuilder()
        .setP4Name("sample")
        .setBfruntimeInfo(ByteString.copyFromUtf8("{\"tables\": [" + tables.substring(2) + "]}"))
        .addProfiles(
            BfPipelineConfig.Profile.newBuilder()
                .setProfileName("pipe")
                .setContext(ByteString.copyFromUtf8("{}"))
                .setBinary(ByteString.copyFromUtf8("binary"))
                .addPipeScope(0)
                .addPipeScope(1))
        .build();
  }

  private static ForwardingPipelineConfig config(UnaryOperator<BfPipelineConfig> change)
      throws Exception {
    P4Info info = p4Info();
    return ForwardingPipelineConfig.newBuilder()
        .setP4Info(info)
        .setP4DeviceConfig(change.apply(program(info)).toByteString())
        .setCookie(ForwardingPipelineConfig.Cookie.newBuilder().setCookie(7))
        .build();
  }

  private void load() throws Exception {
    controller.setPipeline(Action.VERIFY_AND_COMMIT, config(same -> same));
  }

  private String write(Update.Type type, String entity) {
    return controller.writeError(text.update(type, entity));
  }

  private static String host(int address) {
    return String.format(
        Locale.ROOT,
        "table_entry { table_id: $SwitchIngress.hosts match { field_id: 1 exact { value: "
            + "\"\\x0a\\000\\%03o\\%03o\" } } %s }",
        address >> 8,
        address & 0xff,
        SEND);
  }

  private static String rate(String mask, int priority) {
    return ("table_entry { table_id: $SwitchIngress.rates match { field_id: 1 ternary {"
            + " value: "
            + "\"\\x80\\000\\000\\000\" mask: \"%s\" } } priority: %s %s }")
        .formatted(mask, priority, SEND);
  }

  private void assertRefused(ThrowingCallable call, Status.Code code, String message) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> {
              assertThat(e.getStatus().getCode()).isEqualTo(code);
              assertThat(e.getStatus().getDescription()).contains(message);
            });
  }

  private void assertReadRefused(String filter, String message) {
    assertThatThrownBy(() -> controller.read(text.entity(filter)))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> assertThat(Controller.text(Controller.details(e).get(0))).isEqualTo(message));
  }

  // ---- programs

  @Test
  void aProgramIsTakenWithItsCookieAndReadBackAsSent() throws Exception {
    load();
    assertThat(
            controller.stub.getForwardingPipelineConfig(
                GetForwardingPipelineConfigRequest.newBuilder()
                    .setDeviceId(Controller.DEVICE)
                    .build()))
        .satisfies(answer -> assertThat(answer.getConfig()).isEqualTo(config(same -> same)));
  }

  @Test
  void withoutAProgramAskingForItIsRefused() {
    assertRefused(
        () ->
            controller.stub.getForwardingPipelineConfig(
                GetForwardingPipelineConfigRequest.newBuilder()
                    .setDeviceId(Controller.DEVICE)
                    .setResponseType(GetForwardingPipelineConfigRequest.ResponseType.COOKIE_ONLY)
                    .build()),
        Status.Code.FAILED_PRECONDITION,
        "no forwarding pipeline config has been set");
  }

  @Test
  void aProgramThatTheDriverCannotLoadIsRefused() throws Exception {
    List<String> refusals = new ArrayList<>();
    List<UnaryOperator<BfPipelineConfig>> changes =
        List.of(
            program -> program.toBuilder().clearProfiles().build(),
            program ->
                program.toBuilder()
                    .setProfiles(0, program.getProfiles(0).toBuilder().clearBinary())
                    .build(),
            program ->
                program.toBuilder()
                    .setProfiles(0, program.getProfiles(0).toBuilder().clearContext())
                    .build(),
            program ->
                program.toBuilder()
                    .setProfiles(0, program.getProfiles(0).toBuilder().clearPipeScope())
                    .build(),
            program ->
                program.toBuilder()
                    .setBfruntimeInfo(ByteString.copyFromUtf8("{\"tables\": []}"))
                    .build());
    for (UnaryOperator<BfPipelineConfig> change : changes) {
      try {
        controller.setPipeline(Action.VERIFY_AND_COMMIT, config(change));
        refusals.add("taken");
      } catch (StatusRuntimeException e) {
        refusals.add(e.getStatus().getCode() + ": " + e.getStatus().getDescription());
      }
    }
    assertThat(refusals)
        .containsExactly(
            "INTERNAL: the program cannot be loaded: p4_device_config has no profiles",
            "INTERNAL: the program cannot be loaded: profile 'pipe': binary is empty",
            "INTERNAL: the program cannot be loaded: profile 'pipe': context is no JSON object",
            "INTERNAL: the program cannot be loaded: profile 'pipe': pipe_scope names no pipes",
            "INTERNAL: the program cannot be loaded: unable to find bfrt ID for P4Info entity"
                + " SwitchIngress.hosts with ID 33554433");
    ForwardingPipelineConfig json =
        config(same -> same).toBuilder()
            .setP4DeviceConfig(ByteString.copyFromUtf8("{\"program\": \"bmv2\"}"))
            .build();
    assertRefused(
        () -> controller.setPipeline(Action.VERIFY_AND_COMMIT, json),
        Status.Code.INVALID_ARGUMENT,
        "unknown format of config.p4_device_config");
  }

  @Test
  void reconcileAndCommitIsNotImplemented() throws Exception {
    ForwardingPipelineConfig config = config(same -> same);
    assertRefused(
        () -> controller.setPipeline(Action.RECONCILE_AND_COMMIT, config),
        Status.Code.UNIMPLEMENTED,
        "RECONCILE_AND_COMMIT");
  }

  @Test
  void loadingTheSameProgramAgainEmptiesTheTables() throws Exception {
    load();
    assertThat(write(Update.Type.INSERT, host(1))).isEqualTo("OK");
    load();
    assertThat(controller.read(text.entity("table_entry { table_id: $SwitchIngress.hosts }")))
        .isEmpty();
  }

  // ---- writes

  @Test
  void onlyContinueOnErrorIsSupported() throws Exception {
    load();
    WriteRequest request =
        controller
            .writeRequest(text.update(Update.Type.INSERT, host(1)))
            .setAtomicity(WriteRequest.Atomicity.ROLLBACK_ON_ERROR)
            .build();
    assertRefused(
        () -> controller.stub.write(request),
        Status.Code.INVALID_ARGUMENT,
        "atomicity ROLLBACK_ON_ERROR is not supported");
  }

  @Test
  void anExactTableIsFullBeforeItsSizeAndOthersAtIt() throws Exception {
    load();
    List<Update> updates = new ArrayList<>();
    for (int i = 0; i < 1_536; i++) {
      updates.add(text.update(Update.Type.INSERT, host(i)));
    }
    controller.write(updates.toArray(Update[]::new));
    assertThat(write(Update.Type.INSERT, host(1_536)))
        .isEqualTo("RESOURCE_EXHAUSTED table 'SwitchIngress.hosts' is full: it takes 1536 entries");
    for (int i = 1; i <= 4; i++) {
      assertThat(write(Update.Type.INSERT, rate("\\x80\\000\\000\\000", i))).isEqualTo("OK");
    }
    assertThat(write(Update.Type.INSERT, rate("\\x80\\000\\000\\000", 5)))
        .startsWith("RESOURCE_EXHAUSTED");
  }

  @Test
  void prioritiesAreForTernaryAndRangeTablesAndHave24Bits() throws Exception {
    load();
    assertThat(write(Update.Type.INSERT, rate("\\x80\\000\\000\\000", 0)))
        .startsWith("INVALID_ARGUMENT")
        .contains("priority is 0");
    assertThat(write(Update.Type.INSERT, rate("\\x80\\000\\000\\000", 1 << 24)))
        .isEqualTo("INVALID_ARGUMENT priority is 16777216; it must be at most 16777215");
    assertThat(write(Update.Type.INSERT, rate("\\x80\\000\\000\\000", (1 << 24) - 1)))
        .isEqualTo("OK");
    assertThat(write(Update.Type.INSERT, rate("\\000", 1))).startsWith("INVALID_ARGUMENT");
    assertThat(write(Update.Type.INSERT, host(1).replace(SEND, "priority: 1 " + SEND)))
        .startsWith("INVALID_ARGUMENT");
  }

  @Test
  void whatHasNoDriverBehindItIsNotImplemented() throws Exception {
    load();
    assertThat(
            List.of(
                write(
                    Update.Type.MODIFY,
                    "extern_entry { extern_type_id: 146 extern_id: $SwitchIngress.rate_filter }"),
                write(Update.Type.MODIFY, "direct_meter_entry {}"),
                write(Update.Type.MODIFY, "value_set_entry {}"),
                write(
                    Update.Type.INSERT,
                    host(1).replace(SEND, SEND + " meter_config { cir: 1 pir: 1 }")),
                write(
                    Update.Type.INSERT,
                    host(1).replace(SEND, "action { action_profile_action_set {} }")),
                write(Update.Type.MODIFY, host(1).replace(SEND, ""))))
        .containsExactly(
            "UNIMPLEMENTED unsupported extern entry of type 146",
            "UNIMPLEMENTED unsupported entity type: DIRECT_METER_ENTRY",
            "UNIMPLEMENTED unsupported entity type: VALUE_SET_ENTRY",
            "UNIMPLEMENTED meter configs on TableEntries are not supported",
            "UNIMPLEMENTED unsupported action type: 4",
            "UNIMPLEMENTED unsupported action type: 0");
  }

  @Test
  void aCloneSessionIsOneCopyWithoutAnInstance() throws Exception {
    load();
    String replica = "replicas { egress_port: 68 }";
    String session =
        "packet_replication_engine_entry { clone_session_entry { session_id: 1 " + replica + " } }";
    assertThat(
            List.of(
                write(Update.Type.INSERT, session.replace(replica, replica + replica)),
                write(Update.Type.INSERT, session.replace("68", "0")),
                write(Update.Type.INSERT, session.replace("68", "68 instance: 1")),
                write(
                    Update.Type.INSERT,
                    session.replace(replica, replica + " packet_length_bytes: 65536"))))
        .containsExactly(
            "INVALID_ARGUMENT clone session 1 has 2 replicas; it must have one",
            "INVALID_ARGUMENT clone session 1 has no egress_port above 0",
            "INVALID_ARGUMENT instance 1 of clone session 1 is not supported; it must be 0",
            "INVALID_ARGUMENT packet_length_bytes of clone session 1 must be at most 65535");
    assertThat(write(Update.Type.INSERT, session)).isEqualTo("OK");
    assertThat(write(Update.Type.MODIFY, session)).isEqualTo("OK");
    assertThat(write(Update.Type.DELETE, session)).isEqualTo("OK");
  }

  @Test
  void countersMetersAndRegistersAreOnlyModified() throws Exception {
    load();
    String cell =
        "counter_entry { counter_id: $SwitchIngress.seen index { index: 1 } data "
            + "{ packet_count: 3 } }";
    assertThat(write(Update.Type.MODIFY, cell)).isEqualTo("OK");
    assertThat(write(Update.Type.INSERT, cell)).startsWith("INVALID_ARGUMENT");
    assertThat(write(Update.Type.MODIFY, cell.replace("index { index: 1 }", "")))
        .isEqualTo(
            "INVALID_ARGUMENT modifying an indirect counter without counter index is not"
                + " supported");
    String meter =
        "meter_entry { meter_id: $SwitchIngress.police index { index: 1 } config "
            + "{ cir: 1000 cburst: 100 pir: 2000 pburst: 100 } }";
    assertThat(write(Update.Type.MODIFY, meter)).isEqualTo("OK");
    assertThat(write(Update.Type.DELETE, meter)).startsWith("INVALID_ARGUMENT");
    String register =
        "register_entry { register_id: $SwitchIngress.last index { index: 0 } data "
            + "{ bitstring: \"\\x05\" } }";
    assertThat(write(Update.Type.MODIFY, register)).isEqualTo("OK");
    assertThat(write(Update.Type.INSERT, register)).startsWith("INVALID_ARGUMENT");
    assertThat(write(Update.Type.MODIFY, register.replace("bitstring: \"\\x05\"", "bool: true")))
        .isEqualTo("INVALID_ARGUMENT only bitstring registers data types are supported");
  }

  // ---- reads

  @Test
  void aWildcardReadHasOneMessageForATableAndNoFilters() throws Exception {
    load();
    write(Update.Type.INSERT, host(1).replace(SEND, SEND + " controller_metadata: 9"));
    write(Update.Type.INSERT, host(2));
    write(Update.Type.INSERT, rate("\\x80\\000\\000\\000", 1));
    List<ReadResponse> answers = new ArrayList<>();
    controller
        .stub
        .read(
            ReadRequest.newBuilder()
                .setDeviceId(Controller.DEVICE)
                .addEntities(text.entity("table_entry { table_id: $SwitchIngress.hosts }"))
                .addEntities(text.entity("table_entry { table_id: $SwitchIngress.rates }"))
                .build())
        .forEachRemaining(answers::add);
    assertThat(answers).extracting(ReadResponse::getEntitiesCount).containsExactly(2, 1);
    assertThat(answers.get(0).getEntitiesList())
        .as("controller metadata is not kept")
        .containsExactlyInAnyOrder(text.entity(host(1)), text.entity(host(2)));
    assertReadRefused(
        "table_entry { table_id: $SwitchIngress.rates priority: 1 }",
        "INVALID_ARGUMENT priority filters on wildcard reads are not supported");
    assertReadRefused(
        "table_entry { table_id: $SwitchIngress.rates " + SEND + " }",
        "INVALID_ARGUMENT action filters on wildcard reads are not supported");
  }

  @Test
  void readingOneEntryThatIsNotThereFails() throws Exception {
    load();
    write(Update.Type.INSERT, host(1));
    Entity one = text.entity(host(1));
    assertThat(controller.read(one)).containsExactly(one);
    assertReadRefused(host(2), "NOT_FOUND table 'SwitchIngress.hosts' has no such entry");
  }

  @Test
  void countersAndMetersOfAllKindsAreNotReadAtOnce() throws Exception {
    load();
    assertThat(controller.read(text.entity("counter_entry { counter_id: $SwitchIngress.seen }")))
        .hasSize(4);
    assertReadRefused(
        "counter_entry {}",
        "INVALID_ARGUMENT querying an indirect counter without counter id is not supported");
    assertReadRefused(
        "meter_entry {}", "INVALID_ARGUMENT wildcard MeterEntry reads are not supported");
    assertReadRefused(
        "extern_entry { extern_type_id: 146 }",
        "UNIMPLEMENTED unsupported extern entry of type 146");
  }

  // ---- arbitration

  @Test
  void aClaimNeedsAnElectionIdAndASixthControllerIsRefused() throws Exception {
    try (Controller without = new Controller(server.port())) {
      without.send(without.claimOf(null));
      assertThat(without.streamStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    }
    for (int id = 2; id <= 5; id++) {
      controller.anotherStream(id);
    }
    try (Controller sixth = new Controller(server.port())) {
      sixth.claim(6);
      assertThat(sixth.streamStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    }
  }
}
