package net.sluice.it.onos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.sluice.emulator.server.p4runtime.P4RuntimeServer;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.it.p4.FreePorts;
import net.sluice.pipeconf.profile.OnosNetcfg;
import net.sluice.pipeconf.profile.TargetProfiles;
import net.sluice.testing.Patience;
import org.slf4j.LoggerFactory;

/**
 * Two instances of ONOS with a storage node, which flushes what it commits, and two emulated
 * switches, {@code leaf1} and {@code leaf2}; each in a directory and on ports of its own.
 */
final class OnosCluster implements AutoCloseable {
  static final List<String> SWITCHES = List.of("leaf1", "leaf2");

  private static final String API = "/onos/sluice/v1";
  private static final Duration PATIENCE = Duration.ofSeconds(Patience.PROCESS_SECONDS);
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String STORAGE_IP = "127.0.0.3";
  private static final String STORAGE =
      """
      class Storage {
        public static void main(String[] args) throws InterruptedException {
          new io.atomix.core.Atomix(args[0]).start().join();
          System.out.println("started");
          Thread.currentThread().join();
        }
      }
      """;

  /** Jars of ONOS that a storage node is made of. */
  private static final Pattern OF_STORAGE =
      Pattern.compile(
          ".*/system/(io/(atomix|netty|github)|com/(esotericsoftware|google/guava|typesafe)"
              + "|org/(objenesis|ow2/asm/asm|apache/commons))/.*\\.jar");

  private static final String TOPOLOGY =
      """
      {"ports": [
         {"number": 1, "role": "access", "rateBps": 1000000000, "destinationMac": "02:00:00:00:01:01"},
         {"number": 2, "role": "core", "rateBps": 1000000000, "destinationMac": "02:00:00:00:01:02"}],
       "bngPorts": {"0": 1},
       "routes": [{"prefix": "0.0.0.0/0", "port": 2}, {"prefix": "::/0", "port": 2}]}
      """;

  private final Path work;
  private final List<String> storageCommand;
  private final List<OnosProcess> instances = new ArrayList<>();
  private final Map<String, P4RuntimeServer> switches = new LinkedHashMap<>();
  private LoggedProcess storage;

  /**
   * Starts it, without the application.
   *
   * @param installed an ONOS, which stays as it is
   * @param work directory for what it stores
   */
  OnosCluster(Path installed, Path work) throws Exception {
    this.work = work;
    int storagePort = FreePorts.next();
    storageCommand = storageCommand(installed, storagePort);
    try {
      String node =
          ", \"storage\": [{\"id\": \"atomix-1\", \"ip\": \"%s\", \"port\": %d}]"
              .formatted(STORAGE_IP, storagePort);
      for (int number = 1; number <= 2; number++) {
        String ip = "127.0.0." + number;
        instances.add(new OnosProcess(installed, work.resolve("instance" + number), ip, node));
      }
      start();
      for (String name : SWITCHES) {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        switches.put(name, P4RuntimeServer.start(new V1modelSwitch(1, 1), any));
      }
    } catch (Exception | Error e) {
      close();
      throw e;
    }
  }

  private void start() throws Exception {
    startStorage();
    for (OnosProcess each : instances) {
      each.start();
    }
    for (OnosProcess each : instances) {
      each.awaitAnswers();
    }
    for (OnosProcess each : instances) {
      // One whose monitor of components has not started is up, and stays ACTIVE for good.
      Patience.awaitAnswer(
          each.address() + " sees two instances that are up",
          PATIENCE,
          () -> each.admin().get("/onos/v1/cluster").body(),
          seen -> seen.split("\"(READY|ACTIVE)\"", -1).length == 3);
    }
  }

  /** Kills all of it and starts it without anything that was stored. */
  void beginAnew() throws Exception {
    for (OnosProcess each : instances) {
      each.close();
    }
    storage.close();
    try (Stream<Path> all = Files.walk(work.resolve("storage"))) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
    start();
    awaitSluice();
  }

