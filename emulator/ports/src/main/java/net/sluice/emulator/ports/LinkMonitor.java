package net.sluice.emulator.ports;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchPort;

/**
 * Polls interfaces ten times a second and tells the ports whether they have a carrier. An interface
 * that is gone has none; when a new one with its name appears, the port moves to it. One that is
 * renamed stays the port's. An interface without a readable state keeps its last one.
 */
public final class LinkMonitor implements AutoCloseable {

  private static final long PERIOD_MILLIS = 100;
  private static final Path INTERFACES = Path.of("/sys/class/net");

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

  /** A port and the state of its interface. */
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
   * Starts polling.
   *
   * @param wakeUp called when a port must move to another interface
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
    // A renamed interface is still the one in use.
    Optional<String> name =
        index.isPresent() ? Optional.of(port.outside.name()) : nameOf(port.index);
    boolean up = name.isPresent() && hasCarrier(name.get());
    if (up != simulation.query(port.inside::linkUp)) {
      simulation.execute(() -> port.inside.setLinkUp(up));
    }
  }

  /** The interface index of a name; empty if there is no such interface. */
  private static Optional<String> index(String name) {
    try {
      return Optional.of(Files.readString(INTERFACES.resolve(name).resolve("ifindex")).strip());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The name of the interface with an index; empty if there is no such interface. */
  private static Optional<String> nameOf(String index) {
    try (Stream<Path> interfaces = Files.list(INTERFACES)) {
      return interfaces
          .map(each -> each.getFileName().toString())
          .filter(name -> index(name).equals(Optional.of(index)))
          .findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static boolean hasCarrier(String name) {
    try {
      return Files.readString(INTERFACES.resolve(name).resolve("carrier")).startsWith("1");
    } catch (IOException e) {
      // Reading the carrier of an interface that is down fails.
      return false;
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
