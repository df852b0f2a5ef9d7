package net.sluice.emulator.server.p4runtime.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import net.sluice.emulator.server.p4runtime.LoadedSwitch;
import org.junit.jupiter.api.Test;
import p4.config.v1.P4InfoOuterClass.ActionProfile;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.Update.Type;

/** Action profiles over P4Runtime: members, groups, entries, and what packets meet. */
class ActionProfileEntriesTest {

  private static final int R = 5;
  private static final int RAN = 6;

  private final LoadedSwitch device = new LoadedSwitch("profiles");

  private static String member(int id, int r) {
    return ("action_profile_member { action_profile_id: $In.picked member_id: %s action {"
            + " action_id: $In.set_r params { param_id: 1 value: '\\%s' } } }")
        .formatted(id, Integer.toOctalString(r));
  }

  private static String shared(int id, int what) {
    return ("action_profile_member { action_profile_id: $In.shared member_id: %s action {"
            + " action_id: $In.ran params { param_id: 1 value: '\\%s' } } }")
        .formatted(id, Integer.toOctalString(what));
  }

  /** A group; {@code members} are ids, or ids and weights as {@code 3x2}. */
  private static String group(int id, int maxSize, String... members) {
    StringBuilder text = new StringBuilder();
    for (String member : members) {
      String[] parts = member.split("x");
      text.append(" members { member_id: ").append(parts[0]);
      text.append(" weight: ").append(parts.length > 1 ? parts[1] : "1").append(" }");
    }
    return "action_profile_group { action_profile_id: $In.picked group_id: %s%s%s }"
        .formatted(id, maxSize == 0 ? "" : " max_size: " + maxSize, text);
  }

  private static String entry(String table, int key, String action) {
    return "table_entry { table_id: $%s match { field_id: 1 exact { value: '\\%s' } }%s }"
        .formatted(
            table,
            Integer.toOctalString(key),
            action.isEmpty() ? "" : " action { " + action + " }");
  }

  /** An action set of {@code set_r} with these values and weights. */
  private static String set(int... valuesAndWeights) {
    StringBuilder text = new StringBuilder("action_profile_action_set {");
    for (int i = 0; i < valuesAndWeights.length; i += 2) {
      text.append(" action_profile_actions { action { action_id: $In.set_r params { param_id: 1");
      text.append(" value: '\\").append(Integer.toOctalString(valuesAndWeights[i]));
      text.append("' } } weight: ").append(valuesAndWeights[i + 1]).append(" }");
    }
    return text.append(" }").toString();
  }

  private void insert(String... entities) {
    for (String entity : entities) {
      assertThat(device.write(Type.INSERT, entity)).isEqualTo("done");
    }
  }

  private byte[] send(int key, int flow) {
    byte[] f = ByteBuffer.allocate(4).putInt(flow).array();
    return device.send(0, key, f[0], f[1], f[2], f[3], 0, 0);
  }

  /** The values that the packets of many flows meet in field r. */
  private List<Integer> met(int key) {
    List<Integer> met = new ArrayList<>();
    for (int flow = 0; flow < 200; flow++) {
      met.add((int) send(key, flow)[R]);
    }
    return met;
  }

  /** The hash picks among the members, a member of weight w standing there w times. */
  private static List<Integer> picked(int... inOrder) {
    List<Integer> picked = new ArrayList<>();
    for (int flow = 0; flow < 200; flow++) {
      CRC32 crc = new CRC32();
      crc.update(ByteBuffer.allocate(4).putInt(flow).array());
      picked.add(inOrder[(int) (crc.getValue() % inOrder.length)]);
    }
    return picked;
  }

  private static List<Integer> always(int r) {
    return Collections.nCopies(200, r);
  }

  private String read(String filter) {
    return device.read(filter).stream().map(Entity::toString).collect(Collectors.joining());
  }

