package net.sluice.it.p4;

import static net.sluice.intents.value.Direction.DOWN;
import static net.sluice.it.p4.PipelineContract.forwarded;
import static net.sluice.it.p4.PipelineContract.oneBin;
import static net.sluice.it.p4.PipelineContract.prefix;
import static net.sluice.it.p4.PipelineContract.route;
import static net.sluice.it.p4.PipelineContract.unshaped;
import static net.sluice.it.p4.PipelineContract.value;
import static net.sluice.it.p4.TestFrame.C_TAG;
import static net.sluice.it.p4.TestFrame.S_TAG;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.forwarding.EncapsulationEntry;
import net.sluice.intents.plan.entry.marker.PolicyValueEntry;
import net.sluice.intents.plan.entry.marker.RandomRateEntry;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.plan.entry.subscriber.PortRoleEntry;
import org.junit.jupiter.api.Test;

/** Which value a packet gets, who may give it, and who sees it. */
interface PacketValueContract extends PipelineContract {

  @Test
  default void valueGoesToTheNextSwitchAndNowhereElse() {
    installPorts();
    install(
        oneBin(),
        value(1, 0x1234),
        prefix("10.0.0.1/32", unshaped(1, 1, NEXT_SWITCH)),
        prefix("10.0.0.2/32", unshaped(2, 1, LINE_A)),
        prefix("2001:db8:1::/56", unshaped(1, 1, NEXT_SWITCH)));
    for (TestFrame frame :
        List.of(
            TestFrame.from("203.0.113.1", "10.0.0.1"),
            TestFrame.from("203.0.113.1", "10.0.0.1").options(new byte[] {1, 1, 1, 0}),
            TestFrame.from("2001:db8:ffff::1", "2001:db8:1::1"))) {
      leaves(frame.at(CORE), forwarded(frame, NEXT_SWITCH).packetValue(0x1234).at(NEXT_SWITCH));
    }
    TestFrame local = TestFrame.from("203.0.113.1", "10.0.0.2");
    leaves(local.at(CORE), forwarded(local, LINE_A).at(LINE_A));
  }

  @Test
  default void valueStandsInFrontOfTheTags() {
    installPorts();
    install(
        oneBin(),
        value(1, 0xfedc),
        prefix("10.0.0.1/32", unshaped(1, 1, NEXT_SWITCH)),
        prefix("10.0.0.2/32", unshaped(2, 1, NEXT_SWITCH)),
        new EncapsulationEntry(1, VlanTags.single(11)),
        new EncapsulationEntry(2, VlanTags.pair(100, 7)));
    TestFrame single = TestFrame.from("203.0.113.1", "10.0.0.1");
    leaves(
        single.at(CORE),
        forwarded(single, NEXT_SWITCH).packetValue(0xfedc).tag(C_TAG, 0x2000 | 11).at(NEXT_SWITCH));
    TestFrame pair = TestFrame.from("203.0.113.1", "10.0.0.2");
    leaves(
        pair.at(CORE),
        forwarded(pair, NEXT_SWITCH)
            .packetValue(0xfedc)
            .tags(S_TAG, 0x2000 | 100, 0x2000 | 7)
            .at(NEXT_SWITCH));
  }

  @Test
  default void onlyATrunkIsBelieved() {
    installPorts();
    install(
        new PortRoleEntry(10, PortRole.ACCESS, DOWN),
        oneBin(),
        value(1, 0x1234),
        prefix("10.0.0.1/32", unshaped(1, 1, NEXT_SWITCH)));
    TestFrame frame = TestFrame.from("203.0.113.1", "10.0.0.1");
    for (int claimed : new int[] {0, 1, 0x8000, 0xffff}) {
      leaves(
          frame.packetValue(claimed).at(TRUNK),
          forwarded(frame, NEXT_SWITCH).packetValue(claimed).at(NEXT_SWITCH));
      for (int port : new int[] {CORE, FPGA_DOWN, 10}) {
        leaves(
            frame.packetValue(claimed).at(port),
            forwarded(frame, NEXT_SWITCH).packetValue(0x1234).at(NEXT_SWITCH));
      }
    }
    // A trunk's packet without a value is worth nothing; marking is the first switch's business.
    leaves(frame.at(TRUNK), forwarded(frame, NEXT_SWITCH).packetValue(0).at(NEXT_SWITCH));
  }

