package net.sluice.pipeconf.table;

import net.sluice.intents.plan.SwitchEntry;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** What a table entry read from a switch is. */
public sealed interface DecodedEntry {
  /** An entry as Sluice writes them. */
  record Known(SwitchEntry entry) implements DecodedEntry {}

  /**
   * An entry of a table that Sluice does not write, such as the program's constant tables: not to
   * be touched.
   *
   * @param entry as read
   */
  record Foreign(TableEntry entry) implements DecodedEntry {}

  /**
   * An entry of one of Sluice's tables that Sluice would never write. To remove it, delete {@code
   * entry} as it was read.
   *
   * @param entry as read
   * @param reason for people: what is wrong with it
   */
  record Malformed(TableEntry entry, String reason) implements DecodedEntry {}
}
