package net.sluice.lab.bench.switching;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.sluice.emulator.netsim.EventHandler;
import net.sluice.emulator.netsim.LineClock;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.emulator.ports.pcap.PcapReader;
import net.sluice.emulator.server.p4runtime.OfflineControl;
import net.sluice.emulator.switching.PacketPipeline;
import net.sluice.emulator.switching.SwitchPacket;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.plan.entry.subscriber.SubscriberData;
import net.sluice.intents.plan.entry.subscriber.SubscriberPrefixEntry;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.V1ModelPipeline;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Update;

/** The rows of the switch benchmark, and that packets allocate nothing. */
class SwitchBenchTest {
  private static final int SUBSCRIBERS = 1_000;

  /**
   * Windows in which what a thread allocates is counted, to the byte. What a packet makes, every
   * window has; what is made once, when something grows or is used for the first time, one has.
   */
  private static final int WINDOWS = 10;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @TempDir private Path folder;

  private static byte[][] frames() {
    Random random = new Random(3);
    byte[][] frames = new byte[256][];
    for (int i = 0; i < frames.length; i++) {
      frames[i] = SwitchBenchSetup.frame(0xc0000209, 0x0a000001 + random.nextInt(SUBSCRIBERS));
    }
    return frames;
  }

  private static long allocated() {
    return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
  }

  private static void pass(PacketPipeline pipeline, byte[][] frames, int packets) {
    for (int i = 0; i < packets; i++) {
      byte[] frame = frames[i & 255];
      SwitchPacket packet = pipeline.acquire();
      packet.setBytes(frame, 0, frame.length);
      pipeline.ingress(packet, SwitchBenchSetup.CORE, i);
      if (!packet.dropped) {
        pipeline.egress(packet, i);
      }
      pipeline.release(packet);
    }
  }

  private static void assertNoGarbage(PacketPipeline pipeline, byte[][] frames) {
    long least = Long.MAX_VALUE;
    for (int window = 0; window < WINDOWS; window++) {
      long before = allocated();
      pass(pipeline, frames, 40_000);
      least = Math.min(least, allocated() - before);
    }
    assertThat(least).isZero();
  }

  @Test
  void aPacketThroughThePipelineMakesNoGarbage() {
    PacketPipeline pipeline = PipelineProcess.device(SUBSCRIBERS).pipeline();
    byte[][] frames = frames();
    assertNoGarbage(pipeline, frames);
  }

  /** UDP over IPv6 to a subscriber. */
  private static byte[] frame6(int subscriber) {
    byte[] frame = new byte[100];
    ByteBuffer bytes = ByteBuffer.wrap(frame);
    bytes.putLong(0x025b_0000_0001_025aL).putInt(2).putShort((short) 0x86dd);
    bytes.putInt(0x6000_0000).putShort((short) 46).put((byte) 17).put((byte) 64);
    bytes.putLong(0x2001_0db8_ffff_0000L).putLong(9);
    bytes.putLong(0x2001_0db8_0000_0000L).putLong(subscriber);
    bytes.putShort((short) 4_000).putShort((short) 5_000).putShort((short) 46);
    return frame;
  }

  @Test
  void anIpv6PacketThroughThePipelineMakesNoGarbage() {
    SwitchPipeline program = V1ModelPipeline.load();
    List<Update> entries = new ArrayList<>(SwitchBenchSetup.infrastructure());
    for (int i = 0; i < SUBSCRIBERS; i++) {
      entries.add(
          Update.newBuilder()
              .setType(Update.Type.INSERT)
              .setEntity(
                  Entity.newBuilder()
                      .setTableEntry(
                          program
                              .entries()
                              .encode(
                                  new SubscriberPrefixEntry(
                                      IpPrefix.parse(
                                          "2001:db8::" + Integer.toHexString(i) + "/128"),
                                      new SubscriberData(
                                          i + 1, 1, SwitchBenchSetup.ACCESS, 0, false, false)))))
              .build());
    }
    V1modelSwitch device = new V1modelSwitch(1, 1);
    OfflineControl.load(device, program.forwardingPipelineConfig()).write(entries);
    PacketPipeline pipeline = device.pipeline();
    byte[][] frames = new byte[256][];
    for (int i = 0; i < frames.length; i++) {
      frames[i] = frame6(i);
    }
    SwitchPacket one = pipeline.acquire();
    one.setBytes(frames[7], 0, frames[7].length);
    pipeline.ingress(one, SwitchBenchSetup.CORE, 1);
    assertThat(one.dropped).isFalse();
    assertThat(one.egressPort).isEqualTo(SwitchBenchSetup.ACCESS);
    pipeline.release(one);
    assertNoGarbage(pipeline, frames);
  }

