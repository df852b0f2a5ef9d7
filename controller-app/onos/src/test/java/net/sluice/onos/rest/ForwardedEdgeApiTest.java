package net.sluice.onos.rest;

import net.sluice.rest.EdgeApiTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The way to the resources through an instance that does not lead. */
class ForwardedEdgeApiTest extends EdgeApiTest {
  @BeforeAll
  static void follow() {
    JettyHost.standing = JettyHost.FOLLOWS;
  }

  @AfterAll
  static void lead() {
    JettyHost.standing = JettyHost.LEADS;
  }
}
