package net.sluice.onos.southbound.master;

import static net.sluice.onos.testing.TestSwitch.DEVICE;
import static net.sluice.onos.testing.TestSwitch.PIPECONF;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.atLeastOnce;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.sluice.core.target.NotReadyException;
import net.sluice.onos.southbound.driver.Pipeconfs;
import net.sluice.pipeconf.TnaPipeline;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;
import org.onosproject.cluster.NodeId;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.config.NetworkConfigService;
import org.onosproject.net.config.basics.BasicDeviceConfig;
import org.onosproject.net.device.DeviceAgentEvent;
import org.onosproject.net.device.DeviceAgentListener;
import org.onosproject.net.pi.model.PiPipeconf;
import org.onosproject.net.pi.model.PiPipeconfId;
import org.onosproject.net.pi.service.PiPipeconfService;
import org.onosproject.net.provider.ProviderId;
import org.onosproject.p4runtime.api.P4RuntimeClient;
import org.onosproject.p4runtime.api.P4RuntimeController;

/** What keeps a switch from being driven, in the words that reach an intent's status. */
class OnosReadinessTest {
  private final P4RuntimeController controller = mock(P4RuntimeController.class);
  private final PiPipeconfService pipeconfs = mock(PiPipeconfService.class);
  private final MastershipService mastership = mock(MastershipService.class);
  private final NetworkConfigService config = mock(NetworkConfigService.class);
  private final BasicDeviceConfig basic = mock(BasicDeviceConfig.class);
  private final P4RuntimeClient client = mock(P4RuntimeClient.class);
  private final OnosReadiness access =
      new OnosReadiness(DEVICE, Pipeconfs.V1MODEL, controller, pipeconfs, mastership, config);

  @BeforeEach
  void allIsWell() {
    when(config.getConfig(DEVICE, BasicDeviceConfig.class)).thenReturn(basic);
    when(basic.managementAddress()).thenReturn("grpc://10.0.0.1:9559?device_id=7");
    when(pipeconfs.ofDevice(DEVICE)).thenReturn(Optional.of(Pipeconfs.V1MODEL));
    when(pipeconfs.getPipeconf(Pipeconfs.V1MODEL)).thenReturn(Optional.of(PIPECONF));
    when(controller.get(DEVICE)).thenReturn(client);
    when(mastership.isLocalMaster(DEVICE)).thenReturn(true);
    when(client.isServerReachable()).thenReturn(true);
    when(client.isSessionOpen(7)).thenReturn(true);
    when(client.isMaster(7)).thenReturn(true);
  }

  private String refusal() {
    Throwable refusal = catchThrowable(access::ready);
    assertThat(refusal).isInstanceOf(NotReadyException.class);
    return refusal.getMessage();
  }

  @Test
  void aMasterOfAConnectedSwitchWithOurPipeconfIsReady() throws NotReadyException {
    assertThat(access.ready()).isEqualTo(new Readiness.Ready(client, 7, PIPECONF));
  }

  @Test
  void aDeviceWithAnotherPipeconf() {
    when(pipeconfs.ofDevice(DEVICE))
        .thenReturn(Optional.of(new PiPipeconfId("org.onosproject.pipelines.fabric")));
    assertThat(refusal())
        .isEqualTo(
            "device:switch1 is bound to pipeconf org.onosproject.pipelines.fabric, and its"
                + " profile runs net.sluice.v1model");
    when(pipeconfs.ofDevice(DEVICE)).thenReturn(Optional.empty());
    assertThat(refusal())
        .isEqualTo(
            "device:switch1 has no pipeconf: its network configuration has to say"
                + " net.sluice.v1model");
    when(pipeconfs.ofDevice(DEVICE)).thenReturn(Optional.of(Pipeconfs.V1MODEL));
    when(pipeconfs.getPipeconf(Pipeconfs.V1MODEL)).thenReturn(Optional.empty());
    assertThat(refusal()).isEqualTo("pipeconf net.sluice.v1model is not registered in ONOS");
    PiPipeconf empty = Pipeconfs.all(TnaPipeline.withoutDeviceConfig()).get(2);
    when(pipeconfs.getPipeconf(Pipeconfs.V1MODEL)).thenReturn(Optional.of(empty));
    assertThat(refusal())
        .isEqualTo(
            "of pipeconf net.sluice.v1model there is nothing for a switch to load: deviceConfig of"
                + " net.sluice.onos.southbound.driver.SwitchDrivers has to name the file, on each"
                + " instance");
  }

