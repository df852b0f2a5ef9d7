package net.sluice.intents.plan.entry.subscriber;

import java.util.Locale;

/** The equipment that a switch port is connected to. */
public enum PortRole {
  /** Subscribers' lines. */
  ACCESS,
  /** The operator's core. */
  CORE,
  /** Another switch whose packet values are trusted. */
  TRUNK,
  /** A shaping FPGA. */
  SIDECAR;

  private final String text = name().toLowerCase(Locale.ROOT);

  /** As people are told it: {@code access}. */
  public String text() {
    return text;
  }
}