  @Test
  void aGroupPicksAMemberByTheHashOfTheSelectorsInput() {
    insert(member(3, 33), member(1, 11), member(2, 22), group(7, 0, "1", "2", "3"));
    insert(entry("In.choose", 5, "action_profile_group_id: 7"));
    // Members stand in the order in which the switch got them, as in bmv2.
    assertThat(met(5)).isEqualTo(picked(33, 11, 22));
    assertThat(send(5, 1)[RAN]).isEqualTo((byte) 0x10);
    assertThat(met(6)).isEqualTo(always(0));
    assertThat(device.write(Type.MODIFY, group(7, 0, "3", "1"))).isEqualTo("done");
    assertThat(met(5)).isEqualTo(picked(33, 11));
    assertThat(device.write(Type.MODIFY, member(3, 44))).isEqualTo("done");
    assertThat(met(5)).isEqualTo(picked(44, 11));
    assertThat(device.write(Type.MODIFY, entry("In.choose", 5, "action_profile_member_id: 2")))
        .isEqualTo("done");
    assertThat(met(5)).isEqualTo(always(22));
  }

  @Test
  void weightsCountAMemberSeveralTimes() {
    insert(member(1, 11), member(2, 22));
    insert(group(7, 0, "1x3", "2x2"), entry("In.choose", 5, "action_profile_group_id: 7"));
    // Copies get the lowest free numbers, the members' own ones are 0 and 1.
    assertThat(met(5)).isEqualTo(picked(11, 22, 11, 11, 22));
    assertThat(device.write(Type.MODIFY, member(1, 99))).isEqualTo("done");
    assertThat(met(5)).isEqualTo(picked(99, 22, 99, 99, 22));
    assertThat(device.write(Type.MODIFY, group(7, 0, "1x1", "2x2"))).isEqualTo("done");
    assertThat(met(5)).isEqualTo(picked(99, 22, 22));
  }

  @Test
  void anEmptyGroupDoesNothing() {
    insert(group(7, 0), entry("In.choose", 5, "action_profile_group_id: 7"));
    assertThat(met(5)).isEqualTo(always(0));
    assertThat(send(5, 1)[RAN]).isZero();
    insert(member(1, 11));
    assertThat(device.write(Type.MODIFY, group(7, 0, "1"))).isEqualTo("done");
    assertThat(met(5)).isEqualTo(always(11));
  }

  @Test
  void anActionSetComesAndGoesWithItsEntry() {
    insert(entry("In.choose", 5, set(11, 1, 22, 2)), entry("In.choose", 6, set(33, 1)));
    assertThat(met(5)).isEqualTo(picked(11, 22, 22));
    assertThat(met(6)).isEqualTo(always(33));
    assertThat(device.read(entry("In.choose", 5, "")))
        .containsExactly(device.entity(entry("In.choose", 5, set(11, 1, 22, 2))));
    assertThat(device.write(Type.MODIFY, entry("In.choose", 5, set(44, 1, 55, 1))))
        .isEqualTo("done");
    assertThat(met(5)).isEqualTo(picked(44, 55));
    assertThat(device.write(Type.DELETE, entry("In.choose", 5, ""))).isEqualTo("done");
    assertThat(met(5)).isEqualTo(always(0));
    assertThat(met(6)).isEqualTo(always(33));
    // Nothing of it is to be seen by itself.
    assertThat(device.read("action_profile_member { }")).isEmpty();
    assertThat(device.read("action_profile_group { }")).isEmpty();
    // What it took is free again: sixteen weights fit, of which one is taken.
    assertThat(device.write(Type.INSERT, entry("In.choose", 5, set(11, 15)))).isEqualTo("done");
    assertThat(device.write(Type.INSERT, entry("In.choose", 7, set(11, 1))))
        .isEqualTo(
            "RESOURCE_EXHAUSTED: action profile 'In.picked' is full: all groups together would have"
                + " 17 weights, it takes 16");
  }

