package net.sluice.lab.demo.live;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import net.sluice.cli.StartFailure;
import net.sluice.core.ControllerConfig.Comparing;
import net.sluice.embedded.DefaultTopology;
import net.sluice.embedded.SwitchWithFpgas;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.emulator.netsim.WallClock;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.profile.MarkerSettings;
import net.sluice.lab.demo.household.Household;
import net.sluice.lab.demo.household.HouseholdTraffic;
import net.sluice.lab.support.ControllerApi;
import net.sluice.lab.support.TemporaryDirectory;
import net.sluice.standalone.StandaloneController;
import net.sluice.standalone.http.HttpSettings;

/**
 * A controller and its page over an emulated switch in real time: a household with a call, a game
 * and a download, a neighbour's flood, and a port that is congested by others.
 */
public final class LiveDemo implements AutoCloseable {
  /** Rate of the port that all share, bit/s. */
  private static final long LINE_BPS = 100_000_000;

  private static final Duration MEASURED = Duration.ofMinutes(1);
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Simulation simulation;
  private final TemporaryDirectory store;
  private final SwitchWithFpgas device;
  private final StandaloneController controller;

  /**
   * A network in which everything is declared and time has not begun.
   *
   * @param api where the controller listens
   * @param seed of everything random
   * @throws ControllerApi.RefusedException if the controller refuses a declaration
   * @throws StartFailure if switch or controller cannot start
   */
  public LiveDemo(InetSocketAddress api, long seed)
      throws ControllerApi.RefusedException, StartFailure, IOException, InterruptedException {
    simulation = new Simulation(seed);
    DefaultTopology topology = new DefaultTopology(LINE_BPS);
    store = new TemporaryDirectory("sluice-live");
    device = SwitchWithFpgas.start(simulation, topology.topology(), seed);
    controller =
        StandaloneController.start(
            List.of(device.remote("switch", new MarkerSettings(LINE_BPS, RandomRates.BITS_16))),
            store.path(),
            HttpSettings.on(api)
                .measuringUsage(MEASURED)
                .keepingUsage(store.path().resolve("usage")),
            Comparing.DEFAULT);
    SwitchPort core = device.node().port(DefaultTopology.CORE_PORT);
    long homeMac =
        topology.topology().port(DefaultTopology.ACCESS_PORT).orElseThrow().destinationMac();
    HouseholdTraffic household = new HouseholdTraffic(simulation, core, homeMac);
    SwitchPort access = device.node().port(DefaultTopology.ACCESS_PORT);
    access.connect(household);
    Neighbourhood others = new Neighbourhood(simulation, core, access);
    ControllerApi client = new ControllerApi(controller.api());
    HouseholdTraffic.declare(client, Household.Behaviour.NOW.policy());
    others.declare(client);
    if (!controller.controller().awaitAllInstalled(PATIENCE)) {
      throw new IOException("not everything could be installed: " + client.get("/status"));
    }
  }

  /** URL of the controller's interface. */
  public URI api() {
    return controller.api();
  }

  /**
   * Lets time pass.
   *
   * @param endNanos until when, in nanoseconds since the beginning; Long.MAX_VALUE for no end
   */
  public void run(long endNanos, WallClock clock) throws InterruptedException {
    simulation.runPaced(endNanos, clock);
  }

  @Override
  public void close() throws IOException {
    controller.close();
    device.close();
    store.close();
  }
}
