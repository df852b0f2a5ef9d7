package net.sluice.onos.rest;

import org.junit.platform.suite.api.AfterSuite;
import org.junit.platform.suite.api.BeforeSuite;
import org.junit.platform.suite.api.IncludeClassNamePatterns;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/** The contract of the API at an instance that does not lead. */
@Suite
@SelectPackages("net.sluice.rest.api")
@IncludeClassNamePatterns(".*Contract")
class FollowerContractsTest {
  @BeforeSuite
  static void follow() {
    JettyHost.standing = JettyHost.FOLLOWS;
  }

  @AfterSuite
  static void lead() {
    JettyHost.standing = JettyHost.LEADS;
  }
}
