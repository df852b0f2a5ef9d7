package net.sluice.emulator.server.p4runtime.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.Map;
import net.sluice.emulator.server.p4runtime.Controller;
import net.sluice.emulator.server.p4runtime.LoadedSwitch;
import net.sluice.emulator.server.p4runtime.P4Text;
import net.sluice.emulator.server.p4runtime.ServedNode;
import net.sluice.emulator.server.p4runtime.program.Binding;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.switching.Replicas;
import net.sluice.emulator.v1model.LoadedProgram;
import org.junit.jupiter.api.Test;
import p4.config.v1.P4InfoOuterClass.MatchField.MatchType;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.PacketMetadata;
import p4.v1.P4RuntimeOuterClass.PacketOut;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigRequest.Action;
import p4.v1.P4RuntimeOuterClass.StreamMessageRequest;
import p4.v1.P4RuntimeOuterClass.Update.Type;

/** Types that P4Info has as strings: ports, and labels of the controller's own. */
class TranslatedStringsTest {

  private static final Map<Integer, String> PORTS = Map.of(0, "left", 2, "right");

  private final LoadedSwitch names = new LoadedSwitch("names", info -> {}, PORTS);

  private static String interfaceEntry(String port, int key, String vrf) {
    return ("table_entry { table_id: $In.interfaces match { field_id: 1 exact { value: '%s' }"
            + " } match { field_id: 2 exact { value: '\\00%s' } } action { action { action_id:"
            + " $In.set_vrf params { param_id: 1 value: '%s' } } } }")
        .formatted(port, key, vrf);
  }

  private static String route(String vrf, String port) {
    return ("table_entry { table_id: $In.routes match { field_id: 1 exact { value: '%s' } }"
            + " action { action { action_id: $In.to params { param_id: 1 value: '%s' } } } }")
        .formatted(vrf, port);
  }

  private static String policy(String match, String tiny) {
    return ("table_entry { table_id: $In.policies %s priority: 1 action { action { action_id:"
            + " $In.set_label params { param_id: 1 value:"
            + " '\\007' } params {"
            + " param_id: 2 value: '%s' } } } }")
        .formatted(match, tiny);
  }

  private static String vrf(String name) {
    return "match { field_id: 1 optional { value: '" + name + "' } }";
  }

  /** VRF and port of a packet with a key that came in at port 0. */
  private String packet(int key) {
    byte[] sent = names.send(0, key, 0, 0, 0, 0, 0, 0, 0, 0);
    return sent == null ? "dropped" : (sent[1] << 8 | sent[2] & 0xff) + " " + sent[4];
  }

  private void done(Type type, String entity) {
    assertThat(names.write(type, entity)).isEqualTo("done");
  }

  @Test
  void stringsStandForNumbersAndAreReadBack() {
    done(Type.INSERT, interfaceEntry("left", 1, "blue"));
    done(Type.INSERT, interfaceEntry("left", 2, "red"));
    done(Type.INSERT, interfaceEntry("right", 1, "red"));
    done(Type.INSERT, route("blue", "right"));
    done(Type.INSERT, route("red", "3"));
    done(Type.INSERT, policy(vrf("blue"), "x"));
    // Numbers are given from 1 on; the packet's port is 2, which is called "right".
    assertThat(packet(1)).isEqualTo("1 2");
    assertThat(packet(2)).isEqualTo("2 3");
    assertThat(names.read("table_entry { table_id: $In.routes }"))
        .containsExactlyInAnyOrder(
            names.entity(route("blue", "right")), names.entity(route("red", "3")));
    assertThat(names.read("table_entry { table_id: $In.interfaces }"))
        .contains(names.entity(interfaceEntry("right", 1, "red")));
    assertThat(names.read("table_entry { table_id: $In.policies }"))
        .containsExactly(names.entity(policy(vrf("blue"), "x")));
    done(Type.MODIFY, route("blue", "3"));
    assertThat(packet(1)).isEqualTo("1 3");
    done(Type.DELETE, route("blue", "3"));
    assertThat(names.read("table_entry { table_id: $In.routes }"))
        .containsExactly(names.entity(route("red", "3")));
  }

