package net.sluice.emulator.netsim.host.tcp.congestion;

import net.sluice.emulator.netsim.Prng;

/**
 * BBR, version 1 (draft-cardwell-iccrg-bbr-congestion-control-00): paces at the highest rate that
 * was delivered of late, and keeps about twice as much in flight as that and the least round-trip
 * time make. Losses matter only to how much is in flight while they are repaired; ECN marks not at
 * all.
 *
 * <p>What the draft leaves to the sender: segments are paced one by one, so that the quantum of
 * sending is a segment. Names in brackets are the draft's.
 */
public final class Bbr implements CongestionControl {

  /** The phases of BBR. */
  public enum State {
    /** Doubles its rate each round trip until that brings no more. */
    STARTUP,
    /** Lets go of the queue that STARTUP made. */
    DRAIN,
    /** Cycles around the delivery rate: tries more, takes as much back, stays for six rounds. */
    PROBE_BW,
    /** Has next to nothing in flight for a moment to see the path without its own queue. */
    PROBE_RTT
  }

  /** 2 / ln 2: the least gain that doubles the rate in each round trip (BBRHighGain). */
  static final double HIGH_GAIN = 2 / StrictMath.log(2);

  /** Congestion window over the path's product of rate and time, in PROBE_BW. */
  static final double CWND_GAIN = 2;

  /** Round trips that a delivery rate counts for (BtlBwFilterLen). */
  static final int RATE_ROUNDS = 10;

  /** How long a round-trip time counts for, ns (RTpropFilterLen). */
  static final long RTT_NANOS = 10_000_000_000L;

  /** Least time in PROBE_RTT, ns (ProbeRTTDuration). */
  static final long PROBE_RTT_NANOS = 200_000_000L;

  private static final double[] CYCLE = {1.25, 0.75, 1, 1, 1, 1, 1, 1};
  private static final int MIN_SEGMENTS = 4;
  private static final int QUANTA = 3;
  private static final double FULL_GROWTH = 1.25;
  private static final int FULL_ROUNDS = 3;
  private static final long UNKNOWN_RTT_NANOS = 1_000_000L;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final long NONE = -1;

  private final int smss;
  private final long initialWindowBytes;
  private final Prng random;
  private final RecentMax rate = new RecentMax(RATE_ROUNDS);

  private State state = State.STARTUP;
  private double pacingGain = HIGH_GAIN;
  private double cwndGain = HIGH_GAIN;
  private double pacingBytesPerSecond;
  private long cwndBytes;
  private long priorCwndBytes;

  private long roundEndBytes;
  private long round;
  private boolean roundStart;

  private boolean filled;
  private double fullRate;
  private int fullRounds;

  private int phase;
  private long phaseNanos;

  private long rttNanos;
  private long rttStampNanos;
  private boolean rttExpired;
  private long probeRttEndNanos = NONE;
  private boolean probeRttRoundDone;
  private boolean restarting;

  private boolean recovering;
  private boolean conserving;

  /**
   * Begins.
   *
   * @param rttNanos round-trip time of the handshake, nanoseconds; 0 when unknown
   * @param random chooses where in its cycle it begins to probe, so that flows do not keep step
   */
  Bbr(int smss, long initialWindowBytes, long rttNanos, long nowNanos, Prng random) {
    this.smss = smss;
    this.initialWindowBytes = initialWindowBytes;
    this.random = random;
    this.cwndBytes = initialWindowBytes;
    this.rttNanos = rttNanos > 0 ? rttNanos : NONE;
    this.rttStampNanos = nowNanos;
    this.pacingBytesPerSecond =
        HIGH_GAIN
            * initialWindowBytes
            * NANOS_PER_SECOND
            / (rttNanos > 0 ? rttNanos : UNKNOWN_RTT_NANOS);
  }

  @Override
  public long cwndBytes() {
    return cwndBytes;
  }

  @Override
  public long ssthreshBytes() {
    return Long.MAX_VALUE;
  }

  @Override
  public double pacingBytesPerSecond() {
    return pacingBytesPerSecond;
  }

  public State state() {
    return state;
  }

