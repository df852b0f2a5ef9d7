package net.sluice.onos.testing;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import net.sluice.core.ports.GnmiConnection;
import net.sluice.core.target.CounterSource;
import net.sluice.core.target.NotReadyException;
import net.sluice.core.testing.MemoryTarget;
import net.sluice.core.time.ThreadScheduler;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.onos.SwitchTargets;
import net.sluice.pipeconf.profile.SwitchTargetProfile;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.switches.SwitchDocument;
import org.onosproject.net.DeviceId;

/** Devices of ONOS and their part of the network configuration, in memory. */
public final class MemoryDevices implements SwitchTargets {
  /** What the network configuration says. */
  public final Map<DeviceId, JsonValue> declared = new LinkedHashMap<>();

  /** The switch of each device, by the name of the device. */
  public final Map<DeviceId, MemoryTarget<SwitchEntry>> switches = new ConcurrentHashMap<>();

  /** The names that devices have been opened with. */
  public final Map<DeviceId, String> opened = new ConcurrentHashMap<>();

  @Override
  public SwitchConnection open(
      String name, DeviceId device, SwitchTargetProfile profile, long epoch) {
    MemoryTarget<SwitchEntry> target =
        MemoryTarget.ofSwitch(name, new ThreadScheduler("test-" + name));
    MemoryTarget<SwitchEntry> before = switches.put(device, target);
    if (before != null) {
      before.content().values().forEach(target::place);
    }
    opened.put(device, name);
    return new SwitchConnection(target, CounterSource.none("no counters"), Optional.empty());
  }

  @Override
  public GnmiConnection.Access gnmi(
      DeviceId device, SwitchTargetProfile profile, Supplier<Optional<String>> obstacle) {
    return () -> {
      throw new NotReadyException("no gNMI in this test");
    };
  }

  @Override
  public Optional<String> absence(DeviceId device) {
    return Optional.empty();
  }

  @Override
  public Map<DeviceId, JsonValue> declared() {
    return new LinkedHashMap<>(declared);
  }

  @Override
  public void declare(DeviceId device, JsonValue document, SwitchDocument read) {
    declared.put(device, document);
  }

  @Override
  public void withdraw(DeviceId device) {
    declared.remove(device);
  }

  @Override
  public void forgetWithdrawn() {}

  @Override
  public List<DeviceId> withOurPipeline() {
    return List.of();
  }
}