  @Test
  void pairsOfTheSourceHold() {
    done(Type.INSERT, interfaceEntry("left", 1, "the \"first\""));
    done(Type.INSERT, interfaceEntry("left", 2, ""));
    done(Type.INSERT, route("the \"first\"", "right"));
    assertThat(packet(1)).isEqualTo("7 2");
    assertThat(names.read("table_entry { table_id: $In.interfaces }"))
        .contains(names.entity(interfaceEntry("left", 2, "")));
    // Seven others come before it: 1 to 6, then 8.
    for (int i = 0; i < 7; i++) {
      done(Type.INSERT, route("other " + i, "right"));
    }
    done(Type.INSERT, interfaceEntry("left", 3, "other 6"));
    assertThat(packet(3)).isEqualTo("8 2");
  }

  @Test
  void aNumberWithoutAStringIsWrittenWithAHash() {
    done(Type.INSERT, interfaceEntry("left", 1, "#900"));
    done(Type.INSERT, route("#900", "right"));
    assertThat(packet(1)).isEqualTo("900 2");
    assertThat(names.read("table_entry { table_id: $In.routes }"))
        .containsExactly(names.entity(route("#900", "right")));
    done(
        Type.MODIFY,
        "register_entry { register_id: $In.vrfs index { index: 1 } data { bitstring: '#55' } }");
    List<Entity> cells = names.read("register_entry { register_id: $In.vrfs }");
    // The packet's VRF, what was written, and two cells of the VRF that the source calls "".
    assertThat(
            cells.stream().map(c -> c.getRegisterEntry().getData().getBitstring().toStringUtf8()))
        .containsExactly("#900", "#55", "", "");
  }

  private static Entity group(int id, String port) {
    Entity.Builder entity = Entity.newBuilder();
    entity
        .getPacketReplicationEngineEntryBuilder()
        .getMulticastGroupEntryBuilder()
        .setMulticastGroupId(id)
        .addReplicasBuilder()
        .setInstance(1)
        .setPort(ByteString.copyFromUtf8(port));
    return entity.build();
  }

  @Test
  void portsOfGroupsSessionsAndMembersAreNamedToo() {
    assertThat(names.write(Type.INSERT, group(5, "right"))).isEqualTo("done");
    Replicas copies = names.program().state().replication().group(5);
    assertThat(copies.size()).isEqualTo(1);
    assertThat(copies.port(0)).isEqualTo(2);
    assertThat(names.read("packet_replication_engine_entry { }"))
        .containsExactly(group(5, "right"));
    assertThat(names.write(Type.INSERT, group(6, "nowhere")))
        .isEqualTo(
            "INVALID_ARGUMENT: port of replica 1 of multicast group 6: there is no port"
                + " \"nowhere\"; it must be one of [left, right], or the number of a port without a"
                + " name");
    done(
        Type.INSERT,
        "action_profile_member { action_profile_id: $In.picked member_id: 1 action { action_id:"
            + " $In.to params { param_id: 1 value: 'right' } } }");
    Entity.Builder watching =
        names
            .entity(
                "action_profile_group { action_profile_id: $In.picked group_id: 1 max_size: 2"
                    + " members { member_id: 1 weight: 1 } }")
            .toBuilder();
    watching
        .getActionProfileGroupBuilder()
        .getMembersBuilder(0)
        .setWatchPort(ByteString.copyFromUtf8("right"));
    assertThat(names.write(Type.INSERT, watching.build())).isEqualTo("done");
    done(Type.INSERT, policy("", "one"));
    done(
        Type.INSERT,
        "table_entry { table_id: $In.balanced match { field_id: 1 exact { value: 'one' } } action {"
            + " action_profile_group_id: 1 } }");
    assertThat(packet(1)).isEqualTo("0 2");
    names.portUp(2, false);
    assertThat(packet(1)).isEqualTo("0 0");
    assertThat(names.read("action_profile_member { }").get(0).getActionProfileMember().getAction())
        .isEqualTo(names.entity(route("x", "right")).getTableEntry().getAction().getAction());
  }

