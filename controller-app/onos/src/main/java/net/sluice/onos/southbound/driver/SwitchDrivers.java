package net.sluice.onos.southbound.driver;

import static net.sluice.onos.OsgiProperties.DEVICE_CONFIG;
import static net.sluice.onos.OsgiProperties.DEVICE_CONFIG_DEFAULT;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.pipeconf.TnaPipeline;
import net.sluice.pipeconf.profile.SwitchTargetProfile;
import net.sluice.pipeconf.profile.TargetProfiles;
import org.onosproject.cfg.ComponentConfigService;
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
import org.osgi.service.component.ComponentContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the pipeconfs and their drivers known to ONOS for as long as the application is active.
 *
 * <p>A driver lets ONOS describe a switch, shake hands with it and load its pipeconf, and nothing
 * else. With a behaviour for flow rules, groups or meters ONOS would take every entry that it did
 * not write itself for a foreign one and delete it within half a minute.
 *
 * <p>For each device ONOS merges driver and pipeconf into a driver named {@code DRIVER:PIPECONF},
 * which it registers itself, never takes back and never merges again while it is there. It has the
 * classes of the bundle that was active then: those of a bundle that is gone find no service any
 * more, and the ports that they describe stay as they were. So they are taken back with the rest.
 *
 * <p>For a device with a pipeconf and without such a driver ONOS answers 404 to a request for its
 * devices. So a driver of that name that can do nothing, with no class of ours, takes the place of
 * the merged one until the application is active again, and another one that of the driver.
 */
@Component(
    immediate = true,
    service = SwitchDrivers.class,
    property = DEVICE_CONFIG + "=" + DEVICE_CONFIG_DEFAULT)
public class SwitchDrivers {
  /** Why a pipeconf cannot be loaded, for people. */
  public static final String NOTHING_TO_LOAD =
      "there is nothing for a switch to load: "
          + DEVICE_CONFIG
          + " of "
          + SwitchDrivers.class.getName()
          + " has to name the file, on each instance";

  private static final Logger LOG = LoggerFactory.getLogger(SwitchDrivers.class);

  @Reference(cardinality = ReferenceCardinality.MANDATORY)
  protected ComponentConfigService configService;

  @Reference(cardinality = ReferenceCardinality.MANDATORY)
  protected DriverAdminService driverAdminService;

  @Reference(cardinality = ReferenceCardinality.MANDATORY)
  protected PiPipeconfService pipeconfService;

  /** The loads that the drivers make: ONOS has no driver before they are there. */
  @Reference(cardinality = ReferenceCardinality.MANDATORY)
  protected ProgramLoads programLoads;

  /** File that switches of profile stratum-tofino load; nothing for none. */
  private String deviceConfig = DEVICE_CONFIG_DEFAULT;

  private final Map<String, String> architectures = architectures();
  private List<PiPipeconf> pipeconfs = List.of();

  /** The drivers that profiles with a program name, by name, with the architecture of each. */
  private static Map<String, String> architectures() {
    Map<String, String> byDriver = new TreeMap<>();
    for (SwitchTargetProfile profile : TargetProfiles.switches()) {
      if (profile.program().isPresent()) {
        byDriver.put(profile.management().onosDriver(), profile.architecture());
      }
    }
    return byDriver;
  }

  /** The names that ONOS gives the drivers that it merges. */
  private static Set<String> merged() {
    return TargetProfiles.switches().stream()
        .filter(profile -> profile.program().isPresent())
        .map(SwitchTargetProfile::management)
        .map(names -> names.onosDriver() + ":" + names.onosPipeconf())
        .collect(Collectors.toSet());
  }

  @Activate
  protected void activate(ComponentContext context) {
    configService.registerProperties(getClass());
    register(context);
  }

  @Modified
  protected void modified(ComponentContext context) {
    if (!deviceConfig.equals(deviceConfig(context))) {
      register(context);
    }
  }

  private static String deviceConfig(ComponentContext context) {
    Object value = context == null ? null : context.getProperties().get(DEVICE_CONFIG);
    return Objects.toString(value, DEVICE_CONFIG_DEFAULT).trim();
  }

  private void register(ComponentContext context) {
    deviceConfig = deviceConfig(context);
    pipeconfs = Pipeconfs.all(tofino(deviceConfig));
    // An application that was killed has left its own behind.
    withdrawSources();
    for (PiPipeconf pipeconf : pipeconfs) {
      pipeconfService.register(pipeconf);
      LOG.info("pipeconf {} registered", pipeconf.id());
    }
    architectures.forEach((name, architecture) -> register(driver(name, architecture)));
    // Last: ONOS merges one anew as soon as it needs it, of what is registered by then.
    unregister(this::isMerged);
  }

  private static TnaPipeline tofino(String file) {
    if (!file.isEmpty()) {
      try {
        return TnaPipeline.load(Path.of(file));
      } catch (InvalidValueException | InvalidPathException e) {
        LOG.error("{} is refused: {}", DEVICE_CONFIG, e.getMessage());
      }
    }
    return TnaPipeline.withoutDeviceConfig();
  }

  @Deactivate
  protected void deactivate() {
    // What merged drivers are made of goes first, so that ONOS cannot make one anew meanwhile.
    withdrawSources();
    unregister(this::isMerged);
    Set<String> used = new TreeSet<>(merged());
    // Devices that were withdrawn have no pipeconf, and still name their driver.
    used.addAll(architectures.keySet());
    for (String name : used) {
      register(new DefaultDriver(name, List.of(), "Sluice", "none", "1", Map.of(), Map.of()));
    }
    configService.unregisterProperties(getClass(), false);
  }

  private void register(Driver driver) {
    DefaultDriverProvider provider = new DefaultDriverProvider();
    provider.addDriver(driver);
    driverAdminService.registerProvider(provider);
  }

  /** Takes back what ONOS has of ours, no matter which bundle registered it. */
  private void withdrawSources() {
    unregister(architectures::containsKey);
    for (PiPipeconf pipeconf : pipeconfs) {
      if (pipeconfService.getPipeconf(pipeconf.id()).isPresent()) {
        pipeconfService.unregister(pipeconf.id());
      }
    }
  }

  private boolean isMerged(String name) {
    int colon = name.indexOf(':');
    return colon > 0 && architectures.containsKey(name.substring(0, colon));
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