  public double pacingGain() {
    return pacingGain;
  }

  /** The path's rate as far as known, bytes per second; 0 before the first sample. */
  public double rateBytesPerSecond() {
    return rate.get();
  }

  /** The path's round-trip time as far as known, nanoseconds; -1 before the first sample. */
  public long rttNanos() {
    return rttNanos;
  }

  @Override
  public void onDelivery(DeliveryRate delivery, Acknowledged ack) {
    updateRate(delivery);
    if (state == State.PROBE_BW && phaseIsOver(ack)) {
      nextPhase(ack.nowNanos());
    }
    checkFull(delivery);
    checkDrain(ack);
    updateRtt(ack);
    checkProbeRtt(delivery, ack);
    setPacing(pacingGain);
    setWindow(delivery, ack);
  }

  // The model of the path.

  private void updateRate(DeliveryRate delivery) {
    roundStart = false;
    if (delivery.newlyDeliveredBytes() == 0) {
      return;
    }
    if (delivery.priorDeliveredBytes() >= roundEndBytes) {
      roundEndBytes = delivery.deliveredBytes();
      round++;
      roundStart = true;
    }
    if (delivery.hasSample()) {
      double sample = delivery.bytesPerSecond();
      if (sample >= rate.get() || !delivery.sampleLimited()) {
        rate.update(round, sample);
      }
    }
  }

  private void updateRtt(Acknowledged ack) {
    rttExpired = ack.nowNanos() > rttStampNanos + RTT_NANOS;
    if (ack.rttNanos() != NONE && (rttNanos == NONE || ack.rttNanos() <= rttNanos || rttExpired)) {
      rttNanos = ack.rttNanos();
      rttStampNanos = ack.nowNanos();
    }
  }

  /** Bytes that should be in flight (BBRInflight). */
  private long flightBytes(double gain) {
    if (rttNanos == NONE) {
      return initialWindowBytes;
    }
    return (long) (gain * rate.get() * rttNanos / NANOS_PER_SECOND) + (long) QUANTA * smss;
  }

  // What it is doing.

  private void checkFull(DeliveryRate delivery) {
    if (filled || !roundStart || delivery.sampleLimited()) {
      return;
    }
    if (rate.get() >= FULL_GROWTH * fullRate) {
      fullRate = rate.get();
      fullRounds = 0;
      return;
    }
    filled = ++fullRounds >= FULL_ROUNDS;
  }

  private void checkDrain(Acknowledged ack) {
    if (state == State.STARTUP && filled) {
      enter(State.DRAIN, 1 / HIGH_GAIN, HIGH_GAIN);
    }
    if (state == State.DRAIN && ack.flightBytes() <= flightBytes(1)) {
      probeRate(ack.nowNanos());
    }
  }

  private void enter(State next, double nextPacingGain, double nextCwndGain) {
    state = next;
    pacingGain = nextPacingGain;
    cwndGain = nextCwndGain;
  }

  private void probeRate(long nowNanos) {
    enter(State.PROBE_BW, 1, CWND_GAIN);
    // Anywhere but at the phase that makes up for the one before it.
    phase = CYCLE.length - 1 - (int) random.nextLong(CYCLE.length - 1);
    nextPhase(nowNanos);
  }

  private void nextPhase(long nowNanos) {
    phaseNanos = nowNanos;
    phase = (phase + 1) % CYCLE.length;
    pacingGain = CYCLE[phase];
  }

  private boolean phaseIsOver(Acknowledged ack) {
    boolean full = ack.nowNanos() - phaseNanos > rttNanos;
    if (pacingGain > 1) {
      return full && (ack.lostBytes() > 0 || ack.priorFlightBytes() >= flightBytes(pacingGain));
    }
    return full || pacingGain < 1 && ack.priorFlightBytes() <= flightBytes(1);
  }

  private void checkProbeRtt(DeliveryRate delivery, Acknowledged ack) {
    if (state != State.PROBE_RTT && rttExpired && !restarting) {
      saveWindow();
      enter(State.PROBE_RTT, 1, 1);
      probeRttEndNanos = NONE;
    }
    if (state == State.PROBE_RTT) {
      probeRtt(delivery, ack);
    }
    restarting = false;
  }

