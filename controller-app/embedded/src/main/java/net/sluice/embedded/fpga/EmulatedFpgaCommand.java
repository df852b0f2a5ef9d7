package net.sluice.embedded.fpga;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.sluice.cli.InvalidOption;
import net.sluice.cli.ListenAddress;
import net.sluice.cli.LogOptions;
import net.sluice.cli.OptionException;
import net.sluice.cli.OptionValues;
import net.sluice.cli.Range;
import net.sluice.cli.ReportFile;
import net.sluice.cli.StartFailure;
import net.sluice.cli.WrittenRates;
import net.sluice.emulator.netsim.LineClock;
import net.sluice.emulator.netsim.fpga.FpgaModel;
import net.sluice.emulator.ports.NetworkPort;
import net.sluice.emulator.ports.PacketSocketPort;
import net.sluice.emulator.ports.PortException;
import net.sluice.emulator.ports.RealTimeFpga;
import net.sluice.fpga.RegisterBusAgent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
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
public final class EmulatedFpgaCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(EmulatedFpgaCommand.class);
  private static final String FORM = "INTERFACE=HOST:PORT";
  private static final String ALLOWED = FORM + ", such as veth1=127.0.0.1:9601";
  private static final long MIN_CLOCK_HZ = 1_000_000;
  private static final long MAX_CLOCK_HZ = 1_000_000_000;

  @Option(
      names = "--down",
      paramLabel = FORM,
      converter = Place.Converter.class,
      description = "The FPGA of the down direction: its interface, and where its registers are.")
  private Place down;

  @Option(
      names = "--up",
      paramLabel = FORM,
      converter = Place.Converter.class,
      description = "The same for the up direction.")
  private Place up;

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
      converter = WrittenRates.Converter.class,
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

  /**
   * Where an FPGA is.
   *
   * @param name of the interface it is at
   * @param registers where its registers are
   */
  private record Place(String name, InetSocketAddress registers) {
    private static final Pattern PLACE = Pattern.compile("([^\\s/@:=]+)=(.+)");

    /** Reads values of the options. */
    static final class Converter implements ITypeConverter<Place> {
      @Override
      public Place convert(String text) {
        Matcher matcher = PLACE.matcher(text);
        if (!matcher.matches()) {
          throw new InvalidOption(ALLOWED);
        }
        return new Place(matcher.group(1), ListenAddress.parse(matcher.group(2)));
      }
    }

    /** As it is written on the command line. */
    String text() {
      return name + "=" + ListenAddress.text(registers);
    }
  }

  @Override
  public Integer call() throws StartFailure {
    logging.apply();
    Map<String, Place> places = new LinkedHashMap<>();
    if (down != null) {
      places.put("down", down);
    }
    if (up != null) {
      places.put("up", up);
    }
    if (places.isEmpty()) {
      throw OptionException.missing("--down", ALLOWED + "; or --up, or both");
    }
    if (places.size() > 1 && down.name().equals(up.name())) {
      throw new OptionException("--up", up.text(), "an interface of its own; --down has this one");
    }
    run(places);
    return 0;
  }

  private void run(Map<String, Place> places) throws StartFailure {
    CountDownLatch closed = new CountDownLatch(1);
    Deque<RegisterBusAgent> agents = new ArrayDeque<>();
    try (RealTimeFpga real = new RealTimeFpga()) {
      StringBuilder text = new StringBuilder();
      for (Map.Entry<String, Place> each : places.entrySet()) {
        Place place = each.getValue();
        FpgaModel fpga = real.add(open(each.getKey(), place), clockHz, lineBps);
        RegisterBusAgent agent = serve(fpga, place);
        agents.push(agent);
        text.append(text.isEmpty() ? "" : ", ")
            .append(each.getKey())
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
                + " {} without a buffer, {} by CoDel, {} malformed",
            fpga.name(),
            fpga.received(),
            fpga.lostBefore(),
            fpga.sent(),
            fpga.refused(),
            fpga.droppedByFullQueue(),
            fpga.droppedWithoutBuffer(),
            fpga.droppedByCodel(),
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

  private static NetworkPort open(String direction, Place place) throws StartFailure {
    try {
      return PacketSocketPort.open(place.name());
    } catch (PortException e) {
      throw new StartFailure("--" + direction + " " + place.name() + ": " + e.getMessage(), e);
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