  @Test
  default void valueIsTakenOffTowardsSubscribersAndTheCore() {
    installPorts();
    install(prefix("10.0.0.1/32", unshaped(1, 0, LINE_A)), route("198.51.100.0/24", CORE));
    TestFrame down = TestFrame.from("203.0.113.1", "10.0.0.1");
    leaves(down.packetValue(9).at(TRUNK), forwarded(down, LINE_A).at(LINE_A));
    TestFrame up = TestFrame.from("10.0.0.9", "198.51.100.1");
    leaves(up.packetValue(0xffff).tags(S_TAG, 5, 6).at(LINE_A), forwarded(up, CORE).at(CORE));
  }

  @Test
  default void trafficOfNoSubscriberIsWorthNothing() {
    installPorts();
    install(
        oneBin(),
        value(1, 0x1234),
        prefix("10.0.0.1/32", unshaped(1, 1, LINE_A)),
        route("0.0.0.0/0", NEXT_SWITCH),
        route("::/0", NEXT_SWITCH));
    for (TestFrame frame :
        List.of(
            TestFrame.from("203.0.113.1", "192.0.2.1"),
            TestFrame.from("2001:db8::1", "2001:db8:1::1"))) {
      leaves(frame.at(CORE), forwarded(frame, NEXT_SWITCH).packetValue(0).at(NEXT_SWITCH));
      leaves(
          frame.packetValue(0xffff).at(LINE_A),
          forwarded(frame, NEXT_SWITCH).packetValue(0).at(NEXT_SWITCH));
    }
    TestFrame of1 = TestFrame.from("10.0.0.1", "192.0.2.1");
    leaves(of1.at(LINE_A), forwarded(of1, NEXT_SWITCH).packetValue(0x1234).at(NEXT_SWITCH));
  }

  @Test
  default void valueIsThePolicysForTheBin() {
    installPorts();
    install(
        oneBin(),
        value(1, 100),
        value(63, 6300),
        new PolicyValueEntry(1, ONLY_BIN - 1, 1),
        new PolicyValueEntry(1, ONLY_BIN + 1, 2),
        prefix("10.0.0.1/32", unshaped(1, 1, NEXT_SWITCH)),
        prefix("10.0.0.2/32", unshaped(2, 63, NEXT_SWITCH)),
        prefix("10.0.0.3/32", unshaped(3, 2, NEXT_SWITCH)));
    valueOf("10.0.0.1", 100);
    valueOf("10.0.0.2", 6300);
    valueOf("10.0.0.3", 0);
  }

  /** Whatever is drawn, the same number of bins is taken off. */
  @Test
  default void randomNumberTakesBinsOffTheRatesBin() {
    installPorts();
    dut().control().insert(everyRandomNumberTakes(300));
    install(
        oneBin(),
        value(1, 1),
        new PolicyValueEntry(1, ONLY_BIN - 300, 400),
        prefix("10.0.0.1/32", unshaped(1, 1, NEXT_SWITCH)));
    for (int i = 0; i < 20; i++) {
      valueOf("10.0.0.1", 400);
    }
  }

  @Test
  default void noBinIsBelowTheFirst() {
    installPorts();
    dut().control().insert(everyRandomNumberTakes(ONLY_BIN + 1));
    install(
        oneBin(),
        value(1, 1),
        new PolicyValueEntry(1, 0, 65_535),
        new PolicyValueEntry(1, 1023, 2),
        prefix("10.0.0.1/32", unshaped(1, 1, NEXT_SWITCH)));
    for (int i = 0; i < 20; i++) {
      valueOf("10.0.0.1", 65_535);
    }
  }

  private static List<SwitchEntry> everyRandomNumberTakes(int bins) {
    return List.of(
        new RandomRateEntry(bins, 0, 41_234),
        new RandomRateEntry(bins, 41_235, 41_235),
        new RandomRateEntry(bins, 41_236, 65_535));
  }

  /** The value that a packet to a destination gets. */
  default void valueOf(String destination, int expected) {
    TestFrame frame = TestFrame.from("203.0.113.1", destination);
    leaves(frame.at(CORE), forwarded(frame, NEXT_SWITCH).packetValue(expected).at(NEXT_SWITCH));
  }

  private void leaves(PortFrame in, PortFrame out) {
    assertThat(send(in).out()).as("what became of %s", in).containsExactly(List.of(out));
  }
}
