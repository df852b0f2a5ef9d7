package net.sluice.onos.rest;

import net.sluice.rest.OperationApiTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Operations that a follower accepts, which are those of the leader. */
class ForwardedOperationApiTest extends OperationApiTest {
  @BeforeAll
  static void follow() {
    JettyHost.standing = JettyHost.FOLLOWS;
  }

  @AfterAll
  static void lead() {
    JettyHost.standing = JettyHost.LEADS;
  }
}
