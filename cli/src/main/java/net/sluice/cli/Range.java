package net.sluice.cli;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Bounds of an option whose type is a whole number; both are allowed. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Range {
  /** Smallest value. */
  long min() default Long.MIN_VALUE;

  /** Largest value. */
  long max() default Long.MAX_VALUE;

  /** Whether it is a rate in bit/s, for an option that {@link WrittenRates.Converter} reads. */
  boolean rate() default false;
}
