package net.sluice.intents.plan.entry.subscriber;

import net.sluice.intents.model.VlanTags;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.form.EntryFields;
import net.sluice.intents.plan.form.EntryForm;
import net.sluice.intents.plan.form.NumberField;

/**
 * Classifies upstream packets by ingress port and VLAN tags.
 *
 * @param anyCustomer whether packets with any customer VLAN belong to it, or none, unless there is
 *     an entry for both; where it is false, {@code vlans} are all tags that they have
 */
public record SubscriberVlanEntry(
    int ingressPort, VlanTags vlans, boolean anyCustomer, SubscriberData data)
    implements SwitchEntry {
  private static final EntryFields<SubscriberVlanEntry> FIELDS =
      new EntryFields<>(SubscriberVlanEntry.class);
  public static final NumberField<SubscriberVlanEntry> INGRESS_PORT =
      FIELDS.key("ingressPort", SubscriberVlanEntry::ingressPort);
  public static final NumberField<SubscriberVlanEntry> S_VLAN =
      FIELDS.key("sVlan", e -> e.vlans.sVlan());
  public static final NumberField<SubscriberVlanEntry> C_VLAN =
      FIELDS.optionalKey("cVlan", VlanTags.NONE, e -> e.vlans.cVlan());
  public static final NumberField<SubscriberVlanEntry> ANY_CUSTOMER =
      FIELDS.untold("anyCustomer", e -> e.anyCustomer ? 1 : 0);
  public static final SubscriberData.Fields<SubscriberVlanEntry> DATA =
      SubscriberData.Fields.of(FIELDS, SubscriberVlanEntry::data);
  public static final EntryForm<SubscriberVlanEntry> FORM =
      FIELDS.form(
          v ->
              new SubscriberVlanEntry(
                  v.integer(INGRESS_PORT),
                  new VlanTags(v.integer(S_VLAN), v.integer(C_VLAN)),
                  v.flag(ANY_CUSTOMER),
                  DATA.from(v)));

  /** An entry of a switch that checks senders. */
  public SubscriberVlanEntry(int ingressPort, VlanTags vlans, SubscriberData data) {
    this(ingressPort, vlans, !vlans.isPair(), data);
  }

  @Override
  public Table table() {
    return anyCustomer ? Table.SERVICE_VLAN : Table.VLAN;
  }

  @Override
  public EntryForm<SubscriberVlanEntry> form() {
    return FORM;
  }

  @Override
  public int subscriberIndex() {
    return data.index();
  }
}
