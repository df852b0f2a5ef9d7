package net.sluice.standalone;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import net.sluice.cli.LogOptions;
import net.sluice.cli.OptionException;
import net.sluice.cli.OptionSource;
import net.sluice.cli.Options;
import net.sluice.cli.Range;
import net.sluice.cli.StartFailure;
import net.sluice.cli.WrittenRates;
import net.sluice.client.StateDirectory;
import net.sluice.core.ControllerConfig.Comparing;
import net.sluice.core.InstallSummary;
import net.sluice.core.Servers;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.endpoints.Reach;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.profile.MarkerSettings;
import net.sluice.intents.value.Direction;
import net.sluice.rest.settings.ComparingOptions;
import net.sluice.rest.switches.SwitchForm;
import net.sluice.standalone.http.HttpOptions;
import net.sluice.standalone.http.HttpServer;
import net.sluice.standalone.http.HttpSettings;
import net.sluice.standalone.network.NetworkFile;
import net.sluice.standalone.network.RandomBits;
import net.sluice.standalone.network.RemoteSwitch;
import net.sluice.standalone.network.RemoteSwitchOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sluice serve}: the controller of some switches and its API, until stopped. */
@Command(
    name = "serve",
    description = {
      "Run the controller until stopped, for a switch (--switch) or several (--network)."
    },
    mixinStandardHelpOptions = true)
public final class ServeCommand implements Callable<Integer>, OptionSource {
  /** The usage that is kept, beside the store. */
  private static final String USAGE = "usage";

