package net.sluice.intents.plan.entry.subscriber;

import java.util.OptionalInt;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.IpPrefix.Family;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.form.EntryFields;
import net.sluice.intents.plan.form.EntryForm;
import net.sluice.intents.plan.form.NumberField;
import net.sluice.intents.plan.form.PrefixField;
import net.sluice.intents.profile.MarkerLayout;

/**
 * Classifies by address: destination when down, source when up.
 *
 * @param tableNumber which table of that kind it is in, if there are several ({@link
 *     MarkerLayout#prefixTable}); empty if there is one
 */
public record SubscriberPrefixEntry(IpPrefix prefix, OptionalInt tableNumber, SubscriberData data)
    implements SwitchEntry {
  private static final int ONLY_TABLE = -1;
  private static final EntryFields<SubscriberPrefixEntry> FIELDS =
      new EntryFields<>(SubscriberPrefixEntry.class);
  public static final PrefixField<SubscriberPrefixEntry> PREFIX =
      FIELDS.keyPrefix(SubscriberPrefixEntry::prefix);
  public static final NumberField<SubscriberPrefixEntry> TABLE_NUMBER =
      FIELDS.place("tableNumber", ONLY_TABLE, e -> e.tableNumber.orElse(ONLY_TABLE));
  public static final SubscriberData.Fields<SubscriberPrefixEntry> DATA =
      SubscriberData.Fields.of(FIELDS, SubscriberPrefixEntry::data);
  public static final EntryForm<SubscriberPrefixEntry> FORM =
      FIELDS.form(
          v ->
              new SubscriberPrefixEntry(
                  v.prefix(PREFIX), number(v.integer(TABLE_NUMBER)), DATA.from(v)));

  /** An entry of the only table of its kind. */
  public SubscriberPrefixEntry(IpPrefix prefix, SubscriberData data) {
    this(prefix, OptionalInt.empty(), data);
  }

  private static OptionalInt number(int number) {
    return number == ONLY_TABLE ? OptionalInt.empty() : OptionalInt.of(number);
  }

  @Override
  public Table table() {
    return prefix.family() == Family.V4 ? Table.IPV4_PREFIX : Table.IPV6_PREFIX;
  }

  @Override
  public EntryForm<SubscriberPrefixEntry> form() {
    return FORM;
  }

  @Override
  public int subscriberIndex() {
    return data.index();
  }

  @Override
  public String toString() {
    String number = tableNumber.isEmpty() ? "" : "tableNumber=" + tableNumber.getAsInt() + ", ";
    return "SubscriberPrefixEntry[prefix=" + prefix + ", " + number + "data=" + data + "]";
  }
}
