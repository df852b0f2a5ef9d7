package net.sluice.core.store;

import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import net.sluice.core.store.RecordReader.MalformedRecord;
import net.sluice.intents.model.Labels;
import net.sluice.intents.model.OptionalParts;
import net.sluice.intents.state.Leaving;

/**
 * The optional parts at the end of a subscriber's record, each behind a tag and a length, so that
 * another one needs no other version. A tag keeps its number for ever.
 */
final class PartsCodec {
  private static final int LEAVING = 1;
  private static final int LABELS = 2;

  private final RecordWriter writer;

  PartsCodec(RecordWriter writer) {
    this.writer = writer;
  }

  /** The end of a subscriber's record, behind its prefixes. */
  record Parts(OptionalParts parts, Optional<Leaving> leaving) {}

  void write(OptionalParts parts, Optional<Leaving> leaving) {
    leaving.ifPresent(value -> writer.part(LEAVING, () -> write(value)));
    if (!parts.labels().isEmpty()) {
      writer.part(LABELS, () -> write(parts.labels()));
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
    while (!in.isAtEnd()) {
      int tag = in.u8();
      RecordReader part = in.part();
      switch (tag) {
        case LEAVING -> leaving = Optional.of(leaving(part));
        case LABELS -> parts = parts.withLabels(labels(part));
        default -> throw new MalformedRecord("it has part " + tag + ", of a later release");
      }
      part.end();
    }
    return new Parts(parts, leaving);
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
