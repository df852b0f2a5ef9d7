package net.sluice.emulator.server.p4runtime.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import net.sluice.emulator.server.p4runtime.LoadedSwitch;
import org.junit.jupiter.api.Test;
import p4.config.v1.P4InfoOuterClass;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.Update.Type;

/** How groups pick and how they are counted where sets of actions or P4Info say so. */
class SelectorModesTest {

  private static final int FLOWS = 200;

  private static final Consumer<P4Info.Builder> WITHOUT_WEIGHTS =
      info -> picked(info).setWeightsDisallowed(true);

  private static P4InfoOuterClass.ActionProfile.Builder picked(P4Info.Builder info) {
    return info.getActionProfilesBuilderList().stream()
        .filter(p -> p.getPreamble().getName().equals("In.picked"))
        .findFirst()
        .orElseThrow();
  }

  /** An entry with a set of actions that set field r to these values, with these weights. */
  private static Entity entry(LoadedSwitch device, int key, String modes, int... valuesAndWeights) {
    StringBuilder text =
        new StringBuilder("table_entry { table_id: $In.choose match { field_id: 1");
    text.append(" exact { value: '\\").append(Integer.toOctalString(key)).append("' } } action {");
    text.append(" action_profile_action_set {");
    for (int i = 0; i < valuesAndWeights.length; i += 2) {
      text.append(" action_profile_actions { action { action_id: $In.set_r params { param_id: 1");
      text.append(" value: '\\").append(Integer.toOctalString(valuesAndWeights[i]));
      text.append("' } } weight: ").append(valuesAndWeights[i + 1]).append(" }");
    }
    return device.entity(text.append(' ').append(modes).append(" } } }").toString());
  }

  /** The values that the packets of many flows meet in field r. */
  private static List<Integer> met(LoadedSwitch device, int key) {
    List<Integer> met = new ArrayList<>();
    for (int flow = 0; flow < FLOWS; flow++) {
      byte[] f = ByteBuffer.allocate(4).putInt(flow).array();
      met.add((int) device.send(0, key, f[0], f[1], f[2], f[3], 0, 0)[5]);
    }
    return met;
  }

  /** The members that the selector's hash picks, in order. */
  private static List<Integer> hashed(int... members) {
    List<Integer> picked = new ArrayList<>();
    for (int flow = 0; flow < FLOWS; flow++) {
      CRC32 crc = new CRC32();
      crc.update(ByteBuffer.allocate(4).putInt(flow).array());
      picked.add(members[(int) (crc.getValue() % members.length)]);
    }
    return picked;
  }

  @Test
  void aSetMayAskForTheHashThatThereIs() {
    LoadedSwitch device = new LoadedSwitch("profiles");
    Entity entry = entry(device, 1, "action_selection_mode: 1", 11, 1, 22, 2);
    assertThat(device.write(Type.INSERT, entry)).isEqualTo("done");
    assertThat(met(device, 1)).isEqualTo(hashed(11, 22, 22));
    assertThat(device.read("table_entry { table_id: $In.choose }")).containsExactly(entry);
  }

  @Test
  void aSetMayAskForChance() {
    LoadedSwitch device = new LoadedSwitch("profiles");
    Entity byChance = entry(device, 1, "action_selection_mode: 2", 11, 1, 22, 3);
    assertThat(device.write(Type.INSERT, byChance)).isEqualTo("done");
    assertThat(device.write(Type.INSERT, entry(device, 2, "", 33, 1, 44, 1))).isEqualTo("done");
    List<Integer> first = met(device, 1);
    List<Integer> again = met(device, 1);
    // The same flows meet other members, which they never do by hash, and weights hold: 4 standard
    // deviations of 200 draws at 3 : 1 are 24.
    assertThat(first).isNotEqualTo(again);
    assertThat(first.stream().filter(r -> r == 22).count()).isBetween(126L, 174L);
    assertThat(first).containsOnly(11, 22);
    assertThat(met(device, 2)).isEqualTo(hashed(33, 44));
    assertThat(device.read("table_entry { table_id: $In.choose }")).contains(byChance);
    // The same switch with the same seed picks the same.
    LoadedSwitch other = new LoadedSwitch("profiles");
    assertThat(other.write(Type.INSERT, byChance)).isEqualTo("done");
    assertThat(met(other, 1)).isEqualTo(first);
    // The number of a group of chance may later be that of another.
    assertThat(device.write(Type.DELETE, byChance)).isEqualTo("done");
    assertThat(device.write(Type.INSERT, entry(device, 3, "", 55, 1, 66, 1))).isEqualTo("done");
    assertThat(met(device, 3)).isEqualTo(hashed(55, 66));
  }

