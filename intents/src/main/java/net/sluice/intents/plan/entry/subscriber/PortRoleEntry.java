package net.sluice.intents.plan.entry.subscriber;

import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.form.ChoiceField;
import net.sluice.intents.plan.form.EntryFields;
import net.sluice.intents.plan.form.EntryForm;
import net.sluice.intents.plan.form.NumberField;
import net.sluice.intents.value.Direction;

/**
 * The role of {@code port} and the direction of packets that enter there.
 *
 * @param dropUnknown whether the port drops what belongs to no subscriber; only of role ACCESS,
 *     upstream
 */
public record PortRoleEntry(int port, PortRole role, Direction direction, boolean dropUnknown)
    implements SwitchEntry {
  private static final EntryFields<PortRoleEntry> FIELDS = new EntryFields<>(PortRoleEntry.class);
  public static final NumberField<PortRoleEntry> PORT = FIELDS.key("port", PortRoleEntry::port);
  public static final ChoiceField<PortRoleEntry, PortRole> ROLE =
      FIELDS.choice("role", PortRole.values(), PortRole::text, PortRoleEntry::role);
  public static final ChoiceField<PortRoleEntry, Direction> DIRECTION =
      FIELDS.choice("direction", Direction.values(), Direction::text, PortRoleEntry::direction);
  public static final NumberField<PortRoleEntry> DROP_UNKNOWN =
      FIELDS.flag("dropUnknown", PortRoleEntry::dropUnknown);
  public static final EntryForm<PortRoleEntry> FORM =
      FIELDS.form(
          v ->
              new PortRoleEntry(
                  v.integer(PORT), v.choice(ROLE), v.choice(DIRECTION), v.flag(DROP_UNKNOWN)));

  /** A port that takes what belongs to no subscriber. */
  public PortRoleEntry(int port, PortRole role, Direction direction) {
    this(port, role, direction, false);
  }

  @Override
  public Table table() {
    return Table.PORT_ROLE;
  }

  @Override
  public EntryForm<PortRoleEntry> form() {
    return FORM;
  }
}
