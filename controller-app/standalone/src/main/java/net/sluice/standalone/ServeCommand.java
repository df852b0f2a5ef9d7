package net.sluice.standalone;

import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import net.sluice.intents.model.Direction;
import net.sluice.standalone.cli.OptionException;
import net.sluice.standalone.cli.OptionValues;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sluice serve}: emulated targets, the controller and its API, until stopped. */
@Command(
    name = "serve",
    description = "Run the controller with an emulated switch and emulated FPGAs until stopped.",
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
public final class ServeCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(ServeCommand.class);
  private static final Duration FIRST_INSTALL = Duration.ofSeconds(20);

  @Option(
      names = "--http",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:8181",
      description = "Where the API listens; port 0 takes a free one.")
  private String http;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "./sluice-data",
      description = "Where declarations are kept; created if it does not exist.")
  private String data;

  @Option(
      names = "--max-subscriber-rate",
      paramLabel = "RATE",
      defaultValue = "100G",
      description =
          "Highest subscriber rate the marker resolves, 1M to 100G; the lowest is 100,000 times"
              + " less.")
  private String maxSubscriberRate;

  @Option(
      names = "--bottleneck",
      paramLabel = "RATE",
      defaultValue = "1G",
      description = "Rate of the emulated switch's access port and core port, 1k to 100G.")
  private String bottleneck;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of everything random in the emulation.")
  private String seed;

  @Option(
      names = "--p4runtime",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:0",
      description = "Where the emulated switch's P4Runtime listens; port 0 takes a free one.")
  private String p4runtime;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws StartFailure {
    InetSocketAddress httpAddress = ListenAddress.parse("--http", http);
    InetSocketAddress p4runtimeAddress = ListenAddress.parse("--p4runtime", p4runtime);
    DefaultTopology topology =
        new DefaultTopology(
            OptionValues.rate(
                "--bottleneck", bottleneck, 1_000, DefaultTopology.MAX_BOTTLENECK_BPS),
            OptionValues.rate(
                "--max-subscriber-rate",
                maxSubscriberRate,
                DefaultTopology.MIN_SUBSCRIBER_RATE_BPS,
                DefaultTopology.MAX_SUBSCRIBER_RATE_BPS));
    long seedNumber = OptionValues.wholeNumber("--seed", seed, Long.MIN_VALUE, Long.MAX_VALUE);
    HttpServer.requireFree(httpAddress);
    serve(topology, seedNumber, directory(), httpAddress, p4runtimeAddress);
    return 0;
  }

  private Path directory() {
    try {
      return Path.of(data);
    } catch (InvalidPathException e) {
      throw new OptionException("--data", data, "the name of a directory");
    }
  }

  private void serve(
      DefaultTopology topology,
      long seedNumber,
      Path directory,
      InetSocketAddress httpAddress,
      InetSocketAddress p4runtimeAddress)
      throws StartFailure {
    Thread serving = Thread.currentThread();
    CountDownLatch stopped = new CountDownLatch(1);
    // A signal ends whatever is being waited for; the process lives on until all is closed.
    Thread onSignal =
        new Thread(
            () -> {
              serving.interrupt();
              awaitQuietly(stopped);
            },
            "sluice-stop");
    try (EmbeddedTargets targets = EmbeddedTargets.start(topology, seedNumber, p4runtimeAddress);
        StandaloneController standalone =
            StandaloneController.start(topology, targets, directory, httpAddress)) {
      Runtime.getRuntime().addShutdownHook(onSignal);
      targets.startPaced();
      boolean installed = standalone.controller().awaitAllInstalled(FIRST_INSTALL);
      if (!httpAddress.getAddress().isLoopbackAddress()) {
        LOG.warn("the API is open to the network and asks nobody who they are");
      }
      PrintWriter out = spec.commandLine().getOut();
      out.printf(
          "sluice: ready%s: API %s, P4Runtime %s, FPGA registers %s, data in %s%n",
          installed ? "" : " (targets still being filled)",
          standalone.api(),
          ListenAddress.text(p4runtimeAddress, targets.p4runtimePort()),
          targets.agentPort(Direction.DOWN) + " and " + targets.agentPort(Direction.UP),
          directory);
      out.flush();
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      LOG.info("stopped");
    } finally {
      stopped.countDown();
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
