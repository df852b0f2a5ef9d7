package net.sluice.standalone.network;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import net.sluice.cli.OptionException;
import net.sluice.intents.value.Ids;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.pipeconf.CompiledProgram;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.pipeconf.TnaPipeline;
import net.sluice.pipeconf.V1ModelPipeline;
import net.sluice.pipeconf.profile.SwitchTargetProfile;

/**
 * Programs of switches that run none of this build: files that the start names and reads. Whoever
 * declares a switch knows them by their names only.
 */
public final class DeviceConfigs {
  static final String OPTION = "--device-config";
  private static final String FORM = "NAME=FILE together with --network; NAME is " + Ids.ALLOWED;

  private final Map<String, SwitchPipeline> byName = new LinkedHashMap<>();
  private final boolean areFiles;

  private DeviceConfigs(boolean areFiles) {
    this.areFiles = areFiles;
  }

  /** None yet, known by names. */
  public DeviceConfigs() {
    this(false);
  }

  /**
   * Those of a switch whose names are those of their files, which are read when they are asked for.
   */
  static DeviceConfigs files() {
    return new DeviceConfigs(true);
  }

  /**
   * Reads the file of a value of the option, {@code NAME=FILE}.
   *
   * @throws OptionException if it is another one, or the file is none that can be loaded
   */
  void add(String value) {
    int end = value.indexOf('=');
    if (end < 0 || !Ids.isValid(value.substring(0, end))) {
      throw new OptionException(OPTION, value, FORM);
    }
    if (!add(value.substring(0, end), value.substring(end + 1))) {
      throw new OptionException(OPTION, value, "a name that no other device configuration has");
    }
  }

  /**
   * Reads a file.
   *
   * @return false if another one has that name
   * @throws OptionException if it is none that can be loaded
   */
  boolean add(String name, String file) {
    return byName.putIfAbsent(name, load(file)) == null;
  }

  private static SwitchPipeline load(String file) {
    try {
      return TnaPipeline.load(Path.of(file));
    } catch (InvalidPathException e) {
      throw new OptionException(OPTION, file, "the name of a file");
    } catch (InvalidValueException e) {
      throw new OptionException(OPTION, e.value(), e.allowed());
    }
  }

  /** True if switches of that profile need one. */
  private static boolean isFor(SwitchTargetProfile profile) {
    return profile.program().equals(Optional.of(CompiledProgram.TNA.programName()));
  }

  /**
   * The program of a switch of that profile; empty if it needs another name, see {@link #allowed}.
   */
  Optional<SwitchPipeline> pipeline(SwitchTargetProfile profile, Optional<String> name) {
    if (!isFor(profile)) {
      return name.isPresent()
          ? Optional.empty()
          : Optional.of(V1ModelPipeline.of(profile.program()));
    }
    return areFiles ? name.map(DeviceConfigs::load) : name.map(byName::get);
  }

  /** Stand-in for the program of a switch whose device configuration the start does not name. */
  static SwitchPipeline notLoaded(SwitchTargetProfile profile) {
    return isFor(profile)
        ? TnaPipeline.withoutDeviceConfig()
        : V1ModelPipeline.of(profile.program());
  }

  /** Which names a switch of that profile may have. */
  String allowed(SwitchTargetProfile profile) {
    if (!isFor(profile)) {
      return "nothing with profile " + profile.name() + ", whose program comes with this build";
    }
    if (areFiles) {
      return "the file that a switch of profile "
          + profile.name()
          + " loads, as './sluice p4 --tna' writes it";
    }
    String start = OPTION + " NAME=FILE, or deviceConfigs in the network file";
    return byName.isEmpty()
        ? "the name of a device configuration; the start names none (" + start + ")"
        : String.join(", ", byName.keySet()) + "; the start names others (" + start + ")";
  }
}
