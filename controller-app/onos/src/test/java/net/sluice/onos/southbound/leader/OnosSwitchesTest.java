package net.sluice.onos.southbound.leader;

import static net.sluice.onos.testing.TestSwitch.DEVICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.when;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import net.sluice.core.ports.GnmiConnection;
import net.sluice.core.target.NotReadyException;
import net.sluice.core.testing.SessionNews;
import net.sluice.intents.plan.TargetKey;
import net.sluice.onos.SwitchConfig;
import net.sluice.onos.SwitchConfigTest;
import net.sluice.onos.SwitchTargets.SwitchConnection;
import net.sluice.onos.southbound.driver.Pipeconfs;
import net.sluice.pipeconf.profile.TargetProfiles;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.switches.HostPort;
import net.sluice.rest.switches.SwitchDocument;
import net.sluice.rest.switches.SwitchDocument.Reached;
import org.junit.jupiter.api.Test;
import org.mockito.InOrder;
import org.onosproject.cluster.ClusterServiceAdapter;
import org.onosproject.cluster.ControllerNode;
import org.onosproject.cluster.DefaultControllerNode;
import org.onosproject.cluster.LeadershipService;
import org.onosproject.cluster.NodeId;
import org.onosproject.mastership.MastershipServiceAdapter;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.config.Config;
import org.onosproject.net.config.ConfigFactory;
import org.onosproject.net.config.NetworkConfigRegistry;
import org.onosproject.net.config.NetworkConfigRegistryAdapter;
import org.onosproject.net.config.basics.BasicDeviceConfig;
import org.onosproject.net.config.basics.SubjectFactories;
import org.onosproject.net.device.DeviceAdminService;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.pi.PiPipeconfServiceAdapter;
import org.onosproject.net.pi.model.PiPipeconfId;
import org.onosproject.net.pi.service.PiPipeconfMappingStore;
import org.onosproject.p4runtime.api.P4RuntimeController;
import org.onosproject.store.cluster.messaging.ClusterCommunicationServiceAdapter;
import org.onosproject.store.service.StorageException;

/** The component that opens switches, against ONOS's test adapters, which know no device. */
class OnosSwitchesTest {
  private final OnosSwitches targets = new OnosSwitches();

  OnosSwitchesTest() {
    targets.controller = mock(P4RuntimeController.class);
    targets.pipeconfService = new PiPipeconfServiceAdapter();
    targets.mastershipService = new MastershipServiceAdapter();
    targets.networkConfig = new NetworkConfigRegistryAdapter();
    targets.deviceService = mock(DeviceService.class);
    when(targets.deviceService.getDevices()).thenReturn(List.of());
    targets.leadershipService = mock(LeadershipService.class);
    targets.clusterCommunicationService = new ClusterCommunicationServiceAdapter();
    targets.clusterService =
        new ClusterServiceAdapter() {
          @Override
          public ControllerNode getLocalNode() {
            return new DefaultControllerNode(NodeId.nodeId("10.0.0.1"), "127.0.0.1");
          }
        };
  }

  private static Device device(DeviceId id) {
    Device device = mock(Device.class);
    when(device.id()).thenReturn(id);
    return device;
  }

  @Test
  void whileTheStorageDoesNotAnswerNoDeviceIsTakenForNotDeclared() {
    targets.networkConfig =
        new NetworkConfigRegistryAdapter() {
          @Override
          public <S, C extends Config<S>> Set<S> getSubjects(Class<S> subjects, Class<C> type) {
            throw new IllegalStateException("an exception of Atomix");
          }
        };
    assertThatThrownBy(targets::declared).isInstanceOf(StorageException.class);
  }

  @Test
  void aDeviceThatIsMistypedNotConnectedOrGoneIsSaidToBeThat() {
    assertThat(targets.absence(DEVICE))
        .contains(
            "ONOS knows no device:switch1, neither as a device nor in its network configuration;"
                + " it has no devices");
    Device other = device(DeviceId.deviceId("device:switch2"));
    when(targets.deviceService.getDevices()).thenReturn(List.of(other));
    assertThat(targets.absence(DEVICE).orElseThrow()).endsWith("; its devices: device:switch2");

    BasicDeviceConfig config = mock(BasicDeviceConfig.class);
    when(config.managementAddress()).thenReturn("grpc://10.0.0.9:9559?device_id=1");
    targets.networkConfig =
        new NetworkConfigRegistryAdapter() {
          @Override
          @SuppressWarnings("unchecked")
          public <S, C extends Config<S>> C getConfig(S subject, Class<C> type) {
            return (C) config;
          }
        };
    assertThat(targets.absence(DEVICE))
        .contains(
            "ONOS has not connected to device:switch1 yet, which its network configuration has at"
                + " grpc://10.0.0.9:9559?device_id=1");

    Device ours = device(DEVICE);
    when(targets.deviceService.getDevice(DEVICE)).thenReturn(ours);
    assertThat(targets.absence(DEVICE).orElseThrow())
        .startsWith("the switch is disconnected: device:switch1 is offline for ONOS");
    when(targets.deviceService.isAvailable(DEVICE)).thenReturn(true);
    assertThat(targets.absence(DEVICE)).isEmpty();
  }

