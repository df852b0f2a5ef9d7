package net.sluice.onos.southbound.driver;

import java.util.List;
import net.sluice.core.traffic.PortStatus;
import net.sluice.onos.SluiceService;
import org.onlab.osgi.ServiceNotFoundException;
import org.onosproject.drivers.p4runtime.P4RuntimeDeviceDescriptionDiscovery;
import org.onosproject.net.AnnotationKeys;
import org.onosproject.net.DefaultAnnotations;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Port;
import org.onosproject.net.PortNumber;
import org.onosproject.net.config.NetworkConfigService;
import org.onosproject.net.config.basics.PortDescriptionsConfig;
import org.onosproject.net.device.DefaultPortDescription;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.device.PortDescription;

/**
 * The description of a switch for ONOS. Its ports are those of the topology, in the state that the
 * switch tells of over gNMI; ONOS asks every few seconds, and is answered from what the session has
 * heard. Ports that the network configuration describes are as it says: ONOS adds them by itself.
 */
public final class SwitchDescription extends P4RuntimeDeviceDescriptionDiscovery {
  /** Annotation of a port of which nothing tells whether it is up; it counts as enabled. */
  static final String STATE = "sluice-state";

  private static final long BPS_PER_MBPS = 1_000_000;

  @Override
  public List<PortDescription> discoverPortDetails() {
    DeviceId device = data().deviceId();
    NetworkConfigService config = handler().get(NetworkConfigService.class);
    if (config.getConfig(device, PortDescriptionsConfig.class) != null) {
      return List.of();
    }
    List<PortStatus> told = told(device);
    if (told.isEmpty()) {
      // Nobody can tell at the moment: they stay as they are, rather than vanish and come back.
      return handler().get(DeviceService.class).getPorts(device).stream()
          .map(SwitchDescription::description)
          .toList();
    }
    DeviceService devices = handler().get(DeviceService.class);
    return told.stream()
        .map(port -> description(port, devices.getPort(device, PortNumber.portNumber(port.port()))))
        .toList();
  }

  private List<PortStatus> told(DeviceId device) {
    try {
      return handler().get(SluiceService.class).ports(device);
    } catch (ServiceNotFoundException e) {
      log.debug("no ports of {}: {}", device, e.getMessage());
      return List.of();
    }
  }

  private static PortDescription description(Port port) {
    return DefaultPortDescription.builder()
        .withPortNumber(port.number())
        .isEnabled(port.isEnabled())
        .type(port.type())
        .portSpeed(port.portSpeed())
        .annotations(DefaultAnnotations.builder().putAll(port.annotations()).build())
        .build();
  }

  /** The port as the switch tells of it; {@code known} is what ONOS has of it, null if nothing. */
  private static PortDescription description(PortStatus port, Port known) {
    DefaultAnnotations.Builder annotations = DefaultAnnotations.builder();
    port.name().ifPresent(name -> annotations.set(AnnotationKeys.PORT_NAME, name));
    if (port.up().isEmpty()) {
      annotations.set(STATE, "unknown");
    } else if (known != null && known.annotations().value(STATE) != null) {
      // ONOS merges annotations: what is left out stays.
      annotations.remove(STATE);
    }
    return DefaultPortDescription.builder()
        .withPortNumber(PortNumber.portNumber(port.port()))
        .isEnabled(port.up().orElse(true))
        .type(Port.Type.FIBER)
        .portSpeed(port.rateBps() / BPS_PER_MBPS)
        .annotations(annotations.build())
        .build();
  }
}
