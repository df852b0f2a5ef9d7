package net.sluice.pipeconf.profile;

import java.util.List;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.pipeconf.profile.SwitchTargetProfile.Chassis;

/**
 * Stratum's chassis configuration, a {@code stratum.hal.ChassisConfig} in protobuf's text format:
 * one node with every port of a profile.
 */
public final class ChassisConfig {
  private ChassisConfig() {}

  /**
   * The file for a switch.
   *
   * @param splits how ports are divided, as {@link PortLayout#divided} reads them
   * @throws InvalidValueException if the switch does not run Stratum or a split is not possible
   */
  public static String text(SwitchTargetProfile profile, List<String> splits) {
    if (profile.chassis().isEmpty()) {
      throw new InvalidValueException(
          "profile", profile.name(), "a switch that runs Stratum: stratum-...");
    }
    Chassis chassis = profile.chassis().get();
    long node = profile.management().deviceId();
    StringBuilder text = new StringBuilder();
    text.append("description: ").append(quoted("Sluice: " + profile.title())).append('\n');
    text.append("chassis {\n  platform: ").append(chassis.platform());
    text.append("\n  name: ").append(quoted(chassis.name())).append("\n}\n");
    text.append("nodes {\n  id: ").append(node).append("\n  slot: 1\n  index: 1\n}\n");
    for (ProfilePort port : profile.layout().divided(splits)) {
      text.append("singleton_ports {\n  id: ").append(port.id());
      text.append("\n  name: ").append(quoted(port.name()));
      text.append("\n  slot: 1\n  port: ").append(port.panel());
      if (port.channel() > 0) {
        text.append("\n  channel: ").append(port.channel());
      }
      text.append("\n  speed_bps: ").append(port.speedBps());
      text.append("\n  config_params {\n    admin_state: ADMIN_STATE_ENABLED\n  }");
      text.append("\n  node: ").append(node).append("\n}\n");
    }
    return text.toString();
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
