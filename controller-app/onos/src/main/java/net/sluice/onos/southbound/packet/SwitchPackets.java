package net.sluice.onos.southbound.packet;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Function;
import net.sluice.core.target.LinePackets;
import net.sluice.core.target.NotReadyException;
import net.sluice.onos.cluster.ClusterMember;
import net.sluice.onos.southbound.driver.Pipeconfs;
import net.sluice.onos.southbound.master.Readiness;
import net.sluice.onos.southbound.packet.PacketMessage.In;
import net.sluice.onos.southbound.packet.PacketMessage.Out;
import net.sluice.pipeconf.PacketCodec.Received;
import org.onosproject.cluster.LeadershipService;
import org.onosproject.cluster.NodeId;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.DeviceId;
import org.onosproject.net.pi.model.PiPipeconfId;
import org.onosproject.net.pi.service.PiPipeconfService;
import org.onosproject.p4runtime.api.P4RuntimeController;
import org.onosproject.p4runtime.api.P4RuntimeEvent;
import org.onosproject.p4runtime.api.P4RuntimeEventListener;
import org.onosproject.p4runtime.api.P4RuntimePacketIn;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;
import org.onosproject.store.cluster.messaging.MessageSubject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries packets between switches and the instance that leads, by way of the instance that is the
 * switch's master: only that one has a stream to the switch. A packet for which there is no way is
 * lost, as on any line.
 */
public final class SwitchPackets implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SwitchPackets.class);
  private static final MessageSubject OUT = new MessageSubject("net.sluice.packet-out");
  private static final MessageSubject IN = new MessageSubject("net.sluice.packet-in");

  private final NodeId self;
  private final P4RuntimeController controller;
  private final PiPipeconfService pipeconfs;
  private final MastershipService mastership;
  private final LeadershipService leadership;
  private final ClusterCommunicationService cluster;
  private final BiFunction<DeviceId, PiPipeconfId, Readiness> readiness;

  /** Passes on what comes: ONOS's threads have other things to deliver. */
  private final Executor executor;

  private final P4RuntimeEventListener listener = this::heard;

  /** The receivers of the switches that this instance drives. */
  private final Map<DeviceId, LinePackets.Receiver> receivers = new ConcurrentHashMap<>();

  /**
   * Carries packets until it is closed.
   *
   * @param readiness whether this instance can send to a switch with a pipeconf
   */
  public SwitchPackets(
      NodeId self,
      P4RuntimeController controller,
      PiPipeconfService pipeconfs,
      MastershipService mastership,
      LeadershipService leadership,
      ClusterCommunicationService cluster,
      BiFunction<DeviceId, PiPipeconfId, Readiness> readiness,
      Executor executor) {
    this.self = self;
    this.controller = controller;
    this.pipeconfs = pipeconfs;
    this.mastership = mastership;
    this.leadership = leadership;
    this.cluster = cluster;
    this.readiness = readiness;
    this.executor = executor;
    controller.addListener(listener);
    cluster.addSubscriber(OUT, Out::decode, this::leave, executor);
    cluster.addSubscriber(IN, In::decode, this::deliver, executor);
  }

  /** Those of a switch, as long as this instance drives it. */
  public LinePackets of(DeviceId device, PiPipeconfId pipeconf) {
    return new LinePackets() {
      @Override
      public void send(int port, byte[] frame) {
        Out out = new Out(device, pipeconf, port, frame);
        NodeId master = mastership.getMasterFor(device);
        if (self.equals(master)) {
          leave(out);
        } else if (master != null) {
          pass(out, OUT, Out::encode, master);
        }
      }

      @Override
      public void receive(Receiver receiver) {
        receivers.put(device, receiver);
      }
    };
  }

  private <T> void pass(
      T packet, MessageSubject subject, Function<T, byte[]> encoding, NodeId instance) {
    cluster
        .unicast(packet, subject, encoding, instance)
        .whenComplete(
            (done, failure) -> {
              if (failure != null) {
                LOG.debug("a packet for {} is lost on its way to {}", subject, instance, failure);
              }
            });
  }

  private void leave(Out out) {
    try {
      Readiness.Ready ready = readiness.apply(out.device(), out.pipeconf()).ready();
      Pipeconfs.packets(ready.pipeconf())
          .ifPresent(
              packets ->
                  ready
                      .client()
                      .packetOut(
                          ready.p4DeviceId(),
                          packets.out(out.port(), out.frame()),
                          ready.pipeconf()));
    } catch (NotReadyException e) {
      LOG.debug("a packet is lost: {}", e.getMessage());
    }
  }

  private void heard(P4RuntimeEvent event) {
    if (event.subject() instanceof P4RuntimePacketIn packet) {
      executor.execute(() -> come(packet));
    }
  }

  private void come(P4RuntimePacketIn packet) {
    DeviceId device = packet.deviceId();
    pipeconfs
        .ofDevice(device)
        .flatMap(pipeconfs::getPipeconf)
        .flatMap(Pipeconfs::packets)
        .flatMap(packets -> packets.in(packet.packetOperation()))
        .ifPresent(
            received -> {
              NodeId leader = leadership.getLeader(ClusterMember.TOPIC);
              if (self.equals(leader)) {
                deliver(new In(device, received));
              } else if (leader != null) {
                pass(new In(device, received), IN, In::encode, leader);
              }
            });
  }

  private void deliver(In in) {
    LinePackets.Receiver receiver = receivers.get(in.device());
    if (receiver != null) {
      Received received = in.received();
      receiver.receive(received.port(), received.reason(), received.frame());
    }
  }

  @Override
  public void close() {
    controller.removeListener(listener);
    cluster.removeSubscriber(OUT);
    cluster.removeSubscriber(IN);
    receivers.clear();
  }
}
