package net.sluice.it.p4;

import static net.sluice.it.p4.PipelineContract.dropped;
import static net.sluice.it.p4.PipelineContract.prefix;
import static net.sluice.it.p4.PipelineContract.unshaped;

import com.google.protobuf.ByteString;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.entry.queue.MirrorEntry;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.DropReason;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The program of a Tofino for wires, in its frame of v1model on the emulated switch. */
class TofinoWireTest implements WirePassageContract {
  private static final long SEED = 20_040;

  private static EmulatedSwitch dut;

  @BeforeAll
  static void start() {
    dut = EmulatedSwitch.start(TofinoModel.loadWire(), SEED);
    // Not one of a test's entries, which go with it.
    dut.control()
        .write(
            dut.control()
                .program()
                .updates(Op.INSERT, new MirrorEntry(TofinoModel.RECIRCULATION_PORT)));
  }

  @AfterAll
  static void stop() {
    dut.close();
  }

  @Override
  public EmulatedSwitch dut() {
    return dut;
  }

  /** What belongs to no subscriber is worth most anyway. */
  @Test
  void controlTrafficOfASubscriberIsNeverDroppedByValue() {
    int access = FIRST_END + 4;
    int core = FIRST_END + 5;
    congest(access, core);
    install(
        prefix("10.0.0.1/32", unshaped(1, 1, access)),
        prefix("2001:db8:1::/56", unshaped(1, 1, access)));
    for (ByteString bytes : WireContract.ofSubscribersLines()) {
      passes(bytes, Direction.UP, 1, access, core);
    }
    for (TestFrame frame : WireContract.ofSubscribersThatLookLikeControlTraffic()) {
      expectDrop(frame.at(access), dropped(DropReason.BELOW_THRESHOLD, 1, frame.length()));
    }
    ByteString answer =
        TestFrame.from("192.0.2.1", "10.0.0.1").payload(TestFrame.udp(67, 68, 240)).bytes();
    passes(answer, Direction.DOWN, 1, access, core);
  }

  @Test
  void aPortThatIsNoEndPassesNothing() {
    installWire();
    TestFrame frame = TestFrame.from("10.0.0.1", "198.51.100.1");
    expectDrop(frame.at(LINE_B), dropped(DropReason.UNKNOWN_PORT, 1, frame.length()));
  }
}
