package net.sluice.intents.plan.entry.forwarding;

import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.IpPrefix.Family;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.form.EntryFields;
import net.sluice.intents.plan.form.EntryForm;
import net.sluice.intents.plan.form.NumberField;

/**
 * An address on the line of {@code port}: the port's own, which is answered for with {@code
 * ownMac}, or the next hop's, whose answers go to the controller.
 *
 * @param address of full length
 * @param ownMac 48 bits; 0 of a next hop
 */
public record NeighbourEntry(int port, IpPrefix address, long ownMac) implements SwitchEntry {
  /** In place of a MAC address: it is the next hop's. */
  public static final long NO_MAC = 0;

  /** Words of an address, of 32 bits; that of IPv4 is the last. */
  private static final int WORDS = 4;

  private static final EntryFields<NeighbourEntry> FIELDS = new EntryFields<>(NeighbourEntry.class);
  public static final NumberField<NeighbourEntry> PORT = FIELDS.key("port", NeighbourEntry::port);
  public static final NumberField<NeighbourEntry> FAMILY =
      FIELDS.untoldKey("family", entry -> entry.address().family().ordinal());
  public static final NumberField<NeighbourEntry> ADDRESS_0 = untoldWord(0);
  public static final NumberField<NeighbourEntry> ADDRESS_1 = untoldWord(1);
  public static final NumberField<NeighbourEntry> ADDRESS_2 = untoldWord(2);
  public static final NumberField<NeighbourEntry> ADDRESS_3 =
      FIELDS.key(
          "address",
          entry -> entry.word(3),
          (entry, sink) -> sink.text("address", entry.address().addressText()));
  public static final NumberField<NeighbourEntry> OWN_MAC =
      FIELDS.optional("ownMac", NO_MAC, NeighbourEntry::ownMac);
  public static final EntryForm<NeighbourEntry> FORM =
      FIELDS.form(
          v ->
              new NeighbourEntry(
                  v.integer(PORT),
                  v.integer(FAMILY) == Family.V4.ordinal()
                      ? IpPrefix.v4((int) v.number(ADDRESS_3), Family.V4.bits())
                      : IpPrefix.v6(
                          v.number(ADDRESS_0) << 32 | v.number(ADDRESS_1),
                          v.number(ADDRESS_2) << 32 | v.number(ADDRESS_3),
                          Family.V6.bits()),
                  v.number(OWN_MAC)));

  private static NumberField<NeighbourEntry> untoldWord(int place) {
    return FIELDS.untoldKey("address" + place, entry -> entry.word(place));
  }

  private long word(int place) {
    byte[] bytes = address.addressBytes();
    int at = bytes.length - Integer.BYTES * (WORDS - place);
    long word = 0;
    for (int i = at; at >= 0 && i < at + Integer.BYTES; i++) {
      word = word << Byte.SIZE | bytes[i] & 0xff;
    }
    return word;
  }

  @Override
  public Table table() {
    return address.family() == Family.V4 ? Table.NEIGHBOUR4 : Table.NEIGHBOUR6;
  }

  @Override
  public EntryForm<NeighbourEntry> form() {
    return FORM;
  }
}
