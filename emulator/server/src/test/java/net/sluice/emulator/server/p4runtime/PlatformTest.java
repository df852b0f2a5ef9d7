package net.sluice.emulator.server.p4runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** P4Info's requirements of the switch are checked, or refused by name. */
class PlatformTest {

  private static LoadedSwitch requiring(int multicastGroups) {
    return new LoadedSwitch(
        "profiles",
        info ->
            info.getPkgInfoBuilder()
                .getPlatformPropertiesBuilder()
                .setMulticastGroupTableSize(multicastGroups));
  }

  @Test
  void whatAProgramRequiresOfThePlatformIsChecked() {
    assertThat(requiring(65_535).binding).isNotNull();
    assertThatThrownBy(() -> requiring(65_536))
        .hasRootCauseMessage(
            "pkg_info.platform_properties requires 65536 multicast groups; there are at most"
                + " 65535");
  }

  @Test
  void actionsForGroupsAreRefused() {
    assertThatThrownBy(
            () ->
                new LoadedSwitch(
                    "profiles",
                    info -> info.getTablesBuilder(0).getActionRefsBuilder(0).setScopeValue(3)))
        .rootCause()
        .hasMessageMatching(
            "table 'In\\.\\w+' has an action of scope 3 in P4Info, which is not supported; 0"
                + " \\(TABLE_AND_DEFAULT\\), 1 \\(TABLE_ONLY\\) and 2 \\(DEFAULT_ONLY\\) are");
  }
}
