package net.sluice.onos.rest;

import net.sluice.rest.LimitersApiTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Through an instance that does not lead. */
class ForwardedLimitersApiTest extends LimitersApiTest {
  @BeforeAll
  static void follow() {
    JettyHost.standing = JettyHost.FOLLOWS;
  }

  @AfterAll
  static void lead() {
    JettyHost.standing = JettyHost.LEADS;
  }
}
