package net.sluice.onos;

import java.util.List;
import java.util.Map;
import net.sluice.core.Controller;
import net.sluice.core.ControllerException;
import net.sluice.core.traffic.PortStatus;
import net.sluice.onos.cluster.ClusterMember;
import net.sluice.rest.settings.EdgeSettings;
import org.onosproject.event.ListenerService;
import org.onosproject.net.DeviceId;

/** Sluice, to other applications, the shell and the REST interface of this instance. */
public interface SluiceService extends ListenerService<SluiceEvent, SluiceListener> {
  /**
   * The controller, on the instance that leads.
   *
   * @throws ControllerException if this instance does not lead; says who does, since when, and what
   *     happens next
   */
  Controller controller();

  /**
   * The controller with what stands beside it, on the instance that leads.
   *
   * @throws ControllerException as {@link #controller}
   */
  Leading leading();

  /** The settings in force about requests of clients. */
  EdgeSettings edge();

  /** Where this instance stands in the cluster. */
  ClusterMember.Standing standing();

  /**
   * The ports that a switch has by the topology, as the switch tells of them; empty unless this
   * instance leads and drives that switch.
   */
  List<PortStatus> ports(DeviceId device);

  /**
   * Notes for operators: what is configured for devices and refused, and devices that have Sluice's
   * pipeline and no controller.
   */
  List<String> notes();

  /**
   * Properties whose last value was refused and is not in force, with why: field, value and what is
   * allowed.
   */
  Map<String, String> refusedConfiguration();
}
