package net.sluice.emulator.ports;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchPort;

/**
 * Looks at interfaces ten times a second and tells the ports whether they have a carrier. One that
 * is gone has none; when there is another of its name, the port goes over to that. An interface
 * that the kernel never told anything about counts as it did.
 */
public final class LinkMonitor implements AutoCloseable {

  private static final long PERIOD_MILLIS = 100;

  private final Simulation simulation;
  private final List<Watched> watched;
  private final Runnable wakeUp;
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "sluice-links");
            thread.setDaemon(true);
            return thread;
          });

  /** A port, and what is known of its interface. */
  static final class Watched {
    private final SwitchPort inside;
    private final NetworkPort outside;
    private String index;

    Watched(SwitchPort inside, NetworkPort outside) {
      this.inside = inside;
      this.outside = outside;
      this.index = index(outside.name()).orElse("");
    }
  }

  private LinkMonitor(Simulation simulation, List<Watched> watched, Runnable wakeUp) {
    this.simulation = simulation;
    this.watched = watched;
    this.wakeUp = wakeUp;
  }

  /**
   * Starts to look.
   *
   * @param wakeUp called when a port is to go over to another interface
   */
  static LinkMonitor start(Simulation simulation, List<Watched> watched, Runnable wakeUp) {
    LinkMonitor watch = new LinkMonitor(simulation, watched, wakeUp);
    watch.executor.scheduleWithFixedDelay(
        watch::look, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    return watch;
  }

  private void look() {
    watched.forEach(this::look);
  }

  private void look(Watched port) {
    Optional<String> index = index(port.outside.name());
    if (index.isEmpty() && port.index.isEmpty()) {
      // Another network namespace than the one /sys shows.
      return;
    }
    if (index.isPresent() && !index.get().equals(port.index)) {
      port.index = index.get();
      port.outside.deviceIsAnother();
      wakeUp.run();
    }
    boolean up = index.isPresent() && hasCarrier(port.outside.name());
    if (up != simulation.query(port.inside::linkUp)) {
      simulation.execute(() -> port.inside.setLinkUp(up));
    }
  }

  /** The number by which the kernel tells an interface from others of its name, if there is one. */
  private static Optional<String> index(String name) {
    try {
      return Optional.of(Files.readString(Path.of("/sys/class/net", name, "ifindex")).strip());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static boolean hasCarrier(String name) {
    try {
      return Files.readString(Path.of("/sys/class/net", name, "carrier")).startsWith("1");
    } catch (IOException e) {
      // The kernel refuses to tell of an interface that is down.
      return false;
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
