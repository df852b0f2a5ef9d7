package net.sluice.emulator.ports;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import net.sluice.emulator.netsim.LineClock;
import net.sluice.emulator.netsim.PortStatistics;
import net.sluice.emulator.netsim.TestDevice;
import net.sluice.emulator.server.gnmi.GnmiServer;
import net.sluice.gnmi.GnmiPaths;
import net.sluice.gnmi.GnmiValues;
import net.sluice.gnmi.wire.Encoding;
import net.sluice.gnmi.wire.GetRequest;
import net.sluice.gnmi.wire.SetRequest;
import net.sluice.gnmi.wire.Update;
import net.sluice.gnmi.wire.gNMIGrpc;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Through the kernel, and back: frames on real interfaces. */
@Tag("long")
class RealTimeSwitchTest {
  private static final int PATIENCE_MILLIS = Patience.SECONDS * 1_000;

  private LinuxNetwork network;
  private String[] one;
  private String[] two;
  private CableEnd first;
  private CableEnd second;
  private RunningSwitch running;

  @BeforeEach
  void open() throws Exception {
    network = LinuxNetwork.open();
  }

  /** Connects two hosts by a switch. */
  private void between(int mtu) throws Exception {
    between(mtu, LineClock.UNLIMITED_BPS, Long.MAX_VALUE);
  }

  /** With a rate and a queue limit of the second port. */
  private void between(int mtu, long rateBps, long queueBytes) throws Exception {
    between(mtu, rateBps, queueBytes, 0);
  }

  /** With a delay of the second port's line, too. */
  private void between(int mtu, long rateBps, long queueBytes, long delayNanos) throws Exception {
    one = network.veth("1", mtu);
    two = network.veth("2", mtu);
    first = new CableEnd(one[0]);
    second = new CableEnd(two[0]);
    running =
        RunningSwitch.of(
            PacketSocketPort.open(one[1]),
            PacketSocketPort.open(two[1]),
            rateBps,
            queueBytes,
            delayNanos);
  }

  @AfterEach
  void close() throws Exception {
    // Those there are, the last first.
    try (LinuxNetwork ignored = network;
        CableEnd ignored1 = first;
        CableEnd ignored2 = second;
        RunningSwitch ignored3 = running) {}
  }

  private static byte[] frame(int bytes, long seed) {
    byte[] frame = new byte[bytes];
    new Random(seed).nextBytes(frame);
    // Unused addresses, and an EtherType for experiments, so that no stack answers.
    frame[0] = 2;
    frame[6] = 2;
    frame[12] = (byte) 0x88;
    frame[13] = (byte) 0xb5;
    return frame;
  }

  private static byte[] tagged(byte[] frame, int... tags) {
    byte[] out = new byte[frame.length + 4 * tags.length];
    System.arraycopy(frame, 0, out, 0, 12);
    for (int i = 0; i < tags.length; i++) {
      for (int b = 0; b < 4; b++) {
        out[12 + 4 * i + b] = (byte) (tags[i] >> 24 - 8 * b);
      }
    }
    System.arraycopy(frame, 12, out, 12 + 4 * tags.length, frame.length - 12);
    return out;
  }

  private static List<byte[]> frames(int count, IntFunction<byte[]> frame) {
    return IntStream.range(0, count).mapToObj(frame).toList();
  }

  /** Reports the first difference only, not thousands of frames. */
  private static void assertSame(List<byte[]> actual, List<byte[]> expected) {
    assertThat(actual).hasSameSizeAs(expected);
    for (int i = 0; i < expected.size(); i++) {
      assertThat(HexFormat.of().formatHex(actual.get(i)))
          .as("frame %d of %d", i, expected.size())
          .isEqualTo(HexFormat.of().formatHex(expected.get(i)));
    }
  }

  private static List<String> hex(List<byte[]> frames) {
    return frames.stream().map(HexFormat.of()::formatHex).toList();
  }

  @Test
  void framesOfEveryLengthPassUnchangedBothWays() throws Exception {
    between(9_000);
    List<byte[]> sizes = new ArrayList<>();
    for (int bytes : new int[] {64, 65, 127, 128, 1_514, 2_047, 2_048, 4_096, 8_999, 9_000}) {
      sizes.add(frame(bytes, bytes));
    }
    first.send(sizes);
    assertSame(second.receive(sizes.size()), sizes);
    second.send(sizes);
    assertSame(first.receive(sizes.size()), sizes);
  }

