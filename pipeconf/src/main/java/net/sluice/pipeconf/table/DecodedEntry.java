package net.sluice.pipeconf.table;

import net.sluice.intents.plan.SwitchEntry;
import p4.v1.P4RuntimeOuterClass.Entity;

/** An entity that was read from a switch, decoded. */
public sealed interface DecodedEntry {
  /** An entry as Sluice writes them. */
  record Known(SwitchEntry entry) implements DecodedEntry {}

  /**
   * An entry that Sluice does not write, such as entries of the program's constant tables: not to
   * be touched.
   *
   * @param entity as read
   */
  record Foreign(Entity entity) implements DecodedEntry {}

  /**
   * Something in one of Sluice's places that Sluice would never write. To remove it, delete {@code
   * entity} as it was read.
   *
   * @param entity as read
   * @param reason for people: what is wrong with it
   */
  record Malformed(Entity entity, String reason) implements DecodedEntry {}
}
