package net.sluice.onos.southbound.master;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import net.sluice.core.target.NotReadyException;
import net.sluice.onos.southbound.driver.ManagementAddress;
import net.sluice.onos.southbound.driver.Pipeconfs;
import net.sluice.onos.southbound.driver.SwitchDrivers;
import org.onosproject.cluster.NodeId;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.DeviceId;
import org.onosproject.net.config.NetworkConfigService;
import org.onosproject.net.device.DeviceAgentEvent;
import org.onosproject.net.device.DeviceAgentListener;
import org.onosproject.net.pi.model.PiPipeconf;
import org.onosproject.net.pi.model.PiPipeconfId;
import org.onosproject.net.pi.service.PiPipeconfService;
import org.onosproject.net.provider.ProviderId;
import org.onosproject.p4runtime.api.P4RuntimeClient;
import org.onosproject.p4runtime.api.P4RuntimeController;
import org.onosproject.store.service.StorageException;

/** As ONOS's services say. */
public final class OnosReadiness implements Readiness {
  /** ONOS knows a listener by its provider: each gets one of its own. */
  private static final AtomicLong LISTENERS = new AtomicLong();

  private final DeviceId deviceId;
  private final PiPipeconfId wanted;
  private final P4RuntimeController controller;
  private final PiPipeconfService pipeconfs;
  private final MastershipService mastership;
  private final NetworkConfigService networkConfig;

  /** Of one switch. */
  public OnosReadiness(
      DeviceId deviceId,
      PiPipeconfId wanted,
      P4RuntimeController controller,
      PiPipeconfService pipeconfs,
      MastershipService mastership,
      NetworkConfigService networkConfig) {
    this.deviceId = deviceId;
    this.wanted = wanted;
    this.controller = controller;
    this.pipeconfs = pipeconfs;
    this.mastership = mastership;
    this.networkConfig = networkConfig;
  }

  @Override
  public DeviceId deviceId() {
    return deviceId;
  }

  @Override
  public PiPipeconfId pipeconf() {
    return wanted;
  }

  @Override
  public Ready ready() throws NotReadyException {
    try {
      return readyIfTold();
    } catch (StorageException e) {
      throw new NotReadyException(
          "the cluster's storage does not answer, so that the master of "
              + deviceId
              + " and its configuration are unknown");
    }
  }

  private Ready readyIfTold() throws NotReadyException {
    long p4DeviceId = ManagementAddress.of(deviceId, networkConfig).p4DeviceId();
    PiPipeconf pipeconf = bound();
    P4RuntimeClient client = controller.get(deviceId);
    if (client == null) {
      throw new NotReadyException("ONOS is not connected to " + deviceId);
    }
    if (!mastership.isLocalMaster(deviceId)) {
      NodeId master = mastership.getMasterFor(deviceId);
      throw new NotReadyException(
          master == null
              ? "no ONOS instance is master of " + deviceId
              : "ONOS instance " + master + " is master of " + deviceId);
    }
    if (!client.isServerReachable()) {
      throw new NotReadyException("the switch is disconnected: ONOS cannot reach " + deviceId);
    }
    if (!client.isSessionOpen(p4DeviceId)) {
      throw new NotReadyException("ONOS has no P4Runtime session with " + deviceId);
    }
    if (!client.isMaster(p4DeviceId)) {
      throw new NotReadyException(
          deviceId + " has another primary controller: this one's election id is too old");
    }
    return new Ready(client, p4DeviceId, pipeconf);
  }

  private PiPipeconf bound() throws NotReadyException {
    PiPipeconfId bound = pipeconfs.ofDevice(deviceId).orElse(null);
    if (bound == null) {
      throw new NotReadyException(
          deviceId + " has no pipeconf: its network configuration has to say " + wanted);
    }
    if (!bound.equals(wanted)) {
      throw new NotReadyException(
          deviceId + " is bound to pipeconf " + bound + ", and its profile runs " + wanted);
    }
    PiPipeconf found =
        pipeconfs
            .getPipeconf(bound)
            .orElseThrow(
                () -> new NotReadyException("pipeconf " + bound + " is not registered in ONOS"));
    if (!Pipeconfs.canBeLoaded(found)) {
      throw new NotReadyException("of pipeconf " + bound + " " + SwitchDrivers.NOTHING_TO_LOAD);
    }
    return found;
  }

  @Override
  public Runnable listen(Consumer<String> lost) {
    ProviderId provider =
        new ProviderId("sluice", "net.sluice.onos." + LISTENERS.incrementAndGet());
    DeviceAgentListener listener =
        event -> {
          String reason = reason(event);
          if (reason != null) {
            lost.accept(reason);
          }
        };
    controller.addDeviceAgentListener(deviceId, provider, listener);
    return () -> controller.removeDeviceAgentListener(deviceId, provider);
  }

  /**
   * Why the event ends a session; null if it does not. ONOS takes a new election id whenever its
   * mastership changes its term, also to the same instance. What was sent with the one before is
   * then refused, and either is told, though this instance is primary all the time.
   */
  private String reason(DeviceAgentEvent event) {
    return switch (event.type()) {
      case CHANNEL_CLOSED ->
          "the switch is disconnected: ONOS has closed its connection to " + deviceId;
      // ONOS tells so when the stream ends, and not for anything the switch says.
      case ROLE_NONE ->
          "the switch is disconnected: the P4Runtime session with " + deviceId + " has ended";
      case ROLE_STANDBY, NOT_MASTER -> obstacle().orElse(null);
      default -> null;
    };
  }
}