  @Test
  void refusalsNameTypeAndString() {
    done(Type.INSERT, route("blue", "right"));
    assertThat(names.write(Type.INSERT, route("red", "up")))
        .isEqualTo(
            "INVALID_ARGUMENT: parameter 'port' of action 'In.to': there is no port \"up\"; it must"
                + " be one of [left, right], or the number of a port without a name");
    assertThat(names.write(Type.INSERT, route("red", "2")))
        .isEqualTo(
            "INVALID_ARGUMENT: parameter 'port' of action 'In.to': port 2 is called \"right\"");
    assertThat(names.write(Type.INSERT, route("red", "512")))
        .isEqualTo(
            "OUT_OF_RANGE: parameter 'port' of action 'In.to': \"512\" is number 512; at most 9"
                + " bits are allowed");
    assertThat(names.write(Type.INSERT, route("#1", "right")))
        .isEqualTo(
            "INVALID_ARGUMENT: match field 'm.vrf' of table 'In.routes': \"#1\" is called \"blue\""
                + " here");
    assertThat(names.write(Type.INSERT, route("\\377", "right")))
        .isEqualTo(
            "INVALID_ARGUMENT: match field 'm.vrf' of table 'In.routes': value 0xff is not UTF-8;"
                + " it must be a string");
    assertThat(names.write(Type.INSERT, policy("", "")))
        .isEqualTo(
            "OUT_OF_RANGE: parameter 'tiny' of action 'In.set_label': the value is empty; at least"
                + " one character is needed");
    for (int i = 1; i <= 4; i++) {
      done(Type.INSERT, policy(vrf("v" + i), "t" + i));
    }
    assertThat(names.write(Type.INSERT, policy(vrf("v5"), "t5")))
        .isEqualTo(
            "RESOURCE_EXHAUSTED: parameter 'tiny' of action 'In.set_label': no number is left for"
                + " \"t5\"; type 'tiny_t' has 2 bits, and strings keep their numbers until another"
                + " config is set");
    done(Type.MODIFY, policy(vrf("v4"), "t1"));
  }

  private static String load(ForwardingPipelineConfig.Builder config) {
    try {
      Binding.of(config.build(), LoadedProgram.load(config.getP4DeviceConfig().toByteArray(), 1));
      return "taken";
    } catch (RpcException e) {
      return e.code() + ": " + e.getMessage();
    }
  }

  private static String annotated(String annotation) {
    ForwardingPipelineConfig.Builder config = P4Text.config("names").toBuilder();
    P4Info.Builder info = config.getP4InfoBuilder();
    info.getTypeInfoBuilder()
        .putNewTypes(
            "tiny_t",
            info.getTypeInfo().getNewTypesOrThrow("tiny_t").toBuilder()
                .addAnnotations("@p4runtime_translation_mappings" + annotation)
                .build());
    return load(config);
  }

  @Test
  void programsThatCannotBeTranslatedAreRefused() {
    ForwardingPipelineConfig.Builder masked = P4Text.config("names").toBuilder();
    masked.getP4InfoBuilder().getTablesBuilderList().stream()
        .filter(t -> t.getPreamble().getName().equals("In.policies"))
        .forEach(t -> t.getMatchFieldsBuilder(0).setMatchType(MatchType.TERNARY));
    assertThat(load(masked))
        .isEqualTo(
            "INVALID_ARGUMENT: table 'In.policies': match field 'm.vrf' is TERNARY on strings of"
                + " type 'vrf_id_t'; strings are matched EXACT or OPTIONAL");
    assertThat(annotated("({ { \"a\" , 1 } , { \"b\" , 2 } })")).isEqualTo("taken");
    assertThat(annotated("({ })")).isEqualTo("taken");
    assertThat(annotated("({ { \"a\" , 1 } , { b , 2 } })"))
        .isEqualTo(
            "INVALID_ARGUMENT: type 'tiny_t': cannot read @p4runtime_translation_mappings({ {"
                + " \"a\" , 1 } , { b , 2 } }); it must be @p4runtime_translation_mappings({"
                + " {\"string\", number}, ... })");
    assertThat(annotated("({ { \"a\" , 1 } , { \"b\" , 1 } })"))
        .isEqualTo("INVALID_ARGUMENT: type 'tiny_t': its mappings pair 1 twice");
    assertThat(annotated("({ { \"a\" , 1 } , { \"a\" , 2 } })"))
        .isEqualTo("INVALID_ARGUMENT: type 'tiny_t': its mappings pair \"a\" twice");
    ForwardingPipelineConfig.Builder other = P4Text.config("names").toBuilder();
    other
        .getP4InfoBuilder()
        .getControllerPacketMetadataBuilder(0)
        .getMetadataBuilder(0)
        .setName("x");
    assertThat(load(other))
        .isEqualTo(
            "INVALID_ARGUMENT: metadata 'x' of 'packet_in' has no bitwidth in P4Info, and no header"
                + " of the device config has the same fields");
  }

