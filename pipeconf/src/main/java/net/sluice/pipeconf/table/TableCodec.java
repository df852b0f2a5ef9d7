package net.sluice.pipeconf.table;

import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.form.EntryForm;
import net.sluice.intents.plan.form.FieldValues;
import net.sluice.intents.plan.form.NumberField;
import net.sluice.intents.plan.form.PrefixField;
import net.sluice.intents.plan.form.RangeField;
import net.sluice.intents.value.InvalidValueException;
import net.sluice.pipeconf.p4info.MatchField;
import net.sluice.pipeconf.p4info.TableDescriptor;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.MeterConfig;
import p4.v1.P4RuntimeOuterClass.TableAction;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** Entries of one table to P4Runtime and back, as a {@link TableBinding} says. */
final class TableCodec<E extends SwitchEntry> {
  /**
   * Of entries in tables with range or ternary matches; no two entries match the same, so that one
   * serves for all.
   */
  private static final int ONLY_PRIORITY = 1;

  /** A number with match kind exact. */
  record ExactPart<E>(ExactMatch match, ToLongFunction<E> number) {}

  /** A prefix. */
  record PrefixPart<E>(PrefixMatch match, PrefixField<E> field) {}

  /** A range. */
  record RangePart<E>(BoundsMatch match, RangeField<E> field) {}

  private final int tableId;
  private final int size;
  private final int priority;
  private final int leastFields;
  private final int mostFields;
  private final EntryForm<E> form;
  private final ExactPart<E>[] exact;
  private final ActionCodec<E>[] actions;

  /** Null where the match is no prefix. */
  private final PrefixPart<E> prefix;

  /** Null where the match is no range. */
  private final RangePart<E> range;

  /** Null where entries have no meter. */
  private final MeterPart<E> meter;

  @SuppressWarnings({"unchecked", "rawtypes"}) // arrays of generic types
  TableCodec(
      TableDescriptor table,
      EntryForm<E> form,
      List<ExactPart<E>> exact,
      List<ActionCodec<E>> actions,
      PrefixPart<E> prefix,
      RangePart<E> range,
      MeterPart<E> meter) {
    List<MatchField> fields = table.matchFields();
    this.tableId = table.id();
    this.size = table.size();
    boolean ordered =
        fields.stream()
            .anyMatch(f -> f instanceof MatchField.Range || f instanceof MatchField.Ternary);
    this.priority = ordered ? ONLY_PRIORITY : 0;
    this.leastFields = (int) fields.stream().filter(MatchField.Exact.class::isInstance).count();
    this.mostFields = fields.size();
    this.form = form;
    this.exact = exact.toArray(ExactPart[]::new);
    this.actions = actions.toArray(ActionCodec[]::new);
    this.prefix = prefix;
    this.range = range;
    this.meter = meter;
  }

  int tableId() {
    return tableId;
  }

  /** Entries the program has room for. */
  int size() {
    return size;
  }

  /** The whole entry, which has to be one of the form's. */
  TableEntry encode(SwitchEntry entry) {
    E own = own(entry);
    TableEntry.Builder encoded = key(own);
    encoded.setAction(TableAction.newBuilder().setAction(action(own).encode(own)));
    if (meter != null) {
      encoded.setMeterConfig(meter.config(own));
    }
    return encoded.build();
  }

  /** Its match alone. */
  TableEntry encodeKey(SwitchEntry entry) {
    return key(own(entry)).build();
  }

  /** A read request's entry for all of the table. */
  TableEntry readAll() {
    return request(TableEntry.newBuilder().setTableId(tableId));
  }

  /** A read request's entry for the one with the match of {@code entry}. */
  TableEntry readOne(SwitchEntry entry) {
    return request(key(own(entry)));
  }

  private TableEntry request(TableEntry.Builder entry) {
    if (meter != null) {
      entry.setMeterConfig(MeterConfig.getDefaultInstance());
    }
    return entry.build();
  }

  @SuppressWarnings("unchecked") // a table's entries are of one class
  private E own(SwitchEntry entry) {
    return (E) entry;
  }

  private TableEntry.Builder key(E entry) {
    TableEntry.Builder key = TableEntry.newBuilder().setTableId(tableId).setPriority(priority);
    for (ExactPart<E> part : exact) {
      key.addMatch(part.match.of(part.number.applyAsLong(entry)));
    }
    if (prefix != null) {
      prefix.match.match(prefix.field.prefix(entry), key);
    } else if (range != null) {
      range.match.match(range.field.low(entry), range.field.high(entry), key);
    }
    return key;
  }

  private ActionCodec<E> action(E entry) {
    for (ActionCodec<E> action : actions) {
      if (action.fits(entry)) {
        return action;
      }
    }
    ActionCodec<E> last = actions[actions.length - 1];
    last.requireFits(entry);
    return last;
  }

  E decode(TableEntry entry) {
    if (entry.getIsDefaultAction()) {
      throw new MalformedEntryException("it is a default action");
    }
    if (entry.getPriority() != priority) {
      throw new MalformedEntryException(
          "its priority is " + entry.getPriority() + " instead of " + priority);
    }
    if (!entry.getAction().hasAction()) {
      throw new MalformedEntryException("it has no action");
    }
    if (entry.getMatchCount() < leastFields || entry.getMatchCount() > mostFields) {
      throw new MalformedEntryException(
          "it matches " + entry.getMatchCount() + " fields instead of " + mostFields);
    }
    Action read = entry.getAction().getAction();
    ActionCodec<E> action = known(read);
    E decoded;
    try {
      decoded = form.make(new Values<>(entry, action.read(entry, read), this));
    } catch (InvalidValueException e) {
      throw new MalformedEntryException(e.getMessage());
    }
    if (actions.length > 1 && action(decoded) != action) {
      throw new MalformedEntryException(
          "its action is not that of " + action(decoded).conditionsText());
    }
    action.requireDerived(decoded, read);
    return decoded;
  }

  private ActionCodec<E> known(Action read) {
    for (ActionCodec<E> action : actions) {
      if (action.id() == read.getActionId()) {
        if (read.getParamsCount() != action.size()) {
          throw new MalformedEntryException(
              "its action has "
                  + read.getParamsCount()
                  + " parameters instead of "
                  + action.size());
        }
        return action;
      }
    }
    throw new MalformedEntryException(
        "its action "
            + read.getActionId()
            + " is not "
            + Stream.of(actions)
                .map(ActionCodec::id)
                .sorted()
                .map(String::valueOf)
                .collect(Collectors.joining(" or ")));
  }

  /** The fields of an entry that was read. */
  private record Values<E extends SwitchEntry>(
      TableEntry entry, long[] numbers, TableCodec<E> codec) implements FieldValues<E> {
    @Override
    public long number(NumberField<E> field) {
      return numbers[field.index()];
    }

    @Override
    public IpPrefix prefix(PrefixField<E> field) {
      return codec.prefix.match.read(entry);
    }

    @Override
    public long low(RangeField<E> field) {
      return codec.range.match.read(entry).low();
    }

    @Override
    public long high(RangeField<E> field) {
      return codec.range.match.read(entry).high();
    }
  }
}