  @Test
  void aBatchThatFailsTakesTheWayOfPickingBack() {
    LoadedSwitch device = new LoadedSwitch("profiles");
    Entity hashed = entry(device, 1, "", 11, 1, 22, 1);
    assertThat(device.write(Type.INSERT, hashed)).isEqualTo("done");
    assertThat(
            device.writeAll(
                update(Type.MODIFY, entry(device, 1, "action_selection_mode: 2", 33, 1, 44, 1)),
                update(Type.INSERT, hashed)))
        .startsWith("ALREADY_EXISTS");
    assertThat(met(device, 1)).isEqualTo(hashed(11, 22));
  }

  private static Update update(Type type, Entity entity) {
    return Update.newBuilder().setType(type).setEntity(entity).build();
  }

  @Test
  void aSetSaysHowItsSizeIsCounted() {
    LoadedSwitch device = new LoadedSwitch("profiles", info -> picked(info).setMaxGroupSize(8));
    assertThat(device.write(Type.INSERT, entry(device, 1, "size_semantics: 0", 11, 8, 22, 1)))
        .isEqualTo(
            "INVALID_ARGUMENT: the set of an entry of table 'In.choose' comes to 9; a group of"
                + " action profile 'In.picked' takes at most 8");
    assertThat(device.write(Type.INSERT, entry(device, 1, "size_semantics: 1", 11, 8, 22, 1)))
        .isEqualTo(
            "INVALID_ARGUMENT: the set of an entry of table 'In.choose' comes to 9; a group of"
                + " action profile 'In.picked' takes at most 8");
    Entity many = entry(device, 1, "size_semantics: 2", 11, 80, 22, 1);
    assertThat(device.write(Type.INSERT, many)).isEqualTo("done");
    assertThat(met(device, 1)).filteredOn(r -> r == 11).hasSizeGreaterThan(180);
    assertThat(device.read("table_entry { table_id: $In.choose }")).containsExactly(many);
    Entity nine =
        entry(
            device, 2, "size_semantics: 2", 1, 1, 2, 1, 3, 1, 4, 1, 5, 1, 6, 1, 7, 1, 10, 1, 11, 1);
    assertThat(device.write(Type.INSERT, nine)).contains(" comes to 9; ");
  }

  private static Entity numbered(LoadedSwitch device, int selectionMode, int sizeSemantics) {
    Entity.Builder entity = entry(device, 1, "", 11, 1).toBuilder();
    entity
        .getTableEntryBuilder()
        .getActionBuilder()
        .getActionProfileActionSetBuilder()
        .setActionSelectionModeValue(selectionMode)
        .setSizeSemanticsValue(sizeSemantics);
    return entity.build();
  }

