package net.sluice.it.p4;

import static net.sluice.it.p4.PipelineContract.CORE;
import static net.sluice.it.p4.PipelineContract.LINE_A;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.sluice.emulator.server.EmbeddedSwitch;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.limit.LoopPortEntry;
import net.sluice.intents.plan.entry.limit.PolicyDelayEntry;
import net.sluice.intents.plan.entry.limit.PolicyFlowsEntry;
import net.sluice.intents.plan.entry.limit.PortLimitEntry;
import net.sluice.intents.plan.entry.limit.RateWord;
import net.sluice.intents.plan.entry.limit.SubscriberLimitEntry;
import net.sluice.intents.plan.entry.limit.TreeLimitEntry;
import net.sluice.intents.plan.entry.limit.WaitSetting;
import net.sluice.intents.plan.entry.limit.WaitSetting.Managed;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.CounterCodec.Reading.OfDrops;
import net.sluice.pipeconf.DropReason;
import net.sluice.pipeconf.V1ModelPipeline;

/**
 * An emulated switch that shapes, in virtual time, for the tests of a class one after the other:
 * each has policies, subscribers and trees of its own. Packets come in at the core and leave by
 * {@link PipelineContract#LINE_A}; each carries its number in its last four bytes.
 */
final class ShapedSwitch implements AutoCloseable {
  private static final long BUFFER_BYTES = 15_000_000;
  static final long MICRO = 1_000;
  static final long MILLI = 1_000_000;
  static final long SECOND = 1_000_000_000;

  /** RFC 8289's target and interval, marks of RFC 3168, and no longest wait. */
  static final WaitSetting CODEL =
      new WaitSetting(0, Managed.CODEL, 5 * (int) MILLI, 100_000, true, false);

  static final WaitSetting NONE = new WaitSetting(0, Managed.NONE, 0, 0, false, false);

  /** As a switch has it by default. */
  static final WaitSetting DEFAULT =
      new WaitSetting(100 * MILLI, Managed.CODEL, 5 * (int) MILLI, 100_000, true, true);

  private static final Attachment UNLIMITED_TREE = new Attachment(0, 0);
  private static final int PIPES = 4;
  private static final int FIRST_LOOP = 500;
  private static final int NUMBER_BYTES = 4;

  /** A packet that left, and when. */
  record Passed(int number, long nanos, ByteString bytes) {}

  private final FramesThrough network = new FramesThrough(0);
  private final EmbeddedSwitch dut = network.embedded();
  private final ControlClient control;
  private final List<Passed> passed = new ArrayList<>();
  private final Map<Integer, Passed> byNumber = new HashMap<>();
  private int sent;
  private int policies;
  private int subscribers;
  private int trees;
  private int ports;

  /** Without limits. */
  ShapedSwitch(long loopBps) {
    control = new ControlClient(network.channel(), FramesThrough.DEVICE_ID, V1ModelPipeline.load());
    connect(LINE_A);
    insert(PipelineContract.ports().toArray(SwitchEntry[]::new));
    for (int pipe = 0; pipe < PIPES; pipe++) {
      dut.port(FIRST_LOOP + pipe).setRateBps(loopBps);
      insert(new LoopPortEntry(pipe, FIRST_LOOP + pipe, BUFFER_BYTES));
    }
  }

  /** Lets only so many bytes wait. */
  void buffer(long bytes) {
    for (int pipe = 0; pipe < PIPES; pipe++) {
      modify(new LoopPortEntry(pipe, FIRST_LOOP + pipe, bytes));
    }
  }

  /** Lets as much wait as in the beginning. */
  void wholeBuffer() {
    buffer(BUFFER_BYTES);
  }

  /** Notes what leaves by a port. */
  void connect(int port) {
    dut.port(port)
        .connect(
            (bytes, offset, length, tag, nowNanos) -> {
              int number = ByteBuffer.wrap(bytes).getInt(offset + length - NUMBER_BYTES);
              ByteString copy = ByteString.copyFrom(bytes, offset, length);
              Passed packet = new Passed(number, nowNanos, copy);
              passed.add(packet);
              byNumber.put(number, packet);
            });
  }

