package net.sluice.emulator.server.p4runtime.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import java.util.HexFormat;
import java.util.List;
import net.sluice.emulator.server.p4runtime.Controller;
import net.sluice.emulator.server.p4runtime.P4Text;
import net.sluice.emulator.server.p4runtime.ServedNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.MasterArbitrationUpdate;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigRequest.Action;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.Update.Type;

/** Roles with access to a part of the pipeline, in Stratum's scheme. */
class RoleConfigTest {

  private static final int EXCLUSIVE = 1;
  private static final int SHARED = 2;

  private ServedNode served = new ServedNode("names", 64);
  private P4Text text = new P4Text(P4Text.config("names").getP4Info());

  @AfterEach
  void stop() {
    served.close();
  }

  private static UnknownFieldSet.Field numbers(long... values) {
    UnknownFieldSet.Field.Builder field = UnknownFieldSet.Field.newBuilder();
    for (long value : values) {
      field.addVarint(value);
    }
    return field.build();
  }

  private static UnknownFieldSet.Field bytes(ByteString value) {
    return UnknownFieldSet.Field.newBuilder().addLengthDelimited(value).build();
  }

  private UnknownFieldSet.Builder config(int kind, String... names) {
    UnknownFieldSet.Builder fields = UnknownFieldSet.newBuilder();
    long[] ids = new long[names.length];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = text.id(names[i]);
    }
    return fields.addField(kind, numbers(ids));
  }

  private static MasterArbitrationUpdate claim(
      Controller controller, long id, UnknownFieldSet.Builder config) {
    MasterArbitrationUpdate claim = controller.claimOf(Controller.id(id));
    Any any =
        Any.newBuilder()
            .setTypeUrl("type.googleapis.com/stratum.P4RoleConfig")
            .setValue(config.build().toByteString())
            .build();
    return claim.toBuilder().setRole(claim.getRole().toBuilder().setConfig(any)).build();
  }

  /** A controller that is primary in a role with a configuration. */
  private Controller primary(String role, UnknownFieldSet.Builder config) {
    Controller controller = new Controller(served.server.port()).in(role).as(1);
    MasterArbitrationUpdate claim = claim(controller, 1, config);
    controller.send(claim);
    // The configuration comes back in what the role's controllers are told.
    assertThat(controller.next().getArbitration().getRole()).isEqualTo(claim.getRole());
    return controller;
  }

  private String refusal(UnknownFieldSet.Builder config) throws Exception {
    try (Controller controller = new Controller(served.server.port()).in("other")) {
      controller.send(claim(controller, 1, config));
      return controller.streamStatus().getCode() + " " + controller.streamStatus().getDescription();
    }
  }

  private Update route(String vrf) {
    return text.update(
        Type.INSERT,
        "table_entry { table_id: $In.routes match { field_id: 1 exact { value: '"
            + vrf
            + "' } } action { action { action_id: $In.to params { param_id: 1 value: '64' } } } }");
  }

  private Update learnAll() {
    return text.update(
        Type.INSERT,
        "table_entry { table_id: $In.policies priority: 1 action { action { action_id: $In.learn }"
            + " } }");
  }

  @Test
  void aRoleReadsAndWritesWhatItsConfigLists() {
    try (Controller routes = primary("routes", config(EXCLUSIVE, "In.routes"));
        Controller all = served.primary(1)) {
      routes.write(route("blue"));
      all.write(learnAll());
      String denied =
          "PERMISSION_DENIED the role has no access to id "
              + Integer.toUnsignedString(text.id("In.policies"))
              + "; its role.config lists it neither as exclusive nor as shared";
      assertThat(routes.writeError(learnAll().toBuilder().setType(Type.DELETE).build()))
          .isEqualTo(denied);
      assertThat(all.read(text.entity("table_entry { }"))).hasSize(2);
      assertThat(routes.read(text.entity("table_entry { }")))
          .containsExactly(route("blue").getEntity());
      Entity policies = text.entity("table_entry { table_id: $In.policies }");
      assertThatThrownBy(() -> routes.read(policies)).hasMessageStartingWith("UNKNOWN");
      // The replication engine is nobody's.
      routes.write(
          text.update(
              Type.INSERT,
              "packet_replication_engine_entry { multicast_group_entry { multicast_group_id: 1 }"
                  + " }"));
      // All or nothing holds for what a role must not do, too.
      assertThatThrownBy(
              () ->
                  routes.stub.write(
                      routes.writeRequest(route("red"), learnAll()).setAtomicityValue(1).build()))
          .hasMessageStartingWith("UNKNOWN");
      assertThat(routes.read(text.entity("table_entry { }"))).hasSize(1);
    }
  }

  @Test
  void onlyRolesThatMayPushPipelines() {
    try (Controller with = primary("with", config(SHARED, "In.routes").addField(5, numbers(1)));
        Controller without = primary("without", config(SHARED, "In.routes"))) {
      assertThatThrownBy(
              () -> without.setPipeline(Action.VERIFY_AND_COMMIT, P4Text.config("names")))
          .hasMessage(
              "PERMISSION_DENIED: role 'without' may not set a pipeline: can_push_pipeline is not"
                  + " set in its role.config");
      with.setPipeline(Action.VERIFY_AND_COMMIT, P4Text.config("names"));
    }
  }

  @Test
  void packetsAndDigestsGoToTheRolesThatListThem() {
    UnknownFieldSet.Builder filter =
        UnknownFieldSet.newBuilder()
            .addField(1, numbers(1))
            .addField(2, bytes(ByteString.copyFromUtf8("2")));
    try (Controller all = served.primary(1);
        Controller packets =
            primary("packets", config(SHARED, "In.routes").addField(4, numbers(1)));
        Controller some =
            primary(
                "some",
                UnknownFieldSet.newBuilder()
                    .addField(3, bytes(filter.build().toByteString()))
                    .addField(4, numbers(1)));
        Controller digests = primary("digests", config(EXCLUSIVE, "seen_t"))) {
      all.write(
          route(""),
          learnAll(),
          text.update(
              Type.INSERT, "digest_entry { digest_id: $seen_t config { max_list_size: 1 } }"));
      served.receive(1, HexFormat.of().formatHex(new byte[9]));
      served.receive(2, HexFormat.of().formatHex(new byte[9]));
      served.pass(1_000);
      assertThat(List.of(all.next(), all.next(), all.next(), all.next()))
          .extracting(m -> m.hasDigest())
          .containsExactlyInAnyOrder(true, true, false, false);
      assertThat(List.of(packets.next(), packets.next())).allMatch(m -> m.hasPacket());
      assertThat(some.next().getPacket().getMetadata(0).getValue().toStringUtf8()).isEqualTo("2");
      assertThat(List.of(digests.next(), digests.next())).allMatch(m -> m.hasDigest());
      for (Controller one : List.of(packets, some, digests)) {
        ServedNode.settle(one);
      }
    }
  }

  @Test
  void whatIsExclusiveIsNoOtherRoles() throws Exception {
    try (Controller routes = primary("routes", config(EXCLUSIVE, "In.routes"))) {
      String id = Integer.toUnsignedString(text.id("In.routes"));
      assertThat(refusal(config(EXCLUSIVE, "In.policies", "In.routes")))
          .isEqualTo(
              "INVALID_ARGUMENT role.config of role 'other' has id "
                  + id
                  + " exclusively, which role 'routes' has, too");
      assertThat(refusal(config(SHARED, "In.routes")))
          .isEqualTo(
              "INVALID_ARGUMENT role.config of role 'other' has id "
                  + id
                  + ", which role 'routes' has exclusively");
      // The role itself may change its mind.
      routes.send(claim(routes, 2, config(SHARED, "In.routes")));
      assertThat(routes.next().getArbitration().getElectionId().getLow()).isEqualTo(2);
      primary("other", config(SHARED, "In.routes")).close();
    }
  }

  @Test
  void aConfigThatMeansNothingIsRefused() throws Exception {
    assertThat(refusal(UnknownFieldSet.newBuilder().addField(3, bytes(ByteString.EMPTY))))
        .isEqualTo(
            "INVALID_ARGUMENT role.config of role 'other' has a packet_in_filter without value");
    UnknownFieldSet filter =
        UnknownFieldSet.newBuilder().addField(2, bytes(ByteString.copyFromUtf8("2"))).build();
    assertThat(refusal(UnknownFieldSet.newBuilder().addField(3, bytes(filter.toByteString()))))
        .isEqualTo(
            "INVALID_ARGUMENT role.config of role 'other' has a packet_in_filter, but"
                + " receives_packet_ins is not set");
    assertThat(refusal(UnknownFieldSet.newBuilder().addField(9, numbers(1))))
        .isEqualTo(
            "INVALID_ARGUMENT role.config of role 'other' has a field 9, which"
                + " stratum.P4RoleConfig does not have");
    try (Controller any = new Controller(served.server.port())) {
      any.send(claim(any, 1, config(SHARED, "In.routes")));
      assertThat(any.streamStatus().getDescription())
          .isEqualTo(
              "role.config of the default role must be unset: it has access to the full pipeline");
    }
  }
}
