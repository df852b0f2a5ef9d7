package net.sluice.pipeconf.table;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import net.sluice.intents.plan.form.ChoiceField;
import net.sluice.intents.plan.form.FormField;
import net.sluice.intents.plan.form.NumberField;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.pipeconf.p4info.ActionDescriptor;
import net.sluice.pipeconf.p4info.ParamDescriptor;
import net.sluice.pipeconf.table.ActionCodec.Condition;
import net.sluice.pipeconf.table.ActionCodec.Value;

/** Says which field of an entry each parameter of an action carries, in the parameters' order. */
final class ActionBinding<E> {
  private final ActionDescriptor action;
  private final FieldSource[] sources;
  private final List<Value<E>> values = new ArrayList<>();
  private final List<Condition<E>> conditions = new ArrayList<>();
  private final List<ParamDescriptor> left;

  /**
   * @param ofMatch where the match tells fields, by their indices
   */
  ActionBinding(ActionDescriptor action, FieldSource[] ofMatch) {
    this.action = action;
    this.sources = ofMatch.clone();
    this.left = new ArrayList<>(action.params());
  }

  /** The parameter carries a field. */
  ActionBinding<E> param(ParamDescriptor param, NumberField<E> field) {
    ActionParam value = value(param, field.name(), encoded(field), false);
    return source(field, FieldSource.of(field, value));
  }

  /** The parameter carries a number that follows from other fields. */
  ActionBinding<E> derived(ParamDescriptor param, ToLongFunction<E> number) {
    value(param, param.name(), number, true);
    return this;
  }

  /** The parameter carries the cell of a subscriber's index, in the table of an instance. */
  ActionBinding<E> cell(
      ParamDescriptor param, NumberField<E> index, int instance, MarkerLayout markers) {
    InstanceCells cells = new InstanceCells(markers, index.name());
    ActionParam cell =
        value(param, index.name(), e -> cells.cell(instance, index.number(e)), false);
    return source(
        index, FieldSource.of(index, (entry, read) -> cells.index(instance, cell.read(read))));
  }

  /** Two parameters carry a subscriber's index: its instance, from 1, and its cell there. */
  ActionBinding<E> cell(
      ParamDescriptor instanceParam,
      ParamDescriptor cellParam,
      NumberField<E> index,
      MarkerLayout markers) {
    InstanceCells cells = new InstanceCells(markers, index.name());
    ActionParam instance =
        value(instanceParam, "instance", e -> cells.instance(index.number(e)) + 1, false);
    ActionParam cell = value(cellParam, index.name(), e -> cells.cell(index.number(e)), false);
    return source(
        index,
        FieldSource.of(
            index, (entry, read) -> cells.index(instance.read(read) - 1, cell.read(read))));
  }

  /** Entries with the action have that number in the field, and others do not have the action. */
  ActionBinding<E> when(NumberField<E> field, long number) {
    conditions.add(new Condition<>(field, number));
    return means(field, number);
  }

  /** As above, of a field with one of several values. */
  <V extends Enum<V>> ActionBinding<E> when(ChoiceField<E, V> field, V value) {
    return when(field, value.ordinal());
  }

  /** Entries that are read with the action have that number in the field. */
  ActionBinding<E> means(NumberField<E> field, long number) {
    return source(field, FieldSource.of(field, number));
  }

  private ActionParam value(
      ParamDescriptor param, String name, ToLongFunction<E> number, boolean isDerived) {
    if (!left.remove(param)) {
      throw new IllegalStateException(param + " is not left of action " + action.name());
    }
    ActionParam value = new ActionParam(param, name);
    values.add(new Value<>(name, value, number, isDerived));
    return value;
  }

  private ActionBinding<E> source(NumberField<E> field, FieldSource source) {
    if (sources[field.index()] != null) {
      throw new IllegalStateException(action.name() + " tells " + field.name() + " twice");
    }
    sources[field.index()] = source;
    return this;
  }

  /** A field's number as the program has it. */
  static <E> ToLongFunction<E> encoded(NumberField<E> field) {
    if (field instanceof ChoiceField<E, ?> choice) {
      EnumCodes codes = EnumCodes.of(choice);
      ToLongFunction<E> ordinal = field.value();
      return codes.areOrdinals() ? ordinal : entry -> codes.code(ordinal.applyAsLong(entry));
    }
    return field.value();
  }

  /**
   * The action.
   *
   * @throws IllegalStateException if a parameter carries nothing, or nothing tells a field
   */
  ActionCodec<E> codec(List<FormField<E>> fields) {
    if (!left.isEmpty()) {
      throw new IllegalStateException("nothing is bound to " + left + " of " + action.name());
    }
    List<FieldSource> told = new ArrayList<>();
    long[] unread = new long[fields.size()];
    for (FormField<E> field : fields) {
      FieldSource source = sources[field.index()];
      if (source != null) {
        told.add(source);
      } else if (field instanceof NumberField<E> number) {
        if (!number.isOptional()) {
          throw new IllegalStateException(action.name() + " does not tell " + field.name());
        }
        unread[field.index()] = number.none();
      }
    }
    return new ActionCodec<>(action.id(), values, conditions, told, unread);
  }
}
