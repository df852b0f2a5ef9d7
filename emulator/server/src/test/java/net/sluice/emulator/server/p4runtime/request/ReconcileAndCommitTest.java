package net.sluice.emulator.server.p4runtime.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import net.sluice.emulator.server.p4runtime.Controller;
import net.sluice.emulator.server.p4runtime.P4Text;
import net.sluice.emulator.server.p4runtime.ServedTest;
import org.junit.jupiter.api.Test;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.GetForwardingPipelineConfigRequest;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigRequest.Action;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.Update.Type;

/** A new config in force with the forwarding state of the one before. */
class ReconcileAndCommitTest extends ServedTest {

  private static final ForwardingPipelineConfig CONFIG = P4Text.config("entities");

  private final P4Text text = new P4Text(CONFIG.getP4Info());

  ReconcileAndCommitTest() {
    super(null, 1);
  }

  private static ForwardingPipelineConfig withCookie(long cookie) {
    return CONFIG.toBuilder()
        .setCookie(ForwardingPipelineConfig.Cookie.newBuilder().setCookie(cookie))
        .build();
  }

  private long cookie() {
    return controller
        .stub
        .getForwardingPipelineConfig(
            GetForwardingPipelineConfigRequest.newBuilder().setDeviceId(Controller.DEVICE).build())
        .getConfig()
        .getCookie()
        .getCookie();
  }

  private void fill() {
    controller.write(
        text.update(
            Type.INSERT,
            "table_entry { table_id: $In.exact_table match { field_id: 1 exact { value: '\\x07' } }"
                + " match { field_id: 2 exact { value: '\\x01' } } action { action { action_id:"
                + " $In.drop } } metadata: 'm' counter_data { packet_count: 3 byte_count: 4 } }"),
        text.update(
            Type.INSERT,
            "table_entry { table_id: $In.masks match { field_id: 3 exact { value: '\\x01' } }"
                + " priority: 4 action { action { action_id: $NoAction } } meter_config { cir: 1"
                + " cburst: 2 pir: 3 pburst: 4 } }"),
        text.update(
            Type.INSERT,
            "table_entry { table_id: $In.prefixes match { field_id: 2 exact { value: '\\x01' } }"
                + " action { action { action_id: $In.drop } } idle_timeout_ns: 77000000000"
                + " controller_metadata: 8 }"),
        text.update(
            Type.MODIFY,
            "table_entry { table_id: $In.initial match { field_id: 1 exact { value: '\\x02' } }"
                + " action { action { action_id: $NoAction } } }"),
        text.update(
            Type.MODIFY,
            "table_entry { table_id: $In.options is_default_action: true action { action {"
                + " action_id: $NoAction } } }"),
        text.update(
            Type.MODIFY,
            "counter_entry { counter_id: $In.hits index { index: 2 } data { packet_count: 8 } }"),
        text.update(
            Type.MODIFY,
            "meter_entry { meter_id: $In.rates index { index: 1 } config { pir: 9 } }"),
        text.update(
            Type.MODIFY,
            "register_entry { register_id: $In.broad index { index: 1 } data { bitstring: '\\x33' }"
                + " }"),
        text.update(
            Type.INSERT,
            "packet_replication_engine_entry { multicast_group_entry { multicast_group_id: 5"
                + " replicas { egress_port: 2 instance: 1 } } }"),
        text.update(
            Type.MODIFY,
            "value_set_entry { value_set_id: $P.known members { match { field_id: 1 exact { value:"
                + " '\\x33' } } } }"));
  }

  private List<Entity> everything() {
    return controller.read(
        text.entity("table_entry { counter_data {} meter_config {} }"),
        text.entity("table_entry { table_id: $In.options is_default_action: true }"),
        text.entity("counter_entry { }"),
        text.entity("meter_entry { }"),
        text.entity("register_entry { }"),
        text.entity("packet_replication_engine_entry { }"),
        text.entity("value_set_entry { }"));
  }

