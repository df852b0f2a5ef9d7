package net.sluice.emulator.netsim.host.tcp;

/** Why a connection is over. */
public enum CloseReason {
  /** Both sides closed and everything was acknowledged. */
  FINISHED,
  /** The other side refused or reset it. */
  RESET,
  /** Retransmissions remained without answer. */
  TIMED_OUT,
  /** This side aborted it. */
  ABORTED
}
