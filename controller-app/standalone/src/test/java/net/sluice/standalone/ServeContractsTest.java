package net.sluice.standalone;

import org.junit.platform.suite.api.IncludeClassNamePatterns;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/** The contract of the API as {@code serve} serves it. */
@Suite
@SelectPackages("net.sluice.rest.api")
@IncludeClassNamePatterns(".*Contract")
class ServeContractsTest {}
