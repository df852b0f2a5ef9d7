package net.sluice.pipeconf.table;

import net.sluice.intents.plan.form.ChoiceField;
import net.sluice.intents.plan.form.NumberField;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/**
 * The place of a field's number in an entry that was read. One class for all places: a decoded
 * entry has ten of them, and a call that may go to many classes costs more than the branches.
 */
final class FieldSource {
  /** Reads a number that several places tell together. */
  @FunctionalInterface
  interface Reader {
    /** The number. */
    long read(TableEntry entry, Action action);
  }

  private final int index;

  /** The first of these that is not null is the place. */
  private final ActionParam param;

  private final ExactMatch match;
  private final Reader reader;
  private final long constant;

  /** Null if the number is the program's. */
  private final EnumCodes codes;

  private final String name;

  private FieldSource(
      NumberField<?> field, ActionParam param, ExactMatch match, Reader reader, long constant) {
    this.index = field.index();
    this.param = param;
    this.match = match;
    this.reader = reader;
    this.constant = constant;
    this.codes =
        field instanceof ChoiceField<?, ?> choice && (param != null || match != null)
            ? EnumCodes.of(choice)
            : null;
    this.name = field.name();
  }

  static FieldSource of(NumberField<?> field, ActionParam param) {
    return new FieldSource(field, param, null, null, 0);
  }

  static FieldSource of(NumberField<?> field, ExactMatch match) {
    return new FieldSource(field, null, match, null, 0);
  }

  static FieldSource of(NumberField<?> field, Reader reader) {
    return new FieldSource(field, null, null, reader, 0);
  }

  static FieldSource of(NumberField<?> field, long constant) {
    return new FieldSource(field, null, null, null, constant);
  }

  /** The field's index. */
  int index() {
    return index;
  }

  /** The number, of a choice the place among its values. */
  long read(TableEntry entry, Action action) {
    long number;
    if (param != null) {
      number = param.read(action);
    } else if (match != null) {
      number = match.read(entry);
    } else {
      return reader == null ? constant : reader.read(entry, action);
    }
    return codes == null ? number : codes.ordinal(number, name);
  }
}
