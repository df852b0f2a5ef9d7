package net.sluice.emulator.netsim.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class FrameBuilderTest {

  @Test
  void anIpv4FrameByteForByte() {
    byte[] frame =
        new FrameBuilder()
            .macs(0x0A0B0C0D0E0FL, 0x010203040506L)
            .addresses("192.0.2.1", "198.51.100.7")
            .ports(1_000, 2_000)
            .dscp(46)
            .ecn(Ecn.ECT_0)
            .frameBytes(52)
            .build()
            .frame(0x00012345, 0x89ABCDEF);
    // The checksums are worked out below, word by word, from RFC 1071.
    assertThat(HexFormat.of().formatHex(frame))
        .isEqualTo(
            "010203040506"
                + "0a0b0c0d0e0f"
                + "0800"
                + "45ba002600004000"
                + "4011"
                + ipv4Checksum()
                + "c0000201"
                + "c6336407"
                + "03e807d00012"
                + udpChecksum()
                + "0001234589abcdef"
                + "0000");
  }

  private static String ipv4Checksum() {
    int sum = 0x45ba + 0x0026 + 0x4000 + 0x4011 + 0xc000 + 0x0201 + 0xc633 + 0x6407;
    sum = (sum & 0xffff) + (sum >> 16);
    return String.format("%04x", ~sum & 0xffff);
  }

  private static String udpChecksum() {
    int sum = 0xc000 + 0x0201 + 0xc633 + 0x6407 + 17 + 0x12;
    sum += 0x03e8 + 0x07d0 + 0x0012 + 0x0001 + 0x2345 + 0x89ab + 0xcdef;
    while (sum > 0xffff) {
      sum = (sum & 0xffff) + (sum >> 16);
    }
    return String.format("%04x", ~sum & 0xffff);
  }

  @Test
  void twoVlanTagsAndIpv6() {
    byte[] frame =
        new FrameBuilder()
            .vlans(100, 7)
            .addresses("2001:db8::1", "2001:db8:1::2")
            .dscp(1)
            .ecn(Ecn.CE)
            .frameBytes(200)
            .build()
            .frame(1, 2);
    assertThat(frame).hasSize(200);
    assertThat(HexFormat.of().formatHex(frame, 12, 22)).isEqualTo("88a80064" + "81000007" + "86dd");
    // Version 6, traffic class 000001 11, flow label 0, payload length 200 - 62, UDP, hop limit 64.
    assertThat(HexFormat.of().formatHex(frame, 22, 30)).isEqualTo("60700000008a1140");
  }

  @Property(seed = "1")
  void checksumsOfIpv4FramesVerify(
      @ForAll @Size(4) byte[] source,
      @ForAll @Size(4) byte[] destination,
      @ForAll @IntRange(min = FrameBuilder.MIN_IPV4_BYTES, max = 1_600) int bytes,
      @ForAll int flow,
      @ForAll int sequence) {
    byte[] frame =
        new FrameBuilder()
            .addresses(source, destination)
            .frameBytes(bytes)
            .build()
            .frame(flow, sequence);
    assertThat(onesSum(frame, 14, 34, 0)).isEqualTo(0xffff);
    int pseudo = onesSum(frame, 26, 34, 17 + bytes - 34);
    assertThat(onesSum(frame, 34, bytes, pseudo)).isEqualTo(0xffff);
    assertThat(frame[40] != 0 || frame[41] != 0).isTrue();
  }

  @Property(seed = "1")
  void checksumsOfIpv6FramesVerify(
      @ForAll @Size(16) byte[] source,
      @ForAll @Size(16) byte[] destination,
      @ForAll @IntRange(min = FrameBuilder.MIN_IPV6_BYTES + 4, max = 1_600) int bytes,
      @ForAll int flow,
      @ForAll int sequence) {
    byte[] frame =
        new FrameBuilder()
            .vlan(12)
            .addresses(source, destination)
            .frameBytes(bytes)
            .build()
            .frame(flow, sequence);
    int pseudo = onesSum(frame, 26, 58, 17 + bytes - 58);
    assertThat(onesSum(frame, 58, bytes, pseudo)).isEqualTo(0xffff);
  }

  @Test
  void aChecksumOfZeroIsSentAsAllOnes() {
    FrameTemplate template =
        new FrameBuilder().addresses("10.0.0.1", "10.0.0.2").frameBytes(60).build();
    byte[] plain = template.frame(0, 0);
    int checksum = (plain[40] & 0xff) << 8 | plain[41] & 0xff;
    // A stamp that adds exactly what the checksum has left.
    byte[] frame = template.frame(checksum, 0);
    assertThat(frame[40]).isEqualTo((byte) 0xff);
    assertThat(frame[41]).isEqualTo((byte) 0xff);
  }

  @Test
  void refusesWhatCannotBeBuilt() {
    FrameBuilder builder = new FrameBuilder();
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("addresses: must be given before build");
    assertThatThrownBy(() -> builder.addresses("10.0.0.1", "example.com"))
        .hasMessage("destination address \"example.com\": must be an IPv4 or IPv6 literal");
    assertThatThrownBy(() -> builder.addresses("10.0.0.256", "10.0.0.1"))
        .hasMessage("source address \"10.0.0.256\": must be an IPv4 or IPv6 literal");
    assertThatThrownBy(() -> builder.addresses("10.0.0.1", "2001:db8::1"))
        .hasMessage("addresses of 4 and 16 bytes: must both be 4 or both be 16");
    builder.addresses("10.0.0.1", "10.0.0.2");
    assertThatThrownBy(() -> builder.frameBytes(49).build())
        .hasMessage("frameBytes 49: must be 50..9216");
    assertThatThrownBy(() -> builder.vlan(12).frameBytes(53).build())
        .hasMessage("frameBytes 53: must be 54..9216");
    assertThatThrownBy(() -> builder.vlans(4_096, 1)).hasMessage("sVid 4096: must be 0..4095");
    assertThatThrownBy(() -> builder.ports(0, 65_536))
        .hasMessage("destinationPort 65536: must be 0..65535");
    assertThatThrownBy(() -> builder.dscp(64)).hasMessage("dscp 64: must be 0..63");
    assertThatThrownBy(() -> builder.macs(-1, 0))
        .hasMessage("sourceMac -1: must be 0..281474976710655");
  }

  /** Folded one's complement sum of a range's words on top of another sum, word by word. */
  private static int onesSum(byte[] bytes, int from, int to, int initial) {
    int sum = initial;
    for (int i = from; i < to; i++) {
      sum += (bytes[i] & 0xff) << ((i - from) % 2 == 0 ? 8 : 0);
      sum = (sum & 0xffff) + (sum >>> 16);
    }
    return (sum & 0xffff) + (sum >>> 16);
  }
}