  @Test
  void devicesThatHaveOurPipelineAreFound() {
    DeviceId b = DeviceId.deviceId("device:b");
    DeviceId a = DeviceId.deviceId("device:a");
    DeviceId other = DeviceId.deviceId("device:other");
    List<Device> devices = List.of(device(b), device(other), device(a));
    when(targets.deviceService.getDevices()).thenReturn(devices);
    targets.pipeconfService =
        new PiPipeconfServiceAdapter() {
          @Override
          public Optional<PiPipeconfId> ofDevice(DeviceId id) {
            return Optional.of(id.equals(other) ? new PiPipeconfId("fabric") : Pipeconfs.V1MODEL);
          }
        };
    assertThat(targets.withOurPipeline()).containsExactly(a, b);
  }

  @Test
  void devicesWithATopologyOfTheirOwnAreToBeDriven() throws Exception {
    DeviceId b = DeviceId.deviceId("device:b");
    DeviceId a = DeviceId.deviceId("device:a");
    DeviceId gnmiOnly = DeviceId.deviceId("device:c");
    Map<DeviceId, SwitchConfig> configs =
        Map.of(
            b,
            SwitchConfigTest.config("{'topology':{'ports':[]},'gnmi':'none'}"),
            a,
            SwitchConfigTest.config("{'topology':{},'id':'agg','setPorts':true}"),
            gnmiOnly,
            SwitchConfigTest.config("{'gnmi':'none'}"));
    targets.networkConfig =
        new NetworkConfigRegistryAdapter() {
          @Override
          @SuppressWarnings("unchecked")
          public <S, C extends Config<S>> Set<S> getSubjects(Class<S> subject, Class<C> config) {
            assertThat(config).isEqualTo(SwitchConfig.class);
            return (Set<S>) configs.keySet();
          }

          @Override
          @SuppressWarnings("unchecked")
          public <S, C extends Config<S>> C getConfig(S subject, Class<C> type) {
            return (C) configs.get(subject);
          }
        };
    assertThat(targets.declared())
        .containsExactly(
            Map.entry(a, configs.get(a).document()), Map.entry(b, configs.get(b).document()));
  }

  /** For a device that is bound and not configured ONOS has no driver, for any request. */
  @Test
  void aDeviceIsWithdrawnWithItsPipeconfBeforeItsConfiguration() throws Exception {
    SwitchConfig config = SwitchConfigTest.config("{'topology':{},'p4runtime':'127.0.0.1:9559'}");
    targets.pipeconfBindings = mock(PiPipeconfMappingStore.class);
    targets.networkConfig = mock(NetworkConfigRegistry.class);
    when(targets.networkConfig.getConfig(DEVICE, SwitchConfig.class)).thenReturn(config);
    targets.withdraw(DEVICE);
    InOrder order = inOrder(targets.pipeconfBindings, targets.networkConfig);
    order.verify(targets.pipeconfBindings).removeBinding(DEVICE);
    order.verify(targets.networkConfig).removeConfig(DEVICE, BasicDeviceConfig.class);
  }

  @Test
  void aWithdrawnDeviceIsForgottenOnceItsConnectionHasEnded() throws Exception {
    SwitchConfig config = SwitchConfigTest.config("{'topology':{},'p4runtime':'127.0.0.1:9559'}");
    targets.pipeconfBindings = mock(PiPipeconfMappingStore.class);
    targets.networkConfig = mock(NetworkConfigRegistry.class);
    targets.deviceAdminService = mock(DeviceAdminService.class);
    when(targets.networkConfig.getConfig(DEVICE, SwitchConfig.class)).thenReturn(config);
    Device known = device(DEVICE);
    when(targets.deviceService.getDevice(DEVICE)).thenReturn(known);
    when(targets.deviceService.isAvailable(DEVICE)).thenReturn(true);
    targets.forgetWithdrawn();
    targets.withdraw(DEVICE);
    targets.forgetWithdrawn();
    verifyNoInteractions(targets.deviceAdminService);
    when(targets.deviceService.isAvailable(DEVICE)).thenReturn(false);
    targets.forgetWithdrawn();
    targets.forgetWithdrawn();
    verify(targets.deviceAdminService, times(1)).removeDevice(DEVICE);
    // One that is configured again stays.
    targets.withdraw(DEVICE);
    when(targets.networkConfig.getConfig(DEVICE, BasicDeviceConfig.class))
        .thenReturn(mock(BasicDeviceConfig.class));
    targets.forgetWithdrawn();
    verify(targets.deviceAdminService, times(1)).removeDevice(DEVICE);
  }