  private static final Logger LOG = LoggerFactory.getLogger(ServeCommand.class);
  private static final Duration FIRST_INSTALL = Duration.ofSeconds(20);

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "Options in YAML, a line each without the dashes, such as 'http: 127.0.0.1:8181', with"
              + " lists for those that may be repeated. Each option may also be in the environment,"
              + " as SLUICE_HTTP. The command line counts before the environment, and that before"
              + " the file")
  private String config;

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
      converter = WrittenRates.Converter.class,
      description =
          "Highest subscriber rate the marker resolves, 1M to 100G; the lowest is 100,000 times"
              + " less. Default: the rate of the fastest port of each switch")
  @Range(min = MarkerSettings.MIN_RATE_BPS, max = MarkerSettings.MAX_RATE_BPS, rate = true)
  private Long maxSubscriberRateBps;

  @Option(
      names = "--random-bits",
      paramLabel = "BITS",
      defaultValue = "16",
      converter = RandomBits.class,
      description =
          "Random bits by which the marker decides, 16 or, as in the CSAQM paper, 8. With 8, a"
              + " subscriber that sends many times its share gets more than it. Default:"
              + " ${DEFAULT-VALUE}")
  private RandomRates randomRates;

  @Mixin private ComparingOptions comparing = new ComparingOptions();

  @Option(
      names = "--adopt",
      description =
          "Let the first comparison of each target delete all that the store does not have, and"
              + " take over targets of another store. Without it such a target is left as it is"
              + " (session REFUSING) until a client adopts it.")
  private boolean adopt;

  @Option(
      names = "--gnmi",
      paramLabel = "HOST:PORT",
      description =
          "gNMI server of the switch of --switch; without it the states of its ports are unknown.")
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
          "Several switches: what they are, where, and how each is cabled, as JSON"
              + " (docs/operators-guide.md).")
  private String network;

  @Mixin private RemoteSwitchOptions remote = new RemoteSwitchOptions();

  @Mixin private LogOptions logging = new LogOptions();

  @Spec private CommandSpec spec;

  private final Optional<InProcessTargets> embedded;
  private final OptionSource configured;

  private ServeCommand(Optional<InProcessTargets> embedded, OptionSource configured) {
    this.embedded = embedded;
    this.configured = configured;
  }

  /**
   * The command's line.
   *
   * @param embedded the targets that it runs where no switch is named
   * @param environment where options may be
   */
  static CommandLine line(Optional<InProcessTargets> embedded, Map<String, String> environment) {
    ConfiguredOptions configured = new ConfiguredOptions(environment);
    CommandLine line = new CommandLine(new ServeCommand(embedded, configured));
    line.getCommandSpec().preprocessor(configured);
    embedded.ifPresent(
        targets ->
            line.getCommandSpec().addMixin("embedded", CommandSpec.forAnnotatedObject(targets)));
    return line;
  }

  @Override
  public Optional<String> sourceOf(String option) {
    return configured.sourceOf(option);
  }

  @Override
  public Integer call() throws StartFailure {
    logging.apply();
    Comparing reconciling = comparing.settings(adopt);
    if (check) {
      return check();
    }
    if (namesSwitches()) {
      serveRemote(reconciling);
    } else {
      serveEmbedded(reconciling);
    }
    return 0;
  }

  private boolean namesSwitches() {
    return remote.namesSwitch() || network != null;
  }

  private MarkerSettings marker() {
    return new MarkerSettings(
        maxSubscriberRateBps == null ? OptionalLong.empty() : OptionalLong.of(maxSubscriberRateBps),
        randomRates);
  }

  private void serveEmbedded(Comparing reconciling) throws StartFailure {
    InProcessTargets targets = embedded();
    targets.model(marker(), remote.fpgas(), Optional.ofNullable(gnmi));
    Path directory = directory();
    HttpSettings settings = settings(directory);
    untilStopped(
        stopping -> {
          try (InProcessTargets.RunningOne running =
                  targets.start(marker(), remote.fpgas(), Optional.ofNullable(gnmi));
              StandaloneController standalone =
                  StandaloneController.start(
                      List.of(running.remote()), directory, settings, reconciling)) {
            stopping.arm();
            running.run();
            ready(standalone, running.text(), directory);
          }
        });
  }

  private InProcessTargets embedded() {
    if (embedded.isEmpty()) {
      throw OptionException.missing("--switch", "HOST:PORT of a switch; or --network for several");
    }
    remote.refuse("nothing without --switch: the emulated targets know it themselves");
    return embedded.get();
  }

  /** The remote switches that the options describe. */
  private NetworkFile.Contents remoteSwitches() throws StartFailure {
    Options.refuse(
        spec,
        "nothing together with --switch or --network: it belongs to the emulated targets",
        embedded.map(InProcessTargets::options).orElse(List.of()).toArray(String[]::new));
    if (network == null) {
      Options.refuse(spec, RemoteSwitchOptions.NOT_DECLARED, RemoteSwitchOptions.ALLOW_TARGET);
      return new NetworkFile.Contents(List.of(remote.read(gnmi, marker())), Map.of());
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
    return NetworkFile.read(
        network, remote, marker(), embedded.map(InProcessTargets::profiles).orElse(List.of()));
  }

  private int check() {
    Path directory = directory();
    HttpSettings unused = http.settings();
    ServeCheck report = new ServeCheck(spec.commandLine(), directory);
    try {
      Map<String, RemoteSwitch.Model> models = new LinkedHashMap<>();
      if (namesSwitches()) {
        for (RemoteSwitch target : remoteMembers(directory)) {
          models.put(target.name(), target.model());
          report.tell(where(target) + ", not contacted", target.model().topology());
          if (target.reach() instanceof Reach.Nothing nothing) {
            report.warn(target.name() + " is " + nothing.reason());
          }
        }
      } else {
        RemoteSwitch.Model model =
            embedded().model(marker(), remote.fpgas(), Optional.ofNullable(gnmi));
        models.put(NetworkSwitch.ONLY, model);
        report.tell("emulated switch", model.topology());
      }
      report.tell(StandaloneController.check(models, directory));
    } catch (StartFailure e) {
      report.refuse(e.getMessage());
    }
    return report.end();
  }

  private List<RemoteSwitch> remoteMembers(Path directory) throws StartFailure {
    NetworkFile.Contents given = remoteSwitches();
    return network == null
        ? given.switches()
        : StandaloneController.members(given, NetworkFile.one(remote, given, marker()), directory);
  }

  private void serveRemote(Comparing reconciling) throws StartFailure {
    NetworkFile.Contents file = remoteSwitches();
    Path directory = directory();
    HttpSettings settings = settings(directory);
    untilStopped(
        stopping -> {
          try (InProcessTargets.Running emulated = emulated(file);
              StandaloneController standalone =
                  network == null
                      ? StandaloneController.start(
                          file.switches(), directory, settings, reconciling)
                      : StandaloneController.start(
                          file,
                          NetworkFile.one(remote, file, marker()),
                          directory,
                          settings,
                          reconciling)) {
            stopping.arm();
            if (emulated != null) {
              emulated.run();
            }
            ready(
                standalone,
                (network == null ? file.switches() : standalone.switches())
                    .stream().map(this::where).collect(Collectors.joining("; ")),
                directory);
          }
        });
  }

  /** The switches that this process emulates, which the file names; null if it names none. */
  private InProcessTargets.Running emulated(NetworkFile.Contents file) throws StartFailure {
    return file.emulated().isEmpty() ? null : embedded.orElseThrow().start(file.emulated());
  }

  private String where(RemoteSwitch target) {
    Servers servers = target.servers();
    StringBuilder where = new StringBuilder(network == null ? "switch " : target.name() + " ");
    where.append(RemoteSwitch.at(servers.p4runtime()));
    where.append(" device ").append(servers.p4runtime().deviceId());
    where.append(" (").append(target.model().profile().name()).append(")");
    servers.gnmi().ifPresent(at -> where.append(", gNMI ").append(RemoteSwitch.at(at)));
    for (Direction direction : Direction.values()) {
      target
          .fpga(direction)
          .ifPresent(
              fpga ->
                  where
                      .append(", FPGA ")
                      .append(direction.text())
                      .append(' ')
                      .append(SwitchForm.text(fpga)));
    }
    if (target.reach() instanceof Reach.Nothing) {
      where.append(", out of reach");
    }
    return where.toString();
  }

  private Path directory() {
    return StateDirectory.of(data, System.getenv(), System.getProperty("user.home"));
  }

  /** Reads the options of the API before anything is started; logs where declarations are kept. */
  private HttpSettings settings(Path directory) throws StartFailure {
    HttpSettings settings = http.settings().keepingUsage(directory.resolve(USAGE));
    HttpServer.requireFree(settings);
    LOG.info("declarations are kept in {}", directory);
    return settings;
  }

  /** Says that the API can be used, and how far the targets are, then waits for the end. */
  private void ready(StandaloneController standalone, String where, Path directory)
      throws InterruptedException {
    boolean installed = standalone.controller().awaitAllInstalled(FIRST_INSTALL);
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
    ServiceManager.ready(System.getenv(), "API " + standalone.api());
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
