package net.sluice.onos.southbound.driver;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.sluice.core.target.NotReadyException;
import net.sluice.rest.switches.HostPort;
import org.onosproject.net.DeviceId;
import org.onosproject.net.config.NetworkConfigService;
import org.onosproject.net.config.basics.BasicDeviceConfig;

/**
 * The address at which ONOS reaches a switch, {@code grpc://HOST:PORT?device_id=N}.
 *
 * @param uri as it is written
 * @param server its P4Runtime server
 * @param p4DeviceId its P4Runtime device id
 */
public record ManagementAddress(URI uri, HostPort server, long p4DeviceId) {
  private static final Pattern DEVICE_ID = Pattern.compile("(?:^|&)device_id=(\\d{1,19})(?:&|$)");

  /**
   * The address in a device's network configuration.
   *
   * @throws NotReadyException if there is none, or it is none of that form
   */
  public static ManagementAddress of(DeviceId device, NetworkConfigService networkConfig)
      throws NotReadyException {
    BasicDeviceConfig config = networkConfig.getConfig(device, BasicDeviceConfig.class);
    if (config == null || config.managementAddress() == null) {
      throw new NotReadyException(
          device + " has no managementAddress in ONOS's network configuration");
    }
    return parse(config.managementAddress())
        .orElseThrow(
            () ->
                new NotReadyException(
                    "managementAddress of "
                        + device
                        + " is "
                        + config.managementAddress()
                        + "; allowed: grpc://HOST:PORT?device_id=N"));
  }

  /** The address of a text; empty if it is none. */
  static Optional<ManagementAddress> parse(String text) {
    try {
      URI uri = new URI(text);
      Matcher id = DEVICE_ID.matcher(uri.getQuery() == null ? "" : uri.getQuery());
      return Optional.ofNullable(uri.getAuthority())
          .flatMap(HostPort::of)
          .filter(unused -> id.find())
          .map(server -> new ManagementAddress(uri, server, Long.parseUnsignedLong(id.group(1))));
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }
}
