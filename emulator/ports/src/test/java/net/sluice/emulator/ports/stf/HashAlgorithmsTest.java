package net.sluice.emulator.ports.stf;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.switching.SwitchPacket;
import net.sluice.emulator.v1model.LoadedProgram;
import org.junit.jupiter.api.Test;

/** The hash algorithms that p4c has no name for, in a program whose hash is changed to them. */
class HashAlgorithmsTest {

  /**
   * A packet whose hash, modulo 2^32, comes out in its field w; the hash is over its last bytes.
   */
  private static byte[] packet(int last) {
    byte[] packet = new byte[31];
    packet[0] = 0x20;
    packet[26] = 1;
    packet[27] = (byte) last;
    return packet;
  }

  private static List<Long> hashes(String algorithm, int... lasts) {
    String json = new String(StfFiles.bytes("language.json"), StandardCharsets.UTF_8);
    LoadedProgram program =
        LoadedProgram.load(
            json.replace("\"algo\" : \"crc32\"", "\"algo\" : \"" + algorithm + "\"")
                .getBytes(StandardCharsets.UTF_8),
            1);
    List<Long> hashes = new ArrayList<>();
    for (int last : lasts) {
      SwitchPacket p = program.pipeline().acquire();
      byte[] bytes = packet(last);
      p.setBytes(bytes, 0, bytes.length);
      program.pipeline().ingress(p, 0, 0);
      program.pipeline().egress(p, 0);
      byte[] sent = p.toByteArray();
      long hash = 0;
      for (int i = 20; i < 24; i++) {
        hash = hash << 8 | sent[i] & 0xff;
      }
      hashes.add(hash);
      program.pipeline().release(p);
    }
    return hashes;
  }

  @Test
  void roundRobinTakesTurns() {
    assertThat(hashes("round_robin", 5, 5, 6, 5)).containsExactly(0L, 1L, 2L, 3L);
    assertThat(hashes("round_robin_consistent", 5, 5, 6, 5)).containsExactly(0L, 0L, 1L, 0L);
  }

  @Test
  void everyAlgorithmOfBmv2IsThere() {
    // The hash is over the variable field, 4 bits and 20 bits: 05 00 00 01 after the sum.
    for (String algorithm :
        List.of(
            "crc16",
            "crc16_custom",
            "crc32",
            "crc32_custom",
            "crc8_custom",
            "crc64_custom",
            "crcCCITT",
            "csum16",
            "cksum16",
            "xor16",
            "xor32",
            "identity",
            "hash_ex",
            "bmv2_hash",
            "xxh64")) {
      List<Long> two = hashes(algorithm, 5, 6);
      assertThat(two.get(0)).as(algorithm).isNotEqualTo(two.get(1));
    }
    assertThat(hashes("crc32_custom", 5)).isEqualTo(hashes("crc32", 5));
    assertThat(hashes("bmv2_hash", 5)).isEqualTo(hashes("xxh64", 5));
    assertThat(hashes("crc16_custom", 5)).isEqualTo(hashes("crc16", 5));
    assertThat(hashes("xor32", 5)).containsExactly(0x05000001L);
    assertThat(hashes("toeplitz", 5)).containsExactly(0L);
  }
}
