package net.sluice.intents.plan.entry.limit;

import java.util.Optional;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.form.ChoiceField;
import net.sluice.intents.plan.form.EntryFields;
import net.sluice.intents.plan.form.EntryForm;
import net.sluice.intents.plan.form.NumberField;
import net.sluice.intents.value.Direction;

/** The meter of a tree; empty only if somebody has taken it off. */
public record TreeMeterEntry(Attachment at, Direction direction, Optional<MeterSetting> meter)
    implements SwitchEntry {
  private static final EntryFields<TreeMeterEntry> FIELDS = new EntryFields<>(TreeMeterEntry.class);
  public static final NumberField<TreeMeterEntry> PORT = FIELDS.key("port", e -> e.at.port());
  public static final NumberField<TreeMeterEntry> TREE = FIELDS.key("tree", e -> e.at.tree());
  public static final ChoiceField<TreeMeterEntry, Direction> DIRECTION =
      FIELDS.keyDirection(e -> e.direction.ordinal());
  public static final MeterSetting.Fields<TreeMeterEntry> METER =
      MeterSetting.Fields.of(FIELDS, TreeMeterEntry::meter);
  public static final EntryForm<TreeMeterEntry> FORM =
      FIELDS.form(
          v ->
              new TreeMeterEntry(
                  new Attachment(v.integer(PORT), v.integer(TREE)),
                  v.choice(DIRECTION),
                  METER.from(v)));

  @Override
  public Table table() {
    return Table.TREE_METER;
  }

  @Override
  public EntryForm<TreeMeterEntry> form() {
    return FORM;
  }
}
