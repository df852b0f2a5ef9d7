package net.sluice.emulator.server.p4runtime.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.sluice.emulator.server.p4runtime.LoadedSwitch;
import org.junit.jupiter.api.Test;
import p4.config.v1.P4InfoOuterClass.MatchField.MatchType;
import p4.v1.P4RuntimeOuterClass.Update.Type;

/** Parser value sets over P4Runtime: written, read back, and what the parser makes of them. */
class ValueSetEntriesTest {

  private static final String PAIR =
      "value_set_entry { value_set_id: $Prs.pairs members { match { field_id: 2 exact { value:"
          + " '\\017\\000\\000\\000\\000\\000\\000\\000\\001' } } match { field_id: 1 exact {"
          + " value: '\\005' } } } }";

  private final LoadedSwitch device = new LoadedSwitch("valuesets");

  private static String kinds(String... values) {
    StringBuilder members = new StringBuilder();
    for (String value : values) {
      members
          .append("members { match { field_id: 1 exact { value: '")
          .append(value)
          .append("' } } } ");
    }
    return "value_set_entry { value_set_id: $Prs.kinds " + members + "}";
  }

  private int found(int kind, int highAndTop, int low) {
    return device.send(0, kind, highAndTop, 0, 0, 0, 0, 0, 0, 0, low, 0)[10];
  }

  @Test
  void membersAreMatchedAndReplaced() {
    assertThat(found('K', 0, 0)).isEqualTo(0);
    assertThat(device.write(Type.MODIFY, kinds("K", "L"))).isEqualTo("done");
    assertThat(found('K', 0, 0)).isEqualTo(2);
    assertThat(found('L', 0, 0)).isEqualTo(2);
    assertThat(found('M', 0, 0)).isEqualTo(0);
    assertThat(device.read("value_set_entry { value_set_id: $Prs.kinds }"))
        .containsExactly(device.entity(kinds("K", "L")));
    assertThat(device.read("value_set_entry { }")).hasSize(2);
    // What the program writes itself goes first, whatever the set has.
    assertThat(device.write(Type.MODIFY, kinds("\\021"))).isEqualTo("done");
    assertThat(found(0x11, 0, 0)).isEqualTo(1);
    assertThat(found('K', 0, 0)).isEqualTo(0);
    assertThat(device.write(Type.MODIFY, kinds())).isEqualTo("done");
    assertThat(device.read("value_set_entry { value_set_id: $Prs.kinds }"))
        .containsExactly(device.entity(kinds()));
  }

  @Test
  void aMemberOfSeveralFieldsMatchesOnAll() {
    assertThat(device.write(Type.MODIFY, PAIR)).isEqualTo("done");
    assertThat(found(0, 0x5f, 1)).isEqualTo(4);
    assertThat(found(0, 0x4f, 1)).isEqualTo(0);
    assertThat(found(0, 0x5e, 1)).isEqualTo(0);
    assertThat(found(0, 0x5f, 2)).isEqualTo(0);
    assertThat(device.read("value_set_entry { value_set_id: $Prs.pairs }").toString())
        .contains("\\017\\000\\000\\000\\000\\000\\000\\000\\001")
        .contains("\\005");
  }

