package net.sluice.it.p4;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Expected;
import net.sluice.intents.plan.Plan;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.plan.Write;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Topology.Route;
import net.sluice.intents.profile.Topology.SwitchPort;
import net.sluice.intents.profile.UnknownTraffic;
import net.sluice.intents.state.InMemorySlaState;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.CounterCodec.Point;
import net.sluice.pipeconf.CounterCodec.Reading;
import net.sluice.pipeconf.CounterCodec.Reading.OfDrops;
import net.sluice.pipeconf.CounterCodec.Reading.OfSubscriber;
import net.sluice.pipeconf.DropReason;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.V1ModelPipeline;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Declarations of lines compiled onto the emulated switch: which tags and addresses a sender can
 * write to get out of the limit of its line. Two seconds of 500 packets of 500 bytes each second.
 */
class LimitedLineTest {
  private static final int ACCESS = 1;
  private static final int CORE = 2;
  private static final int FRAMES = 1_000;
  private static final long SPACING_MICROS = 2_000;
  private static final int FRAME_BYTES = 500;
  private static final long LIMIT_BPS = 64_000;
  private static final int HEADERS = 42;

  /**
   * Of the frames of two seconds: the meter's burst at the beginning, then 8,000 bytes a second.
   */
  private static final int PASSING = 38;

  private static final int ALICE = 1;
  private static final int BOB = 2;
  private static final int CAROL = 3;

  private EmulatedSwitch dut;

  @BeforeEach
  void start() {
    dut = EmulatedSwitch.start(V1ModelPipeline.load());
  }

  @AfterEach
  void stop() {
    dut.close();
  }

  private static Topology topology(UnknownTraffic unknown) {
    return new Topology(
        List.of(
            port(ACCESS, PortRole.ACCESS, Direction.UP).withUnknown(unknown),
            port(CORE, PortRole.CORE, Direction.DOWN)),
        Map.of(0, ACCESS),
        OptionalInt.empty(),
        OptionalInt.empty(),
        List.of(new Route(IpPrefix.parse("0.0.0.0/0"), CORE)));
  }

  private static SwitchPort port(int number, PortRole role, Direction direction) {
    return new SwitchPort(
        number, role, direction, 1_000_000_000L, number, 0x1000L + number, false, false);
  }

  /** Subscriber 1 with service VLAN 300 and a limit, 2 with a pair of it, 3 without tags. */
  private void declare(Topology topology) {
    SwitchPipeline program = V1ModelPipeline.load();
    Compiler compiler =
        new Compiler(topology, program.profile(), FpgaProfile.withClock(156_250_000));
    InMemorySlaState state = new InMemorySlaState(compiler);
    dut.control().insert(compiler.sharedEntries(state).map(Expected::entity).toList());
    put(compiler, state, new Policy("gold", BuiltInFunction.GOLD));
    put(compiler, state, subscriber("alice", "10.0.0.1/32", Optional.of(VlanTags.single(300))));
    put(compiler, state, subscriber("bob", "10.0.0.2/32", Optional.of(VlanTags.pair(300, 7))));
    put(compiler, state, subscriber("carol", "10.0.0.3/32", Optional.empty()));
    put(
        compiler,
        state,
        new RateLimit(
            "alice-up",
            new Scope.OfSubscriber("alice"),
            OptionalLong.empty(),
            OptionalLong.of(LIMIT_BPS),
            OptionalInt.empty(),
            Optional.of(Enforcement.POLICE)));
  }

  private void put(Compiler compiler, InMemorySlaState state, Declaration declaration) {
    try {
      Plan plan = compiler.compile(state, new Change.Put(declaration));
      for (Write<SwitchEntry> write : plan.writes(TargetKey.SWITCH)) {
        dut.control().write(dut.control().program().updates(write.op(), write.entity()));
      }
      state.apply(plan);
    } catch (Refusal refusal) {
      throw new AssertionError(declaration + " was refused", refusal);
    }
  }

  private static Subscriber subscriber(String id, String prefix, Optional<VlanTags> vlans) {
    return new Subscriber(id, "gold", List.of(IpPrefix.parse(prefix)), vlans, new Attachment(0, 0));
  }

