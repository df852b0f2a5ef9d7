package net.sluice.pipeconf.table;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import net.sluice.intents.model.IpPrefix.Family;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.limit.MeterSetting;
import net.sluice.intents.plan.form.EntryForm;
import net.sluice.intents.plan.form.FormField;
import net.sluice.intents.plan.form.NumberField;
import net.sluice.intents.plan.form.PrefixField;
import net.sluice.intents.plan.form.RangeField;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.pipeconf.p4info.ActionDescriptor;
import net.sluice.pipeconf.p4info.MatchField;
import net.sluice.pipeconf.p4info.TableDescriptor;
import net.sluice.pipeconf.table.TableCodec.ExactPart;
import net.sluice.pipeconf.table.TableCodec.PrefixPart;
import net.sluice.pipeconf.table.TableCodec.RangePart;

/**
 * Says which field of an entry each match field of a table carries, in the match fields' order, and
 * then which actions it has.
 */
final class TableBinding<E extends SwitchEntry> {
  private final TableDescriptor table;
  private final EntryForm<E> form;
  private final List<ExactPart<E>> match = new ArrayList<>();
  private final FieldSource[] sources;
  private final List<ActionCodec<E>> actions = new ArrayList<>();
  private final List<MatchField> leftFields;
  private final List<ActionDescriptor> leftActions;
  private PrefixPart<E> prefix;
  private RangePart<E> range;
  private MeterPart<E> meter;

  private TableBinding(TableDescriptor table, EntryForm<E> form) {
    this.table = table;
    this.form = form;
    this.sources = new FieldSource[form.fields().size()];
    this.leftFields = new ArrayList<>(table.matchFields());
    this.leftActions = new ArrayList<>(table.actions());
  }

  /** Begins with a table and the entries that it holds. */
  static <E extends SwitchEntry> TableBinding<E> bind(TableDescriptor table, EntryForm<E> form) {
    return new TableBinding<>(table, form);
  }

  /** The match field carries a field. */
  TableBinding<E> exact(MatchField.Exact of, NumberField<E> field) {
    ExactMatch exact = new ExactMatch(take(of), field.name());
    match.add(new ExactPart<>(exact, ActionBinding.encoded(field)));
    return source(field, FieldSource.of(field, exact));
  }

  /** Two match fields carry a subscriber's index: its instance, from 1, and its cell there. */
  TableBinding<E> cell(
      MatchField.Exact instanceOf,
      MatchField.Exact cellOf,
      NumberField<E> index,
      MarkerLayout markers) {
    InstanceCells cells = new InstanceCells(markers, index.name());
    ExactMatch instance = new ExactMatch(take(instanceOf), "instance");
    ExactMatch cell = new ExactMatch(take(cellOf), index.name());
    match.add(new ExactPart<>(instance, entry -> cells.instance(index.number(entry)) + 1));
    match.add(new ExactPart<>(cell, entry -> cells.cell(index.number(entry))));
    return source(
        index,
        FieldSource.of(
            index, (entry, read) -> cells.index(instance.read(entry) - 1, cell.read(entry))));
  }

  /** The only match field carries a prefix. */
  TableBinding<E> prefix(MatchField.Lpm of, PrefixField<E> field) {
    return prefix(new LpmMatch(take(of)), field);
  }

  /** The only match field carries the leading bits of a prefix. */
  TableBinding<E> prefix(MatchField.Exact of, Family family, PrefixField<E> field) {
    return prefix(new LeadingBitsMatch(take(of), family), field);
  }

  private TableBinding<E> prefix(PrefixMatch of, PrefixField<E> field) {
    prefix = new PrefixPart<>(of, field);
    return this;
  }

  /** The only match field carries a range. */
  TableBinding<E> range(MatchField.Range of, RangeField<E> field) {
    return range(new RangeMatch(take(of), field.name()), field);
  }

  /** The only match field carries a range, block by block. */
  TableBinding<E> blocks(MatchField.Ternary of, RangeField<E> field) {
    return range(new BlockMatch(take(of), field.name()), field);
  }

  private TableBinding<E> range(BoundsMatch of, RangeField<E> field) {
    range = new RangePart<>(of, field);
    return this;
  }

  /** All entries of the table have that number in the field. */
  TableBinding<E> means(NumberField<E> field, long number) {
    return source(field, FieldSource.of(field, number));
  }

  /** The table's entries have a direct meter. */
  TableBinding<E> meter(MeterSetting.Fields<E> fields) {
    meter = new MeterPart<>(fields);
    source(fields.rateBps(), FieldSource.of(fields.rateBps(), (e, read) -> meter.readRate(e)));
    return source(
        fields.burstBytes(), FieldSource.of(fields.burstBytes(), (e, read) -> meter.readBurst(e)));
  }

  /** An action without parameters. */
  TableBinding<E> action(ActionDescriptor of) {
    return action(of, (action, none) -> {});
  }

  /** An action; of several, an entry has the first that fits. */
  <A extends ActionDescriptor> TableBinding<E> action(
      A of, BiConsumer<ActionBinding<E>, A> params) {
    if (!leftActions.remove(of)) {
      throw new IllegalStateException(of.name() + " is not left of " + table.name());
    }
    ActionBinding<E> action = new ActionBinding<>(of, sources);
    params.accept(action, of);
    actions.add(action.codec(form.fields()));
    return this;
  }

  private <F extends MatchField> F take(F field) {
    if (!leftFields.remove(field)) {
      throw new IllegalStateException(field + " is not left of " + table.name());
    }
    return field;
  }

  private TableBinding<E> source(NumberField<E> field, FieldSource source) {
    sources[field.index()] = source;
    return this;
  }

  /**
   * The codec.
   *
   * @throws IllegalStateException if a match field or an action of the table, or the entry's prefix
   *     or range, is not bound
   */
  TableCodec<E> codec() {
    for (FormField<E> field : form.fields()) {
      if (field instanceof PrefixField && prefix == null
          || field instanceof RangeField && range == null) {
        throw new IllegalStateException(table.name() + " does not tell " + field.name());
      }
    }
    if (!leftFields.isEmpty() || !leftActions.isEmpty()) {
      throw new IllegalStateException(
          "nothing is bound to " + leftFields + leftActions + " of " + table.name());
    }
    return new TableCodec<>(table, form, match, actions, prefix, range, meter);
  }
}
