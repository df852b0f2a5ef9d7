package net.sluice.standalone;

import java.util.List;
import java.util.Optional;
import net.sluice.cli.OptionException;
import net.sluice.cli.StartFailure;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.MarkerSettings;
import net.sluice.standalone.network.EmulatedSwitch;
import net.sluice.standalone.network.RemoteSwitch;

/**
 * Emulated switches and their FPGAs that {@code serve} runs in its own process: one where no switch
 * is named, and those of a network that its file says are emulated. The distribution has none. The
 * object's fields are options of {@code serve}.
 */
public interface InProcessTargets {
  /** The names of the options, which belong to these targets alone. */
  List<String> options();

  /**
   * The switch that {@link #start} would start.
   *
   * @param fpgas the FPGAs, of the clock that they have unless another is told
   * @param gnmi where its gNMI listens, {@code HOST:PORT}; empty for the default
   * @throws OptionException if an option is not allowed
   */
  RemoteSwitch.Model model(MarkerSettings marker, FpgaProfile fpgas, Optional<String> gnmi);

  /**
   * Starts that switch and its FPGAs; their time stands still.
   *
   * @throws OptionException as {@link #model}
   * @throws StartFailure if a server cannot listen
   */
  RunningOne start(MarkerSettings marker, FpgaProfile fpgas, Optional<String> gnmi)
      throws StartFailure;

  /** The profiles that switches of a network may have which {@link #start(List)} starts. */
  List<String> profiles();

  /**
   * Starts switches of a network and their FPGAs, joined by its trunks; their time stands still.
   *
   * @throws StartFailure if a server cannot listen, or a port cannot be cabled
   */
  Running start(List<EmulatedSwitch> network) throws StartFailure;

  /** Targets that have been started. */
  interface Running extends AutoCloseable {
    /** Has their time pass until they are closed. */
    void run();

    @Override
    void close();
  }

  /** A switch and its FPGAs. */
  interface RunningOne extends Running {
    /** The switch, whose servers listen. */
    RemoteSwitch remote();

    /** Where everything is served, for the ready line. */
    String text();
  }
}