  @Test
  void noMasterOrAnother() {
    when(mastership.isLocalMaster(DEVICE)).thenReturn(false);
    assertThat(refusal()).isEqualTo("no ONOS instance is master of device:switch1");
    when(mastership.getMasterFor(DEVICE)).thenReturn(NodeId.nodeId("10.0.0.3"));
    assertThat(refusal()).isEqualTo("ONOS instance 10.0.0.3 is master of device:switch1");
  }

  @Test
  void aStaleElectionId() {
    when(client.isMaster(7)).thenReturn(false);
    assertThat(refusal())
        .isEqualTo(
            "device:switch1 has another primary controller: this one's election id is too old");
  }

  @Test
  void noConnectionOrNoSession() {
    when(client.isSessionOpen(7)).thenReturn(false);
    assertThat(refusal()).isEqualTo("ONOS has no P4Runtime session with device:switch1");
    when(client.isServerReachable()).thenReturn(false);
    assertThat(refusal()).isEqualTo("the switch is disconnected: ONOS cannot reach device:switch1");
    when(controller.get(DEVICE)).thenReturn(null);
    assertThat(refusal()).isEqualTo("ONOS is not connected to device:switch1");
  }

  @Test
  void anAddressWithoutDeviceId() {
    when(basic.managementAddress()).thenReturn("grpc://10.0.0.1:9559");
    assertThat(refusal())
        .isEqualTo(
            "managementAddress of device:switch1 is grpc://10.0.0.1:9559; allowed:"
                + " grpc://HOST:PORT?device_id=N");
    when(basic.managementAddress()).thenReturn(null);
    assertThat(refusal())
        .isEqualTo("device:switch1 has no managementAddress in ONOS's network configuration");
  }

  /** What the session is told when ONOS posts every kind of event, in the order of the kinds. */
  private List<String> toldOfEvents() {
    List<String> lost = new ArrayList<>();
    access.listen(lost::add);
    ArgumentCaptor<DeviceAgentListener> listener =
        ArgumentCaptor.forClass(DeviceAgentListener.class);
    verify(controller, atLeastOnce()).addDeviceAgentListener(eq(DEVICE), any(), listener.capture());
    for (DeviceAgentEvent.Type type : DeviceAgentEvent.Type.values()) {
      listener.getValue().event(new DeviceAgentEvent(type, DEVICE));
    }
    return lost;
  }

  @Test
  void agentEventsThatEndASessionAreTold() {
    when(client.isMaster(7)).thenReturn(false);
    assertThat(toldOfEvents())
        .containsExactly(
            "the switch is disconnected: ONOS has closed its connection to device:switch1",
            "device:switch1 has another primary controller: this one's election id is too old",
            "the switch is disconnected: the P4Runtime session with device:switch1 has ended",
            "device:switch1 has another primary controller: this one's election id is too old");
    when(mastership.isLocalMaster(DEVICE)).thenReturn(false);
    when(mastership.getMasterFor(DEVICE)).thenReturn(NodeId.nodeId("10.0.0.3"));
    assertThat(toldOfEvents()).contains("ONOS instance 10.0.0.3 is master of device:switch1");
  }

  /** ONOS exchanges it when mastership gets a new term, also to the same instance. */
  @Test
  void aNewElectionIdEndsNothingWhileThisInstanceStaysPrimary() {
    assertThat(toldOfEvents())
        .containsExactly(
            "the switch is disconnected: ONOS has closed its connection to device:switch1",
            "the switch is disconnected: the P4Runtime session with device:switch1 has ended");
  }

  /** ONOS keeps one listener a provider: that of a session which ends leaves the next one's. */
  @Test
  void eachSessionHasAListenerOfItsOwn() {
    Runnable first = access.listen(unused -> {});
    Runnable second = access.listen(unused -> {});
    ArgumentCaptor<ProviderId> added = ArgumentCaptor.forClass(ProviderId.class);
    verify(controller, times(2)).addDeviceAgentListener(eq(DEVICE), added.capture(), any());
    assertThat(added.getAllValues()).doesNotHaveDuplicates();
    first.run();
    verify(controller).removeDeviceAgentListener(DEVICE, added.getAllValues().get(0));
    second.run();
    verify(controller).removeDeviceAgentListener(DEVICE, added.getAllValues().get(1));
  }
}
