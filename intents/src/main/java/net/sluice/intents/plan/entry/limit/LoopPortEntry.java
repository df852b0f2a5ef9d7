package net.sluice.intents.plan.entry.limit;

import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.form.EntryFields;
import net.sluice.intents.plan.form.EntryForm;
import net.sluice.intents.plan.form.NumberField;

/**
 * Packets that wait in {@code pipe}, 0..3, go round by {@code port}; none is let in there with
 * which more than {@code bufferBytes} would wait in all pipes.
 */
public record LoopPortEntry(int pipe, int port, long bufferBytes) implements SwitchEntry {
  private static final EntryFields<LoopPortEntry> FIELDS = new EntryFields<>(LoopPortEntry.class);
  public static final NumberField<LoopPortEntry> PIPE = FIELDS.key("pipe", LoopPortEntry::pipe);
  public static final NumberField<LoopPortEntry> PORT = FIELDS.number("port", LoopPortEntry::port);
  public static final NumberField<LoopPortEntry> BUFFER_BYTES =
      FIELDS.number("bufferBytes", LoopPortEntry::bufferBytes);
  public static final EntryForm<LoopPortEntry> FORM =
      FIELDS.form(v -> new LoopPortEntry(v.integer(PIPE), v.integer(PORT), v.number(BUFFER_BYTES)));

  @Override
  public Table table() {
    return Table.LOOP_PORT;
  }

  @Override
  public EntryForm<LoopPortEntry> form() {
    return FORM;
  }
}
