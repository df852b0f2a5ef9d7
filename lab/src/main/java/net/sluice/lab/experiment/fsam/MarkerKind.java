package net.sluice.lab.experiment.fsam;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import net.sluice.intents.model.aggregate.AggregateMarker;

/** The paper's markers. */
enum MarkerKind {
  TOKEN_BUCKET("tb", "TB", new AggregateMarker.TokenBucket()),
  TSW2CM("tsw2cm", "TSW2CM", new AggregateMarker.Tsw2cm()),
  PAM("pam", "PAM", new AggregateMarker.Pam()),
  F_SAM("fsam", "F-SAM", new AggregateMarker.Fsam());

  /** As in options. */
  static final List<String> NAMES = AggregateMarker.NAMES;

  private final String key;
  private final String title;
  private final AggregateMarker marker;

  MarkerKind(String key, String title, AggregateMarker marker) {
    this.key = key;
    this.title = title;
    this.marker = marker;
  }

  /** In names of rows. */
  String key() {
    return key;
  }

  String title() {
    return title;
  }

  AggregateMarker marker() {
    return marker;
  }

  /** By the product's name or that of its rows, in any case. */
  static Optional<MarkerKind> named(String text) {
    String name = text.toLowerCase(Locale.ROOT);
    return Stream.of(values())
        .filter(kind -> kind.marker.text().equals(name) || kind.key.equals(name))
        .findAny();
  }
}
