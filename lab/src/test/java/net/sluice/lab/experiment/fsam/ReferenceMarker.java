package net.sluice.lab.experiment.fsam;

import java.util.Random;
import net.sluice.intents.model.aggregate.Aggregate;
import net.sluice.intents.model.aggregate.AggregateMarker;

/** The formulas of the markers in floating point. */
final class ReferenceMarker {
  /** Time constant of the switch's rates, us. */
  private static final double TIME_CONSTANT_MICROS = 65_536 / Math.log(2);

  private static final double CORRECTION = 0.0095;

  private final Aggregate aggregate;
  private final Random random;
  private final Estimate[] flows;
  private final double[] weights;
  private final Estimate arrivals;
  private final Estimate admitted;
  private double lastMicros;
  private double tokens;
  private double average;
  private boolean full;

  /** 0 if it is not known yet. */
  private double fairRate;

  private boolean congested;
  private double windowBegin;
  private double largest;

  /**
   * @param averagingFactor time constant of the aggregate's rates, in that of the flows
   * @param weights of each flow
   */
  ReferenceMarker(Aggregate aggregate, int averagingFactor, double[] weights, long seed) {
    this.aggregate = aggregate;
    this.weights = weights;
    random = new Random(seed);
    tokens = aggregate.burstBits();
    average = tokens;
    flows = new Estimate[weights.length];
    for (int i = 0; i < flows.length; i++) {
      flows[i] = new Estimate(TIME_CONSTANT_MICROS);
    }
    arrivals = new Estimate(averagingFactor * TIME_CONSTANT_MICROS);
    admitted = new Estimate(averagingFactor * TIME_CONSTANT_MICROS);
  }

  /** CSFQ: r := (1 - e^-T/K) L / T + e^-T/K r. */
  private static final class Estimate {
    private final double constantMicros;
    private double lastMicros;
    private double bps;

    Estimate(double constantMicros) {
      this.constantMicros = constantMicros;
    }

    double add(double bits, double nowMicros) {
      double gap = Math.max(1e-3, nowMicros - lastMicros);
      double kept = Math.exp(-gap / constantMicros);
      bps = (1 - kept) * bits / gap * 1e6 + kept * bps;
      lastMicros = nowMicros;
      return bps;
    }
  }

  /** Tokens that a packet finds; refills. */
  double tokens(double nowMicros) {
    tokens += (nowMicros - lastMicros) * aggregate.cirBps() / 1e6;
    lastMicros = nowMicros;
    full = tokens >= aggregate.burstBits();
    tokens = Math.min(tokens, aggregate.burstBits());
    return tokens;
  }

  void take(double bits) {
    tokens -= bits;
  }

  /** The probability that TSW2CM marks a packet IN. */
  double tsw2cm(double bits, double nowMicros) {
    return Math.min(1, aggregate.cirBps() / arrivals.add(bits, nowMicros));
  }

  /** The probability that PAM marks a packet IN. */
  double pam(double bits, double nowMicros) {
    AggregateMarker.Pam pam = (AggregateMarker.Pam) aggregate.marker();
    double found = tokens(nowMicros);
    average += (found - average) / (1 << pam.weightShift());
    double least = pam.least() * aggregate.burstBits();
    double most = pam.most() * aggregate.burstBits();
    double out =
        average <= least
            ? 1
            : average >= most ? 0 : pam.probability() * (most - average) / (most - least);
    return found < bits ? 0 : 1 - out;
  }

  /** Whether F-SAM marks a packet IN, by a draw of its own. */
  boolean fsam(int flow, double bits, double nowMicros) {
    AggregateMarker.Fsam fsam = (AggregateMarker.Fsam) aggregate.marker();
    double committed = aggregate.cirBps();
    boolean token = tokens(nowMicros) >= bits;
    double label = flows[flow].add(bits, nowMicros) / weights[flow];
    double rate = arrivals.add(bits, nowMicros);
    boolean admits = fairRate == 0 || random.nextDouble() < fairRate / label;
    if (admits) {
      admitted.add(bits, nowMicros);
    }
    boolean over = rate >= committed;
    if (over != congested) {
      congested = over;
      windowBegin = nowMicros;
      largest = 0;
      if (over && fairRate == 0) {
        fairRate = label;
      }
    } else if (nowMicros - windowBegin >= fsam.windowMillis() * 1e3) {
      windowBegin = nowMicros;
      if (over) {
        fairRate *= committed / admitted.bps;
      } else {
        fairRate = largest;
        largest = 0;
      }
    }
    if (!over) {
      largest = Math.max(largest, label);
    } else if (admits && !token) {
      fairRate *= 1 - CORRECTION;
    } else if (full) {
      fairRate *= 1 + CORRECTION;
    }
    if (admits && token) {
      take(bits);
      return true;
    }
    return false;
  }
}