  @Test
  void tablesShareAProfileThatHasNoSelector() {
    insert(shared(1, 1), shared(2, 2));
    insert(entry("In.first", 5, "action_profile_member_id: 1"));
    assertThat(
            device.write(
                Type.INSERT,
                "table_entry { table_id: $In.second priority: 1 action {"
                    + " action_profile_member_id: 2 } }"))
        .isEqualTo("done");
    assertThat(send(5, 0)[RAN]).isEqualTo((byte) (0x40 | 1 | 2));
    assertThat(send(6, 0)[RAN]).isEqualTo((byte) 2);
    assertThat(device.write(Type.MODIFY, shared(2, 4))).isEqualTo("done");
    assertThat(send(6, 0)[RAN]).isEqualTo((byte) 4);
    assertThat(device.read("table_entry { table_id: $In.first }"))
        .containsExactly(device.entity(entry("In.first", 5, "action_profile_member_id: 1")));
  }

  @Test
  void membersAndGroupsAreReadOneByOneAndTogether() {
    insert(member(2, 22), member(1, 11), shared(1, 1), group(8, 4, "2x3"), group(7, 0));
    assertThat(device.read("action_profile_member { action_profile_id: $In.picked }"))
        .containsExactly(device.entity(member(1, 11)), device.entity(member(2, 22)));
    assertThat(device.read("action_profile_member { action_profile_id: $In.picked member_id: 2 }"))
        .containsExactly(device.entity(member(2, 22)));
    assertThat(device.read("action_profile_member { action_profile_id: $In.picked member_id: 9 }"))
        .isEmpty();
    assertThat(device.read("action_profile_member { }")).hasSize(3);
    assertThat(device.read("action_profile_group { }"))
        .containsExactly(device.entity(group(7, 0)), device.entity(group(8, 4, "2x3")));
    assertThat(device.read("action_profile_group { action_profile_id: $In.picked group_id: 8 }"))
        .containsExactly(device.entity(group(8, 4, "2x3")));
    assertThatThrownBy(() -> device.read("action_profile_member { member_id: 1 }"))
        .hasMessage(
            "INVALID_ARGUMENT: action_profile_id is 0, which means every action profile; no"
                + " member_id can go with it");
    assertThatThrownBy(() -> device.read("action_profile_group { action_profile_id: 9 }"))
        .hasMessage("INVALID_ARGUMENT: there is no action profile with id 9");
  }

  @Test
  void whatIsInUseStays() {
    insert(member(1, 11), member(2, 22), group(7, 0, "1"), shared(1, 1));
    insert(entry("In.choose", 5, "action_profile_group_id: 7"));
    insert(entry("In.choose", 6, "action_profile_member_id: 2"));
    insert(entry("In.first", 6, "action_profile_member_id: 1"));
    assertThat(device.write(Type.DELETE, member(1, 11)))
        .isEqualTo(
            "FAILED_PRECONDITION: member 1 of action profile 'In.picked' is in use: group 7 has"
                + " it");
    assertThat(device.write(Type.DELETE, member(2, 22)))
        .isEqualTo(
            "FAILED_PRECONDITION: member 2 of action profile 'In.picked' is in use: 1 table"
                + " entries refer to it");
    assertThat(device.write(Type.DELETE, shared(1, 1))).startsWith("FAILED_PRECONDITION");
    assertThat(device.write(Type.DELETE, group(7, 0)))
        .isEqualTo(
            "FAILED_PRECONDITION: group 7 of action profile 'In.picked' is in use: 1 table entries"
                + " refer to it");
    assertThat(device.write(Type.DELETE, entry("In.choose", 5, ""))).isEqualTo("done");
    assertThat(device.write(Type.MODIFY, entry("In.choose", 6, "action_profile_group_id: 7")))
        .isEqualTo("done");
    assertThat(device.write(Type.DELETE, member(2, 22))).isEqualTo("done");
    assertThat(device.write(Type.DELETE, entry("In.choose", 6, ""))).isEqualTo("done");
    assertThat(device.write(Type.DELETE, group(7, 0))).isEqualTo("done");
    assertThat(device.write(Type.DELETE, member(1, 11))).isEqualTo("done");
    assertThat(device.read("action_profile_member { action_profile_id: $In.picked }")).isEmpty();
  }

