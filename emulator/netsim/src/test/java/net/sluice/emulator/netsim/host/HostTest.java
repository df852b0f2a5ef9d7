package net.sluice.emulator.netsim.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.traffic.CapturingSink;
import net.sluice.emulator.netsim.traffic.Ecn;
import net.sluice.emulator.netsim.traffic.FlowTag;
import net.sluice.emulator.netsim.traffic.FrameBuilder;
import net.sluice.emulator.switching.InternetChecksum;
import org.junit.jupiter.api.Test;

class HostTest {

  private static final long MAC_A = 0x020000000001L;
  private static final long MAC_B = 0x020000000002L;

  private final Simulation simulation = new Simulation(1);
  private final CapturingSink sink = new CapturingSink();
  private final List<String> got = new ArrayList<>();

  private static HostConfig.Builder config() {
    return HostConfig.named("a").macs(MAC_A, MAC_B).address("10.0.0.1").address("2001:db8::1");
  }

  private Host host(HostConfig.Builder config) {
    Host host = new Host(simulation, config.build());
    host.attach(sink);
    return host;
  }

  private void log(UdpSocket socket, IpPacket packet, int port, int offset, int length, long now) {
    got.add(
        packet.source()
            + ":"
            + port
            + ">"
            + packet.destination()
            + " "
            + new String(packet.bytes(), offset, length, java.nio.charset.StandardCharsets.US_ASCII)
            + " ecn="
            + packet.ecnBits()
            + " dscp="
            + packet.dscp());
  }

  private static void send(Host host, String to, int port, String text) {
    byte[] bytes = text.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    host.udp().bind(4_000, UdpReceiver.NONE).send(IpAddress.of(to), port, bytes, 0, bytes.length);
  }

  private byte[] sent(int i) {
    return sink.captures().get(i).bytes();
  }

  /** A frame to the host, built by other code. */
  private static FrameBuilder toHost() {
    return new FrameBuilder()
        .macs(MAC_B, MAC_A)
        .addresses("10.0.0.9", "10.0.0.1")
        .ports(7, 5_000)
        .frameBytes(60);
  }

  private static void give(Host host, byte[] frame) {
    byte[] padded = new byte[frame.length + 8];
    System.arraycopy(frame, 0, padded, 5, frame.length);
    host.receive(padded, 5, frame.length, 0, 0);
  }

  @Test
  void udpOverIpv4IsTheseBytes() {
    send(host(config()), "10.0.0.2", 53, "hello");
    assertThat(HexFormat.of().formatHex(sent(0)))
        .isEqualTo(
            "020000000002020000000001"
                + "0800"
                + "450000210000400040112"
                + "6ca0a0000010a000002"
                + "0fa00035000d982a"
                + "68656c6c6f");
  }

  @Test
  void udpOverIpv6WithTwoTagsIsTheseBytes() {
    Host host = host(config().vlans(100, 7));
    byte[] bytes = {1, 2, 3};
    UdpSocket socket = host.udp().bind(4_000, UdpReceiver.NONE);
    socket.setTrafficClass(46, Ecn.ECT_0);
    socket.send(IpAddress.of("2001:db8::2"), 53, bytes, 0, 3);
    assertThat(HexFormat.of().formatHex(sent(0)))
        .isEqualTo(
            "020000000002020000000001"
                + "88a80064"
                + "81000007"
                + "86dd"
                + "6ba00000000b1140"
                + "20010db8000000000000000000000001"
                + "20010db8000000000000000000000002"
                + "0fa00035000b908c"
                + "010203");
  }

