package net.sluice.intents.plan.entry.marker;

import net.sluice.intents.model.aggregate.AggregateMarker;

/**
 * How a switch marks the packets of an aggregate, in its own numbers. Tokens are in 2^-20 bit,
 * rates in the unit of the rate filter, logarithms are 1,024 times those to base 2. A number that
 * is none of the marker's is {@link #NONE}.
 */
public sealed interface MarkingSetting {
  /** Stands for a number that the marker does not have. */
  int NONE = -1;

  /** The markers, in the order of their actions. */
  enum Marker {
    /** See {@link MarkingSetting.TokenBucket}. */
    TOKEN_BUCKET(AggregateMarker.TOKEN_BUCKET),
    /** See {@link MarkingSetting.Tsw2cm}. */
    TSW2CM(AggregateMarker.TSW2CM),
    /** See {@link MarkingSetting.Pam}. */
    PAM(AggregateMarker.PAM),
    /** See {@link MarkingSetting.Fsam}. */
    F_SAM(AggregateMarker.F_SAM);

    private final String text;

    Marker(String text) {
      this.text = text;
    }

    /** As in the API. */
    public String text() {
      return text;
    }
  }

  /** The marker whose numbers they are. */
  Marker marker();

  /** Tokens per microsecond, 40 bits. */
  default long fill() {
    return NONE;
  }

  /** Most tokens, 52 bits. */
  default long burst() {
    return NONE;
  }

  /** The committed rate in the unit of the slowed filter, 32 bits. */
  default long cirRate() {
    return NONE;
  }

  /** Logarithm of the committed rate in the unit of the slowed filter. */
  default int cirLog() {
    return NONE;
  }

  /** Halvings of the clock of the filter, or of the aggregate's rates. */
  default int timeShift() {
    return NONE;
  }

  /** Time between corrections of the fair rate. */
  default long windowMicros() {
    return NONE;
  }

  /** Averaged tokens up to which all is OUT, bits. */
  default long leastBits() {
    return NONE;
  }

  /** Averaged tokens from which on all is IN, bits. */
  default long mostBits() {
    return NONE;
  }

  /** Logarithm of the distance of both, in bits, over the probability at the lower. */
  default int scaleLog() {
    return NONE;
  }

  /** Weight of a packet in the average, 2^-shift. */
  default int averageShift() {
    return NONE;
  }

  /** IN while there are tokens. */
  record TokenBucket(long fill, long burst) implements MarkingSetting {
    @Override
    public Marker marker() {
      return Marker.TOKEN_BUCKET;
    }
  }

  /** IN with the probability CIR over the averaged rate. */
  record Tsw2cm(int cirLog, int timeShift) implements MarkingSetting {
    @Override
    public Marker marker() {
      return Marker.TSW2CM;
    }
  }

  /** OUT with a probability that falls as the averaged tokens grow. */
  record Pam(long fill, long burst, long leastBits, long mostBits, int scaleLog, int averageShift)
      implements MarkingSetting {
    @Override
    public Marker marker() {
      return Marker.PAM;
    }
  }

  /** IN with the probability fair rate over the flow's rate. */
  record Fsam(long fill, long burst, long cirRate, int cirLog, int timeShift, long windowMicros)
      implements MarkingSetting {
    @Override
    public Marker marker() {
      return Marker.F_SAM;
    }
  }
}
