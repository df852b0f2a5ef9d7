package net.sluice.pipeconf.profile;

/**
 * A switch's queues.
 *
 * @param perPort queues of a port
 * @param settings where they are set
 */
public record QueueBehaviour(int perPort, Settings settings) {
  /** Where queues are set. */
  public enum Settings {
    /** Nowhere. */
    NONE,
    /** Over gNMI. */
    GNMI,
    /** In Stratum's chassis configuration. */
    CHASSIS
  }
}
