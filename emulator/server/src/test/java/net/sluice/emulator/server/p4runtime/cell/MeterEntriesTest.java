package net.sluice.emulator.server.p4runtime.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import net.sluice.emulator.server.p4runtime.LoadedSwitch;
import org.junit.jupiter.api.Test;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Update.Type;

/** Meters over P4Runtime: configured, read back, and what packets see of them. */
class MeterEntriesTest {

  private static final String CONFIG = "cir: 1000 cburst: 4 pir: 2000 pburst: 8 ";
  private static final String ENTRY =
      "table_id: $In.keys match { field_id: 1 exact { value: 'K' } } ";
  private static final String GO =
      "action { action { action_id: $In.go params { param_id: 1 value: '\\001' } } } ";

  private final LoadedSwitch device = new LoadedSwitch("meters");

  private static String cell(int index, String config) {
    return "meter_entry { meter_id: $In.cells index { index: " + index + " } " + config + "}";
  }

  private static String direct(String config) {
    return "direct_meter_entry { table_entry { " + ENTRY + "} " + config + "}";
  }

  private int colour(long micros, int cell) {
    return device.send(micros, cell, 0, 0, 0)[2];
  }

  private int directColour(long micros) {
    return device.send(micros, 0, 'K', 0, 0)[3];
  }

  @Test
  void aCellIsConfiguredReadAndReset() {
    assertThat(device.write(Type.MODIFY, cell(1, "config { " + CONFIG + "} "))).isEqualTo("done");
    assertThat(colour(0, 1)).isEqualTo(0);
    assertThat(colour(0, 1)).isEqualTo(1);
    assertThat(colour(0, 1)).isEqualTo(2);
    // Two milliseconds bring two bytes of one rate and four of the other.
    assertThat(colour(2_000, 1)).isEqualTo(1);
    assertThat(colour(1_000_000, 1)).isEqualTo(0);
    assertThat(device.read("meter_entry { meter_id: $In.cells }"))
        .containsExactly(
            device.entity(cell(0, "")),
            device.entity(cell(1, "config { " + CONFIG + "} ")),
            device.entity(cell(2, "")));
    assertThat(device.read(cell(1, ""))).hasSize(1);
    assertThat(device.read("meter_entry { }")).hasSize(3);
    assertThat(device.write(Type.MODIFY, cell(1, ""))).isEqualTo("done");
    assertThat(device.read(cell(1, ""))).containsExactly(device.entity(cell(1, "")));
    for (int i = 0; i < 5; i++) {
      assertThat(colour(1_000_000, 1)).isEqualTo(0);
    }
    assertThat(device.write(Type.MODIFY, "meter_entry { meter_id: $In.cells config { cir: 0 } }"))
        .isEqualTo("done");
    assertThat(colour(1_000_000, 2)).isEqualTo(2);
  }

  @Test
  void countersByColourAreUnimplemented() {
    Entity.Builder cell = device.entity(cell(1, "")).toBuilder();
    cell.getMeterEntryBuilder().getCounterDataBuilder();
    Entity.Builder direct = device.entity(direct("")).toBuilder();
    direct.getDirectMeterEntryBuilder().getCounterDataBuilder();
    Entity.Builder entry = device.entity("table_entry { " + ENTRY + GO + "}").toBuilder();
    entry.getTableEntryBuilder().getMeterCounterDataBuilder();
    for (Entity.Builder one : List.of(cell, direct, entry)) {
      assertThatThrownBy(() -> device.read(one.build()))
          .hasMessageStartingWith("UNIMPLEMENTED: ")
          .hasMessageEndingWith("; meters do not count by colour");
      assertThat(device.write(Type.MODIFY, one.build()))
          .startsWith("UNIMPLEMENTED: ")
          .endsWith("; meters do not count by colour");
    }
  }

