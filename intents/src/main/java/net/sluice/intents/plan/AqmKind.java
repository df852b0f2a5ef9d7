package net.sluice.intents.plan;

/** Which algorithm keeps the delay of an egress queue down. */
public enum AqmKind {
  /** CoDel with its state split for a pipeline of register stages (paper 002). */
  CODEL_ACT,
  /**
   * Its predecessor P4-CoDel: the count starts at 1 in each cycle, its square root is that of a
   * power of two, and the interval is 100 ms.
   */
  P4_CODEL,
  /** CoDel as RFC 8289 has it, for targets without limits on register access. */
  RFC8289
}
