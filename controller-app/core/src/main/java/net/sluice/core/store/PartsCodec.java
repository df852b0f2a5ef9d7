package net.sluice.core.store;

import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import net.sluice.core.store.RecordReader.MalformedRecord;
import net.sluice.intents.model.Labels;
import net.sluice.intents.model.LimitTerms;
import net.sluice.intents.model.OptionalParts;
import net.sluice.intents.state.Leaving;
import net.sluice.intents.state.SubscriberState;

/**
 * The optional parts at the end of the record of a subscriber or a rate limit, each behind a tag
 * and a length, so that another one needs no other version. A tag keeps its number for ever.
 */
final class PartsCodec {
  private static final int LEAVING = 1;
  private static final int LABELS = 2;
  private static final int TERMS = 3;
  private static final int STOPPED = 4;
  private static final int UPSTREAM_POLICY = 5;
  private static final int TERMS_BY_DIRECTION = 6;
  private static final int AGGREGATES = 16;

  private final RecordWriter writer;
  private final TermsRecords terms;

  PartsCodec(RecordWriter writer) {
    this.writer = writer;
    this.terms = new TermsRecords(writer);
  }

  /** The end of a subscriber's record, behind its prefixes. */
  record Parts(OptionalParts parts, Optional<Leaving> leaving, int contract) {}

  void write(OptionalParts parts, Optional<Leaving> leaving, int contract) {
    leaving.ifPresent(value -> writer.part(LEAVING, () -> write(value)));
    if (!parts.labels().isEmpty()) {
      writer.part(LABELS, () -> write(parts.labels()));
    }
    parts
        .terms()
        .ifPresent(
            value ->
                writer.part(
                    TermsRecords.areByDirection(value) ? TERMS_BY_DIRECTION : TERMS,
                    () -> terms.write(value)));
    if (parts.stopped()) {
      writer.part(STOPPED, () -> {});
    }
    parts.upstreamPolicyId().ifPresent(id -> writer.part(UPSTREAM_POLICY, () -> writer.text(id)));
    if (!parts.aggregates().isEmpty()) {
      writer.part(
          AGGREGATES,
          () ->
              AggregateRecords.write(
                  writer, new AggregateRecords.Contract(contract, parts.aggregates())));
    }
  }

  /**
   * Reads the rest of a record.
   *
   * @throws MalformedRecord if it has a tag of a later release
   */
  static Parts read(RecordReader in) {
    OptionalParts parts = OptionalParts.NONE;
    Optional<Leaving> leaving = Optional.empty();
    int contract = SubscriberState.NONE;
    while (!in.isAtEnd()) {
      int tag = in.u8();
      RecordReader part = in.part();
      switch (tag) {
        case LEAVING -> leaving = Optional.of(leaving(part));
        case LABELS -> parts = parts.withLabels(labels(part));
        case STOPPED -> parts = parts.withStopped(true);
        case UPSTREAM_POLICY -> parts = parts.withUpstreamPolicy(Optional.of(part.text()));
        case TERMS -> parts = parts.withTerms(Optional.of(TermsRecords.subscriber(part)));
        case TERMS_BY_DIRECTION ->
            parts = parts.withTerms(Optional.of(TermsRecords.subscriberByDirection(part)));
        case AGGREGATES -> {
          AggregateRecords.Contract read = AggregateRecords.read(part);
          parts = parts.withAggregates(read.aggregates());
          contract = read.number();
        }
        default -> throw unknown(tag);
      }
      part.end();
    }
    return new Parts(parts, leaving, contract);
  }

  private static MalformedRecord unknown(int tag) {
    return new MalformedRecord("it has part " + tag + ", of a later release");
  }

  /** Writes the parts of a rate limit. */
  void write(LimitTerms value) {
    writer.part(TERMS, () -> terms.write(value));
  }

  /**
   * Reads the rest of a rate limit's record.
   *
   * @throws MalformedRecord if it has a tag of a later release
   */
  static Optional<LimitTerms> readLimit(RecordReader in) {
    Optional<LimitTerms> terms = Optional.empty();
    while (!in.isAtEnd()) {
      int tag = in.u8();
      if (tag != TERMS) {
        throw unknown(tag);
      }
      RecordReader part = in.part();
      terms = Optional.of(TermsRecords.limit(part));
      part.end();
    }
    return terms;
  }

  private void write(Leaving leaving) {
    writer.text(leaving.toSwitch());
    writer.i64(leaving.sinceMillis());
  }

  private static Leaving leaving(RecordReader in) {
    String toSwitch = in.text();
    return new Leaving(toSwitch, in.i64());
  }

  private void write(Labels labels) {
    labels
        .byKey()
        .forEach(
            (key, value) -> {
              writer.text(key);
              writer.text(value);
            });
  }

  private static Labels labels(RecordReader in) {
    SortedMap<String, String> byKey = new TreeMap<>();
    while (!in.isAtEnd()) {
      String key = in.text();
      byKey.put(key, in.text());
    }
    return new Labels(byKey);
  }
}
