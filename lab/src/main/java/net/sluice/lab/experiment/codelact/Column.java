package net.sluice.lab.experiment.codelact;

import java.util.Optional;
import net.sluice.intents.model.policy.AqmKind;

/** The managers of the bottleneck's queue: the columns of the experiment. */
enum Column {
  ACT("act", "CoDel-ACT", AqmKind.CODEL_ACT, false),
  P4_CODEL("p4codel", "P4-CoDel", AqmKind.P4_CODEL, false),
  RFC8289("rfc8289", "CoDel of RFC 8289", AqmKind.RFC8289, false),
  PIE("pie", "PIE-like", null, false),
  NONE("none", "no AQM", null, false),
  ECN("ecn", "CoDel-ACT, ECN", AqmKind.CODEL_ACT, true);

  private final String key;
  private final String title;
  private final AqmKind kind;
  private final boolean ecn;

  Column(String key, String title, AqmKind kind, boolean ecn) {
    this.key = key;
    this.title = title;
    this.kind = kind;
    this.ecn = ecn;
  }

  /** First part of its rows' names. */
  String key() {
    return key;
  }

  /** Its name for people. */
  String title() {
    return title;
  }

  /** The algorithm that works on the queue; empty where none does. */
  Optional<AqmKind> kind() {
    return Optional.ofNullable(kind);
  }

  /** Whether packets are dropped before the queue, see {@link PieEntries}. */
  boolean beforeQueue() {
    return this == PIE;
  }

  /** Whether senders negotiate ECN and the queue marks their packets instead of dropping them. */
  boolean ecn() {
    return ecn;
  }
}