  @Test
  void framesOfOneHostAreUnderstoodByAnother() {
    for (HostConfig.Builder variant : List.of(config(), config().vlan(9), config().vlans(100, 7))) {
      Host a = host(variant);
      HostConfig other =
          variant.macs(MAC_B, MAC_A).address("10.0.0.2").address("2001:db8::2").build();
      Host b = new Host(simulation, other);
      b.udp().bind(53, this::log);
      a.attach(b);
      UdpSocket socket = a.udp().bind(4_000, UdpReceiver.NONE);
      socket.setTrafficClass(10, Ecn.ECT_1);
      socket.send(IpAddress.of("10.0.0.2"), 53, new byte[] {'x', 'y'}, 0, 2);
      socket.send(IpAddress.of("2001:db8::2"), 53, new byte[] {'x', 'y'}, 1, 1);
      assertThat(got)
          .containsExactly(
              "10.0.0.1:4000>10.0.0.2 xy ecn=1 dscp=10",
              "2001:db8:0:0:0:0:0:1:4000>2001:db8:0:0:0:0:0:2 y ecn=1 dscp=10");
      got.clear();
    }
  }

  @Test
  void everyFrameThatIsNotForTheHostIsCountedByItsReason() {
    Host host = host(config());
    host.udp().bind(5_000, this::log);
    give(host, toHost().build().frame(0, 0));
    assertThat(got).hasSize(1);
    give(host, toHost().macs(MAC_B, MAC_B).build().frame(0, 0));
    give(host, toHost().vlan(5).build().frame(0, 0));
    give(host, toHost().vlans(5, 6).build().frame(0, 0));
    give(host, toHost().addresses("10.0.0.9", "10.0.0.7").build().frame(0, 0));
    give(host, new byte[13]);
    byte[] frame = toHost().build().frame(0, 0);
    frame[12] = 9;
    give(host, frame);
    frame = toHost().build().frame(0, 0);
    frame[22] ^= 1;
    give(host, frame);
    frame = toHost().build().frame(0, 0);
    give(host, java.util.Arrays.copyOf(frame, 50));
    frame = toHost().build().frame(0, 0);
    frame[20] = 0x20;
    fixIpv4Checksum(frame);
    give(host, frame);
    frame = toHost().build().frame(0, 0);
    frame[23] = 47;
    fixIpv4Checksum(frame);
    give(host, frame);
    assertThat(got).hasSize(1);
    assertThat(host.statistics())
        .isEqualTo(
            new HostStatistics(
                0,
                0,
                11,
                60 + 60 + 60 + 60 + 60 + 13 + 60 + 60 + 50 + 60 + 60,
                1,
                2,
                2,
                2,
                1,
                1,
                1));
  }

  private static void fixIpv4Checksum(byte[] frame) {
    frame[24] = 0;
    frame[25] = 0;
    int checksum = InternetChecksum.finish(InternetChecksum.sum(frame, 14, 20));
    frame[24] = (byte) (checksum >> 8);
    frame[25] = (byte) checksum;
  }

  @Test
  void aHostWithTagsTakesOnlyFramesWithThem() {
    Host host = host(config().vlans(100, 7));
    host.udp().bind(5_000, this::log);
    byte[] frame = toHost().vlans(100, 7).frameBytes(80).build().frame(0, 0);
    // Priority and drop eligibility do not matter.
    frame[14] |= (byte) 0xf0;
    give(host, frame);
    give(host, toHost().vlans(100, 8).frameBytes(80).build().frame(0, 0));
    give(host, toHost().vlan(7).frameBytes(80).build().frame(0, 0));
    give(host, toHost().build().frame(0, 0));
    assertThat(got).hasSize(1);
    assertThat(host.statistics().otherVlan()).isEqualTo(3);
  }

  @Test
  void paddingBehindThePacketDoesNotBelongToIt() {
    Host host = host(config());
    host.udp().bind(5_000, this::log);
    byte[] frame = toHost().frameBytes(50).build().frame(0, 0);
    give(host, java.util.Arrays.copyOf(frame, 60));
    assertThat(got).hasSize(1);
    assertThat(host.udp().badDatagrams()).isZero();
  }

