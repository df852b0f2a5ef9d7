package net.sluice.core.declaration;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import net.sluice.intents.field.Field;
import net.sluice.intents.field.Form;
import net.sluice.intents.field.Rules;
import net.sluice.intents.value.InvalidValueException;

/**
 * A record type whose components are described by {@link Field}, read once into method handles. A
 * type with a component that is not described has no shape.
 */
public final class Shape<T> {
  private static final int NONE = -1;

  /** More fields than any record may have. */
  private static final int MAX_FIELDS = 64;

  private static final ClassValue<Shape<?>> SHAPES =
      new ClassValue<>() {
        @Override
        protected Shape<?> computeValue(Class<?> type) {
          return new Shape<>(type);
        }
      };

  private final Class<T> type;
  private final Form form;
  private final String name;
  private final Rules rules;
  private final Component[] components;
  private final int[] byNumber;

  /** The places of those that have to be there. */
  private final int[] needed;

  /** The values of those that are absent. */
  private final Object[] absent;

  private final Map<String, Integer> places = new HashMap<>();
  private final MethodHandle constructor;

  private Shape(Class<T> type) {
    this.type = type;
    if (!type.isRecord() || !type.isAnnotationPresent(Form.class)) {
      throw new IllegalStateException(type + " is no record with a description");
    }
    form = type.getAnnotation(Form.class);
    name = form.name().isEmpty() ? type.getSimpleName() : form.name();
    RecordComponent[] all = type.getRecordComponents();
    components = new Component[all.length];
    Class<?>[] parameters = new Class<?>[all.length];
    try {
      rules = form.rules().getDeclaredConstructor().newInstance();
      MethodHandles.Lookup lookup = MethodHandles.publicLookup();
      for (int i = 0; i < all.length; i++) {
        parameters[i] = all[i].getType();
        MethodHandle getter =
            lookup
                .unreflect(all[i].getAccessor())
                .asType(MethodType.methodType(Object.class, Object.class));
        components[i] = new Component(all[i], described(all[i]), getter);
        if (places.put(components[i].name(), i) != null) {
          throw new IllegalStateException(type + " has two fields " + components[i].name());
        }
      }
      constructor =
          lookup
              .findConstructor(type, MethodType.methodType(void.class, parameters))
              .asSpreader(Object[].class, all.length)
              .asType(MethodType.methodType(Object.class, Object[].class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(type + " cannot be read", e);
    }
    byNumber = byNumber();
    absent = Arrays.stream(components).map(Component::absent).toArray();
    needed = IntStream.range(0, all.length).filter(i -> absent[i] == null).toArray();
  }

  private Field described(RecordComponent component) {
    Field field = component.getAnnotation(Field.class);
    if (field == null || field.says().isEmpty() || field.number() < 1) {
      throw new IllegalStateException(
          "component " + component.getName() + " of " + type + " has no description");
    }
    return field;
  }

  private int[] byNumber() {
    if (components.length >= MAX_FIELDS) {
      throw new IllegalStateException(type + " has more than " + MAX_FIELDS + " fields");
    }
    int most = Arrays.stream(components).mapToInt(Component::number).max().orElse(0);
    int[] all = new int[most + 1];
    Arrays.fill(all, NONE);
    for (int i = 0; i < components.length; i++) {
      int number = components[i].number();
      if (all[number] != NONE) {
        throw new IllegalStateException(type + " has two fields " + number);
      }
      all[number] = i;
    }
    return all;
  }

  /**
   * The shape of a record type.
   *
   * @throws IllegalStateException if a component has no description, or two have one number
   */
  @SuppressWarnings("unchecked")
  public static <T> Shape<T> of(Class<T> type) {
    return (Shape<T>) SHAPES.get(type);
  }

  /** The record type. */
  public Class<T> type() {
    return type;
  }

  /** Its name in the document of the API. */
  public String name() {
    return name;
  }

  /** Its description. */
  public Form form() {
    return form;
  }

  /** The demands of its fields on each other. */
  public Rules rules() {
    return rules;
  }

  /** Number of its fields. */
  public int size() {
    return components.length;
  }

  /** A field, in the order of the record's components. */
  public Component component(int place) {
    return components[place];
  }

  /** The first field from {@code from} on that has to be there and has no value, or -1. */
  public int missing(Object[] values, int from) {
    for (int place : needed) {
      if (place >= from && values[place] == null) {
        return place;
      }
    }
    return NONE;
  }

  /** All fields, in that order. */
  public List<Component> components() {
    return List.of(components);
  }

  /** The place of the field of a number in the store, or -1. */
  public int numbered(int number) {
    return number >= 0 && number < byNumber.length ? byNumber[number] : NONE;
  }

  /**
   * The place of a field, or -1.
   *
   * @param likely where it is if fields come in their order
   */
  public int place(String name, int likely) {
    if (likely < components.length && components[likely].name().equals(name)) {
      return likely;
    }
    Integer place = places.get(name);
    return place == null ? NONE : place;
  }

  /**
   * A record.
   *
   * @param values of all fields, null for one that is absent and may be; is changed
   * @throws InvalidValueException if the record refuses them
   */
  @SuppressWarnings("unchecked")
  public T make(Object[] values) {
    for (int i = 0; i < values.length; i++) {
      values[i] = values[i] == null ? absent[i] : components[i].wrap(values[i]);
    }
    try {
      T made = (T) (Object) constructor.invokeExact(values);
      rules.require((Record) made);
      return made;
    } catch (InvalidValueException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a " + type.getSimpleName() + " cannot be made", e);
    }
  }
}
