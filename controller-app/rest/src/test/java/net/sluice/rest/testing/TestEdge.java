package net.sluice.rest.testing;

import java.util.List;
import java.util.Optional;
import net.sluice.rest.host.AllowedCallers;
import net.sluice.rest.host.Callers;
import net.sluice.rest.traces.TraceSettings;

/**
 * The requests that a host in a test lets clients make.
 *
 * @param asksForLogin whether requests need a login of {@link #USERS}; without, everybody is the
 *     administrator
 * @param needsConditions whether declarations are changed only by requests with a condition
 * @param hosts names by which it may be called; any if there are none
 * @param traces how requests are traced
 */
public record TestEdge(
    boolean asksForLogin,
    boolean needsConditions,
    List<String> hosts,
    Optional<TraceSettings> traces) {
  /** Lets everything in. */
  public static final TestEdge OPEN = new TestEdge(false, false, List.of(), Optional.empty());

  /** The logins, as {@code NAME:PASSWORD}, of a reader, an operator and an administrator. */
  public static final List<String> USERS = List.of("guest:guest", "clerk:keys", "onos:rocks");

  /** Says who calls. */
  public Callers callers() {
    return asksForLogin ? new TestCallers() : Callers.ANYBODY;
  }

  /** The hosts that requests may name. */
  public AllowedCallers allowed() {
    return AllowedCallers.ofShared(hosts, List.of());
  }
}