  @Test
  void datagramsAreCheckedAndCounted() {
    Host host = host(config());
    UdpSocket socket = host.udp().bind(5_000, this::log);
    for (int i = 34; i < 60; i++) {
      byte[] frame = toHost().build().frame(0, 0);
      // Not the checksum's own bytes, and not the destination port.
      if (i == 36 || i == 37) {
        continue;
      }
      frame[i] ^= 0x10;
      give(host, frame);
    }
    assertThat(got).isEmpty();
    assertThat(host.udp().badDatagrams()).isEqualTo(24);
    byte[] unchecked = toHost().build().frame(0, 0);
    unchecked[40] = 0;
    unchecked[41] = 0;
    give(host, unchecked);
    assertThat(socket.receivedDatagrams()).isEqualTo(1);
    byte[] unchecked6 =
        toHost().addresses("2001:db8::9", "2001:db8::1").frameBytes(80).build().frame(0, 0);
    give(host, unchecked6);
    assertThat(socket.receivedDatagrams()).isEqualTo(2);
    unchecked6[60] = 0;
    unchecked6[61] = 0;
    give(host, unchecked6);
    assertThat(socket.receivedDatagrams()).isEqualTo(2);
    assertThat(host.udp().badDatagrams()).isEqualTo(25);
    give(host, toHost().ports(7, 5_001).build().frame(0, 0));
    assertThat(host.udp().unknownPort()).isEqualTo(1);
    assertThat(socket.receivedBytes()).isEqualTo(18 + 18);
    give(host, toHost().ecn(Ecn.CE).build().frame(0, 0));
    assertThat(socket.ceMarks()).isEqualTo(1);
  }

  @Test
  void aChecksumOfZeroIsSentAsAllOnes() {
    Host host = host(config());
    UdpSocket socket = host.udp().bind(4_000, UdpReceiver.NONE);
    // Two bytes of data that make the sum all ones: what the checksum of a datagram with two zero
    // bytes says is missing.
    socket.send(IpAddress.of("10.0.0.2"), 53, new byte[2], 0, 2);
    byte[] filler = {sent(0)[40], sent(0)[41]};
    socket.send(IpAddress.of("10.0.0.2"), 53, filler, 0, 2);
    assertThat(sent(1)[40]).isEqualTo((byte) 0xff);
    assertThat(sent(1)[41]).isEqualTo((byte) 0xff);
  }

  @Test
  void framesCarryTheFlowAndTheTimeTheyLeft() {
    Host host = host(config().flowId(77));
    simulation.runUntil(123);
    send(host, "10.0.0.2", 53, "x");
    long tag = sink.captures().get(0).tag();
    assertThat(FlowTag.flowId(tag)).isEqualTo(77);
    assertThat(FlowTag.ageNanos(tag, 200)).isEqualTo(77);
    assertThat(host.statistics().sentFrames()).isEqualTo(1);
    assertThat(host.statistics().sentBytes()).isEqualTo(43);
  }

  @Test
  void anAnswerWithinTheCallThatSendsWaitsUntilThatIsDone() {
    Host a = host(config());
    Host b =
        new Host(simulation, HostConfig.named("b").macs(MAC_B, MAC_A).address("10.0.0.2").build());
    a.attach(b);
    b.attach(a);
    byte[] data = new byte[1];
    UdpSocket[] sockets = new UdpSocket[1];
    sockets[0] =
        a.udp().bind(1_000, (socket, packet, port, offset, length, now) -> got.add("answer"));
    b.udp()
        .bind(
            1_000,
            (socket, packet, port, offset, length, now) ->
                socket.send(packet.source(), port, data, 0, 1));
    sockets[0].send(IpAddress.of("10.0.0.2"), 1_000, data, 0, 1);
    got.add("sent");
    sockets[0].send(IpAddress.of("10.0.0.2"), 1_000, data, 0, 1);
    simulation.runUntil(0);
    assertThat(got).containsExactly("sent", "answer", "answer");
  }

