package net.sluice.northbound.caller;

/**
 * The sender of a request, as the host has made sure of it.
 *
 * @param name the token's or certificate's name, or {@link #LOCAL}
 * @param from the address that the request came from
 */
public record Caller(String name, Role role, String from) {
  /** The name of whoever calls a host that asks for no proof. */
  public static final String LOCAL = "local";

  /** The attribute of a request that has its caller. */
  public static final String ATTRIBUTE = "net.sluice.caller";

  /** The attribute of a request that has its id. */
  public static final String REQUEST_ID = "net.sluice.request-id";
}