  @Test
  void whatIsNoModeAndNoSemanticsIsRefused() {
    LoadedSwitch device = new LoadedSwitch("profiles");
    assertThat(device.write(Type.INSERT, numbered(device, 3, 0)))
        .isEqualTo(
            "INVALID_ARGUMENT: action_selection_mode 3 of the set of an entry of table 'In.choose'"
                + " must be 0 (as the selector has it), 1 (HASH) or 2 (RANDOM)");
    assertThat(device.write(Type.INSERT, numbered(device, 0, -1)))
        .isEqualTo(
            "INVALID_ARGUMENT: size_semantics -1 of the set of an entry of table 'In.choose' must"
                + " be 0 (as the selector has it), 1 (SUM_OF_WEIGHTS) or 2 (SUM_OF_MEMBERS)");
    assertThat(device.write(Type.INSERT, entry(device, 1, "group_action { }", 11, 1)))
        .isEqualTo(
            "UNIMPLEMENTED: group_action of the set of an entry of table 'In.choose' is set; only"
                + " the action of the member that is picked is executed");
    assertThat(device.read("table_entry { }")).isEmpty();
  }

  @Test
  void whereP4InfoDisallowsWeightsMembersAreEquallyLikely() {
    LoadedSwitch device = new LoadedSwitch("profiles", WITHOUT_WEIGHTS);
    Entity set = entry(device, 1, "", 11, 0, 22, 0, 33, 0);
    assertThat(device.write(Type.INSERT, set)).isEqualTo("done");
    assertThat(met(device, 1)).isEqualTo(hashed(11, 22, 33));
    assertThat(device.write(Type.DELETE, set)).isEqualTo("done");
    for (int id = 1; id <= 2; id++) {
      assertThat(
              device.write(
                  Type.INSERT,
                  "action_profile_member { action_profile_id: $In.picked member_id: "
                      + id
                      + " action { action_id: $In.set_r params { param_id: 1 value: '\\00"
                      + id
                      + "' } } }"))
          .isEqualTo("done");
    }
    String group =
        "action_profile_group { action_profile_id: $In.picked group_id: 1 max_size: 2 members {"
            + " member_id: 1 } members { member_id: 2 } }";
    assertThat(device.write(Type.INSERT, group)).isEqualTo("done");
    assertThat(
            device.write(
                Type.INSERT,
                "table_entry { table_id: $In.choose match { field_id: 1 exact { value: '\\002' } }"
                    + " action { action_profile_group_id: 1 } }"))
        .isEqualTo("done");
    assertThat(met(device, 2)).isEqualTo(hashed(1, 2));
    assertThat(device.read("action_profile_group { }")).containsExactly(device.entity(group));
    assertThat(device.write(Type.MODIFY, group.replace("max_size: 2", "max_size: 1")))
        .startsWith("INVALID_ARGUMENT");
    assertThat(
            device.write(
                Type.INSERT, group.replace("group_id: 1 max_size: 2", "group_id: 2 max_size: 1")))
        .contains(" come to 2; at most 1 fit");
  }

  @Test
  void weightsThatAreDisallowedAreRefused() {
    LoadedSwitch device = new LoadedSwitch("profiles", WITHOUT_WEIGHTS);
    assertThat(device.write(Type.INSERT, entry(device, 1, "", 11, 0, 22, 1)))
        .isEqualTo(
            "INVALID_ARGUMENT: action 2 of the set of an entry of table 'In.choose': weight is 1;"
                + " it must be unset, weights_disallowed is set in P4Info");
    assertThat(
            device.write(
                Type.INSERT,
                "action_profile_group { action_profile_id: $In.picked group_id: 1 max_size: 2"
                    + " members { member_id: 1 weight: 1 } }"))
        .isEqualTo(
            "INVALID_ARGUMENT: member 1 of group 1 of action profile 'In.picked': weight is 1; it"
                + " must be unset, weights_disallowed is set in P4Info");
    assertThatThrownBy(
            () ->
                new LoadedSwitch(
                    "profiles",
                    info ->
                        info.getActionProfilesBuilderList().stream()
                            .filter(p -> !p.getWithSelector())
                            .forEach(p -> p.setWeightsDisallowed(true))))
        .hasRootCauseMessage(
            "action profile 'In.shared' has weights_disallowed in P4Info, which only one with a"
                + " selector may have");
  }
}
