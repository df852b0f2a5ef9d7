package net.sluice.onos.rest;

import net.sluice.rest.BulkApiTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** An instance that does not lead answers as the one that does. */
class ForwardedBulkApiTest extends BulkApiTest {
  @BeforeAll
  static void follow() {
    JettyHost.standing = JettyHost.FOLLOWS;
  }

  @AfterAll
  static void lead() {
    JettyHost.standing = JettyHost.LEADS;
  }
}
