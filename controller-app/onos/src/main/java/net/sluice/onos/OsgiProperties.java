package net.sluice.onos;

/**
 * Names of the component's properties and their values by default. The catalogue that ONOS shows is
 * made from the text of this file: a name must be the only one in the module, and a value one
 * literal without separators.
 */
public final class OsgiProperties {
  static final String DEVICE_ID = "device";
  static final String DEVICE_ID_DEFAULT = "";

  static final String PROFILE = "profile";
  static final String PROFILE_DEFAULT = "stratum-bmv2";

  static final String TOPOLOGY = "topology";
  static final String TOPOLOGY_DEFAULT = "";

  static final String MAX_SUBSCRIBER_RATE_BPS = "maxSubscriberRateBps";
  static final String MAX_SUBSCRIBER_RATE_BPS_DEFAULT = "";

  static final String FPGA_CLOCK_HZ = "fpgaClockHz";
  static final int FPGA_CLOCK_HZ_DEFAULT = 156250000;

  static final String FPGA_CLASSES = "fpgaClasses";
  static final boolean FPGA_CLASSES_DEFAULT = false;

  static final String FPGA_CUSTOMER_BURSTS = "fpgaCustomerBursts";
  static final boolean FPGA_CUSTOMER_BURSTS_DEFAULT = false;

  static final String FPGA_DOWN = "fpgaDown";
  static final String FPGA_DOWN_DEFAULT = "";

  static final String FPGA_UP = "fpgaUp";
  static final String FPGA_UP_DEFAULT = "";

  static final String SET_PORTS = "setPorts";
  static final boolean SET_PORTS_DEFAULT = false;

  static final String BATCH_SIZE = "batchSize";
  static final int BATCH_SIZE_DEFAULT = 1000;

  static final String WINDOW = "window";
  static final int WINDOW_DEFAULT = 8;

  static final String AUDIT_INTERVAL = "auditInterval";
  static final String AUDIT_INTERVAL_DEFAULT = "15m";

  static final String DELETION_LIMIT = "deletionLimit";
  static final int DELETION_LIMIT_DEFAULT = 5;

  static final String STORE_TIMEOUT_MILLIS = "storeTimeoutMillis";
  static final int STORE_TIMEOUT_MILLIS_DEFAULT = 15000;

  static final String WEBHOOK_ALLOW = "webhookAllow";
  static final String WEBHOOK_ALLOW_DEFAULT = "";

  static final String REQUIRE_IF_MATCH = "requireIfMatch";
  static final boolean REQUIRE_IF_MATCH_DEFAULT = false;

  static final String ALLOWED_HOST = "allowedHost";
  static final String ALLOWED_HOST_DEFAULT = "";

  static final String ALLOWED_ORIGIN = "allowedOrigin";
  static final String ALLOWED_ORIGIN_DEFAULT = "";

  static final String CLOSED = "closed";
  static final String CLOSED_DEFAULT = "";

  static final String OTLP_TRACES = "otlpTraces";
  static final String OTLP_TRACES_DEFAULT = "";

  static final String TRACE_PERCENT = "tracePercent";
  static final String TRACE_PERCENT_DEFAULT = "";

  static final String USAGE_INTERVAL = "usageInterval";
  static final String USAGE_INTERVAL_DEFAULT = "1m";

  /** The property of the drivers; all others are the application's. */
  public static final String DEVICE_CONFIG = "deviceConfig";

  public static final String DEVICE_CONFIG_DEFAULT = "";

  private OsgiProperties() {}
}
