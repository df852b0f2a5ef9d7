package net.sluice.onos;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import net.sluice.core.Controller;
import net.sluice.intents.validate.Refusal;
import net.sluice.onos.store.ClusterNetworkStore;
import net.sluice.onos.store.KnownCommits;
import net.sluice.onos.testing.MemoryDevices;
import net.sluice.onos.testing.TestCluster;
import net.sluice.rest.host.SwitchDeclarations;
import net.sluice.rest.json.JsonTree;
import net.sluice.rest.json.JsonValue;
import org.onosproject.mastership.MastershipAdminService;
import org.onosproject.mastership.MastershipServiceAdapter;
import org.onosproject.net.DeviceId;

/** The network of an instance that leads, whose devices are in memory. */
public final class TestLeader implements AutoCloseable {
  final MemoryDevices devices = new MemoryDevices();
  final LeaderNetwork network;
  private final DeclaredDevices switches;

  /** A network of one switch, {@code bng1}. */
  public TestLeader(String document) {
    devices.declared.put(DeviceId.deviceId("device:bng1"), value(document));
    TestCluster.Node node = new TestCluster().node("10.0.0.1");
    SluiceSettings application = SluiceSettings.of(SluiceSettings.DEFAULTS);
    ClusterNetworkStore store =
        ClusterNetworkStore.open(
            node.storage,
            "node",
            Duration.ofSeconds(5),
            Clock.systemUTC(),
            new KnownCommits(),
            lost -> {});
    network =
        new LeaderNetwork(
            store,
            application,
            () -> WantedSwitches.of(application, devices.declared()),
            new ClusterTargets(
                node.id,
                () -> true,
                new MastershipServiceAdapter() {
                  @Override
                  public boolean isLocalMaster(DeviceId device) {
                    return true;
                  }
                },
                (MastershipAdminService) null,
                devices),
            Clock.systemUTC());
    network.follow();
    switches = new DeclaredDevices(application, devices, network);
  }

  static JsonValue value(String json) {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    try {
      return JsonTree.read(bytes, 0, bytes.length);
    } catch (Refusal e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** Its controller. */
  public Controller controller() {
    return network.controller();
  }

  /** Its switches, which clients can declare. */
  public SwitchDeclarations switches() {
    return switches;
  }

  @Override
  public void close() {
    network.controller().close();
  }
}
