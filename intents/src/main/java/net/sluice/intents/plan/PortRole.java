package net.sluice.intents.plan;

/** The equipment that a switch port is connected to; the order is the number on the wire. */
public enum PortRole {
  /** Subscribers' lines. */
  ACCESS,
  /** The operator's core. */
  CORE,
  /** Another switch whose packet values are trusted. */
  TRUNK,
  /** A shaping FPGA. */
  SIDECAR;

  /** Number used on the wire. */
  public int code() {
    return ordinal();
  }
}
