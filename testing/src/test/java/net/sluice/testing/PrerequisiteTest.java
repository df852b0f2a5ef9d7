package net.sluice.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PrerequisiteTest {
  @Test
  void namesAreRead() {
    assertThat(Prerequisite.required(null)).isEmpty();
    assertThat(Prerequisite.required("")).isEmpty();
    assertThat(Prerequisite.required("bmv2, p4c-samples,"))
        .containsExactly(Prerequisite.BMV2, Prerequisite.P4C_SAMPLES);
  }

  @Test
  void anUnknownNameIsRefused() {
    assertThatThrownBy(() -> Prerequisite.required("bmv2,mininat"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "SLUICE_REQUIRE is 'mininat'; allowed: bmv2, bmv2-sources, p4c, p4c-samples, captures,"
                + " mininet, stratum, onos, docker, chromium, promtool, clients, client-generators,"
                + " debian, interfaces, mounts, rtl");
  }

  /** A name mistyped would let a skip pass. */
  @Test
  void theEnvironmentNamesNothingUnknown() {
    assertThat(Prerequisite.required(System.getenv(Prerequisite.VARIABLE))).isNotNull();
  }
}
