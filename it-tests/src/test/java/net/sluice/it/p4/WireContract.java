package net.sluice.it.p4;

import static net.sluice.intents.value.Direction.DOWN;
import static net.sluice.intents.value.Direction.UP;
import static net.sluice.it.p4.PipelineContract.dropped;
import static net.sluice.it.p4.PipelineContract.in;
import static net.sluice.it.p4.PipelineContract.policed;
import static net.sluice.it.p4.PipelineContract.prefix;
import static net.sluice.it.p4.PipelineContract.suspended;
import static net.sluice.it.p4.PipelineContract.unshaped;
import static net.sluice.it.p4.WirePassageContract.behind;
import static net.sluice.it.p4.WirePassageContract.frame;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.sluice.intents.plan.entry.limit.MeterSetting;
import net.sluice.intents.plan.entry.limit.SubscriberMeterEntry;
import net.sluice.intents.plan.entry.limit.UnknownMeterEntry;
import net.sluice.intents.plan.entry.wire.UnknownPolicyEntry;
import net.sluice.pipeconf.DropReason;
import org.junit.jupiter.api.Test;

/**
 * What a wire does on a switch that limits: what belongs to no subscriber is one sender, with a
 * policy and a limit of its own, which control traffic passes by.
 */
interface WireContract extends WirePassageContract {
  @Test
  default void subscribersAreLimitedAndStoppedThere() {
    TestFrame down = TestFrame.from("203.0.113.1", "10.0.0.1");
    ByteString bytes = behind(PPPOE + "0021", down);
    installWire();
    install(
        prefix("10.0.0.1/32", unshaped(1, 0, LINE_A)),
        prefix("10.0.0.2/32", unshaped(2, 255, LINE_A)),
        new SubscriberMeterEntry(
            1, DOWN, TREE, Optional.of(new MeterSetting(8, 2L * bytes.size()))));
    passes(bytes, DOWN, 1);
    passes(bytes, DOWN, 1);
    expectDrop(
        new PortFrame(CORE, bytes),
        in(1, DOWN, 1, bytes.size()),
        policed(1, DOWN, 1, bytes.size()),
        dropped(DropReason.POLICED, 1, bytes.size()));
    TestFrame stopped = TestFrame.from("10.0.0.2", "198.51.100.1");
    expectDrop(
        stopped.at(LINE_A),
        suspended(2, UP, 1, stopped.length()),
        dropped(DropReason.SUSPENDED, 1, stopped.length()));
  }

  /** A wire takes nothing from what it does not know, unless it is told to. */
  @Test
  default void whatBelongsToNobodyIsWorthMostUnlessItHasAPolicy() {
    int access = FIRST_END + 2;
    int core = FIRST_END + 3;
    congest(access, core);
    ByteString frame = TestFrame.from("192.0.2.1", "198.51.100.1").bytes();
    passes(frame, UP, NOBODY, access, core);
    install(new UnknownPolicyEntry(access, 1));
    expectDrop(
        new PortFrame(access, frame),
        in(NOBODY, UP, 1, frame.size()),
        dropped(DropReason.BELOW_THRESHOLD, 1, frame.size()));
    passes(frame, DOWN, NOBODY, access, core);
  }

  @Test
  default void controlTrafficIsNeverDroppedByValueNorByTheLimitOfWhatBelongsToNobody() {
    int access = FIRST_END + 4;
    int core = FIRST_END + 5;
    congest(access, core);
    install(
        new UnknownPolicyEntry(access, 1),
        new UnknownMeterEntry(access, Optional.of(new MeterSetting(8, 8))),
        prefix("10.0.0.1/32", unshaped(1, 1, access)),
        prefix("2001:db8:1::/56", unshaped(1, 1, access)));
    ByteString plain = TestFrame.from("192.0.2.1", "198.51.100.1").bytes();
    expectDrop(
        new PortFrame(access, plain),
        in(NOBODY, UP, 1, plain.size()),
        policed(NOBODY, UP, 1, plain.size()),
        dropped(DropReason.POLICED, 1, plain.size()));
    for (ByteString bytes : controlFrames()) {
      passes(bytes, UP, NOBODY, access, core);
    }
    for (ByteString bytes : ofSubscribersLines()) {
      passes(bytes, UP, 1, access, core);
    }
    for (TestFrame frame : ofSubscribersThatLookLikeControlTraffic()) {
      expectDrop(
          frame.at(access),
          in(1, UP, 1, frame.length()),
          dropped(DropReason.BELOW_THRESHOLD, 1, frame.length()));
    }
  }

