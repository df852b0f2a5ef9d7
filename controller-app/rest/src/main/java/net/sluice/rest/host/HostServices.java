package net.sluice.rest.host;

import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import net.sluice.core.Controller;
import net.sluice.core.ControllerException;
import net.sluice.northbound.Northbound;
import net.sluice.rest.operation.Operations;
import net.sluice.rest.problem.Incidents;

/**
 * All that a host hands to the API. A service that is added here has to be given by each of them,
 * or to be absent for a reason.
 *
 * @param controller the controller by now; a host that does not lead throws {@link
 *     ControllerException} from its methods
 * @param northbound what stands beside that controller; throws likewise
 * @param operations the requests that go on after their answer; throws likewise
 * @param notes what the host has to say to operators beside the controller's status
 * @param edge the requests that clients may make
 * @param switches the switches that can be declared
 * @param logLevels how much is logged
 * @param measurements what the host measures beside the controller's status
 * @param restore how a backup is restored while the host runs
 * @param gateAgents whether a switch's status names the agent that moves its gates
 * @param onosDevices whether a switch can be a device of ONOS
 * @param deviceConfigs whether a switch can be declared with what it loads
 * @param mappedRegisters whether an FPGA's registers can be a file of the machine
 * @param incidents names and logs the faults of this process
 */
public record HostServices(
    Controller controller,
    Supplier<Northbound> northbound,
    Supplier<Operations> operations,
    Supplier<List<String>> notes,
    Edge edge,
    Capability<SwitchDeclarations> switches,
    Capability<LogLevels> logLevels,
    Capability<Supplier<MetricSnapshots>> measurements,
    Capability<Restoring> restore,
    Capability<Boolean> gateAgents,
    Capability<Boolean> onosDevices,
    Capability<Boolean> deviceConfigs,
    Capability<Boolean> mappedRegisters,
    Incidents incidents) {
  /** Each capability by its name, with why it is absent. */
  public Map<String, Optional<String>> capabilities() {
    Map<String, Optional<String>> all = new LinkedHashMap<>();
    all.put("device-configs", deviceConfigs.whyAbsent());
    all.put("gate-agents", gateAgents.whyAbsent());
    all.put("log-levels", logLevels.whyAbsent());
    all.put("mapped-registers", mappedRegisters.whyAbsent());
    all.put("measurements", measurements.whyAbsent());
    all.put("onos-devices", onosDevices.whyAbsent());
    all.put("restore", restore.whyAbsent());
    all.put("switch-declarations", switches.whyAbsent());
    return all;
  }
}
