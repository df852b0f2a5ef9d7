package net.sluice.emulator.v1model;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Parser, deparser and checksums, on the program {@code constructs}. */
class ParserTest {

  private final TestProgram program = TestProgram.load("constructs");

  private static byte[] ipv4(int version, int ttl, boolean goodChecksum) {
    Bits header =
        new Bits()
            .put(version, 4)
            .put(5, 4)
            .put(0, 8)
            .put(40, 16)
            .put(0x1234, 16)
            .put(2, 3)
            .put(0, 13)
            .put(ttl, 8)
            .put(17, 8)
            .put(0, 16)
            .put(0x0a000001, 32)
            .put(0xc0a80102L, 32);
    byte[] bytes = header.bytes();
    int checksum = checksum(bytes) ^ (goodChecksum ? 0 : 1);
    bytes[10] = (byte) (checksum >> 8);
    bytes[11] = (byte) checksum;
    return bytes;
  }

  private static int checksum(byte[] bytes) {
    int sum = 0;
    for (int i = 0; i < bytes.length; i += 2) {
      sum += (bytes[i] & 0xff) << 8 | (i + 1 < bytes.length ? bytes[i + 1] & 0xff : 0);
    }
    sum = (sum & 0xffff) + (sum >>> 16);
    sum = (sum & 0xffff) + (sum >>> 16);
    return ~sum & 0xffff;
  }

  private static byte[] frame(int type, byte[]... parts) {
    Bits bits = new Bits().put(0x0a0b0c0d0e0fL, 48).put(0x010203040506L, 48).put(type, 16);
    for (byte[] part : parts) {
      bits.put(part);
    }
    return bits.bytes();
  }

  private static byte[] vlan(int pcp, int vid, int type) {
    return new Bits().put(pcp, 3).put(0, 1).put(vid, 12).put(type, 16).bytes();
  }

  @Test
  void anUnknownTypePassesUnchanged() {
    byte[] packet = frame(0x1234, new byte[] {1, 2, 3, 4, 5});
    assertThat(program.send(packet)).isEqualTo(packet);
  }

  @Test
  void aHeaderIsInsertedIntoTheHeadroomAndTheChecksumUpdated() {
    byte[] payload = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
    byte[] sent = program.send(frame(0x0800, ipv4(4, 64, true), payload));
    assertThat(sent).isEqualTo(frame(0x8100, vlan(0, 100, 0x0800), ipv4(4, 63, true), payload));
  }

  @Test
  void aHeaderIsRemoved() {
    byte[] sent = program.send(frame(0x8100, vlan(3, 7, 0x0800), ipv4(4, 10, true)));
    assertThat(sent).isEqualTo(frame(0x0800, ipv4(4, 9, true)));
  }

  @Test
  void aWrongChecksumIsNoticed() {
    byte[] sent = program.send(frame(0x0800, ipv4(4, 64, false)));
    assertThat(Bits.get(sent, 0, 48)).isEqualTo(BigInteger.valueOf(0x100));
  }

  @Test
  void aFailedVerifyEndsParsingWithTheProgramsError() {
    byte[] sent = program.send(frame(0x0800, ipv4(5, 64, true)));
    // The checksum is right, and what had been extracted stays valid.
    assertThat(Bits.get(sent, 0, 48)).isEqualTo(BigInteger.valueOf(2));
    assertThat(sent).hasSize(14 + 4 + 20);
  }

  @Test
  void aTruncatedHeaderIsAnErrorAndStaysPayload() {
    byte[] packet = Arrays.copyOf(frame(0x0800, ipv4(4, 64, true)), 14 + 19);
    byte[] sent = program.send(packet);
    assertThat(Bits.get(sent, 0, 48)).isEqualTo(BigInteger.ONE);
    assertThat(Arrays.copyOfRange(sent, 6, sent.length))
        .isEqualTo(Arrays.copyOfRange(packet, 6, packet.length));
  }

  @Test
  void aPacketShorterThanTheFirstHeaderGoesThroughIngressAllTheSame() {
    assertThat(program.send(new byte[] {1, 2, 3})).isEqualTo(new byte[] {1, 2, 3});
    assertThat(program.send(new byte[0])).isEmpty();
  }

  @Test
  void selectLooksAtMaskedBitsOnly() {
    byte[] masked = Probe.op(12).with("small", 5).bytes();
    masked[13] = 0x5a;
    assertThat(Probe.number(program.send(masked), "result")).isEqualTo(3);
  }

  @Test
  void selectOnTwoFieldsNeedsBoth() {
    byte[] probe = Probe.op(12).with("small", 5).header();
    byte[] hit = program.send(frame(0x8100, vlan(5, 1, 0x9000), probe));
    byte[] miss = program.send(frame(0x8100, vlan(4, 1, 0x9000), probe));
    assertThat(Bits.get(hit, 8 * (14 + 4 + 8), 64)).isEqualTo(BigInteger.valueOf(3));
    assertThat(miss).isEqualTo(frame(0x8100, vlan(4, 1, 0x9000), probe));
  }

  @Test
  void advanceSkipsAndLookaheadLeaves() {
    byte[] probe = Probe.op(25).header();
    // Two bytes skipped; then 0x0001 is looked at as a whole and as its first byte, and extracted
    // as part of the probe.
    byte[] shifted = frame(0xa000, new byte[] {1, 1}, new byte[] {0, 1}, probe);
    byte[] sent = program.send(shifted);
    // The skipped bytes are gone: they belong to no header.
    assertThat(sent).hasSize(shifted.length - 2);
    assertThat(program.send(frame(0xa000, new byte[] {1, 1, 0}))).hasSize(14 + 1);
  }

  @Test
  void aChecksumCanCoverThePayload() {
    byte[] payload = {1, 2, 3, 4, 5};
    byte[] sent =
        program.send(
            Probe.op(40).with("word", 0x11223344).with("small", 0x55).rest(payload).bytes());
    int expected = checksum(new byte[] {0x11, 0x22, 0x33, 0x44, 0x55, 1, 1, 2, 3, 4, 5});
    assertThat(Probe.number(sent, "medium")).isEqualTo(expected);
  }

  @Test
  void headersGrowBeyondTheHeadroom() {
    byte[] packet = frame(0x0800, ipv4(4, 64, true), new byte[10]);
    for (int i = 0; i < 60; i++) {
      // Every second pass adds the VLAN header again: the packet is the same size, whatever the
      // buffer went through.
      packet = program.send(packet);
      assertThat(packet).hasSize(i % 2 == 0 ? 48 : 44);
    }
  }
}