  @Test
  void vlanTagsThatTheKernelTakesOutReachTheProgram() throws Exception {
    between(9_000);
    byte[] plain = frame(100, 1);
    List<byte[]> sent =
        List.of(
            tagged(plain, 0x8100_0064),
            tagged(plain, 0x8100_e000),
            tagged(plain, 0x88a8_7fff),
            tagged(plain, 0x88a8_0064, 0x8100_0007),
            tagged(plain, 0x8100_0064, 0x8100_0007),
            tagged(frame(8_900, 2), 0x88a8_0064, 0x8100_0007),
            plain);
    first.send(sent);
    assertSame(second.receive(sent.size()), sent);
    assertThat(running.ingress()).isEqualTo(hex(sent).stream().map(bytes -> "1:" + bytes).toList());
  }

  @Test
  void theProgramIsToldOfEachFrameOnceAndBeforeItComes() throws Exception {
    between(1_500);
    List<byte[]> frames = frames(200, i -> frame(64 + i, i));
    for (int i = 0; i < frames.size(); i++) {
      // A unicast address, in which the first byte is the frame's number times two.
      frames.get(i)[0] = (byte) (2 * i);
    }
    first.send(frames.subList(0, 100));
    second.receive(100);
    first.send(frames.subList(100, 200));
    second.receive(100);
    assertThat(running.expected()).isEqualTo(frames.stream().map(frame -> frame[0]).toList());
  }

  @Test
  void tenThousandFramesPassWithoutLossAndStampedInOrder() throws Exception {
    between(1_500);
    int window = 500;
    for (int sent = 0; sent < 10_000; sent += window) {
      int base = sent;
      List<byte[]> frames = frames(window, i -> frame(64 + (base + i) * 7 % 1_450, base + i));
      first.send(frames);
      assertSame(second.receive(window), frames);
    }
    running.stop();
    assertThat(running.ingressMicros()).hasSize(10_000).isSorted();
    List<RealTimePorts.PortReport> reports = running.real().reports();
    assertThat(reports.get(0).outside().receivedFrames()).isEqualTo(10_000);
    assertThat(reports.get(0).outside().kernelDrops()).isZero();
    assertThat(reports.get(0).inside().receivedPackets()).isEqualTo(10_000);
    assertThat(reports.get(1).inside().sentPackets()).isEqualTo(10_000);
    assertThat(reports.get(1).outside().sentFrames()).isEqualTo(10_000);
    assertThat(reports.get(1).outside().unsentFrames()).isZero();
  }

  @Test
  void timestampsAreWallClockTimeSinceTheStart() throws Exception {
    long before = System.nanoTime();
    between(1_500);
    first.send(List.of(frame(64, 1)));
    second.receive(1);
    long between = System.nanoTime();
    first.send(List.of(frame(64, 2)));
    second.receive(1);
    long after = System.nanoTime();
    List<Long> micros = running.ingressMicros();
    assertThat(micros.get(0)).isBetween(0L, (between - before) / 1_000);
    assertThat(micros.get(1) - micros.get(0)).isBetween(0L, (after - before) / 1_000);
    assertThat(micros.get(1)).isLessThanOrEqualTo((after - before) / 1_000);
  }

  @Test
  void aPortWithARatePacesFramesAndSleepsInBetween() throws Exception {
    // 1,000 bytes at 800 kbit/s take 10 ms.
    between(1_500, 800_000, 1 << 20);
    List<byte[]> frames = frames(20, i -> frame(1_000, i));
    long sent = System.nanoTime();
    first.send(frames);
    assertSame(second.receive(20), frames);
    assertThat(System.nanoTime() - sent).isGreaterThanOrEqualTo(200_000_000L);
    // One wait for each arrival and each end of a line, and little more.
    assertThat(running.real().waits()).isLessThan(3 * 40);
  }

  @Test
  void aLineWithADelayHoldsEveryFrameBothWaysAndKeepsTheirOrder() throws Exception {
    long delayNanos = 150_000_000L;
    between(1_500, LineClock.UNLIMITED_BPS, Long.MAX_VALUE, delayNanos);
    List<byte[]> frames = frames(100, i -> frame(64 + i * 13, i));
    long sent = System.nanoTime();
    first.send(frames);
    assertSame(second.receive(100), frames);
    assertThat(System.nanoTime() - sent).isGreaterThanOrEqualTo(delayNanos);
    sent = System.nanoTime();
    second.send(frames);
    assertSame(first.receive(100), frames);
    assertThat(System.nanoTime() - sent).isGreaterThanOrEqualTo(delayNanos);
    // A frame on its way out is off the port already; one on its way in has not yet arrived.
    assertThat(running.real().reports().get(1).inside().sentPackets()).isEqualTo(100);
    assertThat(running.real().schedulingDelay().wakeUps()).isPositive();
  }

