package net.sluice.core.store;

import java.util.Map;

/**
 * Takes everything that a store keeps, piece by piece: a file that is written, or a store that is
 * made. The identity comes first, then each switch with its history before its records, then
 * journals, each in the order of its numbers, and documents.
 */
public interface StoreContent {
  /** The kinds of records, whose values {@link StoreCodec} reads. */
  enum Kind {
    SUBSCRIBER,
    POLICY,
    RATE_LIMIT,
    TARIFF
  }

  /** The store's identity; not 0. */
  void identity(long identity);

  /** The numbers that {@link NetworkStore#lastSeen} has; not called if there are none. */
  void lastSeen(Map<String, Long> numbers);

  /** The commits of a switch. */
  void history(String switchName, StoreHistory history);

  /** The declaration of a switch. */
  void declaration(String switchName, byte[] document);

  /** A record of a switch, as {@link StoreCodec} encodes it. */
  void record(String switchName, Kind kind, String id, byte[] value);

  /** A record of a journal. */
  void entry(String journal, Journal.Entry entry);

  /** A document: the name that {@link NetworkStore#documents} takes, and its own. */
  void document(String of, String name, byte[] bytes);
}
