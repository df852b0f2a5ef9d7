package net.sluice.core;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;

/**
 * Everything the controller has to be told.
 *
 * @param storeDirectory where declarations are kept; created if absent
 * @param topology how the switch is cabled
 * @param switchProfile what the switch can hold and represent
 * @param fpgaProfile what the FPGAs can hold and represent
 * @param switchEndpoint the switch; not used if targets are handed over
 * @param fpgaDown the registers of the down FPGA; not used if targets are handed over
 * @param fpgaUp the registers of the up FPGA; not used if targets are handed over
 * @param gnmi where the switch tells of its ports, if it does; not used if targets are handed over
 * @param batchSize most entity writes of one write request
 * @param window most write requests of one target in flight
 * @param queueCapacity entity writes waiting for a target from which on bulk changes wait; single
 *     changes wait from twice as many on
 * @param roomWait how long a change waits for room at a target before it is refused
 * @param bulkCommitChanges most changes of one store commit
 * @param commitWrites entity writes of one store commit from which on it takes no more changes
 * @param firstBackoff wait before the second attempt to reach a target; doubles from there
 * @param maxBackoff longest wait between attempts
 * @param refusedRetry wait before what a target refused is tried again; doubles up to 32 times this
 * @param auditInterval time from the end of one comparison of a target with the declarations to the
 *     next audit; empty for none
 * @param deletionLimit what a comparison may delete from a target without being told to
 * @param adopts whether the first comparison of each target may delete whatever the store does not
 *     have, and may take over a target of another store
 */
