package net.sluice.onos;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import net.sluice.pipeconf.profile.SwitchTargetProfile;
import net.sluice.rest.switches.HostPort;
import net.sluice.rest.switches.SwitchDocument;
import net.sluice.rest.switches.SwitchForm;

/**
 * The part of ONOS in reading a switch. Administrators of ONOS configure devices: any address will
 * do.
 *
 * @param device the device that the switch is unless it says another one
 */
record OnosHost(SwitchDocument.Defaults defaults, Optional<String> device)
    implements SwitchDocument.Host {
  @Override
  public Map<String, String> lacks() {
    return Map.of(SwitchForm.DEVICE_CONFIG, "in ONOS it is a property of Sluice's drivers");
  }

  @Override
  public Optional<String> refuses(String field, HostPort address) {
    return Optional.empty();
  }

  @Override
  public Optional<String> refuses(String field, Path registers) {
    return Optional.of("HOST:PORT of a register agent, which whichever instance leads can reach");
  }

  @Override
  public Optional<String> refusesConfig(
      SwitchTargetProfile profile, Optional<String> deviceConfig) {
    return Optional.empty();
  }
}