  @Test
  void whatExceedsTheQueueLimitIsDroppedAndCounted() throws Exception {
    // The first frame keeps the line busy for a hundred seconds; two more find room.
    between(1_500, 8, 200);
    first.send(frames(20, i -> frame(100, i)));
    // The program has a frame before its queue: only the queue tells when it has them all.
    PortStatistics counted =
        Patience.await(
            "all have come",
            () -> running.real().reports().get(1).inside(),
            inside -> inside.tailDropPackets() >= 17);
    assertThat(counted.tailDropPackets()).isEqualTo(17);
    assertThat(counted.queuedPackets()).isEqualTo(2);
  }

  @Test
  void theStateOfAPortIsThatOfItsLink() throws Exception {
    between(1_500);
    LinuxNetwork.assumeShown(two[1]);
    try (LinkMonitor links = running.real().watchLinks()) {
      LinuxNetwork.run("link", "set", two[0], "down");
      awaitUp(false);
      LinuxNetwork.run("link", "set", two[0], "up");
      awaitUp(true);
      LinuxNetwork.awaitLinks(two);
      first.send(List.of(frame(64, 1)));
      second.receive(1);
      assertThat(running.real().<Boolean>query(node -> node.port(1).isUp())).isTrue();
      // Disabled by its own switch, a port takes nothing from its link.
      running.real().configure(node -> node.port(2).setEnabled(false));
      assertThat(running.real().<Long>query(node -> node.port(2).counters().outOctets()))
          .isEqualTo(64);
      assertThat(links).isNotNull();
    }
  }

  @Test
  void anInterfaceMayGoAndComeBack() throws Exception {
    between(1_500);
    LinuxNetwork.assumeShown(two[1]);
    try (LinkMonitor links = running.real().watchLinks()) {
      second.close();
      LinuxNetwork.run("link", "del", two[0]);
      awaitUp(false);
      first.send(List.of(frame(64, 1)));
      two = network.veth("2", 1_500);
      second = new CableEnd(two[0]);
      awaitUp(true);
      // It is a moment until the port has gone over to it; frames sent before may be lost.
      Patience.await(
          "a frame leaves by it",
          () -> {
            first.send(List.of(frame(64, 2)));
            return running.real().reports().get(1).outside().sentFrames() > 0;
          });
      assertThat(second.receive(1).get(0)).isEqualTo(frame(64, 2));
      second.send(List.of(frame(65, 3)));
      assertSame(first.receive(1), List.of(frame(65, 3)));
      assertThat(links).isNotNull();
    }
  }

  @Test
  void aRenamedInterfaceIsStillThePorts() throws Exception {
    between(1_500);
    LinuxNetwork.assumeShown(two[1]);
    try (LinkMonitor links = running.real().watchLinks()) {
      String renamed = two[1] + "x";
      LinuxNetwork.run("link", "set", two[1], "down");
      awaitUp(false);
      LinuxNetwork.run("link", "set", two[1], "name", renamed);
      LinuxNetwork.run("link", "set", renamed, "up");
      awaitUp(true);
      LinuxNetwork.awaitLinks(two[0], renamed);
      second.send(List.of(frame(65, 3)));
      assertSame(first.receive(1), List.of(frame(65, 3)));
      first.send(List.of(frame(64, 1)));
      assertSame(second.receive(1), List.of(frame(64, 1)));
      LinuxNetwork.run("link", "set", two[0], "down");
      awaitUp(false);
      assertThat(links).isNotNull();
    }
  }

  private void awaitUp(boolean up) {
    Patience.await(
        "port 2 is " + (up ? "up" : "down"),
        () -> running.real().<Boolean>query(node -> node.port(2).isUp()) == up);
  }

