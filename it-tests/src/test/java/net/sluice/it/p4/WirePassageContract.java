package net.sluice.it.p4;

import static net.sluice.intents.value.Direction.DOWN;
import static net.sluice.intents.value.Direction.UP;
import static net.sluice.it.p4.PipelineContract.dropped;
import static net.sluice.it.p4.PipelineContract.in;
import static net.sluice.it.p4.PipelineContract.oneBin;
import static net.sluice.it.p4.PipelineContract.out;
import static net.sluice.it.p4.PipelineContract.prefix;
import static net.sluice.it.p4.PipelineContract.unshaped;
import static net.sluice.it.p4.PipelineContract.value;
import static net.sluice.it.p4.TestFrame.C_TAG;
import static net.sluice.it.p4.TestFrame.S_TAG;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.VlanTags;
import net.sluice.intents.plan.entry.queue.CongestionThresholdEntry;
import net.sluice.intents.plan.entry.queue.Gain;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.plan.entry.subscriber.SubscriberVlanEntry;
import net.sluice.intents.plan.entry.wire.WireEntry;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.DropReason;
import org.junit.jupiter.api.Test;

/**
 * A wire passes every frame as it is, and knows subscribers' packets behind tags, PPPoE and labels.
 */
interface WirePassageContract extends PipelineContract {
  int NOBODY = 5;
  Attachment TREE = new Attachment(5, 42);
  int LONGEST = 9_216;

  /** Thresholds outlive entries: each behaviour that has one has a wire of its own. */
  int FIRST_END = 30;

  String PPPOE = "8864 1100 0c1f 0048 ";
  String LABEL = "000100f0 ";
  String LAST_LABEL = "7d001f40 ";

  default void installWire() {
    installWire(LINE_A, CORE);
  }

  private void installWire(int access, int core) {
    install(new WireEntry(access, core, UP, NOBODY), new WireEntry(core, access, DOWN, NOBODY));
  }

  /** The packet of a frame behind something else than the frame's own tags and EtherType. */
  static ByteString behind(String header, TestFrame untagged) {
    ByteString bytes = untagged.bytes();
    return bytes.substring(0, 12).concat(hex(header)).concat(bytes.substring(14));
  }

  static ByteString hex(String text) {
    return ByteString.copyFrom(HexFormat.of().parseHex(text.replace(" ", "")));
  }

  /** A frame with these addresses and type, and some more bytes. */
  static ByteString frame(String destination, String typeAndMore) {
    return hex(destination + "02000000 0a01" + typeAndMore).concat(hex("00".repeat(46)));
  }

  /** The frame goes through as it is and is counted under an index. */
  default void passes(ByteString bytes, Direction direction, int index) {
    passes(bytes, direction, index, LINE_A, CORE);
  }

  default void passes(ByteString bytes, Direction direction, int index, int access, int core) {
    expect(
        new PortFrame(direction == UP ? access : core, bytes),
        new PortFrame(direction == UP ? core : access, bytes),
        in(index, direction, 1, bytes.size()),
        out(index, direction, 1, bytes.size()));
  }

