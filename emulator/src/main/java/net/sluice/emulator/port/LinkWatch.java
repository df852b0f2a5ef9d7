package net.sluice.emulator.port;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import net.sluice.emulator.sim.Simulation;
import net.sluice.emulator.sim.SwitchPort;

/**
 * Looks at the carrier of interfaces ten times a second and tells the ports. An interface that the
 * kernel says nothing about counts as it did.
 */
public final class LinkWatch implements AutoCloseable {

  private static final long PERIOD_MILLIS = 100;

  private final Simulation simulation;
  private final Map<SwitchPort, String> interfaces;
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "sluice-links");
            thread.setDaemon(true);
            return thread;
          });

  private LinkWatch(Simulation simulation, Map<SwitchPort, String> interfaces) {
    this.simulation = simulation;
    this.interfaces = interfaces;
  }

  static LinkWatch start(Simulation simulation, Map<SwitchPort, String> interfaces) {
    LinkWatch watch = new LinkWatch(simulation, interfaces);
    watch.executor.scheduleWithFixedDelay(
        watch::look, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    return watch;
  }

  private void look() {
    interfaces.forEach(
        (port, name) ->
            carrier(name)
                .ifPresent(
                    up -> {
                      if (!up.equals(simulation.query(port::linkUp))) {
                        simulation.execute(() -> port.setLinkUp(up));
                      }
                    }));
  }

  /** Whether an interface has a carrier, as far as that can be told. */
  private static Optional<Boolean> carrier(String name) {
    try {
      return Optional.of(
          Files.readString(Path.of("/sys/class/net", name, "carrier")).startsWith("1"));
    } catch (NoSuchFileException e) {
      // Another network namespace than the one /sys shows, or an interface that is gone.
      return Optional.empty();
    } catch (IOException e) {
      // The kernel refuses to tell of an interface that is down.
      return Optional.of(false);
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