  @Test
  void everyRefusalNamesWhatAndChangesNothing() {
    insert(member(1, 11), member(2, 22), group(7, 3, "1"), shared(1, 1));
    String before = read("action_profile_member { }") + read("action_profile_group { }");
    StringBuilder all = new StringBuilder();
    for (String[] update :
        new String[][] {
          {"INSERT", member(1, 11)},
          {"MODIFY", member(3, 11)},
          {"DELETE", member(3, 11)},
          {"INSERT", member(0, 11)},
          {"INSERT", "action_profile_member { action_profile_id: $In.picked member_id: 3 }"},
          {"MODIFY", "action_profile_member { action_profile_id: $In.picked member_id: 1 }"},
          {"INSERT", member(3, 11).replace("$In.set_r", "$In.ran")},
          {"INSERT", member(3, 11).replace("param_id: 1", "param_id: 2")},
          {"INSERT", member(3, 11).replace("'\\13'", "'\\1\\1'")},
          {"INSERT", "action_profile_member { action_profile_id: 5 member_id: 3 }"},
          {"INSERT", group(7, 0)},
          {"MODIFY", group(8, 0)},
          {"DELETE", group(8, 0)},
          {"INSERT", group(0, 0)},
          {"INSERT", group(8, 0, "3")},
          {"INSERT", group(8, 0, "1", "1")},
          {"INSERT", group(8, 0, "1x0")},
          {"INSERT", group(8, 0, "1x-1")},
          {"INSERT", group(8, -1)},
          {"INSERT", group(8, 70_000)},
          {"INSERT", group(8, 2, "1x2", "2")},
          {"INSERT", group(8, 0, "1x16")},
          {"MODIFY", group(7, 4, "1")},
          {"MODIFY", group(7, 3, "1x4")},
          {"INSERT", group(8, 0).replace("$In.picked", "$In.shared")},
          {"INSERT", entry("In.choose", 5, "action_profile_member_id: 3")},
          {"INSERT", entry("In.choose", 5, "action_profile_group_id: 8")},
          {"INSERT", entry("In.choose", 5, "action { action_id: $NoAction }")},
          {"INSERT", entry("In.choose", 5, set(1, 0))},
          {"INSERT", entry("In.choose", 5, set(1, 16))},
          {"INSERT", entry("In.choose", 5, set(1, 70_000))},
          {"INSERT", entry("In.choose", 5, set(1, 1).replace("$In.set_r", "$In.ran"))},
          {"INSERT", entry("In.choose", 5, set(1, 1).replace("weight: 1", "weight: 1 watch: 511"))},
          {"INSERT", entry("In.first", 5, "action_profile_group_id: 7")},
          {"INSERT", entry("In.first", 5, set(1, 1))},
          {"MODIFY", "table_entry { table_id: $In.choose is_default_action: true }"},
        }) {
      String answer = device.write(Type.valueOf(update[0]), update[1]);
      all.append(update[0]).append(' ').append(update[1]).append("\n    ").append(answer);
      all.append('\n');
    }
    assertThat(all.toString())
        .isEqualTo(new String(LoadedSwitch.golden("profile-errors"), StandardCharsets.UTF_8));
    assertThat(read("action_profile_member { }") + read("action_profile_group { }"))
        .isEqualTo(before);
    assertThat(device.read("table_entry { table_id: $In.choose }")).isEmpty();
    assertThatThrownBy(() -> device.read(entry("In.choose", 5, "action { }")))
        .hasMessageContaining("cannot be filtered by action");
  }

