package net.sluice.pipeconf.profile;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.sluice.intents.value.InvalidValueException;

/**
 * ONOS's network configuration: the switches with their address, driver and pipeconf, and their
 * ports where nothing else tells of them. Goes to {@code POST /onos/v1/network/configuration}.
 */
public final class OnosNetcfg {
  private static final Pattern ADDRESS =
      Pattern.compile(
          "(?:([A-Za-z0-9][A-Za-z0-9._-]{0,63})=)?"
              + "(\\[[0-9a-fA-F:.]{2,45}]|[A-Za-z0-9][A-Za-z0-9.-]{0,252}):([0-9]{1,5})"
              + "(?:/([0-9]{1,5}))?");

  private OnosNetcfg() {}

  /** The configuration of switches of one kind, with ports where no driver tells of them. */
  public static String json(
      SwitchTargetProfile profile, List<String> addresses, List<String> splits) {
    return json(profile, addresses, splits, false);
  }

  /**
   * The configuration of switches of one kind.
   *
   * @param addresses of each switch {@code [NAME=]HOST:PORT[/GNMI]}; without a name they are {@code
   *     switch1}, {@code switch2} and so on, without the port of the gNMI server it is where the
   *     profile says. None stands for one at 127.0.0.1 at its usual port
   * @param splits how ports are divided, as {@link PortLayout#divided} reads them
   * @param describesPorts whether the profile's ports are described, be they there or not, although
   *     the driver tells ONOS of those of the topology, as it does of switches with a program; ONOS
   *     then takes them as described
   * @throws InvalidValueException if an address is malformed, two have one name, or a split is not
   *     possible
   */
  public static String json(
      SwitchTargetProfile profile,
      List<String> addresses,
      List<String> splits,
      boolean describesPorts) {
    Management management = profile.management();
    List<String> all =
        addresses.isEmpty() ? List.of("127.0.0.1:" + management.p4RuntimePort()) : addresses;
    Map<String, Object> ports = ports(profile.layout().divided(splits));
    boolean told = profile.program().isPresent();
    Map<String, Object> devices = new LinkedHashMap<>();
    int number = 0;
    for (String address : all) {
      number++;
      Matcher matcher = ADDRESS.matcher(address);
      if (!matcher.matches()
          || !isPort(matcher.group(3))
          || (matcher.group(4) != null && !isPort(matcher.group(4)))) {
        throw new InvalidValueException(
            "address", address, "[NAME=]HOST:PORT[/GNMI] with ports from 1 to 65535");
      }
      String name = matcher.group(1) == null ? "switch" + number : matcher.group(1);
      Map<String, Object> basic = new LinkedHashMap<>();
      basic.put("name", name);
      basic.put(
          "managementAddress",
          "grpc://"
              + matcher.group(2)
              + ":"
              + Integer.parseInt(matcher.group(3))
              + "?device_id="
              + management.deviceId());
      if (told) {
        // ONOS would go on looking for a driver that no application has.
        basic.put("driver", management.onosDriver());
        basic.put("pipeconf", management.onosPipeconf());
      }
      Map<String, Object> device = new LinkedHashMap<>();
      device.put("basic", basic);
      if (matcher.group(4) != null) {
        device.put(
            "sluice", Map.of("gnmi", matcher.group(2) + ":" + Integer.parseInt(matcher.group(4))));
      }
      if (describesPorts || !told) {
        device.put("ports", ports);
      }
      if (devices.put("device:" + name, device) != null) {
        throw new InvalidValueException(
            "address", address, "each name once; " + name + " is there");
      }
    }
    return JsonWriter.write(Map.of("devices", devices));
  }

  private static boolean isPort(String text) {
    int port = Integer.parseInt(text);
    return port >= 1 && port <= 65_535;
  }

  private static Map<String, Object> ports(List<ProfilePort> ports) {
    Map<String, Object> byId = new LinkedHashMap<>();
    for (ProfilePort port : ports) {
      Map<String, Object> description = new LinkedHashMap<>();
      description.put("number", port.id());
      description.put("name", port.name());
      // ONOS counts in Mbit/s.
      description.put("speed", port.speedBps() / 1_000_000);
      description.put("type", "fiber");
      description.put("enabled", true);
      description.put("removed", false);
      byId.put(Integer.toString(port.id()), description);
    }
    return byId;
  }
}
