package net.sluice.onos.southbound.packet;

import static net.sluice.onos.testing.TestSwitch.DEVICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import net.sluice.core.target.LinePackets;
import net.sluice.core.target.NotReadyException;
import net.sluice.onos.cluster.ClusterMember;
import net.sluice.onos.southbound.driver.Pipeconfs;
import net.sluice.onos.testing.TestMessages;
import net.sluice.onos.testing.TestSwitch;
import org.junit.jupiter.api.Test;
import org.onlab.util.ImmutableByteSequence;
import org.onosproject.cluster.LeadershipService;
import org.onosproject.cluster.NodeId;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.pi.model.PiPacketMetadataId;
import org.onosproject.net.pi.model.PiPacketOperationType;
import org.onosproject.net.pi.runtime.PiPacketMetadata;
import org.onosproject.net.pi.runtime.PiPacketOperation;
import org.onosproject.net.pi.service.PiPipeconfService;
import org.onosproject.p4runtime.api.P4RuntimeController;
import org.onosproject.p4runtime.api.P4RuntimeEvent;
import org.onosproject.p4runtime.api.P4RuntimeEventListener;
import org.onosproject.p4runtime.api.P4RuntimePacketIn;

/** Packets of a switch whose master is the instance that leads, and of one whose master is not. */
class SwitchPacketsTest {
  private static final NodeId MASTER = NodeId.nodeId("10.0.0.2");
  private static final NodeId OTHER = NodeId.nodeId("10.0.0.1");
  private static final byte[] FRAME = {1, 2, 3};

  private final TestSwitch master = new TestSwitch();
  private final TestMessages messages = new TestMessages(master.time.scheduler());
  private final MastershipService mastership = mock(MastershipService.class);
  private final LeadershipService leadership = mock(LeadershipService.class);
  private final List<P4RuntimeEventListener> listeners = new ArrayList<>();
  private final SwitchPackets ofMaster;
  private final SwitchPackets ofOther = packets(OTHER, mock(P4RuntimeController.class));
  private final List<String> received = new ArrayList<>();

  SwitchPacketsTest() {
    when(mastership.getMasterFor(DEVICE)).thenReturn(MASTER);
    P4RuntimeController controller = mock(P4RuntimeController.class);
    doAnswer(call -> listeners.add(call.getArgument(0))).when(controller).addListener(any());
    doAnswer(call -> listeners.remove(call.<P4RuntimeEventListener>getArgument(0)))
        .when(controller)
        .removeListener(any());
    ofMaster = packets(MASTER, controller);
  }

  private SwitchPackets packets(NodeId self, P4RuntimeController client) {
    PiPipeconfService pipeconfs = mock(PiPipeconfService.class);
    when(pipeconfs.ofDevice(DEVICE)).thenReturn(Optional.of(Pipeconfs.V1MODEL));
    when(pipeconfs.getPipeconf(Pipeconfs.V1MODEL)).thenReturn(Optional.of(TestSwitch.PIPECONF));
    return new SwitchPackets(
        self,
        client,
        pipeconfs,
        mastership,
        leadership,
        messages.of(self),
        (device, pipeconf) -> master.readiness,
        master.time.scheduler()::execute);
  }

  private LinePackets lead(NodeId leader) {
    when(leadership.getLeader(ClusterMember.TOPIC)).thenReturn(leader);
    LinePackets packets =
        (leader.equals(MASTER) ? ofMaster : ofOther).of(DEVICE, Pipeconfs.V1MODEL);
    packets.receive(
        (port, reason, frame) ->
            received.add(port + " " + reason + " " + HexFormat.of().formatHex(frame)));
    return packets;
  }

  private static PiPacketMetadata field(String name, int... octets) {
    byte[] bytes = new byte[octets.length];
    for (int at = 0; at < bytes.length; at++) {
      bytes[at] = (byte) octets[at];
    }
    return PiPacketMetadata.builder()
        .withId(PiPacketMetadataId.of(name))
        .withValue(ImmutableByteSequence.copyFrom(bytes))
        .build();
  }

  private void comes(PiPacketMetadata... fields) {
    P4RuntimePacketIn packet = mock(P4RuntimePacketIn.class);
    when(packet.deviceId()).thenReturn(DEVICE);
    when(packet.packetOperation())
        .thenReturn(
            PiPacketOperation.builder()
                .withType(PiPacketOperationType.PACKET_IN)
                .withData(ImmutableByteSequence.copyFrom(FRAME))
                .withMetadatas(List.of(fields))
                .build());
    P4RuntimeEvent event = mock(P4RuntimeEvent.class);
    when(event.subject()).thenReturn(packet);
    List.copyOf(listeners).forEach(listener -> listener.event(event));
    pass();
  }

  private void pass() {
    master.time.pass(Duration.ofSeconds(10));
  }

  private List<String> sent() {
    return master.client.packetsOut.stream()
        .map(
            packet ->
                packet.type()
                    + " "
                    + packet.metadatas().stream()
                        .map(field -> field.id().id() + "=" + field.value())
                        .sorted()
                        .collect(Collectors.joining(" "))
                    + " "
                    + packet.data())
        .toList();
  }

  @Test
  void theMasterSendsWhatItsLeaderOrItselfWants() {
    lead(MASTER).send(258, FRAME);
    assertThat(sent()).containsExactly("PACKET_OUT port=0x102 unused=0x0 0x10203");
    lead(OTHER).send(1, FRAME);
    pass();
    assertThat(sent())
        .containsExactly(
            "PACKET_OUT port=0x102 unused=0x0 0x10203", "PACKET_OUT port=0x1 unused=0x0 0x10203");
  }

  @Test
  void whatASwitchHandsOverGoesToWhoLeads() {
    lead(MASTER);
    comes(field("port", 1, 2), field("reason", 1));
    assertThat(received).containsExactly("258 FROM_NEXT_HOP 010203");
    lead(OTHER);
    ofMaster.of(DEVICE, Pipeconfs.V1MODEL).receive((port, reason, frame) -> received.add("old"));
    comes(field("port", 0, 3), field("reason", 2));
    assertThat(received).containsExactly("258 FROM_NEXT_HOP 010203", "3 TIME_EXCEEDED 010203");
  }

  @Test
  void whatHasNoWayIsLost() throws Exception {
    LinePackets packets = lead(OTHER);
    master.notReady = new NotReadyException("not connected");
    packets.send(1, FRAME);
    pass();
    master.notReady = null;
    when(mastership.getMasterFor(DEVICE)).thenReturn(null);
    packets.send(1, FRAME);
    when(mastership.getMasterFor(DEVICE)).thenReturn(MASTER);
    messages.delays(() -> null);
    packets.send(1, FRAME);
    pass();
    assertThat(sent()).isEmpty();
    comes(field("port", 0, 1), field("reason", 1));
    messages.delays(() -> Duration.ofMillis(1));
    when(leadership.getLeader(ClusterMember.TOPIC)).thenReturn(null);
    comes(field("port", 0, 1), field("reason", 1));
    lead(MASTER);
    comes(field("port", 0, 1));
    comes(field("port", 0, 1), field("reason", 9));
    assertThat(received).isEmpty();
  }

  @Test
  void nothingComesOnceItIsClosed() {
    lead(MASTER);
    ofMaster.close();
    comes(field("port", 0, 1), field("reason", 1));
    assertThat(received).isEmpty();
    assertThat(listeners).isEmpty();
  }
}
