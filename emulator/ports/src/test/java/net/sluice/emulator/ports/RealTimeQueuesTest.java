package net.sluice.emulator.ports;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import net.sluice.emulator.netsim.LineClock;
import net.sluice.emulator.netsim.QueueScheduling;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.emulator.netsim.TestDevice;
import net.sluice.emulator.server.gnmi.GnmiServer;
import net.sluice.gnmi.GnmiPaths;
import net.sluice.gnmi.GnmiValues;
import net.sluice.gnmi.wire.SetRequest;
import net.sluice.gnmi.wire.Update;
import net.sluice.gnmi.wire.gNMIGrpc;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The queues of a port in real time, configured over gNMI while it runs, do what they do in virtual
 * time: priorities, weights, limits, and what egress is told. Needs root.
 */
@Tag("long")
class RealTimeQueuesTest {
  // All frames come at once: the first keeps the line busy for 30 ms, the others for 1.28 ms each.
  private static final long RATE_BPS = 400_000;
  private static final int FIRST_BYTES = 1_500;
  private static final int BYTES = 64;
  private static final int[] PRIORITIES = {7, 1, 2};
  private static final int FRAMES = 1 + 3 * 12;
  private static final int LIMIT_PACKETS = 9;

  /** Number of a frame that is none of those. */
  private static final byte OTHER = 99;

  private static final String SCHEDULING = "7/1:3,2:1";

  private static final String POLICY =
      """
      {"scheduler-policies": {"scheduler-policy": [{"name": "p", "config": {"name": "p"},
         "schedulers": {"scheduler": [
           {"sequence": 1, "config": {"sequence": 1, "priority": "STRICT"},
            "inputs": {"input": [{"id": "a", "config": {"id": "a", "queue": "7"}}]}},
           {"sequence": 2, "config": {"sequence": 2}, "inputs": {"input": [
              {"id": "b", "config": {"id": "b", "queue": "1", "weight": "3"}},
              {"id": "c", "config": {"id": "c", "queue": "2", "weight": "1"}}]},
            "one-rate-two-color": {"config": {"max-queue-depth-packets": 9}}}]}}]},
       "interfaces": {"interface": [
         {"interface-id": "PORT",
          "output": {"scheduler-policy": {"config": {"name": "p"}}}}]}}\
      """;

  /** The metadata that egress got with a frame. */
  private record Seen(int frame, int enqQdepth, int deqQdepth, int deqTimedelta) {}

  /** A switch that has something to do before it goes on with another frame than those counted. */
  private static TestDevice device(List<Seen> seen, Runnable other) {
    TestDevice device = new TestDevice();
    device.load(
        packet -> {
          packet.egressPort = 2;
          packet.priority = packet.bytes()[packet.offset() + 14];
          if (packet.bytes()[packet.offset() + 15] == OTHER) {
            packet.dropped = true;
            other.run();
          }
        },
        packet ->
            seen.add(
                new Seen(
                    packet.bytes()[packet.offset() + 15],
                    packet.enqQdepth,
                    packet.deqQdepth,
                    packet.deqTimedelta)));
    return device;
  }

  private static List<byte[]> frames() {
    List<byte[]> frames = new ArrayList<>();
    for (int i = 0; i < FRAMES; i++) {
      int priority = i == 0 ? 0 : PRIORITIES[i % PRIORITIES.length];
      frames.add(frame(i == 0 ? FIRST_BYTES : BYTES, priority, i));
    }
    return frames;
  }

  private static byte[] frame(int bytes, int priority, int number) {
    byte[] frame = new byte[bytes];
    frame[0] = 2;
    frame[6] = 2;
    frame[12] = (byte) 0x88;
    frame[13] = (byte) 0xb5;
    frame[14] = (byte) priority;
    frame[15] = (byte) number;
    return frame;
  }

