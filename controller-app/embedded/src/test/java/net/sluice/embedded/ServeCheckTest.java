package net.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Stream;
import net.sluice.cli.StartFailure;
import net.sluice.core.store.StoreBatch;
import net.sluice.endpoints.RocksDbIntentStore;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.model.policy.TrafficClass;
import net.sluice.intents.model.policy.TrafficClasses;
import net.sluice.intents.state.PolicyState;
import net.sluice.intents.state.SubscriberState;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code serve --check}, and {@code serve} where it refuses for the same reason. */
final class ServeCheckTest {
  private static final String FITTING = "{\"0\": 1, \"5\": 1}";
  private static final String WITHOUT_PORT_5 = "{\"0\": 1}";

  @TempDir private Path folder;
  private Path data;

  @BeforeEach
  void nameTheStore() {
    data = folder.resolve("data");
  }

  /** A policy, and a subscriber on BNG port 5. */
  private RocksDbIntentStore fill() {
    RocksDbIntentStore store = new RocksDbIntentStore(data);
    StoreBatch batch = new StoreBatch();
    batch.put(new PolicyState(new Policy("gold", BuiltInFunction.GOLD), 1));
    Subscriber alice =
        new Subscriber(
            "alice",
            "gold",
            List.of(IpPrefix.parse("10.0.0.1/32")),
            Optional.empty(),
            new Attachment(5, 0));
    batch.put(new SubscriberState(alice, 1, SubscriberState.NONE));
    store.commit(batch);
    return store;
  }

  private String[] remote(String bngPorts) throws IOException {
    Path topology =
        Files.writeString(
            folder.resolve("topology.json"),
            """
            {"ports": [{"number": 1, "role": "access", "rateBps": 1000000,
                        "destinationMac": "02:00:00:01:00:01"}],
             "bngPorts": %s, "routes": []}
            """
                .formatted(bngPorts));
    return new String[] {"--switch", "127.0.0.1:1", "--topology", topology.toString()};
  }

