package net.sluice.onos.southbound;

import net.sluice.core.target.NotReadyException;
import net.sluice.core.time.Scheduler;
import org.onosproject.cluster.NodeId;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.DeviceId;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;

/** Leads to the instance that is the switch's master: this one, or another by its messages. */
final class ClusterSwitchWay implements SwitchConnector {
  private final SwitchAccess access;
  private final EpochLeases turns;
  private final MastershipService mastership;
  private final ClusterCommunicationService cluster;
  private final long epoch;
  private final Scheduler scheduler;

  /**
   * The way to one switch.
   *
   * @param access this instance's own
   * @param epoch number of the takeover of the switch that sessions are of
   * @param scheduler for what is tried again; left open
   */
  ClusterSwitchWay(
      SwitchAccess access,
      EpochLeases turns,
      MastershipService mastership,
      ClusterCommunicationService cluster,
      long epoch,
      Scheduler scheduler) {
    this.access = access;
    this.turns = turns;
    this.mastership = mastership;
    this.cluster = cluster;
    this.epoch = epoch;
    this.scheduler = scheduler;
  }

  @Override
  public DeviceId deviceId() {
    return access.deviceId();
  }

  @Override
  public SwitchClient open() throws NotReadyException {
    NodeId master = mastership.getMasterFor(deviceId());
    return master == null || mastership.isLocalMaster(deviceId())
        ? new LocalSwitchClient(access, turns, epoch, scheduler)
        : new RemoteSwitchClient(cluster, master, deviceId(), epoch);
  }
}
