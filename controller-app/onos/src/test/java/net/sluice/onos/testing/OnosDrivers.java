package net.sluice.onos.testing;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.onosproject.net.driver.Behaviour;
import org.onosproject.net.driver.DefaultDriver;
import org.onosproject.net.driver.DefaultDriverProvider;
import org.onosproject.net.driver.Driver;
import org.onosproject.net.driver.DriverAdminService;
import org.onosproject.net.driver.DriverListener;
import org.onosproject.net.driver.DriverProvider;
import org.onosproject.net.pi.PiPipeconfServiceAdapter;
import org.onosproject.net.pi.model.PiPipeconf;
import org.onosproject.net.pi.model.PiPipeconfId;

/**
 * Stands for ONOS's registries of drivers and of pipeconfs, which no repository offers: one driver
 * a name, onto which one registered later is merged, and merged drivers as 2.7.0 makes them of a
 * driver and a pipeconf, once, for as long as there is one of that name.
 */
public final class OnosDrivers extends DefaultDriverProvider implements DriverAdminService {
  private final Set<DriverProvider> providers = ConcurrentHashMap.newKeySet();
  private final Map<PiPipeconfId, PiPipeconf> registered = new ConcurrentHashMap<>();

  private Runnable changed = () -> {};

  /** The registry of pipeconfs. */
  public final Pipeconfs pipeconfs = new Pipeconfs();

  /** Sets what is done whenever a driver was registered or taken back. */
  public void afterEachChange(Runnable action) {
    changed = action;
  }

  @Override
  public Set<DriverProvider> getProviders() {
    return Set.copyOf(providers);
  }

  @Override
  public void registerProvider(DriverProvider provider) {
    provider.getDrivers().forEach(this::addDriver);
    providers.add(provider);
    changed.run();
  }

  @Override
  public void unregisterProvider(DriverProvider provider) {
    provider.getDrivers().forEach(this::removeDriver);
    providers.remove(provider);
    changed.run();
  }

  @Override
  public Driver getDriver(String name) {
    return drivers.get(name);
  }

  @Override
  public Driver getDriver(String manufacturer, String hardware, String software) {
    throw new UnsupportedOperationException("nothing here looks for drivers that way");
  }

  @Override
  public Class<? extends Behaviour> getBehaviourClass(String name) {
    throw new UnsupportedOperationException("nothing here looks for behaviours that way");
  }

  @Override
  public void addListener(DriverListener listener) {}

  @Override
  public void removeListener(DriverListener listener) {}

  /** The registry of pipeconfs. */
  public final class Pipeconfs extends PiPipeconfServiceAdapter {
    private Pipeconfs() {}

    @Override
    public void register(PiPipeconf pipeconf) {
      if (registered.putIfAbsent(pipeconf.id(), pipeconf) != null) {
        throw new IllegalStateException(pipeconf.id() + " is registered");
      }
    }

    @Override
    public void unregister(PiPipeconfId id) {
      if (registered.remove(id) == null) {
        throw new IllegalStateException(id + " is not registered");
      }
    }

    @Override
    public Iterable<PiPipeconf> getPipeconfs() {
      return List.copyOf(registered.values());
    }

    @Override
    public Optional<PiPipeconf> getPipeconf(PiPipeconfId id) {
      return Optional.ofNullable(registered.get(id));
    }
  }

  /** The driver that ONOS uses for a device with a driver and a pipeconf; null if it has none. */
  public Driver merged(String base, PiPipeconfId pipeconf) {
    String name = base + ":" + pipeconf;
    if (getDriver(name) == null && getDriver(base) != null && registered.containsKey(pipeconf)) {
      Driver of = getDriver(base);
      Driver fresh =
          new DefaultDriver(
                  name,
                  of.parents(),
                  of.manufacturer(),
                  of.hwVersion(),
                  of.swVersion(),
                  new HashMap<>(),
                  new HashMap<>())
              .merge(of);
      registerProvider(new Merged(fresh));
    }
    return getDriver(name);
  }

  /** Two of drivers of one name are one, as in ONOS. */
  private record Merged(Driver driver) implements DriverProvider {
    @Override
    public Set<Driver> getDrivers() {
      return Set.of(driver);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Merged that && driver.name().equals(that.driver.name());
    }

    @Override
    public int hashCode() {
      return Objects.hashCode(driver.name());
    }
  }
}
