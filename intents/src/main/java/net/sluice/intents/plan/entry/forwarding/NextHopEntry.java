package net.sluice.intents.plan.entry.forwarding;

import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.form.EntryFields;
import net.sluice.intents.plan.form.EntryForm;
import net.sluice.intents.plan.form.NumberField;

/**
 * The address (48 bits) of the next hop behind {@code port}, where that is given by its IP address
 * and has answered.
 */
public record NextHopEntry(int port, long mac) implements SwitchEntry {
  private static final EntryFields<NextHopEntry> FIELDS = new EntryFields<>(NextHopEntry.class);
  public static final NumberField<NextHopEntry> PORT = FIELDS.key("port", NextHopEntry::port);
  public static final NumberField<NextHopEntry> MAC = FIELDS.number("mac", NextHopEntry::mac);
  public static final EntryForm<NextHopEntry> FORM =
      FIELDS.form(v -> new NextHopEntry(v.integer(PORT), v.number(MAC)));

  @Override
  public Table table() {
    return Table.NEXT_HOP;
  }

  @Override
  public EntryForm<NextHopEntry> form() {
    return FORM;
  }
}
