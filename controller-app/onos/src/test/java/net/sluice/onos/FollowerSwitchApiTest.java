package net.sluice.onos;

import net.sluice.onos.rest.JettyHost;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Switches that are declared through an instance that does not lead. */
class FollowerSwitchApiTest extends LeaderSwitchApiTest {
  @BeforeAll
  static void follow() {
    JettyHost.standing = JettyHost.FOLLOWS;
  }

  @AfterAll
  static void lead() {
    JettyHost.standing = JettyHost.LEADS;
  }
}