  /** ONOS binds a device only once. */
  @Test
  void aDeviceIsBoundToThePipeconfOfAnotherProfile() {
    targets.pipeconfBindings = mock(PiPipeconfMappingStore.class);
    targets.pipeconfService =
        new PiPipeconfServiceAdapter() {
          @Override
          public Optional<PiPipeconfId> ofDevice(DeviceId id) {
            return Optional.of(Pipeconfs.V1MODEL);
          }
        };
    declare("emulator");
    verifyNoInteractions(targets.pipeconfBindings);
    declare("emulator-aggregate");
    verify(targets.pipeconfBindings)
        .createOrUpdateBinding(DEVICE, new PiPipeconfId("net.sluice.aggregate"));
  }

  private void declare(String profile) {
    SwitchDocument read = mock(SwitchDocument.class);
    Reached.Server server =
        new Reached.Server(new HostPort("127.0.0.1", 9559), 1, Optional.empty());
    when(read.reached()).thenReturn(new Reached.Device(DEVICE.toString(), Optional.of(server)));
    when(read.profile()).thenReturn(TargetProfiles.loadSwitch(profile));
    targets.declare(DEVICE, new JsonValue.Obj(List.of()), read);
  }

  /** The store of ONOS, which knows factories by their class's name and keeps them in a cluster. */
  private static final class Store extends NetworkConfigRegistryAdapter {
    private final Map<String, ConfigFactory<?, ?>> factories = new HashMap<>();

    @Override
    public void registerConfigFactory(ConfigFactory factory) {
      factories.put(factory.configClass().getName(), factory);
    }

    @Override
    public void unregisterConfigFactory(ConfigFactory factory) {
      factories.remove(factory.configClass().getName());
    }

    @Override
    @SuppressWarnings("unchecked")
    public <S, C extends Config<S>> Set<S> getSubjects(Class<S> subject, Class<C> config) {
      return (Set<S>) Set.of(DEVICE);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <S, C extends Config<S>> C getConfig(S subject, Class<C> type) {
      ConfigFactory<S, C> factory = (ConfigFactory<S, C>) factories.get(type.getName());
      if (factory == null) {
        return null;
      }
      C config = factory.createConfig();
      ObjectMapper mapper = new ObjectMapper();
      config.init(
          subject, SwitchConfig.KEY, mapper.createObjectNode().put("topology", "{}"), mapper, null);
      return config;
    }
  }

  /** Whoever has the component can read what is configured, whichever bundle was there before. */
  @Test
  void theConfigurationIsOfOurClassFromWhenTheComponentIsActive() {
    Store store = new Store();
    store.factories.put(
        SwitchConfig.class.getName(),
        new ConfigFactory<>(
            SubjectFactories.DEVICE_SUBJECT_FACTORY, BasicDeviceConfig.class, SwitchConfig.KEY) {
          @Override
          public BasicDeviceConfig createConfig() {
            return new BasicDeviceConfig();
          }
        });
    targets.networkConfig = store;
    targets.activate();
    assertThat(targets.declared()).containsOnlyKeys(DEVICE);
    targets.deactivate();
    assertThat(store.factories).isEmpty();
  }

  @Test
  void aDeviceThatOnosDoesNotKnowIsSaidToBeSo() throws Exception {
    targets.activate();
    SwitchConnection connection =
        targets.open("switch", DEVICE, TargetProfiles.loadSwitch("bmv2"), 1);
    try {
      assertThat(connection.target().name()).isEqualTo(TargetKey.SWITCH.text());
      BlockingQueue<String> session = new LinkedBlockingQueue<>();
      connection.target().connect(new SessionNews(session));
      assertThat(session.poll(60, TimeUnit.SECONDS))
          .isEqualTo(
              "down: device:switch1 has no managementAddress in ONOS's network configuration");
      assertThat(connection.counters().readCounters(1)).isCompletedExceptionally();
    } finally {
      connection.target().close();
      targets.deactivate();
    }
  }

  @Test
  void itsGnmiServerIsLookedForInTheNetworkConfiguration() {
    GnmiConnection.Access access =
        targets.gnmi(DEVICE, TargetProfiles.loadSwitch("emulator"), Optional::empty);
    assertThatThrownBy(access::open)
        .isInstanceOf(NotReadyException.class)
        .hasMessage("device:switch1 has no managementAddress in ONOS's network configuration");
  }
}
