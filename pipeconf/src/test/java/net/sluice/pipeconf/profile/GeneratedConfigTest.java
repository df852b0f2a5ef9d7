package net.sluice.pipeconf.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import java.util.function.Supplier;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.testing.Golden;
import org.junit.jupiter.api.Test;

/** Chassis and network configurations, and what is refused of what they are asked for. */
class GeneratedConfigTest {
  private static SwitchTargetProfile profile(String name) {
    return TargetProfiles.loadSwitch(name);
  }

  @Test
  void chassisConfigs() {
    Golden.check(
        "stratum-bmv2.chassis_config.pb.txt",
        ChassisConfig.text(profile("stratum-bmv2"), List.of()));
    Golden.check(
        "stratum-tofino.chassis_config.pb.txt",
        ChassisConfig.text(profile("stratum-tofino"), List.of()));
    Golden.check(
        "stratum-tofino-divided.chassis_config.pb.txt",
        ChassisConfig.text(profile("stratum-tofino"), List.of("1=4x25G", "9=2x50G", "32=1x40G")));
    Golden.check(
        "stratum-tofino2.chassis_config.pb.txt",
        ChassisConfig.text(profile("stratum-tofino2"), List.of("2=4x100G")));
  }

  @Test
  void dividedPortsKeepTheirLanesNumbers() {
    PortLayout layout = profile("stratum-tofino").layout();
    assertThat(layout.divided(List.of("9=4x25G")).stream().filter(port -> port.panel() == 9))
        .extracting(ProfilePort::id, port -> port.number().getAsInt(), ProfilePort::channel)
        .containsExactly(
            tuple(901, 60, 1), tuple(902, 61, 2), tuple(903, 62, 3), tuple(904, 63, 4));
    assertThat(layout.divided(List.of("1=2x50G")).stream().filter(port -> port.panel() == 1))
        .extracting(ProfilePort::name, port -> port.number().getAsInt())
        .containsExactly(tuple("1/0", 128), tuple("1/2", 130));
    assertThat(layout.divided(List.of())).isEqualTo(layout.ports());
  }

  @Test
  void networkConfigs() {
    Golden.check(
        "stratum-bmv2.netcfg.json",
        OnosNetcfg.json(profile("stratum-bmv2"), List.of(), List.of(), true));
    Golden.check(
        "two-switches.netcfg.json",
        OnosNetcfg.json(
            profile("stratum-bmv2"),
            List.of("access=192.0.2.1:50001", "[2001:db8::1]:50002/9339"),
            List.of(),
            false));
    Golden.check(
        "stratum-tofino.netcfg.json",
        OnosNetcfg.json(
            profile("stratum-tofino"),
            List.of("leaf=tofino.example:9559"),
            List.of("3=4x25G"),
            false));
  }

  /** ONOS logs an error for each port that it is told of and cannot yet take; bmv2's has 64. */
  @Test
  void noPortsAreDescribedWhereTheDriverTellsOfThem() {
    for (String soft : List.of("bmv2", "emulator", "stratum-bmv2")) {
      assertThat(OnosNetcfg.json(profile(soft), List.of(), List.of(), false))
          .doesNotContain("\"ports\"");
    }
    assertThat(OnosNetcfg.json(profile("bmv2"), List.of(), List.of(), true)).contains("\"ports\"");
  }

  @Test
  void refusals() {
    StringBuilder text = new StringBuilder();
    SwitchTargetProfile tofino = profile("stratum-tofino");
    refused(text, () -> ChassisConfig.text(profile("emulator"), List.of()));
    refused(text, () -> ChassisConfig.text(tofino, List.of("1")));
    refused(text, () -> ChassisConfig.text(tofino, List.of("33=4x25G")));
    refused(text, () -> ChassisConfig.text(tofino, List.of("1=8x10G")));
    refused(text, () -> ChassisConfig.text(tofino, List.of("1=quarters")));
    refused(text, () -> ChassisConfig.text(tofino, List.of("1=4x25G", "1=4x10G")));
    refused(text, () -> ChassisConfig.text(profile("stratum-bmv2"), List.of("1=4x25G")));
    refused(text, () -> OnosNetcfg.json(tofino, List.of("switch"), List.of(), false));
    refused(text, () -> OnosNetcfg.json(tofino, List.of("switch:0"), List.of(), false));
    refused(text, () -> OnosNetcfg.json(tofino, List.of("switch:65536"), List.of(), false));
    refused(text, () -> OnosNetcfg.json(tofino, List.of("switch:9559/0"), List.of(), false));
    refused(text, () -> OnosNetcfg.json(tofino, List.of("a=x:1", "a=y:1"), List.of(), false));
    assertThat(text.toString()).doesNotContain("accepted");
    Golden.check("generation-refusals.txt", text.toString());
  }

  private static void refused(StringBuilder text, Supplier<String> generation) {
    try {
      String accepted = generation.get();
      text.append("accepted: ").append(accepted).append('\n');
    } catch (InvalidValueException e) {
      text.append(e.getMessage()).append('\n');
    }
  }
}
