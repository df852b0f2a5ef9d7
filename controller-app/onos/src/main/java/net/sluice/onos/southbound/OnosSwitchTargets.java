package net.sluice.onos.southbound;

import java.util.Optional;
import java.util.function.Supplier;
import net.sluice.core.ports.GnmiConnection;
import net.sluice.core.target.Targets;
import net.sluice.core.time.ThreadScheduler;
import net.sluice.onos.SwitchTargets;
import net.sluice.pipeconf.V1ModelPipeline;
import net.sluice.pipeconf.profile.SwitchTargetProfile;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.DeviceId;
import org.onosproject.net.config.NetworkConfigService;
import org.onosproject.net.pi.service.PiPipeconfService;
import org.onosproject.p4runtime.api.P4RuntimeController;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;

/** Switches through ONOS's P4Runtime client, and their gNMI servers beside it. */
@Component(immediate = true, service = SwitchTargets.class)
public class OnosSwitchTargets implements SwitchTargets {
  @Reference(cardinality = ReferenceCardinality.MANDATORY)
  protected P4RuntimeController controller;

  @Reference(cardinality = ReferenceCardinality.MANDATORY)
  protected PiPipeconfService pipeconfService;

  @Reference(cardinality = ReferenceCardinality.MANDATORY)
  protected MastershipService mastershipService;

  @Reference(cardinality = ReferenceCardinality.MANDATORY)
  protected NetworkConfigService networkConfigService;

  @Override
  public SwitchConnection open(DeviceId device) {
    OnosSwitchAccess access =
        new OnosSwitchAccess(
            device,
            Pipeconfs.V1MODEL,
            controller,
            pipeconfService,
            mastershipService,
            networkConfigService);
    OnosSwitchTarget target =
        new OnosSwitchTarget(
            Targets.SWITCH, access, V1ModelPipeline.load(), new ThreadScheduler("sluice-switch"));
    return new SwitchConnection(target, target);
  }

  @Override
  public GnmiConnection.Access gnmi(
      DeviceId device, SwitchTargetProfile profile, Supplier<Optional<String>> obstacle) {
    return new OnosGnmi(device, profile, networkConfigService, obstacle);
  }
}
