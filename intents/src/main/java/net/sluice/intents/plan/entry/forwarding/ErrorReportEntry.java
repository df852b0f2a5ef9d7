package net.sluice.intents.plan.entry.forwarding;

import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.form.EntryFields;
import net.sluice.intents.plan.form.EntryForm;
import net.sluice.intents.plan.form.NumberField;

/** Senders of packets that enter {@code port} and cannot be forwarded are told, by ICMP. */
public record ErrorReportEntry(int port) implements SwitchEntry {
  private static final EntryFields<ErrorReportEntry> FIELDS =
      new EntryFields<>(ErrorReportEntry.class);
  public static final NumberField<ErrorReportEntry> PORT =
      FIELDS.key("port", ErrorReportEntry::port);
  public static final EntryForm<ErrorReportEntry> FORM =
      FIELDS.form(v -> new ErrorReportEntry(v.integer(PORT)));

  @Override
  public Table table() {
    return Table.ERROR_REPORT;
  }

  @Override
  public EntryForm<ErrorReportEntry> form() {
    return FORM;
  }
}
