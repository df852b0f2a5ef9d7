package net.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import net.sluice.core.ControllerConfig.Comparing;
import net.sluice.emulator.netsim.EventHandler;
import net.sluice.emulator.netsim.traffic.FrameBuilder;
import net.sluice.intents.profile.MarkerSettings;
import net.sluice.intents.profile.Trunks.End;
import net.sluice.standalone.StandaloneController;
import net.sluice.standalone.http.HttpSettings;
import net.sluice.standalone.network.NetworkFile;
import net.sluice.standalone.network.RemoteSwitchOptions;
import net.sluice.testing.Http;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What passes an emulated switch in real time while its controller is killed and started, and while
 * the switch itself is: a probe of 1,000 packets/s, whose losses are printed. docs/reliability.md
 * has a table of them.
 */
@Tag("long")
class OutageTest {
  private static final End ACCESS = new End("leaf", 1);
  private static final End CORE = new End("leaf", 2);
  private static final long PERIOD_NANOS = 1_000_000;

  /** Probes while the switch has no controller. */
  private static final long ALONE = 3_000;

  private static final String WIRE =
      """
      {"switches": [{"id": "leaf", "emulated": true, "p4runtime": "127.0.0.1:%d", "topology": {
        "ports": [{"number": 1, "role": "access", "rateBps": 1000000000},
                  {"number": 2, "role": "core", "rateBps": 1000000000}],
        "bngPorts": {"0": 1},
        "wires": [{"access": 1, "core": 2}]}}]}
      """;

  private static final String ROUTED =
      """
      {"switches": [{"id": "leaf", "emulated": true, "p4runtime": "127.0.0.1:%d", "topology": {
        "ports": [{"number": 1, "role": "access", "rateBps": 1000000000,
                   "destinationMac": "02:00:00:01:00:01"},
                  {"number": 2, "role": "core", "rateBps": 1000000000,
                   "destinationMac": "02:00:00:01:00:02"}],
        "bngPorts": {"0": 1},
        "routes": [{"prefix": "0.0.0.0/0", "port": 2}]}}]}
      """;

  @TempDir Path folder;

  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong arrived = new AtomicLong();
  private NetworkFile.Contents file;
  private EmbeddedNetwork network;
  private StandaloneController controller;

  @AfterEach
  void close() {
    if (controller != null) {
      controller.close();
    }
    if (network != null) {
      network.close();
    }
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void read(String text) throws Exception {
    Path path = folder.resolve("network.json");
    Files.writeString(path, text.formatted(freePort()));
    file =
        NetworkFile.read(
            path.toString(),
            new RemoteSwitchOptions(),
            MarkerSettings.DEFAULT,
            List.of("emulator"));
  }

  private void startController() throws Exception {
    controller =
        StandaloneController.start(
            file,
            NetworkFile.one(new RemoteSwitchOptions(), file, MarkerSettings.DEFAULT),
            folder.resolve("data"),
            HttpSettings.on(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
            Comparing.DEFAULT);
  }

  /** Starts the switch without a program, and the probe. */
  private void startSwitch() throws Exception {
    network = EmbeddedNetwork.start(file.emulated());
    EmbeddedNetwork of = network;
    of.port(CORE).connect((bytes, offset, length, tag, nowNanos) -> arrived.incrementAndGet());
    byte[] frame =
        new FrameBuilder()
            .frameBytes(200)
            .addresses("198.51.100.7", "192.0.2.1")
            .build()
            .frame(0, 0);
    EventHandler[] probe = new EventHandler[1];
    probe[0] =
        (nowNanos, none) -> {
          sent.incrementAndGet();
          of.port(ACCESS).receive(frame, 0, frame.length, 0, nowNanos);
          of.simulation().schedule(nowNanos + PERIOD_NANOS, probe[0], 0);
        };
    sent.set(0);
    arrived.set(0);
    of.simulation().execute(() -> of.simulation().schedule(PERIOD_NANOS, probe[0], 0));
    of.run();
  }

  /** Waits until so many probes more have been sent, and tells how many did not arrive. */
  private long lostDuring(long probes) {
    long sentBefore = sent.get();
    long arrivedBefore = arrived.get();
    Patience.await("probes", () -> sent.get() - sentBefore, more -> more >= probes);
    return sent.get() - sentBefore - (arrived.get() - arrivedBefore);
  }

  private long sentUntilOneArrives() {
    Patience.await("the first probe to pass", arrived::get, count -> count > 0);
    return sent.get() - arrived.get();
  }

  private void awaitInstalled() throws Exception {
    assertThat(controller.controller().awaitAllInstalled(Patience.TIME)).isTrue();
  }

  private void measure(String name, boolean needsSubscriber) throws Exception {
    startSwitch();
    startController();
    if (needsSubscriber) {
      put("/policies/gold", "{\"throughputValue\":{\"builtIn\":\"gold\"}}");
      put(
          "/subscribers/alice",
          "{\"policy\":\"gold\",\"prefixes\":[\"198.51.100.7/32\"],"
              + "\"attachment\":{\"switch\":\"leaf\",\"port\":0,\"tree\":3}}");
    }
    long first = sentUntilOneArrives();
    awaitInstalled();
    long settled = lostDuring(1_000);
    controller.close();
    controller = null;
    long alone = lostDuring(ALONE);
    long sentBefore = sent.get();
    long arrivedBefore = arrived.get();
    startController();
    awaitInstalled();
    lostDuring(100);
    long taken = sent.get() - sentBefore - (arrived.get() - arrivedBefore);
    network.close();
    startSwitch();
    long restarted = sentUntilOneArrives();
    System.out.printf(
        "%s, packets lost of 1,000 a second: until the switch has its program and entries %d;"
            + " controlled %d of 1000; controller killed %d of %d; controller started again %d;"
            + " switch restarted %d%n",
        name, first, settled, alone, ALONE, taken, restarted);
    // A probe may be on its way at either end of a count.
    assertThat(List.of(settled, alone, taken))
        .allSatisfy(lost -> assertThat(lost).isBetween(-2L, 2L));
  }

  private void put(String path, String body) throws Exception {
    assertThat(Http.send("PUT", controller.api() + path, body).statusCode()).isEqualTo(201);
  }

  /** Nothing is declared. */
  @Test
  void aWirePassesEverythingFromItsEntryOnWhoeverControlsIt() throws Exception {
    read(WIRE);
    measure("wire", false);
  }

  @Test
  void whatIsRoutedGoesOnWhileNobodyControlsTheSwitch() throws Exception {
    read(ROUTED);
    measure("routed", true);
  }
}
