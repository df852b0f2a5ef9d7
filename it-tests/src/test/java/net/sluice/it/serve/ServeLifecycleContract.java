package net.sluice.it.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.sluice.intents.plan.Table;
import net.sluice.intents.state.StoreIdentity;
import net.sluice.it.p4.FreePorts;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.V1ModelPipeline;
import net.sluice.pipeconf.table.DecodedEntry;
import net.sluice.testing.Http;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.ReadRequest;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** The life of {@code serve --switch} with one kind of switch, each in a process of its own. */
abstract class ServeLifecycleContract {
  private static final int KILLED_BY_SIGTERM = 128 + 15;
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final SwitchPipeline PIPELINE = V1ModelPipeline.load();
  private static final Pattern READY =
      Pattern.compile("sluice: ready( \\(targets still being filled\\))?: API (http://\\S+), (.*)");
  private static final String TOPOLOGY =
      "{\"ports\": [{\"number\": 1, \"role\": \"access\", \"rateBps\": 100000000,"
          + " \"destinationMac\": \"02:00:00:01:00:01\"}, {\"number\": 2, \"role\": \"core\","
          + " \"rateBps\": 1000000000, \"destinationMac\": \"02:00:00:01:00:02\"}],"
          + " \"bngPorts\": {\"0\": 1}, \"routes\": [{\"prefix\": \"0.0.0.0/0\", \"port\": 2}]}";

  @TempDir Path folder;

  private final Deque<SluiceProcess> processes = new ArrayDeque<>();
  private int p4runtimePort;
  private URI api;
  private String readyLine;

  /** Skips the test, and says so, where this switch cannot run. */
  abstract void assumeInstalled() throws Exception;

  /** The profile of this kind of switch. */
  abstract String profile();

  /** The device id that {@link #startSwitch} gives its switch. */
  abstract long deviceId();

  /** Starts the switch without a program; it need not serve yet when this returns. */
  abstract SluiceProcess startSwitch(Path log, int p4runtimePort) throws Exception;

  @BeforeEach
  void prepare() throws Exception {
    assumeInstalled();
    p4runtimePort = FreePorts.next();
    Files.writeString(folder.resolve("topology.json"), TOPOLOGY);
  }

  @AfterEach
  void killWhatIsLeft() {
    processes.forEach(SluiceProcess::close);
  }

  private SluiceProcess runSwitch() throws Exception {
    SluiceProcess started = startSwitch(folder.resolve("switch.log"), p4runtimePort);
    processes.push(started);
    return started;
  }

  private SluiceProcess serve(String data, String... more) throws Exception {
    return awaitReady(startServe(data, more));
  }

  private SluiceProcess startServe(String data, String... more) throws Exception {
    String[] all = new String[more.length + 11];
    String[] first = {
      "serve",
      "--http",
      "127.0.0.1:0",
      "--data",
      folder.resolve(data).toString(),
      "--switch",
      "127.0.0.1:" + p4runtimePort,
      "--profile",
      profile(),
      "--topology",
      folder.resolve("topology.json").toString()
    };
    System.arraycopy(first, 0, all, 0, first.length);
    System.arraycopy(more, 0, all, first.length, more.length);
    Path log = folder.resolve("serve-" + processes.size() + ".log");
    SluiceProcess started = SluiceProcess.sluice(log, all);
    processes.push(started);
    return started;
  }

  /** From here on requests go to that controller. */
  private SluiceProcess awaitReady(SluiceProcess started) throws Exception {
    readyLine = started.firstLine();
    Matcher ready = READY.matcher(readyLine);
    assertThat(ready.matches()).as(readyLine + started.log()).isTrue();
    api = URI.create(ready.group(2));
    return started;
  }

  private String[] device(long id) {
    return new String[] {"--device-id", Long.toString(id)};
  }

  private JsonNode send(String method, String path, String body, int status)
      throws IOException, InterruptedException {
    HttpResponse<String> response = Http.send(method, api + path, body);
    assertThat(response.statusCode()).as(path + ": " + response.body()).isEqualTo(status);
    return MAPPER.readTree(response.body());
  }

  private String subscriber(int host) {
    return "{\"policy\":\"gold\",\"prefixes\":[\"10.0.0."
        + host
        + "/32\"],\"attachment\":{\"port\":0,\"tree\":0}}";
  }

  private JsonNode putSubscriber(int host, int waitMillis, int status) throws Exception {
    return send(
        "PUT", "/subscribers/s" + host + "?waitMillis=" + waitMillis, subscriber(host), status);
  }

  private static String state(JsonNode answer) {
    return answer.path("targets").path(0).path("state").asText();
  }

  private void assertInstalled(int host) throws Exception {
    assertThat(
            await(
                () -> state(putSubscriber(host, 60_000, 200)), state -> state.equals("INSTALLED")))
        .isEqualTo("INSTALLED");
  }

  private void awaitAllInstalled() throws Exception {
    await(
        () -> send("GET", "/status", null, 200), status -> status.path("allInstalled").asBoolean());
  }

  /** Asks until the answer is as it is to become in the end. */
  private static <T> T await(Callable<T> question, Predicate<T> wanted) {
    return Patience.await("the last of many answers", question, wanted);
  }