  /** A burst of four frames every four microseconds; notes what has been allocated by then. */
  private static final class Bursts implements EventHandler {
    private static final int ROUNDS_PER_WINDOW = 10_000;
    private static final int ROUNDS = WINDOWS * ROUNDS_PER_WINDOW;

    private final Simulation simulation = new Simulation(1);
    private final byte[][] frames = frames();
    private final SwitchPort in;
    private final SwitchPort out;
    private long before;
    private long least = Long.MAX_VALUE;

    Bursts(V1modelSwitch device) {
      SwitchNode node = new SwitchNode(simulation, device);
      in = node.addPort(SwitchBenchSetup.CORE, LineClock.UNLIMITED_BPS, Long.MAX_VALUE);
      // A frame takes 0.8 us, so that some wait for others.
      out = node.addPort(SwitchBenchSetup.ACCESS, 1_000_000_000, Long.MAX_VALUE);
      simulation.schedule(0, this, 0);
      simulation.runUntil(4_000L * (ROUNDS + 10));
    }

    @Override
    public void onEvent(long nowNanos, long round) {
      if (round % ROUNDS_PER_WINDOW == 0) {
        least = round == 0 ? least : Math.min(least, allocated() - before);
        before = allocated();
      }
      if (round == ROUNDS) {
        return;
      }
      for (int i = 0; i < 4; i++) {
        byte[] frame = frames[(int) (4 * round + i) & 255];
        in.receive(frame, 0, frame.length, 0, nowNanos);
      }
      simulation.schedule(nowNanos + 4_000, this, round + 1);
    }
  }

  @Test
  void aPacketThroughTheWholeSwitchMakesNoGarbage() {
    Bursts bursts = new Bursts(PipelineProcess.device(SUBSCRIBERS));
    assertThat(bursts.out.statistics().sentPackets()).isEqualTo(4 * Bursts.ROUNDS);
    assertThat(bursts.out.statistics().queueDelayNanos().getMaxValue()).isPositive();
    assertThat(bursts.least).isZero();
  }

  @Test
  void aRoundSwitchesEveryPacketOfTheCaptures() throws IOException {
    SwitchBenchSetup.writeCaptures(folder, 5_000, SUBSCRIBERS, 1);
    PipelineProcess.Round round =
        PipelineProcess.round(PipelineProcess.device(SUBSCRIBERS), folder);
    assertThat(round.received()).isEqualTo(5_000);
    assertThat(round.sent()).isEqualTo(5_000);
    assertThat(PipelineProcess.Round.parse(round.text())).isEqualTo(round);
    Map<String, Integer> sent = new HashMap<>();
    for (String name : new String[] {SwitchBenchSetup.ACCESS_NAME, SwitchBenchSetup.CORE_NAME}) {
      try (PcapReader reader = PcapReader.open(SwitchBenchSetup.output(folder, name))) {
        while (reader.next()) {
          sent.merge(name, 1, Integer::sum);
          assertThat(reader.length()).isEqualTo(SwitchBenchSetup.FRAME_BYTES);
        }
      }
    }
    assertThat(sent.get(SwitchBenchSetup.ACCESS_NAME)).isBetween(4_350, 4_650);
    assertThat(sent.get(SwitchBenchSetup.CORE_NAME)).isBetween(350, 650);
  }
}
