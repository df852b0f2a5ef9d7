package net.sluice.intents.plan.entry.limit;

import net.sluice.intents.model.Attachment;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.plan.form.ChoiceField;
import net.sluice.intents.plan.form.EntryFields;
import net.sluice.intents.plan.form.EntryForm;
import net.sluice.intents.plan.form.NumberField;
import net.sluice.intents.value.Direction;

/** The rate of a tree, see {@link RateWord}. */
public record TreeLimitEntry(Attachment at, Direction direction, int rateWord)
    implements SwitchEntry {
  private static final EntryFields<TreeLimitEntry> FIELDS = new EntryFields<>(TreeLimitEntry.class);
  public static final NumberField<TreeLimitEntry> PORT = FIELDS.key("port", e -> e.at.port());
  public static final NumberField<TreeLimitEntry> TREE = FIELDS.key("tree", e -> e.at.tree());
  public static final ChoiceField<TreeLimitEntry, Direction> DIRECTION =
      FIELDS.keyDirection(e -> e.direction.ordinal());
  public static final NumberField<TreeLimitEntry> RATE_WORD =
      RateWord.field(FIELDS, TreeLimitEntry::rateWord);
  public static final EntryForm<TreeLimitEntry> FORM =
      FIELDS.form(
          v ->
              new TreeLimitEntry(
                  new Attachment(v.integer(PORT), v.integer(TREE)),
                  v.choice(DIRECTION),
                  v.integer(RATE_WORD)));

  @Override
  public Table table() {
    return Table.TREE_LIMIT;
  }

  @Override
  public EntryForm<TreeLimitEntry> form() {
    return FORM;
  }
}
