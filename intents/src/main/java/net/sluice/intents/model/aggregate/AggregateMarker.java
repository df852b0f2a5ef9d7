package net.sluice.intents.model.aggregate;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.intents.value.Ranges;

/** How the packets of an aggregate are told within its contract (IN) from without (OUT). */
public sealed interface AggregateMarker {
  /** As in the API. */
  String text();

  /** Text of {@link TokenBucket}. */
  String TOKEN_BUCKET = "token-bucket";

  /** Text of {@link Tsw2cm}. */
  String TSW2CM = "tsw2cm";

  /** Text of {@link Pam}. */
  String PAM = "pam";

  /** Text of {@link Fsam}. */
  String F_SAM = "f-sam";

  /** The names of all markers. */
  List<String> NAMES = List.of(TOKEN_BUCKET, TSW2CM, PAM, F_SAM);

  /** IN as long as there are tokens. */
  record TokenBucket() implements AggregateMarker {
    @Override
    public String text() {
      return TOKEN_BUCKET;
    }
  }

  /**
   * IN with the probability committed rate over averaged rate (RFC 2859).
   *
   * @param averagingMillis time constant of the average, 50 to 8,000 ms
   */
  record Tsw2cm(int averagingMillis) implements AggregateMarker {
    /** With a window of a second. */
    public Tsw2cm() {
      this(1_000);
    }

    public Tsw2cm {
      Ranges.require("averagingMillis", averagingMillis, 50, 8_000);
    }

    @Override
    public String text() {
      return TSW2CM;
    }
  }

  /**
   * OUT with a probability that falls with the averaged tokens (paper 003, section IV).
   *
   * @param least part of the burst, 0 to 1, up to which all is OUT
   * @param most part of the burst, more than {@code least} and at most 1, from which on all is IN
   * @param probability of OUT just above {@code least}, 0.01 to 1
   * @param weightShift weight of a packet in the average, 2^-shift, 0 to 16
   */
  record Pam(double least, double most, double probability, int weightShift)
      implements AggregateMarker {
    /** Choices where the paper is silent: docs/papers/003-fsam.md. */
    public Pam() {
      this(0.1, 0.9, 1, 4);
    }

    public Pam {
      require("least", least, 0, 1);
      require("most", most, 0, 1);
      if (most <= least) {
        throw new InvalidValueException("most", most, "more than least, " + least + ", up to 1");
      }
      require("probability", probability, 0.01, 1);
      Ranges.require("weightShift", weightShift, 0, 16);
    }

    @Override
    public String text() {
      return PAM;
    }

    private static void require(String field, double value, double low, double high) {
      if (!(value >= low && value <= high)) {
        throw new InvalidValueException(field, value, low + " to " + high);
      }
    }
  }

  /**
   * IN with the probability fair rate over rate of the flow (paper 003, section V).
   *
   * @param averagingMillis time constant of the aggregate's rates, 50 to 8,000 ms
   * @param windowMillis time between corrections of the fair rate, 10 to 10,000 ms
   * @param weights share of flows by the codepoint, 0 to 63, that they come with, 1 to 1,000, by
   *     rising codepoint; 1 where nothing is said
   */
  record Fsam(int averagingMillis, int windowMillis, Map<Integer, Double> weights)
      implements AggregateMarker {
    /** Codepoints that can have a weight. */
    public static final int MAX_WEIGHTS = 16;

    /** CSFQ's constants, and equal shares. */
    public Fsam() {
      this(200, 200, Map.of());
    }

    public Fsam {
      Ranges.require("averagingMillis", averagingMillis, 50, 8_000);
      Ranges.require("windowMillis", windowMillis, 10, 10_000);
      weights = Collections.unmodifiableMap(new TreeMap<>(weights));
      if (weights.size() > MAX_WEIGHTS) {
        throw new InvalidValueException(
            "weights", weights.size() + " weights", "at most " + MAX_WEIGHTS);
      }
      weights.forEach(
          (dscp, weight) -> {
            Ranges.require("weights, the codepoint", dscp, 0, 63);
            requireWeight(weight);
          });
    }

    /** Refuses a weight that is not 1 to 1,000. */
    public static void requireWeight(double weight) {
      if (!(weight >= 1 && weight <= 1_000)) {
        throw new InvalidValueException("weight", weight, "1 to 1000");
      }
    }

    @Override
    public String text() {
      return F_SAM;
    }
  }
}
