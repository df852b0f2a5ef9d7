package net.sluice.core.ports;

import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import net.sluice.core.target.NotReadyException;

/**
 * A connection to a gNMI server, made for one session.
 *
 * @param host name or address
 * @param port TCP port
 * @param channel a new one to it; shut down by who takes it
 */
public record GnmiConnection(String host, int port, ManagedChannel channel) {
  public GnmiConnection {
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(channel, "channel");
  }

  /** The way to the server, which may be another one from one session to the next. */
  public interface Access {
    /** False while the switch is known to have no server; asked before each attempt. */
    default boolean hasServer() {
      return true;
    }

    /**
     * Opens a channel for a session.
     *
     * @throws NotReadyException if there is to be no session now
     */
    GnmiConnection open() throws NotReadyException;

    /** How often a session that stands is checked; empty for never. */
    default Optional<Duration> checkInterval() {
      return Optional.empty();
    }

    /**
     * Asked while a session over {@code connection} stands.
     *
     * @throws NotReadyException if it is to end
     */
    default void check(GnmiConnection connection) throws NotReadyException {}
  }
}
