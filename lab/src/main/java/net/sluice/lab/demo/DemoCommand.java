package net.sluice.lab.demo;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import net.sluice.cli.Json;
import net.sluice.cli.ListenAddress;
import net.sluice.cli.Logging;
import net.sluice.cli.StartFailure;
import net.sluice.emulator.netsim.WallClock;
import net.sluice.lab.demo.household.Household;
import net.sluice.lab.demo.household.Household.Behaviour;
import net.sluice.lab.demo.household.HouseholdReport;
import net.sluice.lab.demo.live.LiveDemo;
import net.sluice.lab.demo.live.LiveDemoText;
import net.sluice.lab.report.FreshFile;
import net.sluice.lab.report.RunFoot;
import net.sluice.lab.report.chart.HtmlPage;
import net.sluice.lab.support.ControllerApi;
import net.sluice.lab.support.Figures;
import net.sluice.lab.support.Progress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code sluice demo}: declares SLAs over REST, sends traffic through the emulated switch and FPGA,
 * and compares what each group of subscribers got with its fair share.
 *
 * <p>Exit code 0 if every group got it, 1 if not, 2 for options that cannot be used.
 */
@Command(
    name = "demo",
    description =
        "Declare SLAs over REST, drive traffic through the emulated switch and FPGA, show who got"
            + " what.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class DemoCommand implements Callable<Integer> {
  @Option(
      names = "--group",
      paramLabel = "NAME:POLICY:COUNT:OFFERED[:LIMIT]",
      description = {
        "A group of subscribers; repeatable. POLICY is gold, silver or a NAME given with --policy;"
            + " OFFERED and LIMIT are rates of one subscriber, such as 400k, 2.5M or 1G.",
        "Without any and without --network: gold:gold:20:40M silver:silver:80:14.5M light:gold:1:15M"
            + " capped:gold:1:25M:10M."
      })
  private List<String> groups = List.of();

  @Option(
      names = "--policy",
      paramLabel = "NAME=FILE",
      description =
          "A policy of your own; FILE holds the JSON body of PUT /policies/NAME; repeatable.")
  private List<String> policies = List.of();

  @Option(
      names = "--enforcement",
      paramLabel = "shape|police|fpga",
      description =
          "What a LIMIT asks to be enforced by: the switch or a shaping FPGA, which hold back what"
              + " is above it, or the switch's meters, which drop it. Default: shape where every"
              + " switch has loop ports and every LIMIT is 60k to 100G, else what the controller"
              + " chooses.")
  private String enforcement;

  @Option(
      names = "--network",
      paramLabel = "NAME|FILE",
      description = {
        "Several switches joined by trunks, driven by one controller: two-bng (two BNG switches mark,"
            + " an aggregation switch drops by value on the way up), two-bng-down (the same on the"
            + " way down), or a JSON file (docs/measuring.md). A --group is then"
            + " NAME@SWITCH:POLICY:COUNT:OFFERED[:LIMIT]; without any, the network's own."
      })
  private String network;

  @Option(
      names = "--bloat",
      description = {
        "The household with its call, game and download also without what keeps delay low, as it was"
            + " before: packets wait as they come, as long as there is room.",
        "Only where a group has a LIMIT, and without --network."
      })
  private boolean bloat;

  @Option(
      names = "--bottleneck",
      paramLabel = "RATE",
      description = "Rate of the port towards the subscribers. Default: 1G. Not with --network.")
  private String bottleneck;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description =
          "Measured virtual seconds; a warm-up precedes them. Default: 5, or more if a group has"
              + " few packets.")
  private String seconds;

  @Option(
      names = "--packet",
      paramLabel = "BYTES",
      defaultValue = "1500",
      description = "Length of the frames, 64 to 9000. Default: ${DEFAULT-VALUE}.")
  private String packet;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of everything random. Default: ${DEFAULT-VALUE}.")
  private String seed;

  @Option(
      names = "--live",
      description = {
        "A network in real time to look at: the controller's page over a household, its neighbour's"
            + " flood and a congested port, until it is stopped or for --seconds.",
        "Of the other options only --seed and --http count."
      })
  private boolean live;

  @Option(
      names = "--http",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:8181",
      description = "Where the controller listens with --live. Default: ${DEFAULT-VALUE}.")
  private String http;

  @Option(names = "--report", paramLabel = "FILE", description = "Where to write a JSON report.")
  private String report;

  @Option(
      names = "--page",
      paramLabel = "FILE",
      description =
          "Where to write the page with charts. Default: demo.html, or the first of demo-2.html,"
              + " demo-3.html and so on that is not there yet.")
  private String page;

  /** Where commands write what no option names. */
  private static final Path HERE = Path.of("");

  private static final String LOG = "log: ";

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws StartFailure, IOException, InterruptedException {
    DemoOptions options =
        DemoOptions.parse(
            new DemoOptions.Raw(
                groups,
                policies,
                bottleneck,
                seconds,
                packet,
                seed,
                report,
                page == null ? FreshFile.in(HERE, "demo", "html").toString() : page,
                network,
                enforcement,
                bloat));
    PrintWriter out = spec.commandLine().getOut();
    if (live) {
      return live(options, out);
    }
    Path log = logged("demo.log");
    long beginNanos = System.nanoTime();
    Progress progress = Progress.on(out);
    progress.say(
        options.groups().size()
            + " groups, "
            + options.groups().stream().mapToInt(GroupSpec::subscribers).sum()
            + " subscribers, "
            + Figures.rate(options.offeredBps())
            + " offered"
            + (network == null ? "" : ", " + options.network().switches().size() + " switches"));
    RunResult result;
    List<BurstComparison.ByLimiter> bursts = List.of();
    Optional<Household> calm = Optional.empty();
    Optional<Household> before = Optional.empty();
    try {
      result = NetworkRun.run(options.runSpec(), progress);
      if (network == null && options.hasLimits()) {
        bursts = BurstComparison.run(options.seed(), progress);
        calm = household(Behaviour.NOW, options, progress);
        before = options.bloat() ? household(Behaviour.BLOAT, options, progress) : before;
      }
    } catch (ControllerApi.RefusedException e) {
      return refused(e);
    }
    Optional<Household> bloated = before;
    DemoReport demo =
        DemoReports.of(
            options,
            result,
            calm.map(now -> HouseholdReport.of(now, bloated)),
            (System.nanoTime() - beginNanos) / 1e9);
    out.println();
    out.print(DemoText.text(demo));
    HtmlPage charts = DemoPage.page(demo, result, options);
    calm.ifPresent(now -> DemoPage.addHousehold(charts, demo.household(), now, bloated));
    DemoPage.addBursts(charts, bursts);
    charts.foot(RunFoot.of(spec, Clock.systemUTC())).write(options.page());
    out.println("page: " + options.page().toAbsolutePath());
    if (options.report().isPresent()) {
      Json.write(demo, options.report().get());
      out.println("report: " + options.report().get().toAbsolutePath());
    }
    out.println(LOG + log);
    out.flush();
    return demo.ok() ? 0 : 1;
  }

  private int refused(ControllerApi.RefusedException refusal) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("sluice: " + refusal.getMessage());
    err.flush();
    return 1;
  }

  /** Has the log written to a file, so that the terminal shows the demo alone. */
  private static Path logged(String name) {
    Path file = HERE.resolve(name).toAbsolutePath();
    Logging.configure(file);
    return file;
  }

  private int live(DemoOptions options, PrintWriter out)
      throws StartFailure, IOException, InterruptedException {
    Path log = logged("demo-live.log");
    out.println(
        "A controller, an emulated switch and its subscribers start; that takes a few seconds.");
    out.flush();
    try (LiveDemo demo = new LiveDemo(ListenAddress.parse("--http", http), options.seed())) {
      out.print(LiveDemoText.of(demo.api().resolve("/")));
      out.println(LOG + log);
      out.flush();
      OptionalDouble seconds = options.seconds();
      demo.run(
          seconds.isPresent() ? Traffic.nanos(seconds.getAsDouble()) : Long.MAX_VALUE,
          WallClock.system());
      return 0;
    } catch (ControllerApi.RefusedException e) {
      return refused(e);
    }
  }

  private static Optional<Household> household(
      Behaviour behaviour, DemoOptions options, Progress progress)
      throws ControllerApi.RefusedException, StartFailure, IOException, InterruptedException {
    progress.say("a household's call, game and download, " + behaviour.text());
    return Optional.of(Household.run(behaviour, options.seed(), progress));
  }
}
