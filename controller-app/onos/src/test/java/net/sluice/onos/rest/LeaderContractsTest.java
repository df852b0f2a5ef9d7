package net.sluice.onos.rest;

import org.junit.platform.suite.api.IncludeClassNamePatterns;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/** The contract of the API at the instance that leads. */
@Suite
@SelectPackages("net.sluice.rest.api")
@IncludeClassNamePatterns(".*Contract")
class LeaderContractsTest {}