  @Test
  void gnmiServesAndSetsThePortsWhileTheyRun() throws Exception {
    between(1_500, 8_000, 1 << 20);
    try (GnmiServer gnmi =
        running
            .real()
            .serveGnmi(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                InsecureServerCredentials.create())) {
      ManagedChannel channel =
          NettyChannelBuilder.forAddress("127.0.0.1", gnmi.port()).usePlaintext().build();
      try {
        gNMIGrpc.gNMIBlockingStub stub = gNMIGrpc.newBlockingStub(channel);
        // At 8 kbit/s the second frame would come after a second, the last after an hour.
        stub.set(
            SetRequest.newBuilder()
                .addUpdate(
                    Update.newBuilder()
                        .setPath(
                            GnmiPaths.parse(
                                "/interfaces/interface[name=%s]/ethernet/config/port-speed"
                                    .formatted(two[1])))
                        .setVal(GnmiValues.of("SPEED_1GB")))
                .build());
        List<byte[]> frames = frames(100, i -> frame(1_000, i));
        first.send(frames);
        assertSame(second.receive(100), frames);
        long octets =
            stub.get(
                    GetRequest.newBuilder()
                        .setEncoding(Encoding.PROTO)
                        .addPath(
                            GnmiPaths.parse(
                                "/interfaces/interface[name=%s]/state/counters/in-octets"
                                    .formatted(one[1])))
                        .build())
                .getNotification(0)
                .getUpdate(0)
                .getVal()
                .getUintVal();
        assertThat(octets).isEqualTo(100_000);
      } finally {
        channel.shutdownNow();
      }
    }
  }

  @Test
  void aTapDeviceIsAPortLikeAnyOther() throws Exception {
    network.assumeTap();
    String tap = network.name("t");
    String[] two = network.veth("2", 9_000);
    // Made beforehand, so that it can be told to say nothing of its own.
    network.tap(tap);
    try (TapPort port = TapPort.open(tap)) {
      try (CableEnd first = new CableEnd(tap);
          CableEnd second = new CableEnd(two[0]);
          RunningSwitch running = RunningSwitch.of(port, PacketSocketPort.open(two[1]))) {
        List<byte[]> frames = new ArrayList<>();
        for (int bytes : new int[] {64, 1_514, 9_000}) {
          frames.add(frame(bytes, bytes));
        }
        frames.add(tagged(frame(80, 4), 0x8100_0064));
        frames.add(tagged(frame(80, 5), 0x88a8_0064, 0x8100_0007));
        first.send(frames);
        assertSame(second.receive(frames.size()), frames);
        second.send(frames);
        assertSame(first.receive(frames.size()), frames);
        for (int sent = 0; sent < 10_000; sent += 250) {
          int base = sent;
          List<byte[]> burst = frames(250, i -> frame(64 + (base + i) % 1_400, base + i));
          first.send(burst);
          assertSame(second.receive(250), burst);
        }
        running.stop();
        assertThat(running.real().reports().get(0).outside().unsentFrames()).isZero();
      }
    }
  }

  @Test
  void aTapDeviceThatDoesNotExistLivesAsLongAsItsPort() throws Exception {
    network.assumeTap();
    String tap = network.name("t");
    try (TapPort ignored = TapPort.open(tap)) {
      assertThat(Libc.if_nametoindex(tap)).isNotZero();
    }
    assertThat(Libc.if_nametoindex(tap)).isZero();
  }

  @Test
  void offloadedTcpBetweenTwoHostsArrivesAsPacketsOfALine() throws Exception {
    String[] one = network.veth("1", 1_500);
    String[] two = network.veth("2", 1_500);
    String client = network.namespace("c");
    String server = network.namespace("d");
    host(client, one[0], "198.18.0.1/24");
    host(server, two[0], "198.18.0.2/24");
    byte[] sent = new byte[4 << 20];
    new Random(7).nextBytes(sent);
    try (RunningSwitch running =
        RunningSwitch.of(PacketSocketPort.open(one[1]), PacketSocketPort.open(two[1]))) {
      CountDownLatch listening = new CountDownLatch(1);
      FutureTask<byte[]> receiving =
          LinuxNetwork.inNamespace(
              server,
              () -> {
                try (ServerSocket socket = new ServerSocket()) {
                  socket.setSoTimeout(PATIENCE_MILLIS);
                  socket.bind(new InetSocketAddress(InetAddress.getByName("198.18.0.2"), 5001));
                  listening.countDown();
                  try (Socket peer = socket.accept();
                      InputStream in = peer.getInputStream()) {
                    peer.setSoTimeout(PATIENCE_MILLIS);
                    return in.readAllBytes();
                  }
                }
              });
      assertThat(listening.await(Patience.SECONDS, SECONDS)).isTrue();
      FutureTask<Void> sending =
          LinuxNetwork.inNamespace(
              client,
              () -> {
                try (Socket socket = new Socket()) {
                  socket.connect(
                      new InetSocketAddress(InetAddress.getByName("198.18.0.2"), 5001),
                      PATIENCE_MILLIS);
                  OutputStream out = socket.getOutputStream();
                  out.write(sent);
                }
                return null;
              });
      sending.get(Patience.SECONDS, SECONDS);
      assertThat(receiving.get(Patience.SECONDS, SECONDS)).isEqualTo(sent);
      assertThat(running.real().reports())
          .allSatisfy(report -> assertThat(report.outside().unusableFrames()).isZero());
      // In hexadecimal, with two characters for the port.
      assertThat(running.ingress()).allMatch(frame -> frame.length() <= 2 + 2 * 1_514);
      assertThat(running.ingress())
          .filteredOn(frame -> frame.length() == 2 + 2 * 1_514)
          .isNotEmpty();
    }
  }