  @Test
  void refusalsNameSetAndFieldAndChangeNothing() {
    assertThat(device.write(Type.MODIFY, kinds("K"))).isEqualTo("done");
    assertThat(device.write(Type.INSERT, kinds("L")))
        .isEqualTo(
            "INVALID_ARGUMENT: value set 'Prs.kinds' can only be modified, not the target of"
                + " INSERT");
    assertThat(device.write(Type.MODIFY, kinds("L", "M", "N")))
        .isEqualTo("RESOURCE_EXHAUSTED: value set 'Prs.kinds' takes 2 members, not 3");
    assertThat(device.write(Type.MODIFY, kinds("L", "\\001\\000")))
        .isEqualTo(
            "OUT_OF_RANGE: field 1 of value set 'Prs.kinds': value 0x0100 needs 9 bits; at most 8"
                + " are allowed");
    String members = "value_set_entry { value_set_id: $Prs.kinds members { ";
    assertThat(device.write(Type.MODIFY, members + "} }"))
        .isEqualTo("INVALID_ARGUMENT: a member of value set 'Prs.kinds' has 1 fields, not 0");
    assertThat(device.write(Type.MODIFY, members + "match { field_id: 2 exact { } } } }"))
        .isEqualTo("INVALID_ARGUMENT: field 1 is missing in a member of value set 'Prs.kinds'");
    assertThat(device.write(Type.MODIFY, members + "match { field_id: 1 lpm { } } } }"))
        .isEqualTo(
            "INVALID_ARGUMENT: field 1 of value set 'Prs.kinds' must be an exact match, not LPM");
    assertThat(device.write(Type.MODIFY, "value_set_entry { value_set_id: 7 }"))
        .isEqualTo("INVALID_ARGUMENT: there is no value set with id 7");
    assertThatThrownBy(() -> device.read("value_set_entry { value_set_id: 7 }"))
        .hasMessage("INVALID_ARGUMENT: there is no value set with id 7");
    assertThat(device.read("value_set_entry { value_set_id: $Prs.kinds }"))
        .containsExactly(device.entity(kinds("K")));
  }

  @Test
  void partsMatchAsP4InfoSaysTheyDo() {
    // What the program compares whole, P4Info may declare to be compared in part.
    LoadedSwitch declared =
        new LoadedSwitch(
            "valuesets",
            info -> {
              for (int i = 0; i < info.getValueSetsCount(); i++) {
                if (info.getValueSets(i).getPreamble().getName().equals("Prs.pairs")) {
                  info.getValueSetsBuilder(i).getMatchBuilder(0).setMatchType(MatchType.RANGE);
                  info.getValueSetsBuilder(i).getMatchBuilder(1).setMatchType(MatchType.TERNARY);
                }
              }
            });
    String member =
        "value_set_entry { value_set_id: $Prs.pairs members {"
            + " match { field_id: 1 range { low: '\\004' high: '\\005' } }"
            + " match { field_id: 2 ternary { value: '\\001' mask: '\\003' } } } }";
    assertThat(declared.write(Type.MODIFY, member)).isEqualTo("done");
    assertThat(declared.read("value_set_entry { value_set_id: $Prs.pairs }"))
        .containsExactly(declared.entity(member));
    assertThat(declared.send(0, 0, 0x5f, 0, 0, 0, 0, 0, 0, 0, 1, 0)[10]).isEqualTo((byte) 4);
    assertThat(declared.send(0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0, 0xf5, 0)[10]).isEqualTo((byte) 4);
    assertThat(declared.send(0, 0, 0x5f, 0, 0, 0, 0, 0, 0, 0, 2, 0)[10]).isEqualTo((byte) 0);
    assertThat(declared.send(0, 0, 0x6f, 0, 0, 0, 0, 0, 0, 0, 1, 0)[10]).isEqualTo((byte) 0);
    assertThat(
            declared.write(
                Type.MODIFY,
                "value_set_entry { value_set_id: $Prs.pairs members {"
                    + " match { field_id: 1 exact { value: '\\004' } } } }"))
        .isEqualTo(
            "INVALID_ARGUMENT: field 1 of value set 'Prs.pairs' must be a match of kind RANGE, not"
                + " EXACT");
    assertThat(
            declared.write(
                Type.MODIFY,
                "value_set_entry { value_set_id: $Prs.pairs members {"
                    + " match { field_id: 1 range { low: '\\005' high: '\\004' } } } }"))
        .isEqualTo("INVALID_ARGUMENT: field 1 of value set 'Prs.pairs': low is above high");
    // A part that is left out matches everything.
    assertThat(
            declared.write(
                Type.MODIFY,
                "value_set_entry { value_set_id: $Prs.pairs members {"
                    + " match { field_id: 2 ternary { value: '\\001' mask: '\\003' } } } }"))
        .isEqualTo("done");
    assertThat(declared.send(0, 0, 0x6f, 0, 0, 0, 0, 0, 0, 0, 1, 0)[10]).isEqualTo((byte) 4);
  }
}