  private void probeRtt(DeliveryRate delivery, Acknowledged ack) {
    // So little in flight says nothing of the rate.
    delivery.limit(ack.flightBytes());
    if (probeRttEndNanos == NONE) {
      if (ack.flightBytes() <= (long) MIN_SEGMENTS * smss) {
        probeRttEndNanos = ack.nowNanos() + PROBE_RTT_NANOS;
        probeRttRoundDone = false;
        roundEndBytes = delivery.deliveredBytes();
      }
      return;
    }
    probeRttRoundDone |= roundStart;
    if (probeRttRoundDone && ack.nowNanos() > probeRttEndNanos) {
      rttStampNanos = ack.nowNanos();
      restoreWindow();
      if (filled) {
        probeRate(ack.nowNanos());
      } else {
        enter(State.STARTUP, HIGH_GAIN, HIGH_GAIN);
      }
    }
  }

  @Override
  public void onRestart() {
    restarting = true;
    if (state == State.PROBE_BW) {
      setPacing(1);
    }
  }

  // What follows for sending.

  private void setPacing(double gain) {
    double wanted = gain * rate.get();
    if (wanted > 0 && (filled || wanted > pacingBytesPerSecond)) {
      pacingBytesPerSecond = wanted;
    }
  }

  private void setWindow(DeliveryRate delivery, Acknowledged ack) {
    onRecovering(delivery, ack);
    long delivered = delivery.newlyDeliveredBytes();
    long target = flightBytes(cwndGain);
    if (conserving) {
      cwndBytes = Math.max(cwndBytes - ack.lostBytes(), ack.flightBytes() + delivered);
    } else {
      cwndBytes = Math.max(cwndBytes - (recovering ? ack.lostBytes() : 0), smss);
      if (filled) {
        cwndBytes = Math.min(cwndBytes + delivered, target);
      } else if (cwndBytes < target || delivery.deliveredBytes() < initialWindowBytes) {
        cwndBytes += delivered;
      }
      cwndBytes = Math.max(cwndBytes, (long) MIN_SEGMENTS * smss);
    }
    cwndBytes = Math.max(cwndBytes, smss);
    if (state == State.PROBE_RTT) {
      cwndBytes = Math.min(cwndBytes, (long) MIN_SEGMENTS * smss);
    }
  }

  /** A recovery begins with as much in flight as arrives, for a round trip, and ends as before. */
  private void onRecovering(DeliveryRate delivery, Acknowledged ack) {
    if (ack.recovering() && !recovering) {
      saveWindow();
      conserving = true;
      roundEndBytes = delivery.deliveredBytes();
      cwndBytes = ack.flightBytes() + Math.max(delivery.newlyDeliveredBytes(), smss);
    } else if (recovering && !ack.recovering()) {
      conserving = false;
      restoreWindow();
    } else if (roundStart) {
      conserving = false;
    }
    recovering = ack.recovering();
  }

  private void saveWindow() {
    priorCwndBytes =
        recovering || state == State.PROBE_RTT ? Math.max(priorCwndBytes, cwndBytes) : cwndBytes;
  }

  private void restoreWindow() {
    cwndBytes = Math.max(cwndBytes, priorCwndBytes);
  }

  @Override
  public void onTimeout(long flightBytes, boolean again, long nowNanos) {
    saveWindow();
    recovering = true;
    conserving = false;
    cwndBytes = smss;
  }

  @Override
  public void onAck(long ackedBytes, long nowNanos, long srttNanos, boolean afterTimeout) {}

  @Override
  public void onRttSample(long rttNanos, boolean newRound) {}

  @Override
  public void onNotLimiting(long nowNanos) {}

  @Override
  public void onLoss(long flightBytes, long nowNanos) {}

  @Override
  public MarkResponse onEcn(long flightBytes, long nowNanos) {
    return MarkResponse.NONE;
  }

  @Override
  public void onIdle(long nowNanos) {}

  @Override
  public void onRecoveryEnd(long flightBytes) {}
}