  private static PacketMetadata metadata(int id, String value) {
    return PacketMetadata.newBuilder()
        .setMetadataId(id)
        .setValue(ByteString.copyFromUtf8(value))
        .build();
  }

  @Test
  void packetsAndDigestsHaveStringsToo() {
    try (ServedNode served = new ServedNode("names", 64);
        Controller controller = served.primary(1)) {
      served.device.namePort(2, "right");
      P4Text text = new P4Text(P4Text.config("names").getP4Info());
      PacketOut.Builder out =
          PacketOut.newBuilder()
              .setPayload(ByteString.copyFrom(new byte[9]))
              .addMetadata(metadata(1, "right"))
              .addMetadata(metadata(2, "\1\2\3"))
              .addMetadata(metadata(3, "\0"));
      controller.send(StreamMessageRequest.newBuilder().setPacket(out).build());
      ServedNode.settle(controller);
      served.pass(1_000);
      assertThat(served.sent).containsExactly("2 " + "00".repeat(5) + "00010203");
      out.setMetadata(0, metadata(1, "left"));
      controller.send(StreamMessageRequest.newBuilder().setPacket(out).build());
      assertThat(controller.next().getError().getMessage())
          .isEqualTo(
              "metadata 'egress_port' (id 1) of 'packet_out': there is no port \"left\"; it must be"
                  + " one of [right], or the number of a port without a name");
      controller.write(
          text.update(Type.INSERT, interfaceEntry("right", 1, "blue")),
          text.update(Type.INSERT, route("blue", "64")),
          text.update(
              Type.INSERT, "digest_entry { digest_id: $seen_t config { max_list_size: 1 } }"),
          text.update(
              Type.INSERT,
              "table_entry { table_id: $In.policies priority: 1 action { action { action_id:"
                  + " $In.learn } } }"));
      served.receive(2, "01" + "00".repeat(8));
      served.pass(1_000);
      assertThat(controller.next().getDigest().getData(0).getStruct().getMembersList())
          .extracting(d -> d.getBitstring().toStringUtf8())
          .containsExactly("right", "blue", "\0");
      assertThat(controller.next().getPacket().getMetadataList())
          .containsExactly(metadata(1, "right"), metadata(2, "\0"));
    }
  }

  @Test
  void stringsKeepTheirNumbersWhenTheStateIsKept() {
    try (ServedNode served = new ServedNode("names", 0);
        Controller controller = served.primary(1)) {
      served.device.namePort(2, "right");
      ForwardingPipelineConfig config = P4Text.config("names");
      P4Text text = new P4Text(config.getP4Info());
      controller.write(
          text.update(Type.INSERT, route("gone", "3")),
          text.update(Type.INSERT, route("blue", "right")),
          text.update(Type.INSERT, interfaceEntry("right", 1, "blue")),
          text.update(Type.DELETE, route("gone", "3")));
      controller.setPipeline(Action.RECONCILE_AND_COMMIT, config);
      assertThat(controller.read(text.entity("table_entry { table_id: $In.routes }")))
          .containsExactly(text.entity(route("blue", "right")));
      served.receive(2, "01" + "00".repeat(8));
      served.pass(1_000);
      assertThat(served.sent).containsExactly("2 01" + "0002" + "0002" + "00000000");
      controller.setPipeline(Action.VERIFY_AND_COMMIT, config);
      assertThat(controller.read(text.entity("table_entry { }"))).isEmpty();
    }
  }

  @Test
  void numbersOfAnotherWidthAreTakenIfTheyFit() {
    done(Type.INSERT, policy(vrf("blue"), "x"));
    assertThat(
            names.write(
                Type.INSERT, policy(vrf("red"), "x").replace("'\\007'", "'\\020\\000\\000'")))
        .isEqualTo(
            "OUT_OF_RANGE: parameter 'label' of action 'In.set_label': value 0x100000 needs 21"
                + " bits; at most 20 are allowed");
    done(
        Type.MODIFY,
        "register_entry { register_id: $In.labels data { bitstring: '\\017\\377\\377' } }");
    assertThat(names.read("register_entry { register_id: $In.labels }")).hasSize(4);
    assertThatThrownBy(
            () -> names.read("register_entry { register_id: $In.labels index { index: 4 } }"))
        .hasMessageContaining("OUT_OF_RANGE");
  }
}
