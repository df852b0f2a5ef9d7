package net.sluice.standalone.network;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import net.sluice.core.Servers.FpgaEndpoint;
import net.sluice.intents.value.Direction;
import net.sluice.northbound.webhooks.AllowedTargets;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.profile.SwitchTargetProfile;
import net.sluice.rest.host.Capability;
import net.sluice.rest.host.Capability.Absent;
import net.sluice.rest.host.Capability.Present;
import net.sluice.rest.switches.HostPort;
import net.sluice.rest.switches.SwitchDocument;
import net.sluice.rest.switches.SwitchForm;

/** The part of a start in reading a switch: what the start gives and allows. */
public final class StartHost implements SwitchDocument.Host {
  /** Why no switch is a device of ONOS. */
  public static final String NO_DEVICES =
      "devices are ONOS's, and this controller connects to p4runtime itself";

  private final SwitchDocument.Defaults defaults;
  private final DeviceConfigs deviceConfigs;
  private final Optional<Declared> declared;

  /**
   * Rules for switches that clients of the API declare: they name nothing of this host.
   *
   * @param name the switch
   * @param file the switches of the file, whose maps of registers may be named again as theirs
   * @param allowed where the others may be
   * @param outOfReach told in words what is not allowed, which then is no problem; empty if it is
   */
  record Declared(
      String name,
      List<RemoteSwitch> file,
      AllowedTargets allowed,
      Optional<List<String>> outOfReach) {}

  /** {@code declared} is empty for switches that the start itself names. */
  StartHost(
      SwitchDocument.Defaults defaults, DeviceConfigs deviceConfigs, Optional<Declared> declared) {
    this.defaults = defaults;
    this.deviceConfigs = deviceConfigs;
    this.declared = declared;
  }

  @Override
  public SwitchDocument.Defaults defaults() {
    return defaults;
  }

  @Override
  public Capability<String> device() {
    return new Absent<>(NO_DEVICES);
  }

  @Override
  public Capability<SwitchDocument.Configs> deviceConfigs() {
    return new Present<>(this::refusesConfig);
  }

  @Override
  public Capability<SwitchDocument.Mapped> mappedRegisters() {
    return new Present<>(this::refusesMapped);
  }

  @Override
  public Optional<String> refuses(String field, HostPort address) {
    return declared.isEmpty()
            || declared.get().allowed().allowsDeclared(address.host(), address.port())
        ? Optional.empty()
        : refusal(field, address, declared.get().allowed().allowed());
  }

  private Optional<String> refusesMapped(String field, Path registers) {
    if (declared.isEmpty()) {
      return Files.isRegularFile(registers)
              && Files.isReadable(registers)
              && Files.isWritable(registers)
          ? Optional.empty()
          : Optional.of(
              "HOST:PORT, or mmap:FILE with a file that can be read and written, such as"
                  + " mmap:/sys/bus/pci/devices/0000:03:00.0/resource0");
    }
    FpgaEndpoint mapped = new FpgaEndpoint.Mapped(registers);
    boolean isOfFile =
        declared.get().file().stream()
            .filter(each -> each.name().equals(declared.get().name()))
            .anyMatch(
                each ->
                    List.of(Direction.values()).stream()
                        .filter(way -> SwitchForm.fpgaField(way).equals(field))
                        .anyMatch(way -> each.fpga(way).equals(Optional.of(mapped))));
    return isOfFile
        ? Optional.empty()
        : refusal(
            field,
            SwitchForm.text(mapped),
            "HOST:PORT of a register agent; mmap:FILE is for the network file");
  }

  private Optional<String> refusesConfig(SwitchTargetProfile profile, Optional<String> name) {
    return deviceConfigs.pipeline(profile, name).isPresent()
        ? Optional.empty()
        : refusal(SwitchForm.DEVICE_CONFIG, name.orElse("absent"), deviceConfigs.allowed(profile));
  }

  /** The allowed values; noted as the reason where an earlier start accepted the switch. */
  private Optional<String> refusal(String field, Object value, String allowed) {
    Optional<List<String>> outOfReach = declared.flatMap(Declared::outOfReach);
    outOfReach.ifPresent(told -> told.add(field + " is " + value + "; allowed: " + allowed));
    return outOfReach.isPresent() ? Optional.empty() : Optional.of(allowed);
  }

  /** The program of a switch that has been read. */
  SwitchPipeline pipeline(SwitchTargetProfile profile, Optional<String> deviceConfig) {
    return deviceConfigs
        .pipeline(profile, deviceConfig)
        .orElseGet(() -> DeviceConfigs.notLoaded(profile));
  }
}
