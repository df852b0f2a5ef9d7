package net.sluice.embedded;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import net.sluice.cli.ListenAddress;
import net.sluice.cli.OptionException;
import net.sluice.cli.Range;
import net.sluice.cli.StartFailure;
import net.sluice.cli.WrittenRates;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.MarkerSettings;
import net.sluice.standalone.InProcessTargets;
import net.sluice.standalone.network.EmulatedSwitch;
import net.sluice.standalone.network.RemoteSwitch;
import picocli.CommandLine.Option;

/** The options of {@code serve} that describe the emulated targets in its process. */
public final class EmbeddedOptions implements InProcessTargets {
  private static final String BOTTLENECK = "--bottleneck";
  private static final String PROFILE = "--emulated-profile";
  private static final String SEED = "--seed";
  private static final String P4RUNTIME = "--p4runtime";
  private static final String DEFAULT_ADDRESS = "127.0.0.1:0";

  @Option(
      names = BOTTLENECK,
      paramLabel = "RATE",
      converter = WrittenRates.Converter.class,
      description =
          "Without --switch: rate of the emulated switch's access port and core port, 1k to 100G."
              + " Default: 1G")
  @Range(min = 1_000, max = DefaultTopology.MAX_BOTTLENECK_BPS, rate = true)
  private long bottleneckBps = 1_000_000_000;

  @Option(
      names = PROFILE,
      paramLabel = "PROFILE",
      description =
          "Without --switch: kind of the emulated switch, emulator or emulator-aggregate, which"
              + " also marks aggregates. Default: "
              + DefaultTopology.PROFILE)
  private String profile = DefaultTopology.PROFILE;

  @Option(
      names = SEED,
      paramLabel = "N",
      description = "Seed of everything random in the emulation. Default: 1")
  @Range
  private long seed = 1;

  @Option(
      names = P4RUNTIME,
      paramLabel = "HOST:PORT",
      description =
          "Where the emulated switch's P4Runtime listens, and with --gnmi its gNMI; port 0 takes a"
              + " free one. Default: "
              + DEFAULT_ADDRESS)
  private InetSocketAddress p4runtime = ListenAddress.parse(DEFAULT_ADDRESS);

  @Override
  public List<String> options() {
    return List.of(BOTTLENECK, PROFILE, SEED, P4RUNTIME);
  }

  private static InetSocketAddress listenAddress(Optional<String> gnmi) {
    return ListenAddress.parse("--gnmi", gnmi.orElse(DEFAULT_ADDRESS));
  }

  @Override
  public RemoteSwitch.Model model(MarkerSettings marker, FpgaProfile fpgas, Optional<String> gnmi) {
    listenAddress(gnmi);
    return topology(marker, fpgas).model();
  }

  private DefaultTopology topology(MarkerSettings marker, FpgaProfile fpgas) {
    if (!DefaultTopology.PROFILES.contains(profile)) {
      throw new OptionException(PROFILE, profile, String.join(", ", DefaultTopology.PROFILES));
    }
    return new DefaultTopology(bottleneckBps, marker, profile, fpgas.withCustomerBursts(true));
  }

  @Override
  public List<String> profiles() {
    return DefaultTopology.PROFILES;
  }

  @Override
  public Running start(List<EmulatedSwitch> network) throws StartFailure {
    return EmbeddedNetwork.start(network);
  }

  @Override
  public RunningOne start(MarkerSettings marker, FpgaProfile fpgas, Optional<String> gnmi)
      throws StartFailure {
    return EmbeddedTargets.start(topology(marker, fpgas), seed, p4runtime, listenAddress(gnmi));
  }
}