  /**
   * Every entry the switch holds, as anybody may read them, but for how far the store had got,
   * which follows the declarations within a second.
   */
  private Set<TableEntry> entries() throws InterruptedException {
    ManagedChannel channel =
        ManagedChannelBuilder.forAddress("127.0.0.1", p4runtimePort).usePlaintext().build();
    try {
      ReadRequest.Builder request = ReadRequest.newBuilder().setDeviceId(deviceId());
      for (Table table : Table.values()) {
        request.addAllEntities(PIPELINE.entries().readAll(table));
      }
      Set<TableEntry> entries = new HashSet<>();
      P4RuntimeGrpc.newBlockingStub(channel)
          .withDeadlineAfter(Patience.SECONDS, TimeUnit.SECONDS)
          .read(request.build())
          .forEachRemaining(
              part ->
                  part.getEntitiesList().stream()
                      .filter(entity -> !isRevision(entity))
                      .forEach(entity -> entries.add(entity.getTableEntry())));
      return entries;
    } finally {
      channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
    }
  }

  private static boolean isRevision(Entity entity) {
    return PIPELINE.entries().decode(entity) instanceof DecodedEntry.Known known
        && StoreIdentity.revisionOf(known.entry()).isPresent();
  }

  @Test
  void whatIsDeclaredOutlivesSwitchAndController() throws Exception {
    SluiceProcess device = runSwitch();
    SluiceProcess controller = serve("data", device(deviceId()));
    assertThat(readyLine)
        .endsWith(
            "switch 127.0.0.1:"
                + p4runtimePort
                + " device "
                + deviceId()
                + " ("
                + profile()
                + "), data in "
                + folder.resolve("data"));
    String gold = "{\"throughputValue\":{\"builtIn\":\"gold\"}}";
    send("PUT", "/policies/gold", gold, 201);
    putSubscriber(1, 60_000, 201);
    assertInstalled(1);
    awaitAllInstalled();
    Set<TableEntry> before = entries();
    assertThat(before).hasSizeGreaterThan(2_000);

    JsonNode refused =
        send(
            "PUT",
            "/rate-limits/s1",
            "{\"scope\":{\"subscriber\":\"s1\"},\"downBps\":1,\"enforcement\":\"fpga\"}",
            422);
    assertThat(refused.path("detail").asText())
        .isEqualTo("No shaping FPGA is connected for the down direction.");

    device.kill();
    JsonNode pending = putSubscriber(2, 2_000, 201);
    assertThat(state(pending)).isEqualTo("PENDING");
    assertThat(pending.path("targets").path(0).path("target").asText()).isEqualTo("switch");
    // A controller that is not given the processor notices later that the switch is gone.
    JsonNode why =
        await(
            () -> send("GET", "/subscribers/s2", null, 200).path("targets").path(0),
            target -> target.path("error").asText().startsWith("nothing listens at "));
    assertThat(why.path("state").asText()).isEqualTo("PENDING");
    assertThat(why.path("next").asText()).isNotEmpty();
    assertThat(send("GET", "/status", null, 200).path("allInstalled").asBoolean()).isFalse();

    SluiceProcess second = runSwitch();
    // Putting the same again changes nothing and waits.
    assertInstalled(2);
    assertInstalled(1);
    awaitAllInstalled();
    Set<TableEntry> after = entries();
    assertThat(after).containsAll(before).hasSize(before.size() + 1);

    controller.kill();
    SluiceProcess heir = serve("data", device(deviceId()));
    assertInstalled(2);
    assertThat(send("GET", "/status", null, 200).path("allInstalled").asBoolean()).isTrue();
    assertThat(entries()).isEqualTo(after);
    // The heir found everything as it should be.
    assertThat(await(heir::log, log -> log.contains("read back in ")))
        .containsPattern("of which 0 were wrong and 0 unknown; 0 written");
    assertThat(heir.terminate()).isEqualTo(KILLED_BY_SIGTERM);
    assertThat(entries()).isEqualTo(after);
    second.kill();
  }

  @Test
  void whatTheSwitchRefusesIsTold() throws Exception {
    runSwitch();
    SluiceProcess primary = serve("data", "--device-id", "" + deviceId(), "--election-id", "5");
    awaitAllInstalled();
    SluiceProcess other = startServe("other", "--device-id", "" + deviceId(), "--election-id", "3");
    SluiceProcess stranger = startServe("stranger", "--device-id", "" + (deviceId() + 90));
    awaitReady(other);
    assertThat(readyLine).contains("targets still being filled");
    assertThat(await(this::detail, detail -> detail.startsWith("another")))
        .isEqualTo(
            "another controller is primary, with election id 5; this one has 3 and changes nothing."
                + " To have it take over, stop that one, or start this one with --election-id 6 or"
                + " more");
    awaitReady(stranger);
    assertThat(readyLine).contains("targets still being filled");
    assertThat(await(this::detail, detail -> !detail.isEmpty())).isNotEmpty();
    assertThat(primary.terminate()).isEqualTo(KILLED_BY_SIGTERM);
  }

  private String detail() throws Exception {
    JsonNode target = send("GET", "/status", null, 200).path("targets").path(0);
    assertThat(target.path("session").asText()).isEqualTo("CONNECTING");
    return target.path("detail").asText();
  }
}