  private static List<Seen> inVirtualTime() {
    List<Seen> seen = new ArrayList<>();
    Simulation simulation = new Simulation(1);
    SwitchNode node = new SwitchNode(simulation, device(seen, () -> {}));
    SwitchPort in = node.addPort(1, LineClock.UNLIMITED_BPS, Long.MAX_VALUE);
    SwitchPort out = node.addPort(2, RATE_BPS, Long.MAX_VALUE);
    out.setScheduling(QueueScheduling.parse(SCHEDULING));
    out.setQueueLimits(1, Long.MAX_VALUE, LIMIT_PACKETS);
    out.setQueueLimits(2, Long.MAX_VALUE, LIMIT_PACKETS);
    for (byte[] frame : frames()) {
      in.receive(frame, 0, frame.length, 0, 0);
    }
    simulation.runUntil(60_000_000_000L);
    return seen;
  }

  @Test
  void realTimeServesQueuesAsVirtualTimeDoes() throws Exception {
    List<Seen> expected = inVirtualTime();
    assertThat(expected).hasSize(FRAMES - 2 * (12 - LIMIT_PACKETS));
    List<Seen> seen = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch allThere = new CountDownLatch(1);
    TestDevice device =
        device(
            seen,
            () -> {
              busy.countDown();
              Patience.await(allThere);
            });
    try (LinuxNetwork network = LinuxNetwork.open()) {
      String[] one = network.veth("1", 1_500);
      String[] two = network.veth("2", 1_500);
      // The kernel hands a frame to who came last first: what the watcher has, the switch has.
      try (CableEnd watcher = new CableEnd(one[1]);
          CableEnd first = new CableEnd(one[0]);
          CableEnd second = new CableEnd(two[0]);
          RealTimeSwitch real = new RealTimeSwitch(device, 1)) {
        real.addPort(1, PacketSocketPort.open(one[1]), LineClock.UNLIMITED_BPS, Long.MAX_VALUE);
        real.addPort(2, PacketSocketPort.open(two[1]), RATE_BPS, Long.MAX_VALUE);
        FutureTask<Void> running =
            LinuxNetwork.start(
                () -> {
                  real.run();
                  return null;
                });
        try (GnmiServer gnmi =
            real.serveGnmi(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                InsecureServerCredentials.create())) {
          set(gnmi.port(), POLICY.replace("PORT", two[1]));
          // Keeps the switch busy until the others wait in the kernel, so that they arrive at once.
          first.send(List.of(frame(BYTES, 0, OTHER)));
          Patience.await(busy);
          first.send(frames());
          watcher.receive(1 + FRAMES);
          allThere.countDown();
          second.receive(expected.size());
        }
        assertThat(real.reports().get(1).inside().tailDropPackets())
            .isEqualTo(FRAMES - expected.size());
        real.stop();
        running.get(Patience.SECONDS, SECONDS);
      } finally {
        allThere.countDown();
      }
    }
    assertThat(seen).extracting(Seen::frame).isEqualTo(expected.stream().map(Seen::frame).toList());
    for (int i = 0; i < seen.size(); i++) {
      assertThat(seen.get(i).enqQdepth()).isEqualTo(expected.get(i).enqQdepth());
      assertThat(seen.get(i).deqQdepth()).isEqualTo(expected.get(i).deqQdepth());
      // In whole microseconds, of which a frame need not come at the beginning of one.
      assertThat(seen.get(i).deqTimedelta()).isCloseTo(expected.get(i).deqTimedelta(), within(1));
    }
  }

  private static void set(int port, String json) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    try {
      gNMIGrpc
          .newBlockingStub(channel)
          .set(
              SetRequest.newBuilder()
                  .addUpdate(
                      Update.newBuilder()
                          .setPath(GnmiPaths.parse("/qos"))
                          .setVal(GnmiValues.of(new GnmiValues.Json(json, true))))
                  .build());
    } finally {
      channel.shutdownNow();
    }
  }
}