  private static void host(String namespace, String name, String address) throws Exception {
    LinuxNetwork.run("link", "set", name, "netns", namespace);
    LinuxNetwork.run("-n", namespace, "addr", "add", address, "dev", name);
    LinuxNetwork.run("-n", namespace, "link", "set", name, "up");
  }

  @Test
  void anInterfaceThatGoesDownComesBackAndOneThatIsGoneHarmsNobody() throws Exception {
    String[] one = network.veth("1", 1_500);
    String[] two = network.veth("2", 1_500);
    String[] three = network.veth("3", 1_500);
    TestDevice device = new TestDevice();
    device.load(packet -> packet.egressPort = 1, packet -> {});
    RealTimeSwitch real = new RealTimeSwitch(device, 1);
    for (int i = 0; i < 3; i++) {
      String name = List.of(one[1], two[1], three[1]).get(i);
      real.addPort(i + 1, PacketSocketPort.open(name), LineClock.UNLIMITED_BPS, Long.MAX_VALUE);
    }
    try (CableEnd first = new CableEnd(one[0]);
        CableEnd second = new CableEnd(two[0]);
        real) {
      FutureTask<Void> running =
          LinuxNetwork.start(
              () -> {
                real.run();
                return null;
              });
      LinuxNetwork.run("link", "set", two[1], "down");
      LinuxNetwork.run("link", "set", two[1], "up");
      LinuxNetwork.awaitLinks(two);
      LinuxNetwork.run("link", "del", three[0]);
      byte[] frame = frame(200, 3);
      second.send(List.of(frame));
      assertThat(hex(first.receive(1))).containsExactly(hex(List.of(frame)).get(0));
      real.stop();
      running.get(Patience.SECONDS, SECONDS);
    }
  }

  @Test
  void aPortThatCannotBeOpenedSaysWhyInOneLine() throws Exception {
    network.assumeTap();
    String[] one = network.veth("1", 1_500);
    String tap = network.name("t");
    assertThatThrownBy(() -> PacketSocketPort.open("nosuch0"))
        .isInstanceOf(PortException.class)
        .hasMessage("cannot open interface 'nosuch0': there is no such interface");
    assertThatThrownBy(() -> PacketSocketPort.open("a-name-of-more-than-15-bytes"))
        .hasMessage(
            "cannot open interface 'a-name-of-more-than-15-bytes': there is no such interface");
    assertThatThrownBy(() -> LinuxNetwork.withoutCapabilities(() -> PacketSocketPort.open(one[1])))
        .rootCause()
        .hasMessage(
            "cannot open interface '" + one[1] + "': no permission; it takes root or CAP_NET_RAW");
    assertThatThrownBy(() -> TapPort.open("a-name-of-more-than-15-bytes"))
        .hasMessage(
            "cannot open TAP device 'a-name-of-more-than-15-bytes': the name must have 1 to 15"
                + " bytes");
    assertThatThrownBy(() -> TapPort.open(one[1]))
        .hasMessage("cannot open TAP device '" + one[1] + "': the name is not one of a TAP device");
    assertThatThrownBy(() -> LinuxNetwork.withoutCapabilities(() -> TapPort.open(tap)))
        .rootCause()
        .hasMessage(
            "cannot open TAP device '" + tap + "': no permission; it takes root or CAP_NET_ADMIN");
    try (TapPort ignored = TapPort.open(tap)) {
      assertThatThrownBy(() -> TapPort.open(tap))
          .hasMessage("cannot open TAP device '" + tap + "': another process uses it");
    }
    String tun = network.name("u");
    LinuxNetwork.run("tuntap", "add", "mode", "tun", "dev", tun);
    try {
      assertThatThrownBy(() -> PacketSocketPort.open(tun))
          .hasMessage(
              "cannot open interface '%s': it is not an Ethernet interface, but of type 65534"
                  .formatted(tun));
    } finally {
      LinuxNetwork.run("link", "del", tun);
    }
  }
}
