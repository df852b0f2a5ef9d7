package net.sluice.standalone;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice serve}: emulated targets, the controller and its REST interface, until stopped. */
@Command(
    name = "serve",
    description = "Run the controller with an emulated switch and emulated FPGAs.",
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
public final class ServeCommand implements Callable<Integer> {
  @Option(
      names = "--http",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:8181",
      description = "Where the REST interface listens; port 0 takes a free one.")
  private String http;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "sluice-data",
      description = "Where declarations are kept.")
  private Path data;

  @Option(
      names = "--max-subscriber-rate",
      paramLabel = "RATE",
      defaultValue = "100G",
      description = "Highest subscriber rate the marker's bins resolve.")
  private String maxSubscriberRate;

  @Option(
      names = "--bottleneck",
      paramLabel = "RATE",
      defaultValue = "1G",
      description = "Rate of the emulated switch's ports.")
  private String bottleneck;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of everything random in the emulation.")
  private long seed;

  @Option(
      names = "--p4runtime",
      paramLabel = "HOST:PORT",
      description =
          "Where the emulated switch's P4Runtime listens; a free local port if not given.")
  private List<String> p4runtime = List.of();

  @Override
  public Integer call() throws StartFailure {
    throw new StartFailure("serve needs the controller, which this build does not contain yet");
  }
}
