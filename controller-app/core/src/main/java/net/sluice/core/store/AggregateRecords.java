package net.sluice.core.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.sluice.core.store.RecordReader.MalformedRecord;
import net.sluice.intents.model.Aggregate;
import net.sluice.intents.model.AggregateMarker;
import net.sluice.intents.model.AggregateMarker.Fsam;
import net.sluice.intents.model.AggregateMarker.Pam;
import net.sluice.intents.model.AggregateMarker.TokenBucket;
import net.sluice.intents.model.AggregateMarker.Tsw2cm;
import net.sluice.intents.model.Aggregates;
import net.sluice.intents.model.Direction;

/** The part of a subscriber's record that has its contract for aggregates: number and terms. */
final class AggregateRecords {
  private static final int TOKEN_BUCKET = 0;
  private static final int TSW2CM = 1;
  private static final int PAM = 2;
  private static final int F_SAM = 3;

  private AggregateRecords() {}

  /**
   * A contract.
   *
   * @param number see {@code SubscriberState}
   */
  record Contract(int number, Aggregates aggregates) {}

  static void write(RecordWriter out, Contract contract) {
    out.i32(contract.number());
    for (Aggregate each : contract.aggregates().all()) {
      out.u8(each.direction().code());
      out.i64(each.cirBps());
      out.i64(each.burstBytes());
      out.u8(each.inDscp());
      out.u8(each.outDscp());
      write(out, each.marker());
    }
  }

  private static void write(RecordWriter out, AggregateMarker marker) {
    if (marker instanceof TokenBucket) {
      out.u8(TOKEN_BUCKET);
    } else if (marker instanceof Tsw2cm tsw) {
      out.u8(TSW2CM);
      out.i32(tsw.averagingMillis());
    } else if (marker instanceof Pam pam) {
      out.u8(PAM);
      number(out, pam.least());
      number(out, pam.most());
      number(out, pam.probability());
      out.u8(pam.weightShift());
    } else if (marker instanceof Fsam fsam) {
      out.u8(F_SAM);
      out.i32(fsam.averagingMillis());
      out.i32(fsam.windowMillis());
      out.u8(fsam.weights().size());
      fsam.weights()
          .forEach(
              (dscp, weight) -> {
                out.u8(dscp);
                number(out, weight);
              });
    }
  }

  private static void number(RecordWriter out, double number) {
    out.i64(Double.doubleToRawLongBits(number));
  }

  /** {@code in} ends with the contract. */
  static Contract read(RecordReader in) {
    int number = in.i32();
    List<Aggregate> aggregates = new ArrayList<>();
    while (!in.isAtEnd()) {
      Direction direction = in.u8() == Direction.DOWN.code() ? Direction.DOWN : Direction.UP;
      long cirBps = in.i64();
      long burstBytes = in.i64();
      int inDscp = in.u8();
      int outDscp = in.u8();
      aggregates.add(new Aggregate(direction, cirBps, burstBytes, marker(in), inDscp, outDscp));
    }
    return new Contract(number, Aggregates.of(aggregates));
  }

  private static AggregateMarker marker(RecordReader in) {
    int kind = in.u8();
    return switch (kind) {
      case TOKEN_BUCKET -> new TokenBucket();
      case TSW2CM -> new Tsw2cm(in.i32());
      case PAM -> {
        double least = number(in);
        double most = number(in);
        double probability = number(in);
        yield new Pam(least, most, probability, in.u8());
      }
      case F_SAM -> {
        int averagingMillis = in.i32();
        int windowMillis = in.i32();
        Map<Integer, Double> weights = new TreeMap<>();
        for (int left = in.u8(); left > 0; left--) {
          int dscp = in.u8();
          weights.put(dscp, number(in));
        }
        yield new Fsam(averagingMillis, windowMillis, weights);
      }
      default -> throw new MalformedRecord("unknown marker " + kind);
    };
  }

  private static double number(RecordReader in) {
    return Double.longBitsToDouble(in.i64());
  }
}
