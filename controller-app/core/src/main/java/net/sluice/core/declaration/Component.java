package net.sluice.core.declaration;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import net.sluice.intents.field.Field;
import net.sluice.intents.field.OrTrue;
import net.sluice.intents.model.PlainText;
import net.sluice.intents.value.Ids;

/** A described component of a record. Its value is null where the field is absent. */
public final class Component {
  private static final String WHOLE = "a whole number without fraction or exponent";

  private static final SortedMap<String, String> NO_TEXTS =
      Collections.unmodifiableSortedMap(new TreeMap<>());

  /** The type of a record's component around a value that may be absent. */
  private enum Holder {
    NONE,
    OPTIONAL,
    OPTIONAL_INT,
    OPTIONAL_LONG,
    OPTIONAL_DOUBLE,
    LIST,
    MAP
  }

  private static final Map<Class<?>, Holder> HOLDERS =
      Map.of(
          Optional.class, Holder.OPTIONAL,
          OptionalInt.class, Holder.OPTIONAL_INT,
          OptionalLong.class, Holder.OPTIONAL_LONG,
          OptionalDouble.class, Holder.OPTIONAL_DOUBLE,
          List.class, Holder.LIST,
          SortedMap.class, Holder.MAP);

  private final String name;
  private final Field field;
  private final Class<?> declared;
  private final Holder holder;
  private final MethodHandle getter;
  private final Part part;
  private final long min;
  private final long max;
  private final String range;
  private final String allowed;
  private final Object absent;
  private final Object implied;
  private final boolean mayBeAbsent;

  // Of the annotation, each of whose members takes as long as the rest of a field to read.
  private final int number;
  private final boolean isId;
  private final int maxLength;
  private final Set<String> values;
  private final int minItems;
  private final int maxItems;
  private final boolean isUnique;
  private final boolean isAlways;
  private final boolean isSwitchOfNext;

  /**
   * A value, or an item of one.
   *
   * @param type its type
   * @param shape of a record; null of anything else
   * @param scalar of a scalar; null of anything else
   * @param item of a list; null of anything else
   */
  public record Part(ValueType type, Shape<?> shape, Scalar scalar, Part item) {
    private static Part of(ValueType type) {
      return new Part(type, null, null, null);
    }
  }

  Component(RecordComponent of, Field field, MethodHandle getter) {
    this.field = field;
    this.getter = getter;
    name = field.name().isEmpty() ? of.getName() : field.name();
    declared = of.getType();
    holder = HOLDERS.getOrDefault(declared, Holder.NONE);
    part = part(of.getGenericType());
    Part numbers = part.type() == ValueType.LIST ? part.item() : part;
    boolean isInt = numbers.type() == ValueType.INT;
    boolean checked = !field.checkedByRecord() && numbers.type() != ValueType.DOUBLE;
    min =
        field.min().isEmpty() || !checked
            ? isInt ? Integer.MIN_VALUE : Long.MIN_VALUE
            : Long.parseLong(field.min());
    max =
        field.max().isEmpty() || !checked
            ? isInt ? Integer.MAX_VALUE : Long.MAX_VALUE
            : Long.parseLong(field.max());
    boolean hasRange = checked && !field.min().isEmpty();
    range =
        !isInt && field.max().isEmpty()
            ? "more than " + (min - 1) + (field.unit().isEmpty() ? "" : " " + field.unit())
            : (field.min().isEmpty() ? min : field.min())
                + " to "
                + (field.max().isEmpty() ? max : field.max());
    allowed = allowed(hasRange && isInt);
    Object byDefault = byDefault();
    absent = byDefault != null ? byDefault : wrap(null);
    mayBeAbsent = absent != null;
    implied = holder == Holder.NONE ? byDefault != null ? byDefault : zero(part.type()) : null;
    number = field.number();
    isId = field.id();
    maxLength = field.maxLength();
    values = Set.of(field.values());
    minItems = field.minItems();
    maxItems = field.maxItems();
    isUnique = field.unique();
    isAlways = field.always();
    isSwitchOfNext = field.switchOfNext();
  }

  private static Object zero(ValueType type) {
    return switch (type) {
      case INT -> (Object) 0;
      case LONG -> (Object) 0L;
      default -> null;
    };
  }

  private static Part part(Type type) {
    if (type instanceof ParameterizedType of) {
      Type argument = of.getActualTypeArguments()[0];
      if (of.getRawType() == Optional.class) {
        return part(argument);
      } else if (of.getRawType() == List.class) {
        return new Part(ValueType.LIST, null, null, part(argument));
      } else if (of.getRawType() == OrTrue.class) {
        return new Part(ValueType.RECORD_OR_TRUE, Shape.of((Class<?>) argument), null, null);
      } else if (of.getRawType() == SortedMap.class && argument == String.class) {
        return Part.of(ValueType.MAP);
      }
    } else if (type == int.class || type == Integer.class || type == OptionalInt.class) {
      return Part.of(ValueType.INT);
    } else if (type == long.class || type == Long.class || type == OptionalLong.class) {
      return Part.of(ValueType.LONG);
    } else if (type == double.class || type == OptionalDouble.class) {
      return Part.of(ValueType.DOUBLE);
    } else if (type == boolean.class || type == Boolean.class) {
      return Part.of(ValueType.FLAG);
    } else if (type == String.class) {
      return Part.of(ValueType.TEXT);
    } else if (type instanceof Class<?> of) {
      Optional<Scalar> scalar = Scalar.of(of);
      if (scalar.isPresent()) {
        return new Part(ValueType.SCALAR, null, scalar.get(), null);
      } else if (of.isRecord()) {
        return new Part(ValueType.RECORD, Shape.of(of), null, null);
      }
    }
    throw new IllegalStateException("a field cannot be " + type);
  }

