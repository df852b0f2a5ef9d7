package net.sluice.emulator.server.p4runtime.variant;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.Arrays;
import net.sluice.emulator.server.p4runtime.Controller;
import net.sluice.emulator.server.p4runtime.P4RuntimeServer;
import net.sluice.emulator.server.p4runtime.P4Text;
import net.sluice.emulator.switching.SwitchPacket;
import net.sluice.emulator.v1model.V1modelSwitch;
import org.junit.jupiter.api.Test;
import p4.config.v1.P4InfoOuterClass.Action;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.ReadRequest;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigRequest;
import p4.v1.P4RuntimeOuterClass.Update;

/** Parameters that P4Info has and the program has not, because no action uses them. */
class UnusedParametersTest {

  private static final Action.Param BEFORE =
      Action.Param.newBuilder().setId(11).setName("before").setBitwidth(40).build();
  private static final Action.Param NAMED =
      Action.Param.newBuilder().setId(12).setName("named").build();
  private static final Action.Param BEHIND =
      Action.Param.newBuilder().setId(13).setName("behind").setBitwidth(100).build();

  /** Puts parameters around those of an action. */
  private static ForwardingPipelineConfig config() {
    ForwardingPipelineConfig.Builder config = P4Text.config("early").toBuilder();
    P4Info.Builder info = config.getP4InfoBuilder();
    for (Action.Builder action : info.getActionsBuilderList()) {
      if (!action.getPreamble().getName().equals("discard")) {
        action.addParams(0, BEFORE).addParams(BEHIND);
      }
    }
    return config.build();
  }

  @Test
  void valuesAreTakenAndReadBackAndWhatTheProgramHasIsUsed() throws Exception {
    ForwardingPipelineConfig config = config();
    P4Text text = new P4Text(config.getP4Info());
    Entity entry =
        text.entity(
            "table_entry { table_id: $by_kind match { field_id: 1 exact { value: '\\003' } } action"
                + " { action { action_id: $forward params { param_id: 11 value: '\\007' } params {"
                + " param_id: 1 value: '\\005' } params { param_id: 13 value: 'abcdefghijkl' } } }"
                + " }");
    V1modelSwitch device = new V1modelSwitch(Controller.DEVICE, 1);
    try (P4RuntimeServer server =
            P4RuntimeServer.start(device, new InetSocketAddress("127.0.0.1", 0));
        Controller controller = Controller.primary(server.port(), 1)) {
      controller.setPipeline(SetForwardingPipelineConfigRequest.Action.VERIFY_AND_COMMIT, config);
      assertThat(
              controller.writeError(
                  Update.newBuilder().setType(Update.Type.INSERT).setEntity(entry).build()))
          .isEqualTo("OK");
      assertThat(
              controller
                  .stub
                  .read(
                      ReadRequest.newBuilder()
                          .setDeviceId(Controller.DEVICE)
                          .addEntities(text.entity("table_entry { table_id: $by_kind }"))
                          .build())
                  .next()
                  .getEntitiesList())
          .containsExactly(entry);
      // The entry that the program has itself marks with 0x77 as before.
      SwitchPacket packet = device.pipeline().acquire();
      packet.setBytes(new byte[] {3, 0, 0x2a}, 0, 3);
      device.pipeline().ingress(packet, 1, 0);
      assertThat(packet.dropped).isFalse();
      assertThat(packet.egressPort).isEqualTo(5);
      device.pipeline().egress(packet, 0);
      assertThat(packet.toByteArray()).isEqualTo(new byte[] {3, 0x77, 0x2a});
    }
  }

  @Test
  void aProgramThatHasThemAllStaysAsItIs() {
    ForwardingPipelineConfig config = P4Text.config("early");
    byte[] json = config.getP4DeviceConfig().toByteArray();
    assertThat(UnusedParameters.restored(json, config.getP4Info())).isSameAs(json);
    byte[] broken = Arrays.copyOf(json, json.length / 2);
    assertThat(UnusedParameters.restored(broken, config().getP4Info())).isSameAs(broken);
  }

  @Test
  void anActionWithAParameterThatP4InfoHasNotIsLeftToBeRefused() {
    ForwardingPipelineConfig.Builder config = P4Text.config("early").toBuilder();
    for (Action.Builder action : config.getP4InfoBuilder().getActionsBuilderList()) {
      action.clearParams().addParams(NAMED).addParams(BEHIND);
    }
    byte[] json = config.getP4DeviceConfig().toByteArray();
    String restored = new String(UnusedParameters.restored(json, config.getP4Info()));
    // Only the action without parameters of its own has been given these.
    assertThat(restored).containsOnlyOnce("named").containsOnlyOnce("behind");
    assertThat(restored).contains("{\"name\":\"named\",\"bitwidth\":32}");
  }
}
