package net.sluice.rest.guard;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method whose body is read as it comes, however long it is. The method notes by itself
 * what it changes, with {@link GuardFilter#auditing}.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Streamed {}
