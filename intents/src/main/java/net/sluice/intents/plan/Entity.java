package net.sluice.intents.plan;

import java.util.Optional;
import net.sluice.intents.plan.form.FieldSink;

/** Something that a target holds, in domain words: an entry of a switch or a setting of an FPGA. */
public sealed interface Entity permits SwitchEntry, FpgaSetting {
  /** The table it is in or the kind of setting, as people are told it: {@code ipv4-prefix}. */
  String tableName();

  /**
   * A number for what a write of it writes to: equal for the same key of the same table or
   * register. Two keys with the same number only wait for each other without need.
   */
  long keyNumber();

  /**
   * Tells a write of it, as a plan shows it.
   *
   * @param previous at an FPGA the setting before; empty at a switch
   */
  void tell(Op op, Optional<? extends Entity> previous, FieldSink sink);
}