  @Test
  void findsTheHostBehindTags() {
    CapturingSink other = new CapturingSink();
    HostDemultiplexer board = new HostDemultiplexer();
    Host host = host(config().vlans(100, 7));
    host.udp().bind(5_000, this::log);
    board.add(host);
    board.add(IpAddress.of("10.0.0.3"), other);
    byte[] frame = toHost().vlans(100, 7).frameBytes(80).build().frame(0, 0);
    board.receive(frame, 0, frame.length, 0, 0);
    frame = toHost().addresses("10.0.0.9", "10.0.0.3").build().frame(0, 0);
    board.receive(frame, 0, frame.length, 0, 0);
    frame =
        toHost()
            .addresses("2001:db8::9", "2001:db8::1")
            .vlans(100, 7)
            .frameBytes(80)
            .build()
            .frame(0, 0);
    board.receive(frame, 0, frame.length, 0, 0);
    assertThat(got).hasSize(2);
    assertThat(other.captures()).hasSize(1);
    for (int cut : new int[] {0, 12, 14, 33}) {
      board.receive(frame, 0, cut, 0, 0);
    }
    frame = toHost().addresses("10.0.0.9", "10.0.0.4").build().frame(0, 0);
    board.receive(frame, 0, frame.length, 0, 0);
    assertThat(board.unknownDestination()).isEqualTo(5);
    assertThatThrownBy(() -> board.add(host))
        .hasMessage("address 10.0.0.1: another host behind the same line has it");
  }

  @Test
  void refusesWhatCannotWork() {
    assertThatThrownBy(() -> HostConfig.named("a").build())
        .hasMessage("addresses of host a: must be at least one");
    assertThatThrownBy(() -> config().mtuBytes(1_279))
        .hasMessage("mtuBytes 1279 of host a: must be 1280..9000");
    assertThatThrownBy(() -> config().vlan(4_096))
        .hasMessage("vid 4096 of host a: must be 0..4095");
    assertThatThrownBy(() -> config().vlans(1, -1))
        .hasMessage("cVid -1 of host a: must be 0..4095");
    assertThatThrownBy(() -> config().macs(1L << 48, 0))
        .hasMessage("mac 281474976710656 of host a: must be 0..281474976710655");
    assertThatThrownBy(() -> config().flowId(1 << 20))
        .hasMessage("flowId 1048576 of host a: must be 0..1048575");
    Host host = new Host(simulation, config().build());
    UdpSocket socket = host.udp().bind(9, UdpReceiver.NONE);
    IpAddress to = IpAddress.of("10.0.0.2");
    assertThatThrownBy(() -> socket.send(to, 9, new byte[1], 0, 1))
        .hasMessage("host a is not attached: nowhere to send to");
    host.attach(sink);
    assertThatThrownBy(() -> socket.send(to, 9, new byte[2_000], 0, 1_473))
        .hasMessage("datagram of 1473 bytes: must be 0..1472");
    socket.send(to, 9, new byte[2_000], 0, 1_472);
    assertThat(sent(0)).hasSize(1_514);
    assertThatThrownBy(() -> socket.send(to, 0, new byte[1], 0, 1))
        .hasMessage("destinationPort 0: must be 1..65535");
    assertThatThrownBy(() -> socket.setTrafficClass(64, Ecn.CE))
        .hasMessage("dscp 64: must be 0..63");
    assertThatThrownBy(() -> host.udp().bind(9, UdpReceiver.NONE))
        .hasMessage("UDP port 9 of host a: in use");
    assertThatThrownBy(() -> host.udp().bind(65_536, UdpReceiver.NONE))
        .hasMessage("port 65536: must be 0..65535");
    socket.close();
    assertThatThrownBy(() -> socket.send(to, 9, new byte[1], 0, 1))
        .hasMessage("UDP port 9 of host a: closed");
    assertThat(host.udp().bind(9, UdpReceiver.NONE).port()).isEqualTo(9);
    assertThat(host.udp().bind(0, UdpReceiver.NONE).port()).isEqualTo(49_152);
    assertThat(host.udp().bind(0, UdpReceiver.NONE).port()).isEqualTo(49_153);
    assertThatThrownBy(() -> host.register(17, (packet, now) -> {}))
        .hasMessage("protocol 17 of host a: registered already");
    Host v6 = new Host(simulation, HostConfig.named("six").address("2001:db8::5").build());
    assertThatThrownBy(() -> v6.sourceFor(to))
        .hasMessage("destination 10.0.0.2: host six has no address of that family");
  }
}
