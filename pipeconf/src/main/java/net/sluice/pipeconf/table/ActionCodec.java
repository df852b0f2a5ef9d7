package net.sluice.pipeconf.table;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import net.sluice.intents.plan.form.NumberField;
import net.sluice.intents.value.InvalidValueException;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/**
 * One action of a table: which entries have it, its parameters, and where the fields of an entry
 * come from that is read with it. Made by an {@link ActionBinding}.
 */
final class ActionCodec<E> {
  /**
   * A parameter and the number that it carries.
   *
   * @param isDerived whether the number follows from other fields of the entry
   */
  record Value<E>(String name, ActionParam param, ToLongFunction<E> number, boolean isDerived) {}

  /** A value by which the action differs from the others of its table. */
  record Condition<E>(NumberField<E> field, long value) {
    @Override
    public String toString() {
      return field.name() + " " + value;
    }
  }

  private final int id;
  private final Value<E>[] values;
  private final Condition<E>[] conditions;
  private final boolean hasDerived;

  private final FieldSource[] sources;

  /** The numbers that no entry tells, by the fields' indices. */
  private final long[] unread;

  @SuppressWarnings({"unchecked", "rawtypes"}) // arrays of generic types
  ActionCodec(
      int id,
      List<Value<E>> values,
      List<Condition<E>> conditions,
      List<FieldSource> sources,
      long[] unread) {
    this.id = id;
    this.values = values.toArray(Value[]::new);
    this.conditions = conditions.toArray(Condition[]::new);
    this.hasDerived = values.stream().anyMatch(Value::isDerived);
    this.sources = sources.toArray(FieldSource[]::new);
    this.unread = unread;
  }

  int id() {
    return id;
  }

  /** Number of its parameters. */
  int size() {
    return values.length;
  }

  /** True if the entry has this action. */
  boolean fits(E entry) {
    for (Condition<E> condition : conditions) {
      if (condition.field.number(entry) != condition.value) {
        return false;
      }
    }
    return true;
  }

  /** Refuses an entry that has another action. */
  void requireFits(E entry) {
    for (Condition<E> condition : conditions) {
      long number = condition.field.number(entry);
      if (number != condition.value) {
        throw new InvalidValueException(
            condition.field.name(), number, Long.toString(condition.value));
      }
    }
  }

  Action encode(E entry) {
    Action.Builder action = Action.newBuilder().setActionId(id);
    for (Value<E> value : values) {
      action.addParams(value.param.of(value.number.applyAsLong(entry)));
    }
    return action.build();
  }

  /** The numbers of the fields of an entry that is read, by their indices. */
  long[] read(TableEntry entry, Action action) {
    long[] numbers = unread.clone();
    for (FieldSource source : sources) {
      numbers[source.index()] = source.read(entry, action);
    }
    return numbers;
  }

  /** Refuses an action whose derived parameters are not those of the entry decoded from it. */
  void requireDerived(E decoded, Action action) {
    if (!hasDerived) {
      return;
    }
    for (Value<E> value : values) {
      if (value.isDerived && value.param.read(action) != value.number.applyAsLong(decoded)) {
        throw new MalformedEntryException(
            value.name
                + " is "
                + value.param.read(action)
                + " instead of "
                + value.number.applyAsLong(decoded));
      }
    }
  }

  /** The values by which it differs from the others, for people: {@code cVlan 0}. */
  String conditionsText() {
    return Arrays.stream(conditions).map(Condition::toString).collect(Collectors.joining(" and "));
  }
}
