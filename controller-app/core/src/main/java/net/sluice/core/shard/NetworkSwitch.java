package net.sluice.core.shard;

import java.util.ArrayList;
import java.util.List;
import net.sluice.core.ControllerConfig;
import net.sluice.core.target.Targets;
import net.sluice.intents.plan.TargetKey;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.Ids;
import net.sluice.intents.value.InvalidValueException;

/**
 * A switch of the network with its FPGAs, as a controller is given it.
 *
 * @param name its name in the API, see {@link Ids}; also the beginning of the names of its targets
 *     if there are other switches
 * @param config its topology, its profiles and how it is driven
 * @param targets the way to it
 * @throws InvalidValueException if the FPGAs are not those that the topology has a sidecar for
 */
public record NetworkSwitch(String name, ControllerConfig config, Targets targets) {
  /** Name of a switch that is the only one. */
  public static final String ONLY = TargetKey.SWITCH.text();

  /** Name of a target of the switch of that name; the only switch's are short. */
  public static String targetName(String switchName, TargetKey<?> target) {
    if (target == TargetKey.SWITCH) {
      return switchName;
    }
    return switchName.equals(ONLY) ? target.text() : switchName + "-" + target.text();
  }

  /** Names of its targets, the switch's first. */
  public List<String> targetNames() {
    List<String> names = new ArrayList<>();
    names.add(targets.switchTarget().name());
    targets.fpgaDown().ifPresent(fpga -> names.add(fpga.name()));
    targets.fpgaUp().ifPresent(fpga -> names.add(fpga.name()));
    return names;
  }

  public NetworkSwitch {
    Ids.require("switch", name);
    for (Direction direction : Direction.values()) {
      boolean wanted = config.topology().sidecar(direction).isPresent();
      if (wanted != targets.fpga(direction).isPresent()) {
        throw new InvalidValueException(
            TargetKey.fpga(direction).text(),
            wanted ? "absent" : "present",
            wanted
                ? "present, because the topology has a sidecar for that direction"
                : "absent, because the topology has no sidecar for that direction");
      }
    }
  }
}