public record ControllerConfig(
    Path storeDirectory,
    Topology topology,
    SwitchProfile switchProfile,
    FpgaProfile fpgaProfile,
    Optional<SwitchEndpoint> switchEndpoint,
    Optional<FpgaEndpoint> fpgaDown,
    Optional<FpgaEndpoint> fpgaUp,
    Optional<GnmiEndpoint> gnmi,
    int batchSize,
    int window,
    int queueCapacity,
    Duration roomWait,
    int bulkCommitChanges,
    int commitWrites,
    Duration firstBackoff,
    Duration maxBackoff,
    Duration refusedRetry,
    Optional<Duration> auditInterval,
    DeletionLimit deletionLimit,
    boolean adopts) {
  /**
   * The limit of what a comparison of a target with the declarations may delete without being told
   * to: more than both is refused.
   *
   * @param percent part of what the target holds, 0..100
   * @param entries number of entries or limits, 0 or more
   */
  public record DeletionLimit(int percent, long entries) {
    /** 5 %, and 100 entries. */
    public static final DeletionLimit DEFAULT = new DeletionLimit(5, 100);

    public DeletionLimit {
      requireRange("deletionLimit.percent", percent, 0, 100);
      if (entries < 0) {
        throw new InvalidValueException("deletionLimit.entries", entries, "0 or more");
      }
    }
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
   */
  public record SwitchEndpoint(
      String host, int port, long deviceId, long electionId, boolean raisesElectionId) {
    /** An endpoint at which the election id is raised when nobody is primary. */
    public SwitchEndpoint(String host, int port, long deviceId, long electionId) {
      this(host, port, deviceId, electionId, true);
    }

    public SwitchEndpoint {
      Objects.requireNonNull(host, "host");
      requireRange("switch.port", port, 1, 65_535);
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
     */
    record Agent(String host, int port) implements FpgaEndpoint {
      public Agent {
        Objects.requireNonNull(host, "host");
        requireRange("fpga.port", port, 1, 65_535);
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
   * A gNMI server of the switch.
   *
   * @param host name or address
   * @param port TCP port, 1..65535
   * @param setsPorts whether ports are set to the topology's rates, by speed or by shaping
   */
  public record GnmiEndpoint(String host, int port, boolean setsPorts) {
    public GnmiEndpoint {
      Objects.requireNonNull(host, "host");
      requireRange("gnmi.port", port, 1, 65_535);
    }
  }

  public ControllerConfig {
    Objects.requireNonNull(storeDirectory, "storeDirectory");
    Objects.requireNonNull(topology, "topology");
    Objects.requireNonNull(switchProfile, "switchProfile");
    Objects.requireNonNull(fpgaProfile, "fpgaProfile");
    Objects.requireNonNull(deletionLimit, "deletionLimit");
    requireRange("batchSize", batchSize, 1, 100_000);
    requireRange("window", window, 1, 1024);
    requireRange("queueCapacity", queueCapacity, 1, 100_000_000);
    requirePositive("roomWait", roomWait);
    requireRange("bulkCommitChanges", bulkCommitChanges, 1, 1_000_000);
    requireRange("commitWrites", commitWrites, 1, 100_000_000);
    requirePositive("firstBackoff", firstBackoff);
    requirePositive("maxBackoff", maxBackoff);
    requirePositive("refusedRetry", refusedRetry);
    auditInterval.ifPresent(interval -> requirePositive("auditInterval", interval));
    if (maxBackoff.compareTo(firstBackoff) < 0) {
      throw new InvalidValueException("maxBackoff", maxBackoff, "at least firstBackoff");
    }
  }

  /** Starts a configuration with defaults for everything else. */
  public static Builder builder(
      Path storeDirectory,
      Topology topology,
      SwitchProfile switchProfile,
      FpgaProfile fpgaProfile) {
    return new Builder(storeDirectory, topology, switchProfile, fpgaProfile);
  }

  private static void requireRange(String field, int value, int low, int high) {
    if (value < low || value > high) {
      throw new InvalidValueException(field, value, low + " to " + high);
    }
  }

  private static void requirePositive(String field, Duration value) {
    if (value.isZero() || value.isNegative()) {
      throw new InvalidValueException(field, value, "more than 0");
    }
  }

  /** Collects a configuration; every method returns this builder. */
  public static final class Builder {
    private final Path storeDirectory;
    private final Topology topology;
    private final SwitchProfile switchProfile;
    private final FpgaProfile fpgaProfile;
    private Optional<SwitchEndpoint> switchEndpoint = Optional.empty();
    private Optional<FpgaEndpoint> fpgaDown = Optional.empty();
    private Optional<FpgaEndpoint> fpgaUp = Optional.empty();
    private Optional<GnmiEndpoint> gnmi = Optional.empty();
    private int batchSize = 1000;
    private int window = 8;
    private int queueCapacity = 64_000;
    private Duration roomWait = Duration.ofSeconds(5);
    private int bulkCommitChanges = 10_000;
    private int commitWrites = 30_000;
    private Duration firstBackoff = Duration.ofMillis(100);
    private Duration maxBackoff = Duration.ofSeconds(10);
    private Duration refusedRetry = Duration.ofSeconds(30);
    private Optional<Duration> auditInterval = Optional.of(Duration.ofMinutes(15));
    private DeletionLimit deletionLimit = DeletionLimit.DEFAULT;
    private boolean adopts;

    private Builder(
        Path storeDirectory,
        Topology topology,
        SwitchProfile switchProfile,
        FpgaProfile fpgaProfile) {
      this.storeDirectory = storeDirectory;
      this.topology = topology;
      this.switchProfile = switchProfile;
      this.fpgaProfile = fpgaProfile;
    }

    /** The switch. */
    public Builder switchEndpoint(SwitchEndpoint endpoint) {
      switchEndpoint = Optional.of(endpoint);
      return this;
    }

    /** The FPGA of the down direction. */
    public Builder fpgaDown(FpgaEndpoint endpoint) {
      fpgaDown = Optional.of(endpoint);
      return this;
    }

    /** The FPGA of the up direction. */
    public Builder fpgaUp(FpgaEndpoint endpoint) {
      fpgaUp = Optional.of(endpoint);
      return this;
    }

    /** Where the switch tells of its ports. */
    public Builder gnmi(GnmiEndpoint endpoint) {
      gnmi = Optional.of(endpoint);
      return this;
    }

    /** Most entity writes of one write request; 1000 by default. */
    public Builder batchSize(int size) {
      batchSize = size;
      return this;
    }

    /** Most write requests in flight per target; 8 by default. */
    public Builder window(int requests) {
      window = requests;
      return this;
    }

    /** Waiting entity writes from which on bulk changes wait; 64,000 by default. */
    public Builder queueCapacity(int writes) {
      queueCapacity = writes;
      return this;
    }

    /** How long a change waits for room at a target; 5 s by default. */
    public Builder roomWait(Duration wait) {
      roomWait = wait;
      return this;
    }

    /** Entity writes of one store commit that end it; 30,000 by default. */
    public Builder commitWrites(int writes) {
      commitWrites = writes;
      return this;
    }

    /** Most changes of one store commit; 10,000 by default. */
    public Builder bulkCommitChanges(int changes) {
      bulkCommitChanges = changes;
      return this;
    }

    /** First and longest wait between attempts to reach a target; 100 ms and 10 s by default. */
    public Builder backoff(Duration first, Duration longest) {
      firstBackoff = first;
      maxBackoff = longest;
      return this;
    }

    /** Wait before what a target refused is tried again; 30 s by default. */
    public Builder refusedRetry(Duration wait) {
      refusedRetry = wait;
      return this;
    }

    /** Time between audits of a target; 15 min by default. */
    public Builder auditInterval(Optional<Duration> interval) {
      auditInterval = interval;
      return this;
    }

    /** The limit of unasked deletions by a comparison; 5 % and 100 entries by default. */
    public Builder deletionLimit(DeletionLimit limit) {
      deletionLimit = limit;
      return this;
    }

    /** Whether the first comparison may delete whatever it finds; false by default. */
    public Builder adopts(boolean whatever) {
      adopts = whatever;
      return this;
    }

    /** The configuration. */
    public ControllerConfig build() {
      return new ControllerConfig(
          storeDirectory,
          topology,
          switchProfile,
          fpgaProfile,
          switchEndpoint,
          fpgaDown,
          fpgaUp,
          gnmi,
          batchSize,
          window,
          queueCapacity,
          roomWait,
          bulkCommitChanges,
          commitWrites,
          firstBackoff,
          maxBackoff,
          refusedRetry,
          auditInterval,
          deletionLimit,
          adopts);
    }
  }
}
