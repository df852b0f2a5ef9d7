package net.sluice.onos.rest;

import net.sluice.rest.NorthboundApiTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Events, webhooks, keys and the audit log through an instance that does not lead. */
class ForwardedNorthboundApiTest extends NorthboundApiTest {
  @BeforeAll
  static void follow() {
    JettyHost.standing = JettyHost.FOLLOWS;
  }

  @AfterAll
  static void lead() {
    JettyHost.standing = JettyHost.LEADS;
  }
}
