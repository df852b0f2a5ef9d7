package net.sluice.standalone.fpgad;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.sluice.emulator.netsim.LineClock;
import net.sluice.emulator.netsim.fpga.FpgaModel;
import net.sluice.emulator.ports.NetworkPort;
import net.sluice.emulator.ports.PacketSocketPort;
import net.sluice.emulator.ports.PortException;
import net.sluice.emulator.ports.RealTimeFpga;
import net.sluice.fpga.RegisterBusAgent;
import net.sluice.intents.model.Direction;
import net.sluice.standalone.FpgaAgent;
import net.sluice.standalone.ListenAddress;
import net.sluice.standalone.LogOptions;
import net.sluice.standalone.StartFailure;
import net.sluice.standalone.cli.OptionException;
import net.sluice.standalone.cli.OptionValues;
import net.sluice.standalone.cli.Range;
import net.sluice.standalone.cli.Rates;
import net.sluice.standalone.cli.ReportFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sluice fpga}: emulated queueing FPGAs on network interfaces, beside any switch. */
@Command(
    name = "fpga",
    description = {
      "Run emulated queueing FPGAs on network interfaces until stopped: each shapes what its"
          + " switch sends it behind a queue id, and hands it back."
    },
    mixinStandardHelpOptions = true)
public final class FpgaCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(FpgaCommand.class);
  private static final String FORM = "INTERFACE=HOST:PORT, such as veth1=127.0.0.1:9601";
  private static final Pattern PLACE = Pattern.compile("([^\\s/@:=]+)=(.+)");
  private static final long MIN_CLOCK_HZ = 1_000_000;
  private static final long MAX_CLOCK_HZ = 1_000_000_000;

  @Option(
      names = "--down",
      paramLabel = "INTERFACE=HOST:PORT",
      description = "The FPGA of the down direction: its interface, and where its registers are.")
  private String down;

  @Option(
      names = "--up",
      paramLabel = "INTERFACE=HOST:PORT",
      description = "The same for the up direction.")
  private String up;

  @Option(
      names = "--clock",
      paramLabel = "HZ",
      defaultValue = "" + FpgaModel.DEFAULT_CLOCK_HZ,
      description =
          "Clock frequency; rates are multiples of 8/1248 of it. Default: ${DEFAULT-VALUE}")
  @Range(min = MIN_CLOCK_HZ, max = MAX_CLOCK_HZ)
  private long clockHz;

  @Option(
      names = "--line",
      paramLabel = "RATE",
      defaultValue = "100G",
      converter = Rates.Converter.class,
      description = "Rate of the line back to the switch. Default: ${DEFAULT-VALUE}")
  @Range(min = 1, max = LineClock.MAX_RATE_BPS, rate = true)
  private long lineBps;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      converter = OptionValues.OutputFile.class,
      description =
          "What each FPGA did, as JSON: written anew while they run, four times a second, and when"
              + " they end.")
  private Path report;

  @Mixin private LogOptions logging = new LogOptions();

  @Spec private CommandSpec spec;

  /** An FPGA that was asked for. */
  private record Place(Direction direction, String name, InetSocketAddress registers) {}

  @Override
  public Integer call() throws StartFailure {
    logging.apply();
    List<Place> places = new ArrayList<>();
    add(places, Direction.DOWN, "--down", down);
    add(places, Direction.UP, "--up", up);
    if (places.isEmpty()) {
      throw new OptionException("--down", "", FORM + "; or --up, or both");
    }
    if (places.size() > 1 && places.get(0).name().equals(places.get(1).name())) {
      throw new OptionException("--up", up, "an interface of its own; --down has this one");
    }
    run(places);
    return 0;
  }

  private static void add(List<Place> places, Direction direction, String option, String text) {
    if (text == null) {
      return;
    }
    Matcher matcher = PLACE.matcher(text);
    if (!matcher.matches()) {
      throw new OptionException(option, text, FORM);
    }
    places.add(
        new Place(direction, matcher.group(1), ListenAddress.parse(option, matcher.group(2))));
  }

  private void run(List<Place> places) throws StartFailure {
    CountDownLatch closed = new CountDownLatch(1);
    Deque<RegisterBusAgent> agents = new ArrayDeque<>();
    try (RealTimeFpga real = new RealTimeFpga()) {
      StringBuilder text = new StringBuilder();
      for (Place place : places) {
        FpgaModel fpga = real.add(open(place), clockHz, lineBps);
        RegisterBusAgent agent = serve(fpga, place);
        agents.push(agent);
        text.append(text.isEmpty() ? "" : ", ")
            .append(place.direction().text())
            .append(' ')
            .append(place.name())
            .append(" registers ")
            .append(ListenAddress.text(place.registers(), agent.port()));
      }
      // A signal ends the FPGAs; the process lives on until all is closed.
      Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(real, closed), "sluice-stop"));
      PrintWriter out = spec.commandLine().getOut();
      out.printf("sluice fpga: ready: %s%n", text);
      out.flush();
      run(real);
      FpgaReport did = FpgaReport.of(real);
      for (FpgaReport.Fpga fpga : did.fpgas()) {
        LOG.info(
            "{}: {} packets in ({} lost before), {} out ({} refused), dropped: {} by full queues,"
                + " {} malformed",
            fpga.name(),
            fpga.received(),
            fpga.lostBefore(),
            fpga.sent(),
            fpga.refused(),
            fpga.droppedByFullQueue(),
            fpga.malformed());
      }
    } finally {
      agents.forEach(RegisterBusAgent::close);
      closed.countDown();
    }
  }

  private void run(RealTimeFpga real) {
    try (ReportFile file =
        report == null ? null : ReportFile.start(report, () -> FpgaReport.of(real))) {
      real.run();
    }
  }

  private static NetworkPort open(Place place) throws StartFailure {
    try {
      return PacketSocketPort.open(place.name());
    } catch (PortException e) {
      throw new StartFailure(
          "--" + place.direction().text() + " " + place.name() + ": " + e.getMessage(), e);
    }
  }

  private static RegisterBusAgent serve(FpgaModel fpga, Place place) throws StartFailure {
    try {
      return FpgaAgent.start(fpga, place.registers());
    } catch (IOException e) {
      throw StartFailure.cannotServe("registers", place.registers(), e);
    }
  }

  private static void stop(RealTimeFpga real, CountDownLatch closed) {
    real.stop();
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