  /** Sends two seconds of a frame from the line and returns how many come out at the core. */
  private long passing(TestFrame frame, int tagBytes) {
    TestFrame sent = frame.payload(TestFrame.udp(1, 2, FRAME_BYTES - HEADERS - tagBytes));
    assertThat(sent.length()).isEqualTo(FRAME_BYTES);
    long begin = dut.nowMicros() + 60_000_000;
    long passing = 0;
    for (int i = 0; i < FRAMES; i++) {
      passing += dut.passAt(begin + i * SPACING_MICROS, sent.at(ACCESS)).size();
    }
    return passing;
  }

  private void expect(
      String source, TestFrame frame, int tagBytes, long passing, Reading... counted) {
    CounterSnapshot before = CounterSnapshot.of(dut.control(), List.of(0, ALICE, BOB, CAROL));
    assertThat(passing(frame, tagBytes)).as(source).isEqualTo(passing);
    assertThat(CounterSnapshot.of(dut.control(), List.of(0, ALICE, BOB, CAROL)).since(before))
        .as(source)
        .isEqualTo(Set.of(counted));
  }

  private static Reading[] charged(int subscriber, long passing) {
    long policed = FRAMES - passing;
    Reading in = of(Point.IN, subscriber, FRAMES);
    Reading out = of(Point.OUT, subscriber, passing);
    return policed == 0
        ? new Reading[] {in, out}
        : new Reading[] {
          in,
          out,
          of(Point.POLICED, subscriber, policed),
          new OfDrops(DropReason.POLICED, policed, policed * FRAME_BYTES)
        };
  }

  private static Reading of(Point point, int subscriber, long packets) {
    return new OfSubscriber(point, subscriber, Direction.UP, packets, packets * FRAME_BYTES);
  }

  private static Reading dropped(DropReason reason) {
    return new OfDrops(reason, FRAMES, (long) FRAMES * FRAME_BYTES);
  }

  @Test
  void noTagAndNoAddressGetsASenderOutOfTheLimitOfItsServiceVlan() {
    declare(topology(UnknownTraffic.DROP));
    for (String source : List.of("10.0.0.1", "10.0.0.2", "10.0.0.3", "192.0.2.1")) {
      TestFrame frame = TestFrame.from(source, "198.51.100.1");
      expect(source, frame.tag(TestFrame.C_TAG, 300), 4, PASSING, charged(ALICE, PASSING));
      TestFrame inner = frame.tags(TestFrame.S_TAG, 300, 5);
      expect(source, inner, 8, PASSING, charged(ALICE, PASSING));
      // The pair is of another subscriber, who has no limit.
      TestFrame pair = frame.tags(TestFrame.S_TAG, 300, 7);
      expect(source, pair, 8, FRAMES, charged(BOB, FRAMES));
    }
  }

  @Test
  void addressOfASubscriberWithALineIsSpoofedOnTagsThatNobodyHas() {
    declare(topology(UnknownTraffic.DROP));
    TestFrame alice = TestFrame.from("10.0.0.1", "198.51.100.1");
    expect("untagged", alice, 0, 0, dropped(DropReason.SPOOFED_SOURCE));
    TestFrame tagged = alice.tag(TestFrame.C_TAG, 301);
    expect("301", tagged, 4, 0, dropped(DropReason.SPOOFED_SOURCE));
    TestFrame unknown = TestFrame.from("192.0.2.1", "198.51.100.1").tag(TestFrame.C_TAG, 301);
    expect("301", unknown, 4, 0, dropped(DropReason.NO_SUBSCRIBER));
    TestFrame carol = TestFrame.from("10.0.0.3", "198.51.100.1");
    expect("untagged", carol, 0, FRAMES, charged(CAROL, FRAMES));
  }

  @Test
  void portThatForwardsWhatBelongsToNoSubscriberStillDropsWhatIsSpoofed() {
    declare(topology(UnknownTraffic.FORWARD));
    TestFrame unknown = TestFrame.from("192.0.2.1", "198.51.100.1");
    expect("unknown", unknown, 0, FRAMES, charged(0, FRAMES));
    TestFrame alice = TestFrame.from("10.0.0.1", "198.51.100.1");
    expect("untagged", alice, 0, 0, dropped(DropReason.SPOOFED_SOURCE));
  }
}
