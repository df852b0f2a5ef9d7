package net.sluice.emulator.server.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import net.sluice.emulator.server.EmbeddedSwitch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ForwardTest {
  // 10.0.0.0/8 leaves by port 2. The ids are those of the P4Info.
  private static final String ROUTE =
      """
      updates {
        type: INSERT
        entity { table_entry {
          table_id: 35523107  # Route.routes
          match { field_id: 1 lpm { value: "\\x0a\\x00\\x00\\x00" prefix_len: 8 } }
          action { action {
            action_id: 21363825  # Route.forward
            params { param_id: 1 value: "\\x02\\x00\\x00\\x00\\x00\\x09" }
            params { param_id: 2 value: "\\x02" }
          } }
        } }
      }
      """;

  private static final String FRAME =
      "020000000001"
          + "020000000002"
          + "0800" // Ethernet
          + "4500001c000100004011"
          + "accb"
          + "c0000201"
          + "0a010203" // IPv4, TTL 64
          + "1388138900080000"; // UDP

  private EmbeddedSwitch device;

  @BeforeEach
  void load() throws Exception {
    Path folder = Path.of("src/test/resources/embedding");
    device =
        EmbeddedSwitch.load(
            folder.resolve("forward.json"), folder.resolve("forward.p4info.txtpb"), 1, 2);
    device.write(ROUTE);
  }

  @AfterEach
  void close() {
    device.close();
  }

  @Test
  void aPacketIsRoutedWithANewChecksum() {
    device.send(1, HexFormat.of().parseHex(FRAME));
    device.run(Duration.ofMillis(1));
    assertThat(device.received(2))
        .extracting(HexFormat.of()::formatHex)
        .containsExactly(
            FRAME.replace("020000000001", "020000000009").replace("4011accb", "3f11adcb"));
    assertThat(device.received(1)).isEmpty();
  }

  @Test
  void packetsBeyondTheLineWaitInItsQueue() {
    // 42 bytes at 336 kbit/s: a packet a millisecond.
    device.port(2).setRateBps(336_000);
    for (int i = 0; i < 3; i++) {
      device.send(1, HexFormat.of().parseHex(FRAME));
    }
    device.run(Duration.ofNanos(2_500_000));
    assertThat(device.received(2)).hasSize(2);
    device.run(Duration.ofNanos(500_000));
    assertThat(device.received(2)).hasSize(1);
  }

  @Test
  void anEntryThatTheSwitchDoesNotTakeIsRefusedWithAReason() {
    assertThatThrownBy(() -> device.write(ROUTE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("update 1 of 1");
  }
}
