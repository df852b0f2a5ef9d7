package net.sluice.emulator.v1model.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.util.HexFormat;
import net.sluice.emulator.trace.v1.BytePattern;
import net.sluice.emulator.trace.v1.FlowFilter;
import net.sluice.emulator.trace.v1.TraceFilter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The packets that a filter passes on arrival. */
class PacketFilterTest {

  private static final String MACS = "0a0b0c0d0e0f010203040506";
  private static final String V4 =
      "450000280001000040060000 0a010203 c0a80105 0bb8 0050".replace(" ", "");
  private static final String TCP4 = MACS + "0800" + V4 + "00".repeat(16);
  private static final String TAGGED =
      MACS + "88a80064" + "81000007" + "0800" + V4 + "00".repeat(16);
  private static final String FRAGMENT =
      MACS + "0800" + V4.replace("00010000", "00010010") + "00".repeat(16);
  private static final String ADDRESSES6 =
      "20010db8000000000000000000000001" + "20010db8000000010000000000000002";
  private static final String UDP6 =
      MACS + "86dd" + "60000000" + "0008" + "11" + "40" + ADDRESSES6 + "1f40" + "0035" + "00080000";

  /** Hop-by-hop options and a first fragment in front of UDP. */
  private static final String EXTENDED6 =
      MACS
          + "86dd60000000001800"
          + "40"
          + ADDRESSES6
          + "2c00000000000000"
          + "1100000100000000"
          + "1f400035"
          + "00080000";

  private static boolean passes(TraceFilter filter, String packet, int port) {
    byte[] bytes = HexFormat.of().parseHex("ffff" + packet);
    return new PacketFilter(filter).passes(bytes, 2, bytes.length - 2, port);
  }

  private static TraceFilter flow(String field, String value) {
    FlowFilter.Builder flow = FlowFilter.newBuilder();
    switch (field) {
      case "source" -> flow.setSource(value);
      case "destination" -> flow.setDestination(value);
      case "protocol" -> flow.setProtocol(Integer.parseInt(value));
      case "source_port" -> flow.setSourcePort(Integer.parseInt(value));
      default -> flow.setDestinationPort(Integer.parseInt(value));
    }
    return TraceFilter.newBuilder().setFlow(flow).build();
  }

  private static String packet(String name) {
    return switch (name) {
      case "tcp4" -> TCP4;
      case "tagged" -> TAGGED;
      case "fragment" -> FRAGMENT;
      case "udp6" -> UDP6;
      case "extended6" -> EXTENDED6;
      case "arp" -> MACS + "0806" + "00".repeat(28);
      case "cut" -> TCP4.substring(0, 60);
      default -> MACS.substring(0, 8);
    };
  }

  @ParameterizedTest
  @CsvSource({
    "tcp4, source, 10.1.2.3, true",
    "tcp4, source, 10.1.2.2/31, true",
    "tcp4, source, 10.1.2.4/30, false",
    "tcp4, source, 0.0.0.0/0, true",
    "tcp4, source, ::/0, false",
    "tcp4, destination, 192.168.0.0/16, true",
    "tcp4, destination, 192.169.0.0/16, false",
    "tcp4, protocol, 6, true",
    "tcp4, protocol, 17, false",
    "tcp4, source_port, 3000, true",
    "tcp4, destination_port, 80, true",
    "tcp4, destination_port, 3000, false",
    "tagged, destination_port, 80, true",
    "tagged, source, 10.0.0.0/8, true",
    "fragment, source, 10.0.0.0/8, true",
    "fragment, destination_port, 80, false",
    "udp6, source, 2001:db8::/48, true",
    "udp6, source, 2001:db8:0:1::/64, false",
    "udp6, destination, 2001:db8:0:1::2, true",
    "udp6, destination, 0.0.0.0/0, false",
    "udp6, protocol, 17, true",
    "udp6, source_port, 8000, true",
    "udp6, destination_port, 53, true",
    "extended6, protocol, 17, true",
    "extended6, destination_port, 53, true",
    "arp, source, 0.0.0.0/0, false",
    "cut, protocol, 6, false",
    "short, protocol, 0, false",
  })
  void flows(String packet, String field, String value, boolean expected) {
    assertThat(passes(flow(field, value), packet(packet), 0)).isEqualTo(expected);
  }

  private static TraceFilter pattern(int offset, String value, String mask) {
    return TraceFilter.newBuilder()
        .addPatterns(
            BytePattern.newBuilder()
                .setOffset(offset)
                .setValue(ByteString.copyFrom(HexFormat.of().parseHex(value)))
                .setMask(ByteString.copyFrom(HexFormat.of().parseHex(mask))))
        .build();
  }

  @Test
  void portsAndPatternsAndEverythingTogether() {
    TraceFilter ports = TraceFilter.newBuilder().addIngressPorts(1).addIngressPorts(510).build();
    assertThat(passes(ports, TCP4, 1)).isTrue();
    assertThat(passes(ports, TCP4, 510)).isTrue();
    assertThat(passes(ports, TCP4, 2)).isFalse();
    assertThat(passes(pattern(12, "0800", ""), TCP4, 0)).isTrue();
    assertThat(passes(pattern(12, "0801", ""), TCP4, 0)).isFalse();
    assertThat(passes(pattern(12, "0801", "fffe"), TCP4, 0)).isTrue();
    assertThat(passes(pattern(TCP4.length() / 2 - 1, "00", ""), TCP4, 0)).isTrue();
    assertThat(passes(pattern(TCP4.length() / 2, "00", ""), TCP4, 0)).isFalse();
    TraceFilter all =
        ports.toBuilder()
            .mergeFrom(pattern(12, "0800", ""))
            .mergeFrom(flow("protocol", "6"))
            .build();
    assertThat(passes(all, TCP4, 1)).isTrue();
    assertThat(passes(all, TCP4, 2)).isFalse();
    assertThat(passes(all, UDP6, 1)).isFalse();
    assertThat(passes(TraceFilter.getDefaultInstance(), "", 3)).isTrue();
  }

  @Test
  void impossibleFiltersAreRefused() {
    assertRefused(
        TraceFilter.newBuilder().addIngressPorts(511).build(),
        "ingress_ports 511: must be from 0 to 510");
    assertRefused(pattern(65_536, "00", ""), "patterns.offset 65536: must be from 0 to 65535");
    assertRefused(pattern(0, "", ""), "patterns.value: must have at least one byte");
    assertRefused(
        pattern(0, "0011", "ff"),
        "patterns.mask of 1 bytes: must be as long as the value, 2, or empty");
    assertRefused(flow("protocol", "-1"), "flow.protocol 4294967295: must be from 0 to 255");
    assertRefused(flow("source_port", "65536"), "flow.source_port 65536: must be from 0 to 65535");
    for (String address : new String[] {"localhost", "10.0.0", "10.0.0.0/-1", "::/129", "1234"}) {
      assertRefused(
          flow("source", address),
          "flow.source '"
              + address
              + "': must be an IPv4 or IPv6 address or prefix, such as 10.0.0.0/8 or"
              + " 2001:db8::/32");
    }
  }

  private static void assertRefused(TraceFilter filter, String message) {
    assertThatThrownBy(() -> new PacketFilter(filter))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
