package net.sluice.onos.southbound;

import java.util.List;
import java.util.Map;
import org.onosproject.net.behaviour.PiPipelineProgrammable;
import org.onosproject.net.device.DeviceDescriptionDiscovery;
import org.onosproject.net.device.DeviceHandshaker;
import org.onosproject.net.driver.DefaultDriver;
import org.onosproject.net.driver.DefaultDriverProvider;
import org.onosproject.net.driver.Driver;
import org.onosproject.net.driver.DriverAdminService;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;

/**
 * Makes the drivers known to ONOS for as long as the application is active.
 *
 * <p>A driver lets ONOS describe a switch, shake hands with it and load its pipeconf, and nothing
 * else. With a behaviour for flow rules, groups or meters ONOS would take every entry that it did
 * not write itself for a foreign one and delete it within half a minute.
 */
@Component(immediate = true, service = DriverRegistration.class)
public class DriverRegistration {
  /** The driver of switches with the v1model program. */
  public static final String V1MODEL = "sluice-v1model";

  @Reference(cardinality = ReferenceCardinality.MANDATORY)
  protected DriverAdminService driverAdminService;

  private DefaultDriverProvider provider;

  @Activate
  protected void activate() {
    provider = new DefaultDriverProvider();
    provider.addDriver(driver(V1MODEL, "v1model"));
    driverAdminService.registerProvider(provider);
  }

  @Deactivate
  protected void deactivate() {
    driverAdminService.unregisterProvider(provider);
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
        // ONOS would read the default entry of every table after loading, for flow rules.
        Map.of("supportDefaultTableEntry", "false"));
  }
}
