package net.sluice.intents.plan.form;

/** The part of an entry that a field belongs to. */
enum Part {
  /** The match. */
  KEY,
  /**
   * The choice among several tables of one kind. It belongs to the match, but entries that differ
   * in it alone have one key number: writes that move an entry keep their order.
   */
  PLACE,
  /** The data, which a packet that matches gets. */
  DATA
}
