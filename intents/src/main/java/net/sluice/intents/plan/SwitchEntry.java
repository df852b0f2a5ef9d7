package net.sluice.intents.plan;

import java.util.Optional;
import java.util.OptionalInt;
import net.sluice.intents.plan.form.EntryForm;
import net.sluice.intents.plan.form.FieldSink;

/**
 * One entry of a switch table, in domain words: a record in a package of {@code
 * net.sluice.intents.plan.entry}, which are those of the P4 tables' folders. Its form says which
 * fields are the match and which the data. Ports are switch port numbers, 0..511.
 */
public non-sealed interface SwitchEntry extends Entity {
  /** The table the entry belongs to. */
  Table table();

  /** The fields of the entry; of its own class. */
  EntryForm<? extends SwitchEntry> form();

  /** The number of the table, where several are of its kind; empty if there is one. */
  default OptionalInt tableNumber() {
    return OptionalInt.empty();
  }

  /** The index of the subscriber that the entry is of; 0 if it is of none. */
  default int subscriberIndex() {
    return 0;
  }

  /** True if packets of a subscriber find no limit of their own in the entry of a limit. */
  default boolean limitsNothing() {
    return false;
  }

  /** The match: two entries with equal keys are the same entry with perhaps different data. */
  default Key key() {
    return new Key(this);
  }

  /** True if {@code other} has the same table and match; like {@code key().equals(other.key())}. */
  default boolean sameKey(SwitchEntry other) {
    return table() == other.table() && Key.form(this).isSameKey(this, other);
  }

  @Override
  default String tableName() {
    return table().text();
  }

  @Override
  default long keyNumber() {
    return Key.form(this).keyNumber(this);
  }

  @Override
  default void tell(Op op, Optional<? extends Entity> previous, FieldSink sink) {
    sink.text("op", op.name());
    sink.text("table", tableName());
    Key.form(this).tell(this, sink);
  }

  /** The table and match of an entry. */
  final class Key {
    private final SwitchEntry entry;

    private Key(SwitchEntry entry) {
      this.entry = entry;
    }

    @SuppressWarnings("unchecked") // an entry's form is of its own class
    private static EntryForm<SwitchEntry> form(SwitchEntry entry) {
      return (EntryForm<SwitchEntry>) entry.form();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Key key && entry.sameKey(key.entry);
    }

    @Override
    public int hashCode() {
      return Long.hashCode(entry.keyNumber());
    }

    @Override
    public String toString() {
      return "key of " + entry;
    }
  }
}
