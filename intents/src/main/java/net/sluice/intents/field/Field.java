package net.sluice.intents.field;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A field of a JSON object and of a stored record. A component that is an {@code Optional}, a list
 * or a map may be absent, and so may one with a default.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Field {
  /** Its number in the store, from 1; no other field of the record ever has it. */
  int number();

  /** One sentence for the document of the API. */
  String says();

  /** Its name, unless that is the component's. */
  String name() default "";

  /** The expected value in words, for a field that is missing or of the wrong type. */
  String allowed() default "";

  /** Least number, of a list that of its items. */
  String min() default "";

  /** Greatest number, of a list that of its items. */
  String max() default "";

  /** Whether the record's constructor refuses what is out of range, in its own words. */
  boolean checkedByRecord() default false;

  /** Unit of a number, e.g. {@code bit/s}. */
  String unit() default "";

  /** Value of a number or flag that is absent, as text. */
  String byDefault() default "";

  /** An example for the document. */
  String example() default "";

  /** Whether a text, or each key and value of a map, is an identifier. */
  boolean id() default false;

  /** The texts that it may be; any if there are none. */
  String[] values() default {};

  /** Most characters of a text for people, which has one at least and no control characters. */
  int maxLength() default 0;

  /** The items of a list or map, in the plural, e.g. {@code prefixes}. */
  String items() default "";

  /** Fewest items of a list that is given. */
  int minItems() default 0;

  /** Most items of a list or map. */
  int maxItems() default Integer.MAX_VALUE;

  /** Whether no item is there twice. */
  boolean unique() default false;

  /** Whether a list is written even if it is empty. */
  boolean always() default false;

  /**
   * Whether it names the switch of the field that comes next. The store does not keep it with the
   * record, which is among those of the switch.
   */
  boolean switchOfNext() default false;
}
