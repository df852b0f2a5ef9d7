package net.sluice.intents.plan.entry.queue;

import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.form.EntryFields;
import net.sluice.intents.plan.form.EntryForm;
import net.sluice.intents.plan.form.NumberField;

/**
 * The packets by which CoDel-ACT carries state from one copy of it to the other leave by {@code
 * port}. They end in egress, so nothing of them is seen on the line.
 */
public record MirrorEntry(int port) implements SwitchEntry {
  private static final EntryFields<MirrorEntry> FIELDS = new EntryFields<>(MirrorEntry.class);
  public static final NumberField<MirrorEntry> PORT = FIELDS.number("port", MirrorEntry::port);
  public static final EntryForm<MirrorEntry> FORM =
      FIELDS.form(v -> new MirrorEntry(v.integer(PORT)));

  @Override
  public Table table() {
    return Table.MIRROR;
  }

  @Override
  public EntryForm<MirrorEntry> form() {
    return FORM;
  }
}
