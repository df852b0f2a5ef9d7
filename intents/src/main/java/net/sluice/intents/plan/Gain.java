package net.sluice.intents.plan;

/** How boldly a port's congestion threshold is moved at each step. */
public enum Gain {
  /** For fast ports: many packets arrive between steps. */
  FAST,
  /** In between. */
  MEDIUM,
  /** For slow ports: few packets arrive between steps. */
  SLOW
}