  /** Java runs the source: ONOS has the jars, and nothing of it is there when this is compiled. */
  private List<String> storageCommand(Path installed, int port) throws Exception {
    String raft =
        """
        {"type": "raft", "partitions": 1, "partitionSize": 1, "members": ["atomix-1"],
         "storage": {"level": "mapped", "flushOnCommit": true, "directory": "%s"}}
        """;
    String node = "{\"id\": \"atomix-1\", \"address\": \"%s:%d\"}".formatted(STORAGE_IP, port);
    Path config = work.resolve("storage.conf");
    Files.writeString(
        config,
        """
        {"cluster": {"clusterId": "it", "node": %s, "discovery": {"type": "bootstrap", "nodes": [%s]}},
         "managementGroup": %s, "partitionGroups": {"raft": %s}}
        """
            .formatted(
                node,
                node,
                raft.formatted(work.resolve("storage/management")),
                raft.formatted(work.resolve("storage/raft"))));
    Path source = Files.writeString(work.resolve("Storage.java"), STORAGE);
    List<String> jars = new ArrayList<>();
    jars.add(
        Path.of(LoggerFactory.class.getProtectionDomain().getCodeSource().getLocation().toURI())
            .toString());
    try (Stream<Path> all = Files.walk(installed)) {
      all.map(Path::toString).filter(OF_STORAGE.asMatchPredicate()).sorted().forEach(jars::add);
    }
    List<String> command =
        new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java", "-Xmx1g"));
    for (String opened :
        List.of("java.util.concurrent.atomic", "java.lang.invoke", "java.nio", "sun.nio.ch")) {
      command.addAll(List.of("--add-opens", "java.base/" + opened + "=ALL-UNNAMED"));
    }
    command.addAll(
        List.of(
            "-cp", String.join(File.pathSeparator, jars), source.toString(), config.toString()));
    return command;
  }

  /** Starts the storage node with what it has stored. */
  void startStorage() throws IOException, InterruptedException {
    storage = new LoggedProcess("storage", new ProcessBuilder(storageCommand));
    storage.awaitLine("started"::equals);
  }

  /** The storage node since its last start. */
  LoggedProcess storage() {
    return storage;
  }

  /** Installs the archive. */
  void install() throws Exception {
    instances.get(0).install();
    awaitSluice();
  }

  private void awaitSluice() throws Exception {
    for (OnosProcess each : instances) {
      each.awaitSluice();
    }
  }

  /** Has Sluice drive the two switches. */
  void drive() throws Exception {
    for (Map.Entry<String, P4RuntimeServer> each : switches.entrySet()) {
      drive(each.getKey(), each.getValue().port(), TOPOLOGY);
    }
  }

  /** Has Sluice drive a switch that listens at a port of 127.0.0.1. */
  void drive(String name, int port, String topology) throws Exception {
    JsonNode netcfg =
        MAPPER.readTree(
            OnosNetcfg.json(
                TargetProfiles.loadSwitch("emulator"),
                List.of(name + "=127.0.0.1:" + port),
                List.of()));
    ObjectNode sluice =
        ((ObjectNode) netcfg.path("devices").path("device:" + name)).putObject("sluice");
    sluice.put("profile", "emulator").put("gnmi", "none");
    sluice.set("topology", MAPPER.readTree(topology));
    OnosRest.ok(instances.get(0).admin().post("/onos/v1/network/configuration", netcfg.toString()));
  }

  /** The instances, also those that are down. */
  List<OnosProcess> instances() {
    return instances;
  }

  /** The instance that leads, once exactly one says so. */
  OnosProcess leader() throws Exception {
    return Patience.awaitAnswer(
            "one instance leads",
            PATIENCE,
            () -> instances.stream().filter(OnosCluster::leads).toList(),
            leading -> leading.size() == 1)
        .get(0);
  }

  /** True if that is the last that the instance has logged of leading. */
  static boolean leads(OnosProcess instance) {
    return instance
        .process()
        .lastLine(line -> line.contains(" ClusterMember "))
        .filter(line -> line.endsWith("this instance leads"))
        .isPresent();
  }

  /** IPv4 prefixes whose subscribers each switch serves, as the switch itself says. */
  Map<String, Set<String>> served() throws InterruptedException {
    Map<String, Set<String>> served = new LinkedHashMap<>();
    for (Map.Entry<String, P4RuntimeServer> each : switches.entrySet()) {
      served.put(each.getKey(), SwitchContent.prefixes(each.getValue().port()));
    }
    return served;
  }

  /** Addresses of the instances' REST interfaces. */
  List<String> addresses() {
    return instances.stream().map(OnosProcess::address).collect(Collectors.toList());
  }

  @Override
  public void close() throws InterruptedException {
    for (OnosProcess each : instances) {
      each.close();
    }
    if (storage != null) {
      storage.close();
    }
    switches.values().forEach(P4RuntimeServer::close);
  }
}
