package net.sluice.core;

import java.util.List;
import java.util.Optional;
import net.sluice.intents.plan.TableUse;
import net.sluice.intents.profile.Topology.Trunk;

/**
 * A switch of the network.
 *
 * @param name its name
 * @param targets names of its targets, the switch's first
 * @param ports what is known of its ports; empty if nothing tells of them
 * @param tables how full it is: one element per resource that declarations use up; empty while the
 *     store cannot be read
 * @param trunks the trunks that end at it, as seen from there
 * @param leaving number of subscribers that it serves until another switch does
 * @param conflicts number of declarations that are stored for it and not in force, because another
 *     switch has their names
 */
public record SwitchStatus(
    String name,
    List<String> targets,
    Optional<PortSummary> ports,
    List<TableUse> tables,
    List<Trunk> trunks,
    int leaving,
    long conflicts) {
  public SwitchStatus {
    targets = List.copyOf(targets);
    tables = List.copyOf(tables);
    trunks = List.copyOf(trunks);
  }
}
