package net.sluice.standalone;

import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import net.sluice.core.ControllerConfig.DeletionLimit;
import net.sluice.core.InstallSummary;
import net.sluice.endpoints.Reach;
import net.sluice.intents.marker.RandomRates;
import net.sluice.intents.model.Direction;
import net.sluice.standalone.cli.Durations;
import net.sluice.standalone.cli.OptionException;
import net.sluice.standalone.cli.Options;
import net.sluice.standalone.cli.RandomBits;
import net.sluice.standalone.cli.Range;
import net.sluice.standalone.cli.Rates;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code sluice serve}: the controller and its API, until stopped, with the emulated targets in
 * this process or with a switch that runs target.
 */
@Command(
    name = "serve",
    description = {
      "Run the controller until stopped: with an emulated switch and emulated FPGAs inside, or with"
          + " a remote switch (--switch)."
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

  @Mixin private HttpOptions http = new HttpOptions();

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "Where declarations are kept; created if it does not exist. Default: $STATE_DIRECTORY"
              + " (as systemd sets it), else $XDG_STATE_HOME/sluice, else ~/.local/state/sluice")
  private String data;

  @Option(
      names = "--max-subscriber-rate",
      paramLabel = "RATE",
      defaultValue = "100G",
      converter = Rates.Converter.class,
      description =
          "Highest subscriber rate the marker resolves, 1M to 100G; the lowest is 100,000 times"
              + " less. Default: ${DEFAULT-VALUE}")
  @Range(
      min = DefaultTopology.MIN_SUBSCRIBER_RATE_BPS,
      max = DefaultTopology.MAX_SUBSCRIBER_RATE_BPS,
      rate = true)
  private long maxSubscriberRateBps;

  @Option(
      names = "--random-bits",
      paramLabel = "BITS",
      defaultValue = "16",
      converter = RandomBits.class,
      description =
          "Random bits by which the marker decides, 16 or, as in the CSAQM paper, 8. With 8,"
              + " whoever sends many times its share gets more than it. Default: ${DEFAULT-VALUE}")
  private RandomRates randomRates;

  @Option(
      names = "--audit-interval",
      paramLabel = "TIME",
      defaultValue = "15m",
      description =
          "How long after a comparison of a target with what is declared the next one begins, 10s"
              + " to 24h; 0 for none but those asked for. Default: ${DEFAULT-VALUE}")
  private String auditInterval;

  @Option(
      names = "--adopt",
      description =
          "Let the first comparison of each target delete whatever the store does not have, and"
              + " take over targets of another store. Without it the controller refuses to (session"
              + " REFUSING) and waits to be told.")
  private boolean adopt;

  @Option(
      names = "--deletion-limit",
      paramLabel = "PERCENT",
      defaultValue = "5",
      description =
          "Part of what a target holds that a comparison may delete without being told to, 0 to"
              + " 100; 100 entries it may in any case. Default: ${DEFAULT-VALUE}")
  @Range(min = 0, max = 100)
  private long deletionLimitPercent;

  @Option(
      names = "--bottleneck",
      paramLabel = "RATE",
      converter = Rates.Converter.class,
      description =
          "Rate of the emulated switch's access port and core port, 1k to 100G. Default: "
              + DEFAULT_BOTTLENECK)
  @Range(min = 1_000, max = DefaultTopology.MAX_BOTTLENECK_BPS, rate = true)
  private long bottleneckBps = 1_000_000_000;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of everything random in the emulation. Default: " + DEFAULT_SEED)
  @Range
  private long seed = 1;

  @Option(
      names = "--p4runtime",
      paramLabel = "HOST:PORT",
      description =
          "Where the emulated switch's P4Runtime listens; port 0 takes a free one. Default: "
              + DEFAULT_P4RUNTIME)
  private InetSocketAddress p4runtime = ListenAddress.parse(DEFAULT_P4RUNTIME);

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
      names = "--check",
      description =
          "Only tell what would be served, or why it would be refused: reads the topology and the"
              + " store, changes nothing, binds no port and reaches no target. Exit code 1 if it"
              + " would be refused.")
  private boolean check;

  @Option(
      names = "--network",
      paramLabel = "FILE",
      description =
          "Several remote switches, which are used instead of the emulated targets: what they are,"
              + " where, and how each is cabled, as JSON (docs/operators-guide.md).")
  private String network;

  @Mixin private RemoteSwitchOptions remote = new RemoteSwitchOptions();

  @Mixin private LogOptions logging = new LogOptions();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws StartFailure {
    logging.apply();
    ReconcileSettings reconciling =
        new ReconcileSettings(
            audit(),
            new DeletionLimit((int) deletionLimitPercent, DeletionLimit.DEFAULT.entries()),
            adopt);
    if (check) {
      return check();
    }
    if (isEmbedded()) {
      serveEmbedded(reconciling);
    } else {
      serveRemote(reconciling);
    }
    return 0;
  }

  private boolean isEmbedded() {
    return remote.address() == null && network == null;
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

  private void serveEmbedded(ReconcileSettings reconciling) throws StartFailure {
    InetSocketAddress gnmiAddress = embeddedGnmi();
    DefaultTopology topology =
        new DefaultTopology(bottleneckBps, maxSubscriberRateBps, randomRates);
    Path directory = directory();
    HttpSettings settings = settings(directory);
    untilStopped(
        stopping -> {
          try (EmbeddedTargets targets =
                  EmbeddedTargets.start(topology, seed, p4runtime, gnmiAddress);
              StandaloneController standalone =
                  StandaloneController.start(topology, targets, directory, settings, reconciling)) {
            stopping.arm();
            targets.startPaced();
            String where =
                String.format(
                    "P4Runtime %s, gNMI %s, FPGA registers %s and %s",
                    ListenAddress.text(p4runtime, targets.p4runtimePort()),
                    ListenAddress.text(gnmiAddress, targets.gnmiPort()),
                    targets.agentPort(Direction.DOWN),
                    targets.agentPort(Direction.UP));
            ready(standalone, where, directory);
          }
        });
  }

  /** Checks the options of emulated targets; answers where the emulated switch's gNMI listens. */
  private InetSocketAddress embeddedGnmi() {
    remote.refuse("nothing without --switch: the emulated targets know it themselves");
    return ListenAddress.parse("--gnmi", gnmi == null ? DEFAULT_P4RUNTIME : gnmi);
  }

  /** What the options say of the remote switches. */
  private NetworkFile.Contents remoteSwitches() throws StartFailure {
    Options.refuse(
        spec,
        "nothing together with --switch or --network: it belongs to the emulated targets",
        "--bottleneck",
        "--seed",
        "--p4runtime");
    if (network == null) {
      Options.refuse(spec, RemoteSwitchOptions.NOT_DECLARED, "--allow-target");
      return new NetworkFile.Contents(
          List.of(remote.read(gnmi, maxSubscriberRateBps, randomRates)), Map.of());
    }
    Options.refuse(
        spec,
        "nothing together with --network: its file says it of each switch",
        "--switch",
        "--profile",
        "--topology",
        "--device-id",
        "--fpga-down",
        "--fpga-up",
        "--fpga-clock",
        "--gnmi",
        "--set-ports");
    return NetworkFile.read(network, remote, maxSubscriberRateBps, randomRates);
  }

  private int check() {
    Path directory = directory();
    http.settings();
    ServeCheck report = new ServeCheck(spec.commandLine(), directory);
    try {
      if (isEmbedded()) {
        embeddedGnmi();
        DefaultTopology topology =
            new DefaultTopology(bottleneckBps, maxSubscriberRateBps, randomRates);
        report.tell("emulated switch", topology.topology());
        report.tell(StandaloneController.check(topology, directory));
      } else {
        NetworkFile.Contents given = remoteSwitches();
        List<RemoteSwitch> members =
            network == null
                ? given.switches()
                : StandaloneController.members(
                    given,
                    NetworkFile.one(remote, given, maxSubscriberRateBps, randomRates),
                    directory);
        for (RemoteSwitch target : members) {
          report.tell(where(target) + ", not contacted", target.topology());
          if (target.reach() instanceof Reach.Nothing nothing) {
            report.warn(target.name() + " is " + nothing.reason());
          }
        }
        report.tell(
            members.stream().map(RemoteSwitch::name).toList(),
            StandaloneController.check(members, directory));
      }
    } catch (StartFailure e) {
      report.refuse(e.getMessage());
    }
    return report.end();
  }

  private void serveRemote(ReconcileSettings reconciling) throws StartFailure {
    NetworkFile.Contents file = remoteSwitches();
    Path directory = directory();
    HttpSettings settings = settings(directory);
    untilStopped(
        stopping -> {
          try (StandaloneController standalone =
              network == null
                  ? StandaloneController.start(
                      file.switches().get(0), directory, settings, reconciling)
                  : StandaloneController.start(
                      file,
                      NetworkFile.one(remote, file, maxSubscriberRateBps, randomRates),
                      directory,
                      settings,
                      reconciling)) {
            stopping.arm();
            ready(
                standalone,
                (network == null ? file.switches() : standalone.switches())
                    .stream().map(this::where).collect(Collectors.joining("; ")),
                directory);
          }
        });
  }

  private String where(RemoteSwitch target) {
    StringBuilder where = new StringBuilder(network == null ? "switch " : target.name() + " ");
    where.append(new ConnectAddress(target.endpoint().host(), target.endpoint().port()));
    where.append(" device ").append(target.endpoint().deviceId());
    where.append(" (").append(target.profile().name()).append(")");
    target
        .gnmi()
        .ifPresent(at -> where.append(", gNMI ").append(new ConnectAddress(at.host(), at.port())));
    target
        .fpgaDown()
        .ifPresent(fpga -> where.append(", FPGA down ").append(RemoteSwitchOptions.text(fpga)));
    target
        .fpgaUp()
        .ifPresent(fpga -> where.append(", FPGA up ").append(RemoteSwitchOptions.text(fpga)));
    if (target.reach() instanceof Reach.Nothing) {
      where.append(", out of reach");
    }
    return where.toString();
  }

  private Path directory() {
    return StateDirectory.of(data, System.getenv(), System.getProperty("user.home"));
  }

  /** What the options say, before anything is started; tells where declarations are kept. */
  private HttpSettings settings(Path directory) throws StartFailure {
    HttpSettings settings = http.settings();
    HttpServer.requireFree(settings);
    LOG.info("declarations are kept in {}", directory);
    return settings;
  }

  /** Says that the API can be used, and how far the targets are, then waits for the end. */
  private void ready(StandaloneController standalone, String where, Path directory)
      throws InterruptedException {
    boolean installed = standalone.controller().awaitAllInstalled(FIRST_INSTALL);
    if (!http.settings().address().getAddress().isLoopbackAddress()) {
      LOG.warn("the API is open to the network without authentication");
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
        "sluice: ready%s: API %s, health %s, %s, data in %s%n",
        installed ? "" : " (targets still being filled)",
        standalone.api(),
        standalone.health().orElseThrow(),
        where,
        directory);
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
