package net.sluice.intents.field;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A record that is an object in JSON. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Form {
  /** Its name in the document of the API, unless that is the record's. */
  String name() default "";

  /** One sentence for that document. */
  String says();

  /** The demands of its fields on each other. */
  Class<? extends Rules> rules() default Rules.None.class;

  /** Fewest fields that are given, for the document. */
  int minFields() default 0;

  /** Most fields that are given, for the document. */
  int maxFields() default Integer.MAX_VALUE;
}
