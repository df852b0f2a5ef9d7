package net.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.sluice.cli.StartFailure;
import net.sluice.core.ControllerConfig.Comparing;
import net.sluice.emulator.netsim.traffic.FrameBuilder;
import net.sluice.intents.profile.MarkerSettings;
import net.sluice.intents.profile.Trunks.End;
import net.sluice.standalone.StandaloneController;
import net.sluice.standalone.http.HttpSettings;
import net.sluice.standalone.network.NetworkFile;
import net.sluice.standalone.network.RemoteSwitchOptions;
import net.sluice.testing.Http;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The emulated network of the operator's guide. */
final class EmbeddedNetworkTest {
  private static final Path GUIDE = Path.of("..", "..", "docs", "operators-guide.md");
  private static final Pattern EXAMPLE =
      Pattern.compile("(?s)```json\\n(\\{\"switches\": \\[\\s*\\{[^}]*\"emulated\": true.*?)```");
  private static final Pattern LOCAL = Pattern.compile("127\\.0\\.0\\.1:\\d+");

  private static final long SECOND = 1_000_000_000;

  @TempDir Path folder;

  /** The example, on free ports. */
  private NetworkFile.Contents example() throws Exception {
    Matcher example = EXAMPLE.matcher(Files.readString(GUIDE));
    assertThat(example.find()).isTrue();
    Path file = folder.resolve("network.json");
    Files.writeString(
        file, LOCAL.matcher(example.group(1)).replaceAll(unused -> "127.0.0.1:" + freePort()));
    return NetworkFile.read(
        file.toString(), new RemoteSwitchOptions(), MarkerSettings.DEFAULT, List.of("emulator"));
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private StandaloneController serve(NetworkFile.Contents file) throws StartFailure {
    return StandaloneController.start(
        file,
        NetworkFile.one(new RemoteSwitchOptions(), file, MarkerSettings.DEFAULT),
        folder.resolve("data"),
        HttpSettings.on(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
        Comparing.DEFAULT);
  }

  private static void put(StandaloneController at, String path, String body) throws Exception {
    assertThat(Http.send("PUT", at.api() + path + "?waitMillis=60000", body).statusCode())
        .isEqualTo(201);
  }

  @Test
  void packetsGoFromALineToTheCoreAndBack() throws Exception {
    NetworkFile.Contents file = example();
    try (EmbeddedNetwork network = EmbeddedNetwork.start(file.emulated());
        StandaloneController controller = serve(file)) {
      put(controller, "/policies/gold", "{\"throughputValue\":{\"builtIn\":\"gold\"}}");
      String line =
          "{\"policy\":\"gold\",\"prefixes\":[\"198.51.100.%d/32\"],\"attachment\":{"
              + "\"switch\":\"%s\",\"port\":0,\"tree\":3}}";
      put(controller, "/subscribers/alice", line.formatted(7, "bng1"));
      put(controller, "/subscribers/bob", line.formatted(207, "bng2"));
      put(
          controller,
          "/rate-limits/bob",
          "{\"scope\":{\"subscriber\":\"bob\"},\"downBps\":20000000,\"enforcement\":\"fpga\"}");
      assertThat(controller.controller().awaitAllInstalled(Patience.TIME)).isTrue();
      AtomicInteger core = new AtomicInteger();
      AtomicInteger homes = new AtomicInteger();
      network
          .port(new End("agg", 3))
          .connect((bytes, offset, length, tag, nowNanos) -> core.incrementAndGet());
      for (String bng : List.of("bng1", "bng2")) {
        network
            .port(new End(bng, 1))
            .connect((bytes, offset, length, tag, nowNanos) -> homes.incrementAndGet());
      }
      network.simulation().runUntil(SECOND);
      receive(network, new End("bng1", 1), "198.51.100.7", "192.0.2.1");
      receive(network, new End("agg", 3), "192.0.2.1", "198.51.100.7");
      receive(network, new End("agg", 3), "192.0.2.1", "198.51.100.207");
      network.simulation().runUntil(2 * SECOND);
      assertThat(core).hasValue(1);
      assertThat(homes).hasValue(2);
    }
  }

  private static void receive(EmbeddedNetwork network, End at, String from, String to) {
    byte[] frame = new FrameBuilder().frameBytes(500).addresses(from, to).build().frame(0, 0);
    network.simulation().execute(() -> network.port(at).receive(frame, 0, frame.length, 0, SECOND));
  }

  /** In real time, and again on the ports that it leaves. */
  @Test
  void timePassesUntilItIsClosed() throws Exception {
    NetworkFile.Contents file = example();
    for (int i = 0; i < 2; i++) {
      try (EmbeddedNetwork network = EmbeddedNetwork.start(file.emulated());
          StandaloneController controller = serve(file)) {
        network.run();
        assertThat(controller.controller().awaitAllInstalled(Patience.TIME)).isTrue();
      }
    }
  }

  @Test
  void aPortThatIsTakenIsNamed() throws Exception {
    NetworkFile.Contents file = example();
    int port = file.emulated().get(1).remote().servers().p4runtime().port();
    try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() -> EmbeddedNetwork.start(file.emulated()))
          .isInstanceOf(StartFailure.class)
          .hasMessageStartingWith("cannot serve P4Runtime on 127.0.0.1:" + taken.getLocalPort());
    }
    EmbeddedNetwork.start(file.emulated()).close();
  }
}