  @Test
  void theStateComesAlong() {
    controller.setPipeline(Action.VERIFY_AND_COMMIT, withCookie(1));
    List<Entity> fresh = everything();
    fill();
    List<Entity> filled = everything();
    assertThat(filled).isNotEqualTo(fresh);
    controller.setPipeline(Action.RECONCILE_AND_COMMIT, withCookie(2));
    assertThat(cookie()).isEqualTo(2);
    assertThat(everything()).containsExactlyInAnyOrderElementsOf(filled);
  }

  @Test
  void initialEntriesThatWereDeletedStayDeleted() {
    controller.setPipeline(Action.VERIFY_AND_COMMIT, withCookie(1));
    Entity initial = text.entity("table_entry { table_id: $In.initial }");
    List<Entity> declared = controller.read(initial);
    assertThat(declared).hasSize(2);
    controller.write(Update.newBuilder().setType(Type.DELETE).setEntity(declared.get(0)).build());
    controller.setPipeline(Action.RECONCILE_AND_COMMIT, withCookie(2));
    assertThat(controller.read(initial)).containsExactly(declared.get(1));
    // And once more, from a config that began with what the one before had left.
    controller.setPipeline(Action.RECONCILE_AND_COMMIT, withCookie(3));
    assertThat(controller.read(initial)).containsExactly(declared.get(1));
    controller.setPipeline(Action.VERIFY_AND_COMMIT, withCookie(4));
    assertThat(controller.read(initial)).containsExactlyElementsOf(declared);
  }

  @Test
  void digestConfigurationsComeAlong() {
    ForwardingPipelineConfig copies = P4Text.config("copies");
    controller.setPipeline(Action.VERIFY_AND_COMMIT, copies);
    P4Text names = new P4Text(copies.getP4Info());
    String digest =
        "digest_entry { digest_id: $learned_t config { max_list_size: 3 max_timeout_ns: 7 } }";
    controller.write(names.update(Type.INSERT, digest));
    controller.setPipeline(Action.RECONCILE_AND_COMMIT, copies);
    assertThat(controller.read(names.entity("digest_entry { }")))
        .containsExactly(names.entity(digest));
    controller.setPipeline(Action.VERIFY_AND_COMMIT, copies);
    assertThat(controller.read(names.entity("digest_entry { }"))).isEmpty();
  }

  @Test
  void withoutAConfigBeforeItIsACommit() {
    controller.setPipeline(Action.RECONCILE_AND_COMMIT, withCookie(3));
    assertThat(cookie()).isEqualTo(3);
  }

  @Test
  void aConfigWithoutRoomForTheStateIsRefusedAndNothingChanges() {
    controller.setPipeline(Action.VERIFY_AND_COMMIT, withCookie(1));
    fill();
    List<Entity> filled = everything();
    P4Info.Builder smaller = CONFIG.getP4Info().toBuilder();
    smaller
        .getTablesBuilderList()
        .forEach(
            t -> {
              if (t.getPreamble().getName().equals("In.exact_table")) {
                t.setSize(0);
              }
            });
    assertThatThrownBy(
            () ->
                controller.setPipeline(
                    Action.RECONCILE_AND_COMMIT,
                    withCookie(2).toBuilder().setP4Info(smaller).build()))
        .hasMessage(
            "INVALID_ARGUMENT: the forwarding state cannot be preserved: table 'In.exact_table' is"
                + " full: it takes 0 entries");
    assertThatThrownBy(
            () -> controller.setPipeline(Action.RECONCILE_AND_COMMIT, P4Text.config("meters")))
        .hasMessageStartingWith(
            "INVALID_ARGUMENT: the forwarding state cannot be preserved: there is no table with"
                + " id");
    assertThat(cookie()).isEqualTo(1);
    assertThat(everything()).containsExactlyElementsOf(filled);
  }
}
