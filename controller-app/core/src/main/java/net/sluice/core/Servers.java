package net.sluice.core;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import net.sluice.intents.value.InvalidValueException;

/**
 * Where a switch and its FPGAs are served.
 *
 * @param p4runtime the switch's P4Runtime server
 * @param gnmi the switch's gNMI server; empty if its ports are not asked for
 * @param fpgaDown registers of the down FPGA; there exactly if the topology has that sidecar
 * @param fpgaUp the same for up
 */
public record Servers(
    SwitchEndpoint p4runtime,
    Optional<GnmiEndpoint> gnmi,
    Optional<FpgaEndpoint> fpgaDown,
    Optional<FpgaEndpoint> fpgaUp) {
  /** A switch alone. */
  public Servers(SwitchEndpoint p4runtime) {
    this(p4runtime, Optional.empty(), Optional.empty(), Optional.empty());
  }

  /**
   * A P4Runtime server.
   *
   * @param host name or address
   * @param port TCP port, 1..65535
   * @param deviceId P4Runtime device id
   * @param electionId P4Runtime election id; the highest of all controllers is primary
   * @param raisesElectionId whether a higher one is taken when this one is not enough and nobody is
   *     primary, which is so after the visit of a controller with a higher one
   * @param tls how the two prove who they are; empty for plain text
   */
  public record SwitchEndpoint(
      String host,
      int port,
      long deviceId,
      long electionId,
      boolean raisesElectionId,
      Optional<Tls> tls) {
    /** An endpoint that is reached in plain text. */
    public SwitchEndpoint(
        String host, int port, long deviceId, long electionId, boolean raisesElectionId) {
      this(host, port, deviceId, electionId, raisesElectionId, Optional.empty());
    }

    /** An endpoint at which the election id is raised when nobody is primary. */
    public SwitchEndpoint(String host, int port, long deviceId, long electionId) {
      this(host, port, deviceId, electionId, true);
    }

    public SwitchEndpoint {
      Objects.requireNonNull(host, "host");
      requirePort("switch.port", port);
      if (electionId < 1) {
        throw new InvalidValueException("switch.electionId", electionId, "1 or more");
      }
    }
  }

  /** The way to the registers of one FPGA. */
  public sealed interface FpgaEndpoint {
    /**
     * A register agent on the host the FPGA is plugged into.
     *
     * @param host name or address
     * @param port TCP port, 1..65535
     * @param tls how the two prove who they are; empty for plain text
     */
    record Agent(String host, int port, Optional<Tls> tls) implements FpgaEndpoint {
      /** An agent that is reached in plain text. */
      public Agent(String host, int port) {
        this(host, port, Optional.empty());
      }

      public Agent {
        Objects.requireNonNull(host, "host");
        requirePort("fpga.port", port);
      }
    }

    /**
     * Registers that are mapped into memory.
     *
     * @param resource the PCI resource with the register window, e.g. {@code
     *     /sys/bus/pci/devices/0000:03:00.0/resource0}
     */
    record Mapped(Path resource) implements FpgaEndpoint {
      public Mapped {
        Objects.requireNonNull(resource, "resource");
      }
    }
  }

  /**
   * Files, in PEM, by which a client and a server prove who they are. They are read with each
   * connection, so that they can be renewed.
   *
   * @param authorities certificates of those who vouch for the server
   * @param identity the client's own; empty if it has none to show
   */
  public record Tls(Path authorities, Optional<Identity> identity) {
    /**
     * A client's own certificate.
     *
     * @param certificates the certificate, followed by those that lead to a known one
     * @param key its private key
     */
    public record Identity(Path certificates, Path key) {}
  }

  /**
   * A gNMI server of the switch.
   *
   * @param host name or address
   * @param port TCP port, 1..65535
   * @param setsPorts whether ports are set to the topology's rates, by speed or by shaping
   * @param tls how the two prove who they are; empty for plain text
   */
  public record GnmiEndpoint(String host, int port, boolean setsPorts, Optional<Tls> tls) {
    /** A server that is reached in plain text. */
    public GnmiEndpoint(String host, int port, boolean setsPorts) {
      this(host, port, setsPorts, Optional.empty());
    }

    public GnmiEndpoint {
      Objects.requireNonNull(host, "host");
      requirePort("gnmi.port", port);
    }
  }

  private static void requirePort(String field, int port) {
    if (port < 1 || port > 65_535) {
      throw new InvalidValueException(field, port, "1 to 65535");
    }
  }
}