  /** What the command ends with and says, the store's directory and identity replaced. */
  private String serve(String[] options, String... more) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command = EmbeddedMain.commandLine();
    command.setOut(new PrintWriter(out, true));
    command.setErr(new PrintWriter(err, true));
    List<String> all = new ArrayList<>(List.of("serve", "--data", data.toString()));
    all.addAll(Arrays.asList(options));
    all.addAll(Arrays.asList(more));
    int exit = command.execute(all.toArray(String[]::new));
    return (exit + "\n" + out + err)
        .replace(folder.toString(), "FOLDER")
        .replaceAll("identity [0-9a-f]{16}", "identity IDENTITY");
  }

  /**
   * All files there, with what is in them and when that was written; but for the lock, which this
   * process would lose by closing the file.
   */
  private Map<String, String> content() throws IOException {
    Map<String, String> content = new TreeMap<>();
    try (Stream<Path> files = Files.list(data)) {
      for (Path file : files.filter(file -> !file.endsWith("LOCK")).toList()) {
        content.put(
            file.getFileName().toString(),
            Files.getLastModifiedTime(file) + " " + Arrays.hashCode(Files.readAllBytes(file)));
      }
    }
    return content;
  }

  @Test
  void whatIsStoredIsToldAndNothingIsChanged() throws Exception {
    fill().close();
    Map<String, String> before = content();
    String served =
        """
        0
        switch 127.0.0.1:1 device 1 (emulator), not contacted; ports: 1 access
        store FOLDER/data, identity IDENTITY, revision 1: 1 policy, 1 subscriber
          subscribers: 1 of 1048575
          policies: 1 of 63
          ipv4-prefixes: 1 of 1048576
        sluice: serve would start
        """;
    assertThat(serve(remote(FITTING), "--check")).isEqualTo(served);
    assertThat(content()).isEqualTo(before);
  }

  @Test
  void whereThereIsNoStoreNoneIsMadeAndNoPortIsTaken() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String api = "127.0.0.1:" + taken.getLocalPort();
      String[] embedded = {"--http", api, "--health", api, "--p4runtime", api};
      assertThat(serve(embedded, "--check"))
          .isEqualTo(
              """
              0
              emulated switch; ports: 1 access, 2 core, 509 sidecar, 510 sidecar
              store FOLDER/data: not there yet, would be made
              sluice: serve would start
              """);
    }
    assertThat(data).doesNotExist();
  }

  @Test
  void aRestoreThatWasCutShortIsToldAsServeTellsIt() throws Exception {
    Path unused = Files.createDirectories(data.resolve("restored.next"));
    assertThat(serve(remote(FITTING), "--check"))
        .startsWith("1\n")
        .contains("a restore of it was cut short; run sluice restore again");
  }

  @Test
  void subscribersWithClassesFitOnlyFpgasThatAreSaidToHaveThem() {
    TrafficClasses one =
        new TrafficClasses(
            List.of(new TrafficClass("all", List.of(), OptionalInt.empty(), OptionalInt.of(1))));
    try (RocksDbIntentStore store = new RocksDbIntentStore(data)) {
      StoreBatch batch = new StoreBatch();
      batch.put(
          new PolicyState(new Policy("triple", BuiltInFunction.GOLD, Optional.empty(), one), 1));
      batch.put(
          new SubscriberState(
              new Subscriber(
                  "alice",
                  "triple",
                  List.of(IpPrefix.parse("10.0.0.1/32")),
                  Optional.empty(),
                  new Attachment(0, 0)),
              1,
              SubscriberState.NONE));
      store.commit(batch);
    }
    assertThat(serve(new String[0], "--check"))
        .contains(
            "subscriber alice: Policy triple has classes, and the FPGAs have none with priorities"
                + " and shares.");
    assertThat(serve(new String[] {"--fpga-classes"}, "--check"))
        .startsWith("0\n")
        .contains("1 policy, 1 subscriber");
  }

  @Test
  void whatDoesNotFitIsRefusedByBothWithTheSameWords() throws Exception {
    fill().close();
    Map<String, String> before = content();
    String misfits =
        """
        what is stored does not fit the topology and the profiles: 1 of 1 subscriber\
         would lose service; no target was connected and nothing was changed.
          subscriber alice: BNG port 5 is not connected to the switch; connected: 0.
        Begin with the topology and the profiles that it was accepted under; there, what does\
         not fit can be changed or deleted.
        """;
    assertThat(serve(remote(WITHOUT_PORT_5), "--check"))
        .startsWith("1\n")
        .contains(": 1 policy, 1 subscriber\nsluice: serve would refuse: " + misfits)
        .doesNotContain("would start");
    assertThat(content()).isEqualTo(before);
    assertThat(serve(remote(WITHOUT_PORT_5), "--http", "127.0.0.1:0", "--health", "127.0.0.1:0"))
        .isEqualTo(StartFailure.EXIT_CODE + "\nsluice: " + misfits);
  }

  @Test
  void aStoreInUseIsReadBesideItsUser() throws Exception {
    try (RocksDbIntentStore store = fill()) {
      Map<String, String> before = content();
      assertThat(serve(remote(FITTING), "--check"))
          .startsWith("1\n")
          .contains("1 policy, 1 subscriber")
          .endsWith(
              "sluice: serve would refuse: the store in FOLDER/data is in use by this process\n");
      assertThat(content()).isEqualTo(before);
      assertThat(store.subscriber("alice")).isPresent();
    }
  }

  @Test
  void whatCannotBeAStoreOrASwitchIsRefused() throws Exception {
    String refused = "sluice: serve would refuse: ";
    assertThat(serve(remote(FITTING), "--check", "--profile", "stratum-tofino2"))
        .startsWith("1\n")
        .contains(refused + "the switch cannot run this: profile is stratum-tofino2; allowed: ");
    assertThat(serve(remote("1"), "--check"))
        .startsWith("1\n" + refused + "--topology FOLDER/topology.json: bngPorts ");
    Files.createFile(data);
    assertThat(serve(remote(FITTING), "--check"))
        .startsWith("1\n")
        .endsWith(
            refused + "cannot create the store's directory FOLDER/data: it is not a directory\n");
    data = data.resolve("below");
    assertThat(serve(remote(FITTING), "--check")).endsWith("/below: it is not a directory\n");
  }

  private String[] networkFile() throws IOException {
    return new String[] {
      "--network",
      Files.writeString(
              folder.resolve("network.json"),
              """
              {"switches": [{"id": "bng1", "p4runtime": "127.0.0.1:1", "profile": "emulator",
                "topology": {
                  "ports": [{"number": 1, "role": "access", "rateBps": 1000000,
                             "destinationMac": "02:00:00:01:00:01"}],
                  "bngPorts": {"0": 1}, "routes": []}}]}
              """)
          .toString()
    };
  }

  private static String declaredSwitch(String address, String more) {
    return """
    {"p4runtime": "%s", "profile": "emulator", "topology": {
      "ports": [{"number": 2, "role": "core", "rateBps": 1000000,
                 "destinationMac": "02:00:00:01:00:02"}%s}}
    """
        .formatted(address, more);
  }

  private void declare(String name, String document) {
    try (RocksDbIntentStore store = new RocksDbIntentStore(data)) {
      store.declare(name, Optional.of(document.getBytes(StandardCharsets.UTF_8)));
    }
  }

  @Test
  void switchesThatWerePutOverTheApiAreLookedAt() throws Exception {
    String alone = "], \"bngPorts\": {}, \"routes\": []";
    declare("agg", declaredSwitch("127.0.0.1:2", alone));
    assertThat(serve(networkFile(), "--check"))
        .contains("bng1 127.0.0.1:1 device 1 (emulator), not contacted; ports: 1 access")
        .contains("agg 127.0.0.1:2 device 1 (emulator), not contacted; ports: 2 core")
        .endsWith("sluice: serve would start\n");

    declare("agg", declaredSwitch("127.0.0.1:1", alone));
    assertThat(serve(networkFile(), "--check"))
        .contains("agg 127.0.0.1:1 device 1 (emulator), out of reach, not contacted; ports: 2 core")
        .contains(
            "  agg is not connected, because this start does not allow what is stored of the"
                + " switch: p4runtime is 127.0.0.1:1 device 1; allowed: a device that no other"
                + " switch is; bng1 has this one. ")
        .endsWith("sluice: serve would start\n");

    String trunk =
        ", {\"number\": 3, \"role\": \"trunk\", \"direction\": \"up\", \"rateBps\": 1000000,"
            + " \"destinationMac\": \"02:00:00:01:00:03\"}], \"bngPorts\": {}, \"routes\": [],"
            + " \"trunks\": [{\"port\": 3, \"toSwitch\": \"gone\", \"toPort\": 1}]";
    declare("agg", declaredSwitch("127.0.0.1:2", trunk));
    assertThat(serve(networkFile(), "--check"))
        .startsWith("1\n")
        .contains(
            "serve would refuse: the switches cannot be driven together: agg topology.trunks");
  }
}
