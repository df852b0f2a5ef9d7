package net.sluice.it.p4;

import static net.sluice.it.p4.PipelineContract.LINE_A;
import static net.sluice.it.p4.PipelineContract.forwarded;
import static net.sluice.it.p4.PipelineContract.prefix;
import static net.sluice.it.p4.PipelineContract.unshaped;
import static net.sluice.it.p4.ShapedSwitch.DEFAULT;
import static net.sluice.it.p4.ShapedSwitch.MILLI;
import static net.sluice.it.p4.ShapedSwitch.SECOND;
import static net.sluice.it.p4.ShapedSwitch.udp;
import static net.sluice.it.p4.TestFrame.CE;
import static net.sluice.it.p4.TestFrame.ECT0;
import static net.sluice.it.p4.TestFrame.ECT1;
import static net.sluice.it.p4.TestFrame.NOT_ECT;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import net.sluice.intents.plan.entry.limit.WaitSetting;
import net.sluice.it.p4.ShapedSwitch.Passed;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** All forms of packets under a shaped limit: as light flows, marked, and otherwise unchanged. */
class LimitedFramesTest {
  private static final long LIMIT_BPS = 4_000_000;
  private static final long LOOP_BPS = 40_000_000;
  private static final String V6 = "2001:db8::1";
  private static final String V6_FROM = "2001:db8:ffff::1";

  /** Forms of a packet of about 1,000 bytes to the first subscriber there is. */
  private enum Form {
    UDP(udp(1, 4_000, 1_000)),
    TCP(v4().protocol(6).payload(TestFrame.tcp(4_000, 443, 940))),
    ICMP(v4().protocol(1).payload(new byte[960])),
    OPTIONS(v4().options(new byte[] {1, 1, 1, 1, 1, 1, 1, 0}).payload(TestFrame.udp(1, 2, 940))),
    FIRST_FRAGMENT(v4().fragment(0, true).payload(TestFrame.udp(4_000, 443, 952))),
    FRAGMENT(v4().fragment(120, false).payload(new byte[960])),
    TAGGED(udp(1, 4_001, 1_000).tag(TestFrame.C_TAG, 7)),
    TWO_TAGS(udp(1, 4_002, 1_000).tags(TestFrame.S_TAG, 100, 7)),
    V6_UDP(TestFrame.from(V6_FROM, V6).payload(TestFrame.udp(4_000, 443, 930))),
    V6_TCP(TestFrame.from(V6_FROM, V6).protocol(6).payload(TestFrame.tcp(4_000, 443, 920))),
    V6_HOP_BY_HOP(TestFrame.from(V6_FROM, V6).protocol(0).payload(new byte[940])),
    V6_TAGGED(
        TestFrame.from(V6_FROM, V6)
            .payload(TestFrame.udp(4_003, 443, 930))
            .tag(TestFrame.C_TAG, 7));

    private final TestFrame frame;

    Form(TestFrame frame) {
      this.frame = frame;
    }

    private static TestFrame v4() {
      return TestFrame.from("203.0.113.1", "10.0.0.1");
    }
  }

  private static ShapedSwitch dut;
  private static int subscriber;

  @BeforeAll
  static void start() {
    dut = new ShapedSwitch(LOOP_BPS);
    int policy = dut.policy(DEFAULT, true);
    subscriber = dut.subscriber(policy, LIMIT_BPS, WaitSetting.OF_POLICY);
    dut.insert(prefix(V6 + "/128", unshaped(subscriber, policy, LINE_A)));
  }

  @AfterEach
  void drain() {
    dut.runUntil(dut.now() + 2 * SECOND);
  }

  @AfterAll
  static void stop() {
    dut.close();
  }

  private static ByteString leaves(TestFrame frame, int number) {
    return ShapedSwitch.expected(forwarded(frame.untagged(), LINE_A), number);
  }

  /** Beside a flood a packet of its own flow each 40 ms goes at once, as it came. */
  @ParameterizedTest
  @EnumSource
  void lightFlowOfAnyFormGoesFirst(Form form) {
    byte[] flood = ShapedSwitch.bytes(udp(subscriber, 7, 1_000));
    for (int i = 0; i < 200; i++) {
      dut.send(flood);
      dut.runUntil(dut.now() + MILLI);
      if (i % 40 == 39) {
        long sent = dut.now();
        int number = dut.send(ShapedSwitch.bytes(form.frame));
        dut.runUntil(dut.now() + MILLI);
        assertThat(dut.passed(number)).isNotNull();
        assertThat(dut.passed(number).nanos()).isEqualTo(sent);
        assertThat(dut.passed(number).bytes()).isEqualTo(leaves(form.frame, number));
      }
    }
  }

  /** A burst of a scalable sender: from the fifth packet on all are marked, and all is right. */
  @ParameterizedTest
  @EnumSource
  void scalablePacketsOfAnyFormAreMarked(Form form) {
    TestFrame frame = form.frame.ecn(ECT1);
    int before = dut.passed().size();
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      numbers.add(dut.send(ShapedSwitch.bytes(frame)));
    }
    dut.runUntil(dut.now() + SECOND);
    assertThat(dut.passed().subList(before, dut.passed().size()))
        .extracting(Passed::number)
        .containsExactlyElementsOf(numbers);
    for (int number : numbers.subList(0, 2)) {
      assertThat(dut.passed(number).bytes()).isEqualTo(leaves(frame, number));
    }
    for (int number : numbers.subList(4, 20)) {
      assertThat(dut.passed(number).bytes()).isEqualTo(leaves(frame.ecn(CE), number));
    }
  }

  /** CoDel's marks of what waits; the same packets not ECN-capable are dropped. */
  @ParameterizedTest
  @EnumSource
  void classicPacketsOfAnyFormAreMarkedOrDropped(Form form) {
    int marked = 0;
    TestFrame frame = form.frame.ecn(ECT0);
    for (int number : overload(frame)) {
      ByteString bytes = dut.passed(number).bytes();
      boolean isMarked = bytes.equals(leaves(frame.ecn(CE), number));
      assertThat(isMarked || bytes.equals(leaves(frame, number)))
          .as("packet %s: %s", number, dut.passed(number))
          .isTrue();
      marked += isMarked ? 1 : 0;
    }
    assertThat(marked).isBetween(2, 20);
    dut.runUntil(dut.now() + 3 * SECOND);
    TestFrame deaf = form.frame.ecn(NOT_ECT);
    int dropped = 0;
    for (int number : overload(deaf)) {
      Passed passed = dut.passed(number);
      dropped += passed == null ? 1 : 0;
      if (passed != null) {
        assertThat(passed.bytes()).isEqualTo(leaves(deaf, number));
      }
    }
    assertThat(dropped).isBetween(2, 20);
  }

  /** 1.25 times the limit for 0.3 s. */
  private List<Integer> overload(TestFrame frame) {
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < 190; i++) {
      numbers.add(dut.send(ShapedSwitch.bytes(frame)));
      dut.runUntil(dut.now() + 1_600_000);
    }
    dut.runUntil(dut.now() + SECOND);
    return numbers;
  }
}