  void insert(SwitchEntry... entries) {
    control.insert(Arrays.asList(entries));
  }

  void modify(SwitchEntry entry) {
    control.modify(entry);
  }

  /** A policy that keeps delay low in that way; its slot. */
  int policy(WaitSetting delay, boolean lightFirst) {
    policies++;
    insert(new PolicyDelayEntry(policies, delay));
    if (lightFirst) {
      insert(new PolicyFlowsEntry(policies, 0));
    }
    return policies;
  }

  /** A tree with a limit, at a port with one; 0 for none. Seven ports can have one. */
  Attachment tree(long treeBps, long portBps) {
    trees++;
    Attachment tree = new Attachment(portBps == 0 ? 0 : ++ports, trees);
    if (treeBps != 0) {
      insert(new TreeLimitEntry(tree, Direction.DOWN, word(treeBps)));
    }
    if (portBps != 0) {
      insert(new PortLimitEntry(ports, Direction.DOWN, word(portBps)));
    }
    return tree;
  }

  /** A subscriber with a limit of its own alone. */
  int subscriber(int policy, long rateBps, WaitSetting own) {
    return subscriber(policy, UNLIMITED_TREE, rateBps, own);
  }

  /** A subscriber with the address {@link #address} of its index, which this returns. */
  int subscriber(int policy, Attachment tree, long rateBps, WaitSetting own) {
    int index = ++subscribers;
    insert(
        PipelineContract.prefix(
            address(index) + "/32", PipelineContract.unshaped(index, policy, LINE_A)),
        new SubscriberLimitEntry(index, Direction.DOWN, tree, word(rateBps), own));
    return index;
  }

  static String address(int subscriber) {
    return "10.0." + subscriber / 256 + "." + subscriber % 256;
  }

  static int word(long rateBps) {
    return rateBps == 0 ? RateWord.UNLIMITED : RateWord.nearest(rateBps);
  }

  /** A UDP packet to a subscriber; its flow is its source port. */
  static TestFrame udp(int subscriber, int flow, int bytes) {
    return TestFrame.from("203.0.113.1", address(subscriber))
        .payload(TestFrame.udp(flow, 9, bytes - 42));
  }

  static byte[] bytes(TestFrame frame) {
    return frame.bytes().toByteArray();
  }

  /** Lets a frame arrive now; its number. */
  int send(byte[] frame) {
    dut.send(CORE, numbered(frame, sent));
    return sent++;
  }

  private static byte[] numbered(byte[] frame, int number) {
    byte[] copy = frame.clone();
    ByteBuffer.wrap(copy).putInt(copy.length - NUMBER_BYTES, number);
    return copy;
  }

  /** The packets that left, in that order. */
  List<Passed> passed() {
    return passed;
  }

  /** The packet of a number as it left; null if it has not. */
  Passed passed(int number) {
    return byNumber.get(number);
  }

  /** A frame with a packet's number, as it is on the wire. */
  static ByteString expected(TestFrame frame, int number) {
    return ByteString.copyFrom(numbered(bytes(frame), number));
  }

  long now() {
    return dut.simulation().nowNanos();
  }

  void runUntil(long nanos) {
    dut.run(Duration.ofNanos(nanos - now()));
  }

  /** Packets dropped for a reason. */
  long dropped(DropReason reason) {
    return control.read(control.program().readCounters(List.of())).stream()
        .map(entity -> control.program().decode(entity.getCounterEntry()))
        .filter(reading -> reading instanceof OfDrops drops && drops.reason() == reason)
        .mapToLong(reading -> ((OfDrops) reading).packets())
        .sum();
  }

  @Override
  public void close() {
    control.close();
    network.close();
  }
}