  /** As in bmv2; the specification wants max_size wherever P4Info has a max_group_size. */
  @Test
  void aGroupWithoutMaxSizeTakesAsManyAsItsSelectorAllows() {
    LoadedSwitch limited =
        new LoadedSwitch(
            "profiles",
            info ->
                info.getActionProfilesBuilderList().stream()
                    .filter(ActionProfile.Builder::getWithSelector)
                    .forEach(p -> p.setMaxGroupSize(4)));
    assertThat(limited.write(Type.INSERT, member(1, 11))).isEqualTo("done");
    assertThat(limited.write(Type.INSERT, group(7, 0, "1x4"))).isEqualTo("done");
    assertThat(limited.write(Type.INSERT, group(8, 0, "1x5")))
        .isEqualTo(
            "RESOURCE_EXHAUSTED: group 8 of action profile 'In.picked': its members and weights"
                + " come to 5; at most 4 fit");
    assertThat(limited.write(Type.INSERT, group(8, 5)))
        .isEqualTo(
            "INVALID_ARGUMENT: group 8 of action profile 'In.picked': max_size is 5; it must be"
                + " from 0 to 4");
    // A group that is modified without one keeps its own.
    assertThat(limited.write(Type.INSERT, group(8, 3, "1x2"))).isEqualTo("done");
    assertThat(limited.write(Type.MODIFY, group(8, 0, "1x4")))
        .endsWith("its members and weights come to 4; at most 3 fit");
    assertThat(limited.write(Type.MODIFY, group(8, 0, "1x3"))).isEqualTo("done");
    assertThat(limited.read("action_profile_group { }"))
        .containsExactly(limited.entity(group(7, 0, "1x4")), limited.entity(group(8, 3, "1x3")));
  }

  @Test
  void aProfileWithoutSelectorTakesAsManyMembersAsItsSize() {
    insert(shared(1, 1), shared(2, 1), shared(3, 1), shared(4, 1));
    assertThat(device.write(Type.INSERT, shared(5, 1)))
        .isEqualTo("RESOURCE_EXHAUSTED: action profile 'In.shared' is full: it takes 4 members");
    assertThat(device.write(Type.DELETE, shared(2, 1))).isEqualTo("done");
    insert(shared(5, 1));
  }

  @Test
  void aMemberIsPickedWhileThePortItWatchesIsUp() {
    insert(member(1, 11), member(2, 22));
    String watching = group(7, 0, "1", "2").replaceFirst("weight: 1", "weight: 1 watch: 3");
    insert(watching, entry("In.choose", 5, "action_profile_group_id: 7"));
    assertThat(met(5)).isEqualTo(picked(11, 22));
    device.portUp(3, false);
    assertThat(met(5)).isEqualTo(always(22));
    device.portUp(4, false);
    assertThat(met(5)).isEqualTo(always(22));
    device.portUp(3, true);
    assertThat(met(5)).isEqualTo(picked(11, 22));
    assertThat(device.read("action_profile_group { }")).containsExactly(device.entity(watching));
  }

  @Test
  void anActionOfASetIsPickedWhileThePortItWatchesIsUp() {
    insert(entry("In.choose", 6, set(33, 1).replace("weight: 1", "weight: 1 watch: 3")));
    assertThat(met(6)).isEqualTo(always(33));
    device.portUp(3, false);
    assertThat(met(6)).isEqualTo(always(0));
    device.portUp(3, true);
    assertThat(met(6)).isEqualTo(always(33));
  }

  @Test
  void setsOfActionsDoNotMixWithMembersAndGroups() {
    insert(entry("In.choose", 5, set(11, 1)));
    assertThat(device.write(Type.INSERT, member(1, 11)))
        .isEqualTo(
            "INVALID_ARGUMENT: member 1 of action profile 'In.picked' cannot be added while entries"
                + " have sets of actions (1 have): both ways of programming a selector do not mix");
    assertThat(device.write(Type.INSERT, group(7, 0)))
        .startsWith("INVALID_ARGUMENT: group 7 of action profile 'In.picked' cannot be added");
    // Another profile is not concerned, and neither is this one once the last set is gone.
    insert(shared(1, 1));
    assertThat(device.write(Type.DELETE, entry("In.choose", 5, ""))).isEqualTo("done");
    insert(group(7, 0));
    assertThat(device.write(Type.INSERT, entry("In.choose", 5, set(11, 1))))
        .isEqualTo(
            "INVALID_ARGUMENT: a set of actions cannot be given to an entry of table 'In.choose'"
                + " while action profile 'In.picked' has members or groups (0 and 1): both ways of"
                + " programming a selector do not mix");
    assertThat(device.write(Type.DELETE, group(7, 0))).isEqualTo("done");
    insert(member(1, 11), entry("In.choose", 6, "action_profile_member_id: 1"));
    assertThat(device.write(Type.MODIFY, entry("In.choose", 6, set(11, 1))))
        .startsWith("INVALID_ARGUMENT: a set of actions cannot be given");
    assertThat(met(6)).isEqualTo(always(11));
    assertThat(device.write(Type.DELETE, entry("In.choose", 6, ""))).isEqualTo("done");
    assertThat(device.write(Type.DELETE, member(1, 11))).isEqualTo("done");
    // Actions that are the same stay apart.
    insert(entry("In.choose", 5, set(11, 1, 11, 2, 22, 1)));
    assertThat(device.read(entry("In.choose", 5, "")))
        .containsExactly(device.entity(entry("In.choose", 5, set(11, 1, 11, 2, 22, 1))));
    assertThat(met(5)).isEqualTo(picked(11, 11, 11, 22));
  }

