package net.sluice.emulator.netsim.host;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
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

  /** That of the frames of {@link FrameBuilder}, which hold UDP. */
  private static final int PROTOCOL = 17;

  private final Simulation simulation = new Simulation(1);
  private final CapturingSink sink = new CapturingSink();
  private final List<String> got = new ArrayList<>();

  private static HostConfig config() {
    return config(0, "10.0.0.1", "2001:db8::1");
  }

  private static HostConfig config(int flow, String... addresses) {
    return new HostConfig(
        "a", MAC_A, MAC_B, Stream.of(addresses).map(IpAddress::of).toList(), flow);
  }

  private Host host(HostConfig config) {
    Host host = new Host(simulation, config);
    host.attach(sink);
    return host;
  }

  private void log(IpPacket packet, long nowNanos) {
    got.add(
        "%s>%s %s ecn=%s"
            .formatted(
                packet.source(),
                packet.destination(),
                new String(
                    packet.bytes(), packet.payloadOffset(), packet.payloadLength(), US_ASCII),
                packet.ecnBits()));
  }

  /** Sends a text as a packet of protocol {@value #PROTOCOL}. */
  private static void send(Host host, String to, String text, int trafficClass) {
    IpAddress destination = IpAddress.of(to);
    IpAddress source = host.sourceFor(destination);
    byte[] bytes = text.getBytes(US_ASCII);
    System.arraycopy(bytes, 0, host.frameBuffer(), host.payloadStart(source.ipv6()), bytes.length);
    host.send(
        source, destination, PROTOCOL, bytes.length, trafficClass, host.simulation().nowNanos());
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
  void aPacketOverIpv4IsTheseBytes() {
    send(host(config()), "10.0.0.2", "hello", 0);
    assertThat(HexFormat.of().formatHex(sent(0)))
        .isEqualTo(
            "020000000002020000000001"
                + "0800"
                + "4500001900004000401126d2"
                + "0a0000010a000002"
                + "68656c6c6f");
  }

  @Test
  void aPacketOverIpv6IsTheseBytes() {
    send(host(config()), "2001:db8::2", "abc", 46 << 2 | Ecn.ECT_0.bits());
    assertThat(HexFormat.of().formatHex(sent(0)))
        .isEqualTo(
            "020000000002020000000001"
                + "86dd"
                + "6ba0000000031140"
                + "20010db8000000000000000000000001"
                + "20010db8000000000000000000000002"
                + "616263");
  }

  @Test
  void framesOfOneHostAreUnderstoodByAnother() {
    Host a = host(config());
    List<IpAddress> addresses = List.of(IpAddress.of("10.0.0.2"), IpAddress.of("2001:db8::2"));
    Host b = new Host(simulation, new HostConfig("b", MAC_B, MAC_A, addresses, 0));
    b.register(PROTOCOL, this::log);
    a.attach(b);
    send(a, "10.0.0.2", "xy", 10 << 2 | Ecn.ECT_1.bits());
    send(a, "2001:db8::2", "y", Ecn.CE.bits());
    assertThat(got)
        .containsExactly(
            "10.0.0.1>10.0.0.2 xy ecn=1", "2001:db8:0:0:0:0:0:1>2001:db8:0:0:0:0:0:2 y ecn=3");
  }

  @Test
  void everyFrameThatIsNotForTheHostIsCountedByItsReason() {
    Host host = host(config());
    host.register(PROTOCOL, this::log);
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
  void paddingBehindThePacketDoesNotBelongToIt() {
    Host host = host(config());
    host.register(PROTOCOL, this::log);
    byte[] frame = toHost().frameBytes(50).build().frame(0, 0);
    give(host, java.util.Arrays.copyOf(frame, 60));
    assertThat(got).hasSize(1);
    assertThat(got.get(0)).hasSize("10.0.0.9>10.0.0.1  ecn=0".length() + 50 - 34);
  }

  @Test
  void framesCarryTheFlowAndTheTimeTheyLeft() {
    Host host = host(config(77, "10.0.0.1"));
    simulation.runUntil(123);
    send(host, "10.0.0.2", "x", 0);
    long tag = sink.captures().get(0).tag();
    assertThat(FlowTag.flowId(tag)).isEqualTo(77);
    assertThat(FlowTag.ageNanos(tag, 200)).isEqualTo(77);
    assertThat(host.statistics().sentFrames()).isEqualTo(1);
    assertThat(host.statistics().sentBytes()).isEqualTo(35);
  }

  @Test
  void anAnswerWithinTheCallThatSendsWaitsUntilThatIsDone() {
    Host a = host(config());
    Host b =
        new Host(
            simulation, new HostConfig("b", MAC_B, MAC_A, List.of(IpAddress.of("10.0.0.2")), 0));
    a.attach(b);
    b.attach(a);
    a.register(PROTOCOL, (packet, now) -> got.add("answer"));
    b.register(PROTOCOL, (packet, now) -> send(b, "10.0.0.1", "x", 0));
    send(a, "10.0.0.2", "x", 0);
    got.add("sent");
    send(a, "10.0.0.2", "x", 0);
    simulation.runUntil(0);
    assertThat(got).containsExactly("sent", "answer", "answer");
  }

  @Test
  void findsTheHostBehindTags() {
    CapturingSink other = new CapturingSink();
    HostDemultiplexer board = new HostDemultiplexer();
    board.add(IpAddress.of("10.0.0.1"), sink);
    board.add(IpAddress.of("2001:db8::1"), sink);
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
    assertThat(sink.captures()).hasSize(2);
    assertThat(other.captures()).hasSize(1);
    for (int cut : new int[] {0, 12, 14, 33}) {
      board.receive(frame, 0, cut, 0, 0);
    }
    frame = toHost().addresses("10.0.0.9", "10.0.0.4").build().frame(0, 0);
    board.receive(frame, 0, frame.length, 0, 0);
    assertThat(board.unknownDestination()).isEqualTo(5);
    assertThatThrownBy(() -> board.add(host(config())))
        .hasMessage("address 10.0.0.1: another host behind the same line has it");
  }

  @Test
  void refusesWhatCannotWork() {
    assertThatThrownBy(() -> config(0)).hasMessage("addresses of host a: must be at least one");
    assertThatThrownBy(() -> new HostConfig("a", 1L << 48, 0, List.of(), 0))
        .hasMessage("mac 281474976710656 of host a: must be 0..281474976710655");
    assertThatThrownBy(() -> config(1 << 20, "10.0.0.1"))
        .hasMessage("flowId 1048576 of host a: must be 0..1048575");
    Host host = new Host(simulation, config());
    assertThatThrownBy(() -> send(host, "10.0.0.2", "x", 0))
        .hasMessage("host a is not attached: nowhere to send to");
    host.attach(sink);
    IpAddress to = IpAddress.of("10.0.0.2");
    assertThatThrownBy(() -> host.send(host.sourceFor(to), to, PROTOCOL, 1_481, 0, 0))
        .hasMessage("payloadBytes 1481: must be 0..1480");
    host.send(host.sourceFor(to), to, PROTOCOL, 1_480, 0, 0);
    assertThat(sent(0)).hasSize(1_514);
    host.register(PROTOCOL, this::log);
    assertThatThrownBy(() -> host.register(PROTOCOL, this::log))
        .hasMessage("protocol 17 of host a: registered already");
    Host v6 = new Host(simulation, config(0, "2001:db8::5"));
    assertThatThrownBy(() -> v6.sourceFor(to))
        .hasMessage("destination 10.0.0.2: host a has no address of that family");
  }
}
