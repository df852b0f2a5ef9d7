package net.sluice.pipeconf.profile;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.sluice.intents.value.InvalidValueException;

/** The profiles that come with this build, one file each. */
public final class TargetProfiles {
  private static final List<String> NAMES =
      List.of(
          "emulator",
          "bmv2",
          "stratum-bmv2",
          "stratum-tofino",
          "stratum-tofino2",
          "emulator-aggregate",
          "bmv2-aggregate",
          "alveo-u200");

  private TargetProfiles() {}

  /** The names of all, in the order to show them. */
  public static List<String> names() {
    return NAMES;
  }

  /**
   * A profile by its name.
   *
   * @throws InvalidValueException if there is none of that name, with the names there are
   */
  public static TargetProfile load(String name) {
    if (!NAMES.contains(name)) {
      throw new InvalidValueException("profile", name, String.join(", ", NAMES));
    }
    return ProfileReader.read(name, resource(name + ".profile"));
  }

  /**
   * The profile of a switch by its name.
   *
   * @throws InvalidValueException if there is no switch of that name, with the names there are
   */
  public static SwitchTargetProfile loadSwitch(String name) {
    if (NAMES.contains(name) && load(name) instanceof SwitchTargetProfile found) {
      return found;
    }
    List<String> switches = switches().stream().map(SwitchTargetProfile::name).toList();
    throw new InvalidValueException("profile", name, "a switch: " + String.join(", ", switches));
  }

  /** The profiles of switches, in the order to show them. */
  public static List<SwitchTargetProfile> switches() {
    return NAMES.stream()
        .map(TargetProfiles::load)
        .filter(SwitchTargetProfile.class::isInstance)
        .map(SwitchTargetProfile.class::cast)
        .toList();
  }

  private static String resource(String file) {
    try (InputStream in = TargetProfiles.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("the jar lacks " + file);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }
}