  @Test
  void aDirectMeterGoesWithItsEntry() {
    String packets = "meter_config { cir: 1 cburst: 1 pir: 1 pburst: 2 } ";
    assertThat(directColour(0)).isEqualTo(9);
    assertThat(device.write(Type.INSERT, "table_entry { " + ENTRY + GO + packets + "}"))
        .isEqualTo("done");
    assertThat(directColour(0)).isEqualTo(0);
    assertThat(directColour(0)).isEqualTo(1);
    assertThat(directColour(0)).isEqualTo(2);
    Entity whole = device.entity("table_entry { " + ENTRY + GO + packets + "}");
    assertThat(device.read("table_entry { table_id: $In.keys meter_config { } }"))
        .containsExactly(whole);
    assertThat(device.read("table_entry { table_id: $In.keys }"))
        .containsExactly(device.entity("table_entry { " + ENTRY + GO + "}"));
    assertThat(device.write(Type.MODIFY, direct("config { cir: 9 cburst: 9 pir: 9 pburst: 9 } ")))
        .isEqualTo("done");
    assertThat(directColour(0)).isEqualTo(0);
    assertThat(device.read("direct_meter_entry { table_entry { table_id: $In.keys } }").toString())
        .contains("pburst: 9");
    assertThat(device.read(direct(""))).hasSize(1);
    assertThat(device.read("direct_meter_entry { table_entry { } }")).hasSize(1);
    // A modified entry without a config meters no more; so does one in the place of another.
    assertThat(device.write(Type.MODIFY, "table_entry { " + ENTRY + GO + "}")).isEqualTo("done");
    assertThat(device.read(direct("")).get(0).getDirectMeterEntry().hasConfig()).isFalse();
    assertThat(device.write(Type.MODIFY, direct("config { cir: 0 } "))).isEqualTo("done");
    assertThat(directColour(0)).isEqualTo(2);
    assertThat(device.write(Type.DELETE, "table_entry { " + ENTRY + "}")).isEqualTo("done");
    assertThat(device.write(Type.INSERT, "table_entry { " + ENTRY + GO + "}")).isEqualTo("done");
    assertThat(directColour(0)).isEqualTo(0);
  }

  @Test
  void everyEntryHasItsOwnDirectMeter() {
    for (int i = 0; i < 40; i++) {
      String key =
          "match { field_id: 1 exact { value: '\\" + Integer.toOctalString(64 + i) + "' } }";
      String burst = " meter_config { pburst: " + i + " } ";
      assertThat(
              device.write(
                  Type.INSERT, "table_entry { table_id: $In.keys " + key + GO + burst + "}"))
          .isEqualTo("done");
    }
    for (int i = 0; i < 40; i++) {
      for (int packet = 0; packet < i; packet++) {
        assertThat(device.send(0, 0, 64 + i, 0, 0)[3]).isEqualTo((byte) 1);
      }
      assertThat(device.send(0, 0, 64 + i, 0, 0)[3]).isEqualTo((byte) 2);
    }
  }

  @Test
  void refusalsNameFieldAndValue() {
    assertThat(device.write(Type.INSERT, cell(1, "")))
        .isEqualTo(
            "INVALID_ARGUMENT: a cell of meter 'In.cells' can only be modified, not the target of"
                + " INSERT");
    assertThat(device.write(Type.MODIFY, cell(3, "")))
        .isEqualTo("OUT_OF_RANGE: index 3 of meter 'In.cells' must be from 0 to 2");
    assertThat(device.write(Type.MODIFY, cell(-1, "")))
        .isEqualTo("INVALID_ARGUMENT: index -1 of meter 'In.cells' must be from 0 to 2");
    assertThat(device.write(Type.MODIFY, cell(1, "config { cir: 2 pir: 1 } ")))
        .isEqualTo("INVALID_ARGUMENT: meter 'In.cells': cir 2 must not be above pir 1");
    assertThat(device.write(Type.MODIFY, cell(1, "config { cburst: -1 } ")))
        .isEqualTo("INVALID_ARGUMENT: meter 'In.cells': cburst -1 must be from 0 to 9223372036854");
    assertThat(device.write(Type.MODIFY, "meter_entry { meter_id: 7 }"))
        .isEqualTo("INVALID_ARGUMENT: there is no indirect meter with id 7");
    assertThat(device.write(Type.MODIFY, direct("")))
        .isEqualTo("NOT_FOUND: table 'In.keys' has no such entry");
    assertThat(device.write(Type.DELETE, direct("")))
        .isEqualTo(
            "INVALID_ARGUMENT: a direct meter of table 'In.keys' can only be modified, not the"
                + " target of DELETE");
    assertThat(
            device.write(
                Type.MODIFY,
                "direct_meter_entry { table_entry { table_id: $In.keys is_default_action: true }"
                    + " }"))
        .isEqualTo("INVALID_ARGUMENT: the default entry of table 'In.keys' has no meter");
    assertThat(
            device.write(
                Type.MODIFY, "direct_meter_entry { table_entry { table_id: $In.unmetered } }"))
        .isEqualTo("INVALID_ARGUMENT: table 'In.unmetered' has no direct meter");
    assertThat(
            device.write(
                Type.INSERT,
                "table_entry { table_id: $In.keys match { field_id: 1 exact { value: 'K' } } "
                    + GO
                    + "meter_config { cir: 2 } }"))
        .isEqualTo(
            "INVALID_ARGUMENT: meter_config of table 'In.keys': cir 2 must not be above pir 0");
    assertThatThrownBy(() -> device.read("meter_entry { index { index: 1 } }"))
        .hasMessage(
            "INVALID_ARGUMENT: meter_id is 0, which means every meter; no index can go with it");
    assertThatThrownBy(() -> device.read(direct("")))
        .hasMessage("NOT_FOUND: table 'In.keys' has no such entry");
  }
}
