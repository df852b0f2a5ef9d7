package net.sluice.emulator.p4runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import org.junit.jupiter.api.Test;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Update.Type;

/** What later versions ask for is checked, or refused by name. */
class LaterFeaturesTest {

  private static UnknownFieldSet field(int number, long value) {
    return UnknownFieldSet.newBuilder()
        .addField(number, UnknownFieldSet.Field.newBuilder().addVarint(value).build())
        .build();
  }

  private static UnknownFieldSet field(int number, ByteString value) {
    return UnknownFieldSet.newBuilder()
        .addField(number, UnknownFieldSet.Field.newBuilder().addLengthDelimited(value).build())
        .build();
  }

  private static LoadedSwitch requiring(long multicastGroups) {
    return new LoadedSwitch(
        "profiles",
        info ->
            info.getPkgInfoBuilder()
                .setUnknownFields(field(11, field(1, multicastGroups).toByteString())));
  }

  @Test
  void whatAProgramRequiresOfThePlatformIsChecked() {
    assertThat(requiring(65_535).binding).isNotNull();
    assertThatThrownBy(() -> requiring(65_536))
        .hasRootCauseMessage(
            "pkg_info.platform_properties requires 65536 multicast groups; there are at most 65535");
  }

  @Test
  void profilesWithoutWeightsAreRefused() {
    assertThatThrownBy(
            () ->
                new LoadedSwitch(
                    "profiles",
                    info -> info.getActionProfilesBuilder(0).setUnknownFields(field(8, 1))))
        .hasRootCauseMessage(
            "action profile 'In.shared' has weights_disallowed in P4Info, which is not supported");
  }

  @Test
  void setsOfActionsThatChooseOtherwiseAreRefused() {
    LoadedSwitch device = new LoadedSwitch("profiles");
    Entity entry =
        device.entity(
            "table_entry { table_id: $In.choose match { field_id: 1 exact { value: '\\001' } } action"
                + " { action_profile_action_set { action_profile_actions { action { action_id:"
                + " $In.set_r params { param_id: 1 value: '\\001' } } weight: 1 } } } }");
    assertThat(refusal(device, entry, field(2, 2)))
        .startsWith("UNIMPLEMENTED: action_selection_mode ");
    assertThat(refusal(device, entry, field(3, 1))).startsWith("UNIMPLEMENTED: size_semantics ");
    assertThat(refusal(device, entry, field(5, ByteString.EMPTY)))
        .isEqualTo(
            "UNIMPLEMENTED: group_action of the set of an entry of table 'In.choose' is set; members"
                + " are picked and counted as the selector has it");
    assertThat(refusal(device, entry, field(2, 0))).isEqualTo("done");
  }

  private static String refusal(LoadedSwitch device, Entity entry, UnknownFieldSet later) {
    Entity.Builder changed = entry.toBuilder();
    changed
        .getTableEntryBuilder()
        .getActionBuilder()
        .getActionProfileActionSetBuilder()
        .setUnknownFields(later);
    return device.write(Type.INSERT, changed.build());
  }
}
