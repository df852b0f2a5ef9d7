package net.sluice.core;

import java.util.List;
import java.util.Optional;

/**
 * A switch of the network.
 *
 * @param name its name
 * @param targets names of its targets, the switch's first
 * @param ports what is known of its ports; empty if nothing tells of them
 * @param tables how full it is: one element per resource that declarations use up; empty while the
 *     store cannot be read
 */
public record SwitchStatus(
    String name, List<String> targets, Optional<PortSummary> ports, List<TableUse> tables) {
  public SwitchStatus {
    targets = List.copyOf(targets);
    tables = List.copyOf(tables);
  }
}
