package net.sluice.lab.experiment.codelact;

/** The managers of the queue of Gold and Silver subscribers: the columns of {@code values}. */
enum ValuesColumn {
  VALUES("values", "packet values", true, false),
  CODEL("codel", "CoDel-ACT", false, true),
  BOTH("both", "both", true, true);

  private final String key;
  private final String title;
  private final boolean byValue;
  private final boolean codel;

  ValuesColumn(String key, String title, boolean byValue, boolean codel) {
    this.key = key;
    this.title = title;
    this.byValue = byValue;
    this.codel = codel;
  }

  /** First part of its rows' names. */
  String key() {
    return key;
  }

  /** Its name for people. */
  String title() {
    return title;
  }

  /** Whether the port drops by packet value. */
  boolean byValue() {
    return byValue;
  }

  /** Whether CoDel-ACT manages the queue. */
  boolean codel() {
    return codel;
  }
}
