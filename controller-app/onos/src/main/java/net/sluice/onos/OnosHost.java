package net.sluice.onos;

import java.util.Optional;
import net.sluice.rest.host.Capability;
import net.sluice.rest.host.Capability.Absent;
import net.sluice.rest.host.Capability.Present;
import net.sluice.rest.switches.HostPort;
import net.sluice.rest.switches.SwitchDocument;

/**
 * The part of ONOS in reading a switch. Administrators of ONOS configure devices: any address will
 * do.
 *
 * @param device the device that the switch is unless it says another one
 */
public record OnosHost(SwitchDocument.Defaults defaults, Capability<String> device)
    implements SwitchDocument.Host {
  /** Why no document names what a switch loads. */
  public static final String NO_DEVICE_CONFIGS = "in ONOS it is a property of Sluice's drivers";

  /** Why no document names a file of registers. */
  public static final String NO_MAPPED_REGISTERS = "each instance of ONOS may lead";

  OnosHost(SwitchDocument.Defaults defaults, String device) {
    this(defaults, new Present<>(device));
  }

  @Override
  public Optional<String> refuses(String field, HostPort address) {
    return Optional.empty();
  }

  @Override
  public Capability<SwitchDocument.Configs> deviceConfigs() {
    return new Absent<>(NO_DEVICE_CONFIGS);
  }

  @Override
  public Capability<SwitchDocument.Mapped> mappedRegisters() {
    return new Absent<>(NO_MAPPED_REGISTERS);
  }
}
