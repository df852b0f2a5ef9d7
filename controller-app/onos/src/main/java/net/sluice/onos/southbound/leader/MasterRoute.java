package net.sluice.onos.southbound.leader;

import net.sluice.core.target.NotReadyException;
import net.sluice.core.time.Scheduler;
import net.sluice.onos.southbound.call.SwitchCalls;
import net.sluice.onos.southbound.master.EpochLeases;
import net.sluice.onos.southbound.master.MasterCalls;
import net.sluice.onos.southbound.master.Readiness;
import org.onosproject.cluster.NodeId;
import org.onosproject.mastership.MastershipService;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;

/**
 * Begins sessions at the instance that is a switch's master: this one, or another by messages.
 *
 * @param own whether this instance can drive the switch
 * @param leases whose turn it is at the switches that this instance is master of
 * @param epoch number of the takeover of the switch that sessions are of
 * @param scheduler for what is tried again; left open
 */
public record MasterRoute(
    Readiness own,
    EpochLeases leases,
    MastershipService mastership,
    ClusterCommunicationService cluster,
    long epoch,
    Scheduler scheduler)
    implements SwitchCalls.Opener {
  @Override
  public SwitchCalls open() throws NotReadyException {
    NodeId master = mastership.getMasterFor(own.deviceId());
    return master == null || mastership.isLocalMaster(own.deviceId())
        ? new MasterCalls(own, leases, epoch, scheduler)
        : new ForwardedCalls(cluster, master, own.deviceId(), own.pipeconf(), epoch);
  }
}
