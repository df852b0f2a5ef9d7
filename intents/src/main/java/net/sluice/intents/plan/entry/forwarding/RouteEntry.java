package net.sluice.intents.plan.entry.forwarding;

import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.IpPrefix.Family;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.form.EntryFields;
import net.sluice.intents.plan.form.EntryForm;
import net.sluice.intents.plan.form.NumberField;
import net.sluice.intents.plan.form.PrefixField;

/** Packets to {@code prefix} leave by {@code port}. */
public record RouteEntry(IpPrefix prefix, int port) implements SwitchEntry {
  private static final EntryFields<RouteEntry> FIELDS = new EntryFields<>(RouteEntry.class);
  public static final PrefixField<RouteEntry> PREFIX = FIELDS.keyPrefix(RouteEntry::prefix);
  public static final NumberField<RouteEntry> PORT = FIELDS.number("port", RouteEntry::port);
  public static final EntryForm<RouteEntry> FORM =
      FIELDS.form(v -> new RouteEntry(v.prefix(PREFIX), v.integer(PORT)));

  @Override
  public Table table() {
    return prefix.family() == Family.V4 ? Table.IPV4_ROUTE : Table.IPV6_ROUTE;
  }

  @Override
  public EntryForm<RouteEntry> form() {
    return FORM;
  }
}