  private String allowed(boolean hasRange) {
    if (!field.allowed().isEmpty()) {
      return field.allowed();
    }
    return switch (part.type()) {
      case INT, LONG -> hasRange ? "a whole number, " + range : WHOLE;
      case DOUBLE -> "a number";
      case FLAG -> "true or false";
      case TEXT ->
          field.id()
              ? Ids.ALLOWED
              : field.values().length > 0 ? String.join(", ", field.values()) : "a string";
      case SCALAR -> part.scalar().allowed();
      case RECORD, RECORD_OR_TRUE, MAP -> "an object";
      case LIST -> "an array of " + field.items();
    };
  }

  private Object byDefault() {
    String text = field.byDefault();
    if (text.isEmpty() || !declared.isPrimitive()) {
      return null;
    }
    return switch (part.type()) {
      case INT -> Integer.valueOf(text);
      case LONG -> Long.valueOf(text);
      case DOUBLE -> Double.valueOf(text);
      case FLAG -> Boolean.valueOf(text);
      default -> throw new IllegalStateException(name + " cannot have a default");
    };
  }

  /** Its name in JSON. */
  public String name() {
    return name;
  }

  /** Its description. */
  public Field field() {
    return field;
  }

  /** Its number in the store. */
  public int number() {
    return number;
  }

  /** Fewest items of a list or map that is given. */
  public int minItems() {
    return minItems;
  }

  /** Most items of a list or map. */
  public int maxItems() {
    return maxItems;
  }

  /** Whether a list is written even if it is empty. */
  public boolean isAlways() {
    return isAlways;
  }

  /** Whether it names the switch of the field that comes next. */
  public boolean isSwitchOfNext() {
    return isSwitchOfNext;
  }

  /** Whether no item of a list is there twice. */
  public boolean isUnique() {
    return isUnique;
  }

  /** Its value. */
  public Part part() {
    return part;
  }

  /** The type of its value. */
  public ValueType type() {
    return part.type();
  }

  /** The expected value in words. */
  public String allowed() {
    return allowed;
  }

  /** The expected value of an item in words. */
  public static String allowed(Part part) {
    return switch (part.type()) {
      case INT, LONG -> WHOLE;
      case DOUBLE -> "a number";
      case FLAG -> "true or false";
      case TEXT -> "a string";
      case SCALAR -> part.scalar().allowed();
      default -> "an object";
    };
  }

  /** True if a whole number is in its range. */
  public boolean isInRange(long number) {
    return number >= min && number <= max;
  }

  /** The range in words. */
  public String range() {
    return range;
  }

  /** True if a text is one that it may have. */
  public boolean isText(String text) {
    return (!isId || Ids.isValid(text))
        && (maxLength == 0 || PlainText.isValid(text, maxLength))
        && isListed(text);
  }

  /** True if a text is one of those that are listed, or none are. */
  public boolean isListed(String text) {
    return values.isEmpty() || values.contains(text);
  }

  /** The allowed texts in words, for one that is not. */
  public String refused() {
    if (maxLength > 0) {
      return PlainText.allowed(maxLength);
    }
    return isId && !field.allowed().isEmpty() ? "an id: " + Ids.ALLOWED : allowed;
  }

  /** True if it need not be there. */
  public boolean mayBeAbsent() {
    return mayBeAbsent;
  }

  /** The record's component where the field is absent; null if it has to be there. */
  public Object absent() {
    return absent;
  }

  /** The value that a record without the field has in the store; null if it has none. */
  public Object implied() {
    return implied;
  }

  /** The record's component for a value. */
  Object wrap(Object value) {
    return switch (holder) {
      case OPTIONAL -> Optional.ofNullable(value);
      case OPTIONAL_INT -> value == null ? OptionalInt.empty() : OptionalInt.of((Integer) value);
      case OPTIONAL_LONG -> value == null ? OptionalLong.empty() : OptionalLong.of((Long) value);
      case OPTIONAL_DOUBLE ->
          value == null ? OptionalDouble.empty() : OptionalDouble.of((Double) value);
      case LIST -> value == null ? List.of() : value;
      case MAP -> value == null ? NO_TEXTS : value;
      case NONE -> value;
    };
  }

  /** The value of a record; null if the field is absent. */
  public Object get(Object record) {
    Object value;
    try {
      value = (Object) getter.invokeExact(record);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      // The handle says that it may throw anything; an accessor of a record does not.
      throw new IllegalStateException("component " + name + " of " + record, e);
    }
    switch (holder) {
      case OPTIONAL:
        return ((Optional<?>) value).orElse(null);
      case OPTIONAL_INT:
        OptionalInt number = (OptionalInt) value;
        return number.isPresent() ? number.getAsInt() : null;
      case OPTIONAL_LONG:
        OptionalLong longNumber = (OptionalLong) value;
        return longNumber.isPresent() ? longNumber.getAsLong() : null;
      case OPTIONAL_DOUBLE:
        OptionalDouble fraction = (OptionalDouble) value;
        return fraction.isPresent() ? fraction.getAsDouble() : null;
      case LIST:
        return !isAlways && ((List<?>) value).isEmpty() ? null : value;
      case MAP:
        return ((Map<?, ?>) value).isEmpty() ? null : value;
      default:
        return value;
    }
  }
}