  private static List<ByteString> controlFrames() {
    TestFrame v4 = TestFrame.from("192.0.2.1", "192.0.2.2");
    TestFrame v6 = TestFrame.from("fe80::1", "fe80::2");
    List<ByteString> all =
        new ArrayList<>(
            List.of(
                // ARP, PPPoE discovery, LLDP, LACP, STP, IS-IS, CDP, EAPOL.
                frame("ffffffff ffff", "0806"),
                frame("ffffffff ffff", "88a8 0064 8100 0007 0806"),
                frame("ffffffff ffff", "8863 1109"),
                frame("0180c200 000e", "88cc"),
                frame("0180c200 0002", "8809 01"),
                frame("0180c200 0000", "0026 424203"),
                frame("01000ccc cccd", "0032 aaaa03"),
                frame("0180c200 0015", "05d4 fefe03"),
                frame("09002b00 0005", "0064 fefe03"),
                frame("0180c200 0003", "888e 02"),
                // LCP, PAP and IPCP in a session.
                frame("02000000 0b02", PPPOE + "c021"),
                frame("02000000 0b02", "88a8 0064 8100 0007" + PPPOE + "c023"),
                frame("02000000 0b02", PPPOE + "8021")));
    // OSPF, BGP both ways, BFD of one hop and several, LDP, DHCP.
    all.add(v4.protocol(89).bytes());
    all.add(v4.protocol(6).payload(TestFrame.tcp(40_000, 179, 19)).bytes());
    all.add(v4.protocol(6).payload(TestFrame.tcp(179, 40_000, 19)).bytes());
    all.add(v4.protocol(6).payload(TestFrame.tcp(646, 40_000, 19)).bytes());
    for (int port : new int[] {3784, 3785, 4784, 646, 67, 68}) {
      all.add(v4.payload(TestFrame.udp(49_152, port, 24)).bytes());
      all.add(behind("8847" + LAST_LABEL, v4.payload(TestFrame.udp(49_152, port, 24))));
    }
    all.add(TestFrame.from("192.0.2.1", "224.0.0.18").protocol(112).bytes());
    all.add(v6.payload(TestFrame.udp(546, 547, 24)).bytes());
    all.add(TestFrame.from("2001:db8::1", "2001:db8::2").protocol(89).bytes());
    for (int type = 133; type <= 137; type++) {
      all.add(discovery(TestFrame.from("2001:db8::1", "2001:db8::2"), type).bytes());
    }
    return all;
  }

  /** Neighbour discovery, and DHCP that stays on the link. */
  static List<ByteString> ofSubscribersLines() {
    return List.of(
        discovery(TestFrame.from("2001:db8:1::9", "2001:db8:ffff::1"), 135).bytes(),
        TestFrame.from("10.0.0.1", "255.255.255.255").payload(TestFrame.udp(68, 67, 240)).bytes(),
        TestFrame.from("2001:db8:1::9", "ff02::1:2").payload(TestFrame.udp(546, 547, 24)).bytes());
  }

  /** Otherwise a subscriber could avoid its limit by sending to a port of a routing protocol. */
  static List<TestFrame> ofSubscribersThatLookLikeControlTraffic() {
    TestFrame v4 = TestFrame.from("10.0.0.1", "198.51.100.1");
    return List.of(
        v4.protocol(6).payload(TestFrame.tcp(40_000, 179, 1_400)),
        v4.protocol(89),
        v4.payload(TestFrame.udp(49_152, 3784, 1_400)),
        v4.payload(TestFrame.udp(68, 67, 1_400)),
        discovery(TestFrame.from("2001:db8:1::9", "2001:db8:ffff::1"), 135).ttl(254),
        discovery(TestFrame.from("2001:db8:1::9", "2001:db8:ffff::1"), 128));
  }

  private static TestFrame discovery(TestFrame frame, int type) {
    byte[] message = new byte[24];
    message[0] = (byte) type;
    return frame.ttl(255).protocol(58).payload(message);
  }

  /** What only a wire reads is no more routed than before. */
  @Test
  default void portsThatRouteTakeNoneOfIt() {
    installPorts();
    install(PipelineContract.route("0.0.0.0/0", CORE));
    TestFrame frame = TestFrame.from("10.0.0.9", "198.51.100.1");
    for (String header :
        List.of(
            PPPOE + "0021", "8847" + LAST_LABEL, "9100 0064 0800", "88a8 0064 88a8 0007 0800")) {
      for (TestFrame each : List.of(frame, frame.checksumError(1))) {
        ByteString bytes = behind(header, each);
        expectDrop(new PortFrame(LINE_A, bytes), dropped(DropReason.NOT_IP, 1, bytes.size()));
      }
    }
  }
}