  @Test
  void theWatchedPortMayBeGivenAsBytes() {
    insert(member(1, 11), member(2, 22));
    Entity.Builder group = device.entity(group(7, 0, "1", "2")).toBuilder();
    group
        .getActionProfileGroupBuilder()
        .getMembersBuilder(0)
        .setWatchPort(ByteString.copyFrom(new byte[] {0, 3}));
    assertThat(device.writeAll(Update.newBuilder().setType(Type.INSERT).setEntity(group).build()))
        .isEqualTo("done");
    insert(entry("In.choose", 5, "action_profile_group_id: 7"));
    device.portUp(3, false);
    assertThat(met(5)).isEqualTo(always(22));
    // Numbers come back in their shortest form.
    group
        .getActionProfileGroupBuilder()
        .getMembersBuilder(0)
        .setWatchPort(ByteString.copyFrom(new byte[] {3}));
    assertThat(device.read("action_profile_group { }")).containsExactly(group.build());
  }

  @Test
  void aBatchIsTakenBackAsAWhole() {
    insert(member(1, 11), member(2, 22), member(3, 33), group(7, 0, "1x2", "2"));
    insert(
        entry("In.choose", 5, "action_profile_group_id: 7"),
        member(4, 44),
        entry("In.choose", 6, "action_profile_member_id: 4"));
    List<Integer> before = met(5);
    String state =
        read("action_profile_member { }")
            + read("action_profile_group { }")
            + read("table_entry { table_id: $In.choose }");
    assertThat(
            device.writeAll(
                device.update(Type.MODIFY, member(2, 99)),
                device.update(Type.MODIFY, group(7, 0, "3x4")),
                device.update(Type.DELETE, member(1, 11)),
                device.update(Type.INSERT, member(9, 11)),
                device.update(Type.INSERT, group(8, 0, "9")),
                device.update(Type.DELETE, entry("In.choose", 5, "")),
                device.update(Type.DELETE, group(7, 0)),
                device.update(Type.MODIFY, entry("In.choose", 6, "action_profile_group_id: 8")),
                device.update(Type.INSERT, entry("In.choose", 7, "action_profile_member_id: 3")),
                device.update(Type.DELETE, member(9, 11))))
        .isEqualTo(
            "FAILED_PRECONDITION: member 9 of action profile 'In.picked' is in use: group 8 has"
                + " it");
    assertThat(
            read("action_profile_member { }")
                + read("action_profile_group { }")
                + read("table_entry { table_id: $In.choose }"))
        .isEqualTo(state);
    assertThat(met(5)).isEqualTo(before);
    assertThat(new TreeSet<>(met(6))).containsExactly(44);
    assertThat(met(7)).isEqualTo(always(0));
    // The numbers of members are the old ones, too: what comes next is picked in the same order.
    assertThat(device.write(Type.MODIFY, group(7, 0, "1", "2", "3"))).isEqualTo("done");
    assertThat(met(5)).isEqualTo(picked(11, 22, 33));
    assertThat(device.write(Type.DELETE, entry("In.choose", 6, ""))).isEqualTo("done");
  }
}
