package net.sluice.lab.experiment.calm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import net.sluice.emulator.netsim.traffic.Ecn;
import net.sluice.emulator.netsim.traffic.FrameBuilder;
import net.sluice.emulator.switching.InternetChecksum;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class IpFrameTest {

  private static FrameBuilder ipv4() {
    return new FrameBuilder().addresses("10.0.0.1", "10.0.0.2").frameBytes(200);
  }

  private static FrameBuilder ipv6() {
    return new FrameBuilder().addresses("2001:db8::1", "2001:db8::2").frameBytes(200);
  }

  private static long hash(byte[] frame) {
    return IpFrame.flowHash(frame, frame.length, 1);
  }

  private static byte[] frame(FrameBuilder builder) {
    return builder.build().frame(1, 1);
  }

  @Test
  void aFlowIsItsAddressesProtocolAndPorts() {
    for (boolean six : new boolean[] {false, true}) {
      String from = six ? "2001:db8::1" : "10.0.0.1";
      String other = six ? "2001:db8::3" : "10.0.0.3";
      String to = six ? "2001:db8::2" : "10.0.0.2";
      Set<Long> flows = new HashSet<>();
      flows.add(hash(frame(six ? ipv6() : ipv4())));
      flows.add(hash(frame(new FrameBuilder().addresses(other, to))));
      flows.add(hash(frame(new FrameBuilder().addresses(from, other))));
      flows.add(hash(frame(new FrameBuilder().addresses(from, to).ports(1, 5_001))));
      flows.add(hash(frame(new FrameBuilder().addresses(from, to).ports(5_000, 1))));
      byte[] tcp = frame(six ? ipv6() : ipv4());
      tcp[six ? 20 : 23] = 6;
      flows.add(hash(tcp));
      assertThat(flows).hasSize(6);
      byte[] same = new FrameBuilder().addresses(from, to).frameBytes(1_000).build().frame(2, 7);
      assertThat(flows).contains(hash(same));
      assertThat(IpFrame.flowHash(same, same.length, 2)).isNotEqualTo(hash(same));
    }
  }

  @Test
  void partsOfAPacketBeyondTheFirstHaveNoPorts() {
    byte[] part = frame(ipv4());
    part[21] = 100;
    byte[] other = part.clone();
    other[35] = 99;
    assertThat(hash(other)).isEqualTo(hash(part));
  }

  @ParameterizedTest
  @EnumSource(Ecn.class)
  void codepointsAreReadAndCeIsSet(Ecn codepoint) {
    for (FrameBuilder builder : new FrameBuilder[] {ipv4(), ipv6()}) {
      byte[] frame = frame(builder.dscp(46).ecn(codepoint));
      byte[] expected = frame(builder.ecn(Ecn.CE));
      assertThat(IpFrame.ecn(frame, frame.length)).isEqualTo(codepoint);
      IpFrame.mark(frame, frame.length);
      assertThat(frame).isEqualTo(expected);
    }
    byte[] frame = frame(ipv4().ecn(codepoint));
    IpFrame.mark(frame, frame.length);
    assertThat(InternetChecksum.finish(InternetChecksum.sum(frame, 14, 20))).isZero();
  }

  @Test
  void whatIsNotIpIsOneFlowAndNotEcnCapable() {
    byte[] arp = frame(ipv4().ecn(Ecn.ECT_0));
    arp[13] = 6;
    byte[] other = frame(ipv6().ecn(Ecn.ECT_0));
    other[12] = 8;
    other[13] = 6;
    assertThat(hash(arp)).isEqualTo(hash(other));
    assertThat(IpFrame.ecn(arp, arp.length)).isEqualTo(Ecn.NOT_ECT);
    byte[] empty = new byte[0];
    assertThat(hash(empty)).isEqualTo(hash(arp));
    assertThat(IpFrame.ecn(empty, 0)).isEqualTo(Ecn.NOT_ECT);
  }
}
