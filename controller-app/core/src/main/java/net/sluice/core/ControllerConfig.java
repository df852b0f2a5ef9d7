package net.sluice.core;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import net.sluice.core.time.Backoff;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.value.InvalidValueException;

/**
 * Everything the controller has to be told of a switch.
 *
 * @param storeDirectory where declarations are kept; created if absent
 * @param topology how the switch is cabled
 * @param switchProfile what the switch can hold and represent
 * @param fpgaProfile what the FPGAs can hold and represent
 * @param servers where its targets are; empty if they are handed over
 * @param writing how changes become writes
 * @param retrying how long after a failure it is tried again
 * @param comparing when targets are compared with the declarations, and what that may delete
 */
public record ControllerConfig(
    Path storeDirectory,
    Topology topology,
    SwitchProfile switchProfile,
    FpgaProfile fpgaProfile,
    Optional<Servers> servers,
    Writing writing,
    Retrying retrying,
    Comparing comparing) {
  /**
   * How changes become commits of the store and writes of targets.
   *
   * @param batchSize most entity writes of one write request
   * @param window most write requests of one target in flight
   * @param queueCapacity entity writes waiting for a target from which on bulk changes wait; single
   *     changes wait from twice as many on
   * @param roomWait how long a change waits for room at a target before it is refused
   * @param bulkCommitChanges most changes of one store commit
   * @param commitWrites entity writes of one store commit from which on it takes no more changes
   */
  public record Writing(
      int batchSize,
      int window,
      int queueCapacity,
      Duration roomWait,
      int bulkCommitChanges,
      int commitWrites) {
    public Writing {
      requireRange("batchSize", batchSize, 1, 100_000);
      requireRange("window", window, 1, 1024);
      requireRange("queueCapacity", queueCapacity, 1, 100_000_000);
      requirePositive("roomWait", roomWait);
      requireRange("bulkCommitChanges", bulkCommitChanges, 1, 1_000_000);
      requireRange("commitWrites", commitWrites, 1, 100_000_000);
    }
  }

  /**
   * How long after a failure it is tried again.
   *
   * @param firstBackoff wait before the second attempt to reach a target; doubles from there
   * @param maxBackoff longest wait between attempts
   * @param refusedRetry wait before what a target refused is tried again; doubles up to 32 times
   *     this
   */
  public record Retrying(Duration firstBackoff, Duration maxBackoff, Duration refusedRetry) {
    public Retrying {
      requirePositive("firstBackoff", firstBackoff);
      requirePositive("maxBackoff", maxBackoff);
      requirePositive("refusedRetry", refusedRetry);
      if (maxBackoff.compareTo(firstBackoff) < 0) {
        throw new InvalidValueException("maxBackoff", maxBackoff, "at least firstBackoff");
      }
    }

    /** The waits between attempts to reach a target, from the first. */
    public Backoff backoff() {
      return new Backoff(firstBackoff, maxBackoff);
    }
  }

  /**
   * When targets are compared with the declarations, and what that may delete there.
   *
   * @param auditInterval time from the end of one comparison to the next audit; empty for none but
   *     those asked for
   * @param deletionLimit what a comparison may delete from a target without being told to
   * @param adopts whether the first comparison of each target may delete whatever the store does
   *     not have, and may take over a target of another store
   */
  public record Comparing(
      Optional<Duration> auditInterval, DeletionLimit deletionLimit, boolean adopts) {
    /** Every 15 minutes, and nobody has said what may be deleted. */
    public static final Comparing DEFAULT =
        new Comparing(Optional.of(Duration.ofMinutes(15)), DeletionLimit.DEFAULT, false);

    public Comparing {
      auditInterval.ifPresent(interval -> requirePositive("auditInterval", interval));
      Objects.requireNonNull(deletionLimit, "deletionLimit");
    }
  }

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

  public ControllerConfig {
    Objects.requireNonNull(storeDirectory, "storeDirectory");
    Objects.requireNonNull(topology, "topology");
    Objects.requireNonNull(switchProfile, "switchProfile");
    Objects.requireNonNull(fpgaProfile, "fpgaProfile");
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
    private Optional<Servers> servers = Optional.empty();
    private int batchSize = 1000;
    private int window = 8;
    private int queueCapacity = 64_000;
    private Duration roomWait = Duration.ofSeconds(5);
    private int bulkCommitChanges = 10_000;
    private int commitWrites = 30_000;
    private Duration firstBackoff = Duration.ofMillis(100);
    private Duration maxBackoff = Duration.ofSeconds(10);
    private Duration refusedRetry = Duration.ofSeconds(30);
    private Comparing comparing = Comparing.DEFAULT;

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

    /** Where the targets are, unless they are handed over. */
    public Builder servers(Servers targets) {
      servers = Optional.of(targets);
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

    /** When targets are compared, and what that may delete; {@link Comparing#DEFAULT}. */
    public Builder comparing(Comparing when) {
      comparing = when;
      return this;
    }

    /** Time between audits of a target; 15 min by default. */
    public Builder auditInterval(Optional<Duration> interval) {
      return comparing(new Comparing(interval, comparing.deletionLimit(), comparing.adopts()));
    }

    /** The configuration. */
    public ControllerConfig build() {
      return new ControllerConfig(
          storeDirectory,
          topology,
          switchProfile,
          fpgaProfile,
          servers,
          new Writing(batchSize, window, queueCapacity, roomWait, bulkCommitChanges, commitWrites),
          new Retrying(firstBackoff, maxBackoff, refusedRetry),
          comparing);
    }
  }
}
