package net.sluice.emulator.server.p4runtime.request;

import static net.sluice.emulator.server.p4runtime.TestInfo.CONFIG;
import static net.sluice.emulator.server.p4runtime.TestInfo.host;
import static net.sluice.emulator.server.p4runtime.TestInfo.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.charset.StandardCharsets;
import net.sluice.emulator.server.p4runtime.Controller;
import net.sluice.emulator.server.p4runtime.ServedTest;
import net.sluice.emulator.server.p4runtime.TestInfo;
import net.sluice.emulator.switching.SwitchPacket;
import net.sluice.emulator.v1model.Probe;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.CapabilitiesRequest;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.GetForwardingPipelineConfigRequest;
import p4.v1.P4RuntimeOuterClass.GetForwardingPipelineConfigRequest.ResponseType;
import p4.v1.P4RuntimeOuterClass.GetForwardingPipelineConfigResponse;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigRequest;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigRequest.Action;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** Forwarding pipeline configs: checked, saved, committed, read back. */
class PipelineConfigTest extends ServedTest {

  PipelineConfigTest() {
    super(null, 1);
  }

  private static void assertStatus(ThrowingCallable call, Status.Code code, String message) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> {
              assertThat(e.getStatus().getCode()).isEqualTo(code);
              assertThat(e.getStatus().getDescription()).contains(message);
            });
  }

  private GetForwardingPipelineConfigResponse get(ResponseType type) {
    return controller.stub.getForwardingPipelineConfig(
        GetForwardingPipelineConfigRequest.newBuilder()
            .setDeviceId(Controller.DEVICE)
            .setResponseType(type)
            .build());
  }

  private Long result(long word) {
    byte[] bytes = Probe.op(3).with("word", word).with("result", 1).bytes();
    SwitchPacket packet = device.pipeline().acquire();
    packet.setBytes(bytes, 0, bytes.length);
    device.pipeline().ingress(packet, 1, 0);
    if (packet.dropped) {
      return null;
    }
    device.pipeline().egress(packet, 0);
    return Probe.number(packet.toByteArray(), "result");
  }

  @Test
  void withoutAConfigPacketsAreDroppedAndEntitiesRefused() {
    assertThat(result(1)).isNull();
    assertThat(device.droppedWithoutProgram()).isEqualTo(1);
    assertStatus(
        () -> controller.write(insert(host(1, 1))),
        Status.Code.FAILED_PRECONDITION,
        "no forwarding pipeline config");
    assertStatus(
        () -> controller.readEntries(TableEntry.getDefaultInstance()),
        Status.Code.FAILED_PRECONDITION,
        "no forwarding pipeline config");
    assertThat(get(ResponseType.ALL).hasConfig()).isFalse();
  }

  @Test
  void aCommittedConfigIsInForceAndReadBack() {
    controller.setPipeline(Action.VERIFY_AND_COMMIT, CONFIG);
    controller.write(insert(host(1, 33)));
    assertThat(result(1)).isEqualTo(33);
    assertThat(get(ResponseType.ALL).getConfig()).isEqualTo(CONFIG);
    assertThat(get(ResponseType.COOKIE_ONLY).getConfig())
        .isEqualTo(ForwardingPipelineConfig.newBuilder().setCookie(CONFIG.getCookie()).build());
    assertThat(get(ResponseType.P4INFO_AND_COOKIE).getConfig())
        .isEqualTo(CONFIG.toBuilder().clearP4DeviceConfig().build());
    assertThat(get(ResponseType.DEVICE_CONFIG_AND_COOKIE).getConfig())
        .isEqualTo(CONFIG.toBuilder().clearP4Info().build());
    controller.setPipeline(Action.VERIFY_AND_COMMIT, CONFIG);
    assertThat(result(1)).as("committing again clears the entries").isEqualTo(1);
  }

  @Test
  void aProgramMayComeInTheMessageOfControllersBeforeVersionOne() {
    UnknownFieldSet.Field reassign = UnknownFieldSet.Field.newBuilder().addVarint(1).build();
    UnknownFieldSet.Field data =
        UnknownFieldSet.Field.newBuilder().addLengthDelimited(CONFIG.getP4DeviceConfig()).build();
    UnknownFieldSet wrapped =
        UnknownFieldSet.newBuilder().addField(1, reassign).addField(3, data).build();
    ForwardingPipelineConfig config =
        CONFIG.toBuilder().setP4DeviceConfig(wrapped.toByteString()).build();
    controller.setPipeline(Action.VERIFY_AND_COMMIT, config);
    controller.write(insert(host(1, 33)));
    assertThat(result(1)).isEqualTo(33);
    assertThat(get(ResponseType.ALL).getConfig()).as("read back as it was set").isEqualTo(config);
    UnknownFieldSet foreign = wrapped.toBuilder().addField(4, reassign).build();
    for (UnknownFieldSet other :
        new UnknownFieldSet[] {wrapped.toBuilder().clearField(3).build(), foreign}) {
      assertStatus(
          () ->
              controller.setPipeline(
                  Action.VERIFY,
                  CONFIG.toBuilder().setP4DeviceConfig(other.toByteString()).build()),
          Status.Code.INVALID_ARGUMENT,
          "not JSON");
    }
  }

  @Test
  void verifyChangesNothing() {
    controller.setPipeline(Action.VERIFY, CONFIG);
    assertThat(result(1)).isNull();
    assertThat(get(ResponseType.ALL).hasConfig()).isFalse();
  }

  @Test
  void configsBeyondTheDefaultOfMessagesAreTaken() {
    ByteString spaces = ByteString.copyFrom(" ".repeat(6 << 20), StandardCharsets.US_ASCII);
    controller.setPipeline(
        Action.VERIFY_AND_COMMIT,
        CONFIG.toBuilder().setP4DeviceConfig(spaces.concat(CONFIG.getP4DeviceConfig())).build());
    controller.write(insert(host(1, 33)));
    assertThat(result(1)).isEqualTo(33);
  }

  @Test
  void aSavedConfigTakesWritesAndBringsThemWhenItIsCommitted() {
    controller.setPipeline(Action.VERIFY_AND_COMMIT, CONFIG);
    controller.write(insert(host(1, 33)));
    controller.setPipeline(Action.VERIFY_AND_SAVE, CONFIG);
    assertThat(controller.readEntries(TestInfo.entry("In.lpm_table").build())).isEmpty();
    controller.write(insert(host(2, 44)));
    assertThat(result(1)).isEqualTo(33);
    assertThat(result(2)).isEqualTo(1);
    controller.setPipeline(Action.COMMIT, null);
    assertThat(result(1)).isEqualTo(1);
    assertThat(result(2)).isEqualTo(44);
    assertStatus(
        () -> controller.setPipeline(Action.COMMIT, null),
        Status.Code.NOT_FOUND,
        "no saved config");
  }

  @Test
  void wrongRequestsAreRefusedAndTheConfigStays() {
    controller.setPipeline(Action.VERIFY_AND_COMMIT, CONFIG);
    controller.write(insert(host(1, 33)));
    assertStatus(
        () -> controller.setPipeline(Action.UNSPECIFIED, CONFIG),
        Status.Code.INVALID_ARGUMENT,
        "action is UNSPECIFIED");
    assertStatus(
        () -> controller.setPipeline(Action.RECONCILE_AND_COMMIT, null),
        Status.Code.INVALID_ARGUMENT,
        "config is missing; RECONCILE_AND_COMMIT needs one");
    assertStatus(
        () -> controller.setPipeline(Action.COMMIT, CONFIG),
        Status.Code.INVALID_ARGUMENT,
        "config is set");
    assertStatus(
        () -> controller.setPipeline(Action.VERIFY, null),
        Status.Code.INVALID_ARGUMENT,
        "config is missing");
    assertBad(CONFIG.toBuilder().clearP4Info().build(), "config.p4info is missing");
    assertBad(CONFIG.toBuilder().clearP4DeviceConfig().build(), "config.p4_device_config is empty");
    assertBad(deviceConfig("{"), "invalid program: the file: not JSON");
    assertBad(
        deviceConfig("{\"program\": \"x\", \"weather\": [1]}"),
        "unsupported program: member 'weather' at the top level");
    P4Info.Builder renamed = TestInfo.INFO.toBuilder();
    renamed.getTablesBuilder(0).getPreambleBuilder().setName("In.nowhere");
    assertBad(
        CONFIG.toBuilder().setP4Info(renamed).build(),
        "the device config has no table 'In.nowhere'");
    P4Info.Builder widened = TestInfo.INFO.toBuilder();
    widened.getTablesBuilder(0).getMatchFieldsBuilder(0).setBitwidth(9);
    assertBad(
        CONFIG.toBuilder().setP4Info(widened).build(),
        "table 'In.exact_table': match field 'hdr.probe.small' is EXACT on 9 bits in P4Info and"
            + " EXACT on 8 bits in the device config");
    assertThat(result(1)).isEqualTo(33);
    assertThat(get(ResponseType.ALL).getConfig()).isEqualTo(CONFIG);
  }

  private static ForwardingPipelineConfig deviceConfig(String json) {
    return CONFIG.toBuilder()
        .setP4DeviceConfig(ByteString.copyFrom(json, StandardCharsets.UTF_8))
        .build();
  }

  private void assertBad(ForwardingPipelineConfig config, String message) {
    assertStatus(
        () -> controller.setPipeline(Action.VERIFY_AND_COMMIT, config),
        Status.Code.INVALID_ARGUMENT,
        message);
  }

  @Test
  void onlyThePrimarySetsAConfig() {
    SetForwardingPipelineConfigRequest request =
        SetForwardingPipelineConfigRequest.newBuilder()
            .setDeviceId(Controller.DEVICE)
            .setElectionId(Controller.id(9))
            .setAction(Action.VERIFY_AND_COMMIT)
            .setConfig(CONFIG)
            .build();
    assertStatus(
        () -> controller.stub.setForwardingPipelineConfig(request),
        Status.Code.PERMISSION_DENIED,
        "not primary");
    assertStatus(
        () ->
            controller.stub.setForwardingPipelineConfig(request.toBuilder().setDeviceId(8).build()),
        Status.Code.NOT_FOUND,
        "device_id is 8; this is device 5");
  }

  @Test
  void capabilitiesOfAnUnknownDeviceAreNotFound() {
    assertStatus(
        () -> controller.stub.capabilities(CapabilitiesRequest.newBuilder().setDeviceId(6).build()),
        Status.Code.NOT_FOUND,
        "device_id is 6; this is device 5");
  }

  @Test
  void capabilitiesTellTheVersion() {
    assertThat(
            controller
                .stub
                .capabilities(CapabilitiesRequest.getDefaultInstance())
                .getP4RuntimeApiVersion())
        .isEqualTo("1.5.0");
  }
}
