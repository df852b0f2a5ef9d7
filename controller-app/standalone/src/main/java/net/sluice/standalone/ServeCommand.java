package net.sluice.standalone;

import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import net.sluice.core.InstallSummary;
import net.sluice.intents.model.Direction;
import net.sluice.standalone.cli.Durations;
import net.sluice.standalone.cli.OptionException;
import net.sluice.standalone.cli.OptionValues;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code sluice serve}: the controller and its API, until stopped, with the emulated targets in
 * this process or with a switch that runs elsewhere.
 */
@Command(
    name = "serve",
    description = {
      "Run the controller until stopped: with an emulated switch and emulated FPGAs inside, or with"
          + " a switch elsewhere (--switch)."
    },
    mixinStandardHelpOptions = true)
public final class ServeCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(ServeCommand.class);
  private static final Duration FIRST_INSTALL = Duration.ofSeconds(20);
  private static final Duration SHORTEST_AUDIT = Duration.ofSeconds(10);
  private static final Duration LONGEST_AUDIT = Duration.ofHours(24);
  private static final String DEFAULT_BOTTLENECK = "1G";
  private static final String DEFAULT_SEED = "1";
  private static final String DEFAULT_P4RUNTIME = "127.0.0.1:0";
  private static final String DEFAULT_PROFILE = "emulator";
  private static final String DEFAULT_ELECTION_ID = "1";

  @Option(
      names = "--http",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:8181",
      description = "Where the API listens; port 0 takes a free one. Default: ${DEFAULT-VALUE}")
  private String http;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "./sluice-data",
      description =
          "Where declarations are kept; created if it does not exist. Default: ${DEFAULT-VALUE}")
  private String data;

  @Option(
      names = "--max-subscriber-rate",
      paramLabel = "RATE",
      defaultValue = "100G",
      description =
          "Highest subscriber rate the marker resolves, 1M to 100G; the lowest is 100,000 times"
              + " less. Default: ${DEFAULT-VALUE}")
  private String maxSubscriberRate;

  @Option(
      names = "--audit-interval",
      paramLabel = "TIME",
      defaultValue = "15m",
      description =
          "How long after a comparison of a target with what is declared the next one begins, 10s"
              + " to 24h; 0 for none that nobody asks for. Default: ${DEFAULT-VALUE}")
  private String auditInterval;

  @Option(
      names = "--bottleneck",
      paramLabel = "RATE",
      description =
          "Rate of the emulated switch's access port and core port, 1k to 100G. Default: "
              + DEFAULT_BOTTLENECK)
  private String bottleneck;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of everything random in the emulation. Default: " + DEFAULT_SEED)
  private String seed;

  @Option(
      names = "--p4runtime",
      paramLabel = "HOST:PORT",
      description =
          "Where the emulated switch's P4Runtime listens; port 0 takes a free one. Default: "
              + DEFAULT_P4RUNTIME)
  private String p4runtime;

  @Option(
      names = "--gnmi",
      paramLabel = "HOST:PORT",
      description =
          "Where the emulated switch's gNMI listens; port 0 takes a free one. Default: "
              + DEFAULT_P4RUNTIME
              + ". With --switch, where that switch's gNMI server is; without it, nobody tells of"
              + " its ports.")
  private String gnmi;

  @Option(
      names = "--set-ports",
      description =
          "With --switch and --gnmi: set the ports to the rates of the topology, by speed where the"
              + " rate is one, by shaping otherwise.")
  private boolean setsPorts;

  @Option(
      names = "--switch",
      paramLabel = "HOST:PORT",
      description =
          "P4Runtime address of a switch elsewhere, which is used instead of the emulated targets.")
  private String switchAddress;

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description =
          "What kind of switch that of --switch is; 'sluice profile list' lists them. Default: "
              + DEFAULT_PROFILE)
  private String profile;

  @Option(
      names = "--topology",
      paramLabel = "FILE",
      description = "How the switch of --switch is cabled, as JSON (docs/serve.md).")
  private String topologyFile;

  @Option(
      names = "--device-id",
      paramLabel = "N",
      description = "P4Runtime device id of the switch of --switch. Default: its profile's")
  private String deviceId;

  @Option(
      names = "--election-id",
      paramLabel = "N",
      description =
          "P4Runtime election id, from 1 up; the controller with the highest one is primary."
              + " Default: "
              + DEFAULT_ELECTION_ID)
  private String electionId;

  @Option(
      names = "--fpga-down",
      paramLabel = "HOST:PORT|mmap:FILE",
      description =
          "Beside --switch: register agent of the FPGA that shapes what goes down, or the file that"
              + " maps its registers.")
  private String fpgaDown;

  @Option(
      names = "--fpga-up",
      paramLabel = "HOST:PORT|mmap:FILE",
      description = "The same for the FPGA that shapes what goes up.")
  private String fpgaUp;

  @Option(
      names = "--fpga-clock",
      paramLabel = "HZ",
      description = "Clock of these FPGAs. Default: " + DefaultTopology.FPGA_CLOCK_HZ)
  private String fpgaClock;

  @Mixin private LogOptions logging = new LogOptions();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws StartFailure {
    logging.apply();
    InetSocketAddress httpAddress = ListenAddress.parse("--http", http);
    long highestRateBps =
        OptionValues.rate(
            "--max-subscriber-rate",
            maxSubscriberRate,
            DefaultTopology.MIN_SUBSCRIBER_RATE_BPS,
            DefaultTopology.MAX_SUBSCRIBER_RATE_BPS);
    Optional<Duration> audit = audit();
    if (switchAddress == null) {
      serveEmbedded(httpAddress, highestRateBps, audit);
    } else {
      serveElsewhere(httpAddress, highestRateBps, audit);
    }
    return 0;
  }

  private Optional<Duration> audit() {
    Duration interval = Duration.ofNanos(Durations.nanos(auditInterval).orElse(-1));
    if (interval.isZero()) {
      return Optional.empty();
    }
    if (interval.compareTo(SHORTEST_AUDIT) < 0 || interval.compareTo(LONGEST_AUDIT) > 0) {
      throw new OptionException(
          "--audit-interval",
          auditInterval,
          "a time from 10s to 24h, written like 90s, 15m or 2h; or 0 for none");
    }
    return Optional.of(interval);
  }

  private void serveEmbedded(
      InetSocketAddress httpAddress, long highestRateBps, Optional<Duration> audit)
      throws StartFailure {
    Map<String, String> strangers = new LinkedHashMap<>();
    strangers.put("--profile", profile);
    strangers.put("--topology", topologyFile);
    strangers.put("--device-id", deviceId);
    strangers.put("--election-id", electionId);
    strangers.put("--fpga-down", fpgaDown);
    strangers.put("--fpga-up", fpgaUp);
    strangers.put("--fpga-clock", fpgaClock);
    strangers.put("--set-ports", setsPorts ? "" : null);
    refuse(strangers, "nothing without --switch: the emulated targets know it themselves");
    InetSocketAddress gnmiAddress = ListenAddress.parse("--gnmi", given(gnmi, DEFAULT_P4RUNTIME));
    InetSocketAddress p4runtimeAddress =
        ListenAddress.parse("--p4runtime", given(p4runtime, DEFAULT_P4RUNTIME));
    DefaultTopology topology =
        new DefaultTopology(
            OptionValues.rate(
                "--bottleneck",
                given(bottleneck, DEFAULT_BOTTLENECK),
                1_000,
                DefaultTopology.MAX_BOTTLENECK_BPS),
            highestRateBps);
    long seedNumber =
        OptionValues.wholeNumber(
            "--seed", given(seed, DEFAULT_SEED), Long.MIN_VALUE, Long.MAX_VALUE);
    Path directory = directory();
    HttpServer.requireFree(httpAddress);
    untilStopped(
        stopping -> {
          try (EmbeddedTargets targets =
                  EmbeddedTargets.start(topology, seedNumber, p4runtimeAddress, gnmiAddress);
              StandaloneController standalone =
                  StandaloneController.start(topology, targets, directory, httpAddress, audit)) {
            stopping.arm();
            targets.startPaced();
            String where =
                String.format(
                    "P4Runtime %s, gNMI %s, FPGA registers %s and %s",
                    ListenAddress.text(p4runtimeAddress, targets.p4runtimePort()),
                    ListenAddress.text(gnmiAddress, targets.gnmiPort()),
                    targets.agentPort(Direction.DOWN),
                    targets.agentPort(Direction.UP));
            ready(standalone, httpAddress, where, directory);
          }
        });
  }

  private void serveElsewhere(
      InetSocketAddress httpAddress, long highestRateBps, Optional<Duration> audit)
      throws StartFailure {
    Map<String, String> strangers = new LinkedHashMap<>();
    strangers.put("--bottleneck", bottleneck);
    strangers.put("--seed", seed);
    strangers.put("--p4runtime", p4runtime);
    refuse(strangers, "nothing together with --switch: it belongs to the emulated targets");
    SwitchElsewhere elsewhere =
        SwitchElsewhere.parse(
            new SwitchElsewhere.Raw(
                switchAddress,
                given(profile, DEFAULT_PROFILE),
                deviceId,
                given(electionId, DEFAULT_ELECTION_ID),
                topologyFile,
                fpgaDown,
                fpgaUp,
                gnmi,
                setsPorts,
                given(fpgaClock, Long.toString(DefaultTopology.FPGA_CLOCK_HZ))),
            highestRateBps);
    Path directory = directory();
    HttpServer.requireFree(httpAddress);
    untilStopped(
        stopping -> {
          try (StandaloneController standalone =
              StandaloneController.start(elsewhere, directory, httpAddress, audit)) {
            stopping.arm();
            StringBuilder where = new StringBuilder("switch ");
            where.append(switchAddress).append(" device ").append(elsewhere.endpoint().deviceId());
            where.append(" (").append(elsewhere.profile().name()).append(")");
            if (gnmi != null) {
              where.append(", gNMI ").append(gnmi);
            }
            if (fpgaDown != null) {
              where.append(", FPGA down ").append(fpgaDown);
            }
            if (fpgaUp != null) {
              where.append(", FPGA up ").append(fpgaUp);
            }
            ready(standalone, httpAddress, where.toString(), directory);
          }
        });
  }

  private static String given(String value, String otherwise) {
    return value == null ? otherwise : value;
  }

  private static void refuse(Map<String, String> options, String allowed) {
    options.forEach(
        (option, value) -> {
          if (value != null) {
            throw new OptionException(option, value, allowed);
          }
        });
  }

  private Path directory() {
    try {
      return Path.of(data);
    } catch (InvalidPathException e) {
      throw new OptionException("--data", data, "the name of a directory");
    }
  }

  /** Says that the API can be used, and how far the targets are, then waits for the end. */
  private void ready(
      StandaloneController standalone, InetSocketAddress httpAddress, String where, Path directory)
      throws InterruptedException {
    boolean installed = standalone.controller().awaitAllInstalled(FIRST_INSTALL);
    if (!httpAddress.getAddress().isLoopbackAddress()) {
      LOG.warn("the API is open to the network and asks nobody who they are");
    }
    if (!installed) {
      for (InstallSummary.PerTarget target : standalone.controller().summary().targets()) {
        target
            .sessionDetail()
            .ifPresent(why -> LOG.warn("{} is not ready: {}", target.target(), why));
      }
    }
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "sluice: ready%s: API %s, %s, data in %s%n",
        installed ? "" : " (targets still being filled)", standalone.api(), where, directory);
    out.flush();
    new CountDownLatch(1).await();
  }

  private interface Serving {
    void run(Stopping stopping) throws StartFailure, InterruptedException;
  }

  /** From {@link #arm} on a signal ends the serving thread's waits instead of the process. */
  private static final class Stopping {
    private final Thread serving = Thread.currentThread();
    private final CountDownLatch stopped = new CountDownLatch(1);

    void arm() {
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    serving.interrupt();
                    awaitQuietly(stopped);
                  },
                  "sluice-stop"));
    }
  }

  /** A signal ends whatever is being waited for; the process lives on until all is closed. */
  private static void untilStopped(Serving serving) throws StartFailure {
    Stopping stopping = new Stopping();
    try {
      serving.run(stopping);
    } catch (InterruptedException e) {
      LOG.info("stopped");
    } finally {
      stopping.stopped.countDown();
    }
  }

  /** Keeps the process alive until everything is closed. */
  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
