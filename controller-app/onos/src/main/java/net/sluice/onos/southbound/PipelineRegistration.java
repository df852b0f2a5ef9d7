package net.sluice.onos.southbound;

import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.onosproject.net.behaviour.PiPipelineProgrammable;
import org.onosproject.net.device.DeviceDescriptionDiscovery;
import org.onosproject.net.device.DeviceHandshaker;
import org.onosproject.net.driver.DefaultDriver;
import org.onosproject.net.driver.DefaultDriverProvider;
import org.onosproject.net.driver.Driver;
import org.onosproject.net.driver.DriverAdminService;
import org.onosproject.net.driver.DriverProvider;
import org.onosproject.net.pi.model.PiPipeconf;
import org.onosproject.net.pi.service.PiPipeconfService;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the pipeconfs and their driver known to ONOS for as long as the application is active.
 *
 * <p>The driver lets ONOS describe a switch, shake hands with it and load its pipeconf, and nothing
 * else. With a behaviour for flow rules, groups or meters ONOS would take every entry that it did
 * not write itself for a foreign one and delete it within half a minute.
 *
 * <p>For each device ONOS merges driver and pipeconf into a driver named {@code DRIVER:PIPECONF},
 * which it registers itself, never takes back and never merges again while it is there. It has the
 * classes of the bundle that was active then: those of a bundle that is gone find no service any
 * more, and the ports that they describe stay as they were. So they are taken back with the rest.
 *
 * <p>A device with a pipeconf and without such a driver cannot be told of: ONOS answers 404 to
 * whoever lists its devices. So a driver of that name that can do nothing, with no class of ours,
 * takes the place of the merged one until the application is active again.
 */
@Component(immediate = true, service = PipelineRegistration.class)
public class PipelineRegistration {
  /** The driver of switches with the v1model program. */
  public static final String V1MODEL = "sluice-v1model";

  private static final Logger LOG = LoggerFactory.getLogger(PipelineRegistration.class);

  @Reference(cardinality = ReferenceCardinality.MANDATORY)
  protected DriverAdminService driverAdminService;

  @Reference(cardinality = ReferenceCardinality.MANDATORY)
  protected PiPipeconfService pipeconfService;

  /** The loads that the driver makes: ONOS has no driver before they are there. */
  @Reference(cardinality = ReferenceCardinality.MANDATORY)
  protected ProgramLoads programLoads;

  private final List<PiPipeconf> pipeconfs = Pipeconfs.all();

  @Activate
  protected void activate() {
    // An application that stopped without a word has left its own behind.
    withdrawSources();
    for (PiPipeconf pipeconf : pipeconfs) {
      pipeconfService.register(pipeconf);
      LOG.info("pipeconf {} registered", pipeconf.id());
    }
    register(driver(V1MODEL, "v1model"));
    // Last: ONOS merges one anew as soon as it needs it, of what is registered by then.
    withdrawMerged();
  }

  @Deactivate
  protected void deactivate() {
    // What merged drivers are made of goes first, so that ONOS cannot make one anew meanwhile.
    withdrawSources();
    withdrawMerged();
    for (PiPipeconf pipeconf : pipeconfs) {
      register(
          new DefaultDriver(
              V1MODEL + ":" + pipeconf.id(), List.of(), "Sluice", "none", "1", Map.of(), Map.of()));
    }
  }

  private void register(Driver driver) {
    DefaultDriverProvider provider = new DefaultDriverProvider();
    provider.addDriver(driver);
    driverAdminService.registerProvider(provider);
  }

  /** Takes back whatever ONOS has of ours, no matter which bundle registered it. */
  private void withdrawSources() {
    unregister(V1MODEL::equals);
    for (PiPipeconf pipeconf : pipeconfs) {
      if (pipeconfService.getPipeconf(pipeconf.id()).isPresent()) {
        pipeconfService.unregister(pipeconf.id());
      }
    }
  }

  private void withdrawMerged() {
    unregister(name -> name.startsWith(V1MODEL + ":"));
  }

  private void unregister(Predicate<String> named) {
    for (DriverProvider provider : driverAdminService.getProviders()) {
      if (provider.getDrivers().stream().map(Driver::name).anyMatch(named)) {
        driverAdminService.unregisterProvider(provider);
      }
    }
  }

  static Driver driver(String name, String architecture) {
    return new DefaultDriver(
        name,
        List.of(),
        "Sluice",
        architecture,
        "1",
        Map.of(
            DeviceDescriptionDiscovery.class,
            SwitchDescription.class,
            DeviceHandshaker.class,
            SwitchHandshaker.class,
            PiPipelineProgrammable.class,
            SwitchProgram.class),
        Map.of());
  }
}
