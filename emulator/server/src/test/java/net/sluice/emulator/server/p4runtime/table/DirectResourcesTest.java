package net.sluice.emulator.server.p4runtime.table;

import static org.assertj.core.api.Assertions.assertThat;

import net.sluice.emulator.server.p4runtime.LoadedSwitch;
import org.junit.jupiter.api.Test;
import p4.v1.P4RuntimeOuterClass.Update.Type;

/** Direct counters and meters, whatever an entry's action says of them. */
class DirectResourcesTest {

  private static final int COLOUR = 1;

  private final LoadedSwitch device = new LoadedSwitch("direct");

  private static String entry(int key, String action, String rest) {
    return ("table_entry { table_id: $In.counted match { field_id: 1 exact { value: '\\%s' }"
            + " } action { action { action_id: $%s } } %s}")
        .formatted(Integer.toOctalString(key), action, rest);
  }

  private long hits(int key) {
    return device
        .read(
            "direct_counter_entry { table_entry { table_id: $In.counted match { field_id: 1 exact {"
                + " value: '\\"
                + Integer.toOctalString(key)
                + "' } } } }")
        .get(0)
        .getDirectCounterEntry()
        .getData()
        .getPacketCount();
  }

  @Test
  void everyActionExecutesThem() {
    String resources = "counter_data { packet_count: 5 } meter_config { cburst: 1 pburst: 2 } ";
    int key = 1;
    for (String action : new String[] {"In.using", "In.other", "NoAction"}) {
      assertThat(device.write(Type.INSERT, entry(key, action, resources))).isEqualTo("done");
      // One packet is green, one yellow, and then there is room for none.
      assertThat(device.send(0, key, 7)[COLOUR]).isEqualTo((byte) 0);
      assertThat(device.send(0, key, 7)[COLOUR]).isEqualTo((byte) 1);
      assertThat(device.send(0, key, 7)[COLOUR]).isEqualTo((byte) 2);
      assertThat(hits(key)).isEqualTo(8);
      key++;
    }
  }

  @Test
  void whatHitsNoEntryIsNeitherCountedNorMetered() {
    assertThat(device.send(0, 77, 7)[COLOUR]).isEqualTo((byte) 9);
    assertThat(
            device.write(
                Type.MODIFY,
                "table_entry { table_id: $In.counted is_default_action: true action { action {"
                    + " action_id: $In.using } } counter_data { packet_count: 5 } }"))
        .isEqualTo("done");
    assertThat(device.send(0, 77, 7)[COLOUR]).isEqualTo((byte) 9);
    assertThat(
            device
                .read(
                    "table_entry { table_id: $In.counted is_default_action: true counter_data { }"
                        + " }")
                .get(0)
                .getTableEntry()
                .getCounterData()
                .getPacketCount())
        .isEqualTo(5);
    assertThat(
            device.write(
                Type.MODIFY,
                "table_entry { table_id: $In.counted is_default_action: true action { action {"
                    + " action_id: $In.using } } meter_config { cburst: 1 pburst: 2 } }"))
        .isEqualTo(
            "INVALID_ARGUMENT: the default entry of table 'In.counted' has no meter; meter_config"
                + " is set");
  }
}