  /** Neither the role of a port nor a subscriber has to be there. */
  @Test
  default void everyFramePassesAsItIs() {
    installWire();
    Random random = new Random(38);
    RandomFrames frames = new RandomFrames(38);
    List<PortFrame> sent = new ArrayList<>();
    List<List<PortFrame>> expected = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      ByteString bytes = i % 2 == 0 ? frames.next().bytes() : noise(random, i);
      int port = i % 3 == 0 ? CORE : LINE_A;
      sent.add(new PortFrame(port, bytes));
      expected.add(List.of(new PortFrame(port == CORE ? LINE_A : CORE, bytes)));
    }
    List<List<PortFrame>> out = PipelineContract.send(dut(), sent).out();
    List<String> wrong = new ArrayList<>();
    for (int i = 0; i < sent.size(); i++) {
      if (!out.get(i).equals(expected.get(i))) {
        wrong.add(sent.get(i) + " left as " + out.get(i));
      }
    }
    assertThat(wrong).isEmpty();
  }

  /** Random bytes, but that some begin as frames of what a wire reads. */
  private static ByteString noise(Random random, int number) {
    int length = number % 10 == 1 ? LONGEST : 1 + random.nextInt(number % 5 == 0 ? 1_600 : 90);
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    int[] types = {0x8847, 0x8864, 0x9100, 0x88a8, 0x8100, 0x0800, 0x86dd, 0x88b5};
    for (int at = 12; at + 1 < length && random.nextInt(4) != 0; at += 4) {
      int type = types[random.nextInt(types.length)];
      bytes[at] = (byte) (type >> 8);
      bytes[at + 1] = (byte) type;
    }
    return ByteString.copyFrom(bytes);
  }

  @Test
  default void subscribersAreKnownByTheirAddressesBehindTagsSessionsAndLabels() {
    installWire();
    install(
        prefix("10.0.0.1/32", unshaped(1, 0, LINE_A)),
        prefix("2001:db8:1::/56", unshaped(1, 0, LINE_A)));
    for (Direction direction : Direction.values()) {
      TestFrame v4 = between(direction, "10.0.0.1", "198.51.100.1").ttl(1);
      TestFrame v6 = between(direction, "2001:db8:1::9", "2001:db8:ffff::1").ttl(0);
      for (TestFrame frame : List.of(v4, v6)) {
        boolean isV4 = frame == v4;
        String type = isV4 ? "0800" : "86dd";
        String session = PPPOE + (isV4 ? "0021" : "0057");
        String tags = "88a8 f064 8100 7007 ";
        List<ByteString> all =
            List.of(
                frame.bytes(),
                frame.packetValue(0x1234).bytes(),
                frame.tag(C_TAG, 0x6fff).bytes(),
                frame.tags(S_TAG, 0xf064, 0x0007).bytes(),
                behind("9100 2064 9100 4007" + type, frame),
                behind("88a8 2064 88a8 4007" + type, frame),
                behind("8100 2064 9100 4007" + type, frame),
                behind(session, frame),
                behind(tags + session, frame),
                behind("9100 2064" + session, frame),
                behind("8847" + LAST_LABEL, frame),
                behind("8847" + LABEL + LAST_LABEL, frame),
                behind("8847" + LABEL + LABEL + LAST_LABEL, frame),
                behind(tags + "8847" + LABEL + LAST_LABEL, frame));
        all.forEach(bytes -> passes(bytes, direction, 1));
        List<ByteString> unread =
            List.of(
                // A fourth label, a third tag, another protocol of PPP.
                behind("8847" + LABEL + LABEL + LABEL + LAST_LABEL, frame),
                behind("88a8 0064 8100 0007 8100 0008" + type, frame),
                behind(PPPOE + "0023", frame),
                // A pseudowire, by its control word.
                behind("8847" + LAST_LABEL + "00000000", frame));
        unread.forEach(bytes -> passes(bytes, direction, NOBODY));
      }
    }
  }

  private static TestFrame between(Direction direction, String subscriber, String other) {
    return direction == UP ? TestFrame.from(subscriber, other) : TestFrame.from(other, subscriber);
  }

  @Test
  default void fragmentsOptionsAndExtensionHeadersAreTheirSendersToo() {
    installWire();
    install(
        prefix("10.0.0.1/32", unshaped(1, 0, LINE_A)),
        prefix("2001:db8:1::/56", unshaped(1, 0, LINE_A)));
    TestFrame v4 = TestFrame.from("10.0.0.1", "198.51.100.1");
    TestFrame v6 = TestFrame.from("2001:db8:1::9", "2001:db8:ffff::1");
    passes(v4.fragment(0, true).bytes(), UP, 1);
    passes(v4.fragment(185, false).bytes(), UP, 1);
    passes(v4.options(new byte[] {7, 3, 4, 0}).bytes(), UP, 1);
    for (int header : new int[] {0, 43, 44, 60, 50, 51, 58, 59}) {
      passes(v6.protocol(header).bytes(), UP, 1);
    }
    // What is wrong about a header says nothing of whose it is, and is left to the receiver.
    passes(v4.checksumError(0x10).bytes(), UP, NOBODY);
    passes(v4.bytes().substring(0, 33), UP, NOBODY);
  }

  /** Frames have the tags of their line both ways. */
  @Test
  default void subscribersAreKnownByTheirLinesBothWays() {
    installWire();
    SubscriberData line = new SubscriberData(2, 0, LINE_A, 0, false, false, true);
    SubscriberData service = new SubscriberData(3, 0, LINE_A, 0, false, false, true);
    install(
        new SubscriberVlanEntry(LINE_A, VlanTags.pair(100, 7), line),
        new SubscriberVlanEntry(LINE_A, VlanTags.single(300), service),
        prefix("10.0.0.2/32", line),
        prefix("10.0.0.4/32", unshaped(4, 0, LINE_B)),
        prefix("10.0.0.1/32", unshaped(1, 0, LINE_A)));
    for (Direction direction : Direction.values()) {
      TestFrame own = between(direction, "10.0.0.2", "198.51.100.1");
      TestFrame any = between(direction, "192.0.2.77", "198.51.100.1");
      passes(own.tags(S_TAG, 0x2064, 7).bytes(), direction, 2);
      passes(any.tags(S_TAG, 100, 7).bytes(), direction, 2);
      passes(behind("88a8 0064 8100 0007" + PPPOE + "0021", any), direction, 2);
      passes(any.tag(C_TAG, 300).bytes(), direction, 3);
      passes(any.tags(S_TAG, 300, 9).bytes(), direction, 3);
      passes(any.tags(S_TAG, 100, 8).bytes(), direction, NOBODY);
    }
    // A frame whose line does not vouch for its source address passes and is charged to no
    // subscriber.
    passes(TestFrame.from("10.0.0.2", "198.51.100.1").bytes(), UP, NOBODY);
    passes(TestFrame.from("10.0.0.4", "198.51.100.1").bytes(), UP, NOBODY);
    passes(TestFrame.from("198.51.100.1", "10.0.0.2").bytes(), DOWN, 2);
  }

  /** Drops what is worth less than nearly everything at one end of a wire. */
  default void congest(int access, int core) {
    installWire(access, core);
    long idleMicros = dut().control().program().neverIdleMicros();
    install(
        new CongestionThresholdEntry(core, Gain.FAST, 0, 0, 0, idleMicros, 0xffff_ffffL),
        oneBin(),
        value(1, 100),
        value(2, 0xfffe));
    // Without patience, every packet raises the threshold.
    ByteString arp = frame("ffffffff ffff", "0806");
    for (int i = 0; i < 600; i++) {
      dut().pass(List.of(new PortFrame(access, arp)));
    }
  }

  @Test
  default void whatIsWorthLessIsDroppedOrMarkedAndItsChecksumKept() {
    int access = FIRST_END;
    int core = FIRST_END + 1;
    congest(access, core);
    install(
        prefix("10.0.0.1/32", unshaped(1, 1, access)),
        prefix("2001:db8:1::/56", unshaped(1, 1, access)));
    TestFrame v4 = TestFrame.from("10.0.0.1", "198.51.100.1");
    TestFrame v6 = TestFrame.from("2001:db8:1::9", "2001:db8:ffff::1");
    ByteString poor = behind(PPPOE + "0021", v4);
    expectDrop(
        new PortFrame(access, poor),
        in(1, UP, 1, poor.size()),
        dropped(DropReason.BELOW_THRESHOLD, 1, poor.size()));
    for (TestFrame frame : List.of(v4, v6, v4.options(new byte[] {1, 7, 1, 0}), v4.ttl(0))) {
      String header = "8847" + LABEL + LAST_LABEL;
      for (int ecn : new int[] {TestFrame.ECT0, TestFrame.ECT1, TestFrame.CE}) {
        assertThat(send(new PortFrame(access, behind(header, frame.ecn(ecn)))).out())
            .containsExactly(List.of(new PortFrame(core, behind(header, frame.ecn(TestFrame.CE)))));
      }
    }
  }

  /** Frames that another library makes (frames.py beside the file). */
  @Test
  default void twoHundredFramesOfAnotherLibraryPassAndAreKnown() throws IOException {
    SubscriberData line = new SubscriberData(2, 0, LINE_A, 0, false, false, true);
    SubscriberData service = new SubscriberData(3, 0, LINE_A, 0, false, false, true);
    installWire();
    install(
        prefix("10.0.0.1/32", unshaped(1, 0, LINE_A)),
        prefix("2001:db8:1::/56", unshaped(1, 0, LINE_A)),
        new SubscriberVlanEntry(LINE_A, VlanTags.pair(100, 7), line),
        new SubscriberVlanEntry(LINE_A, VlanTags.single(300), true, service));
    Map<String, Integer> owners = Map.of("alice", 1, "bob", 2, "carol", 3, "nobody", NOBODY);
    List<String> frames;
    try (InputStream in = WirePassageContract.class.getResourceAsStream("/wire/frames.txt")) {
      frames = new String(in.readAllBytes(), StandardCharsets.US_ASCII).lines().toList();
    }
    assertThat(frames).hasSize(200);
    List<String> wrong = new ArrayList<>();
    for (String each : frames) {
      String[] fields = each.split(" ");
      ByteString bytes = hex(fields[3]);
      Direction direction = fields[1].equals("up") ? UP : DOWN;
      int index = owners.get(fields[2]);
      Outcome outcome = send(new PortFrame(direction == UP ? LINE_A : CORE, bytes));
      if (!outcome.out().equals(List.of(List.of(at(direction, bytes))))) {
        wrong.add(fields[0] + " left as " + outcome.out());
      } else if (!outcome
          .counted()
          .equals(
              counted(
                  in(index, direction, 1, bytes.size()), out(index, direction, 1, bytes.size())))) {
        wrong.add(fields[0] + " was counted as " + outcome.counted());
      }
    }
    assertThat(wrong).isEmpty();
  }

  /** The frame as it leaves. */
  private static PortFrame at(Direction direction, ByteString bytes) {
    return new PortFrame(direction == UP ? CORE : LINE_A, bytes);
  }
}
