package net.sluice.rest.guard;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import net.sluice.northbound.caller.Role;

/**
 * The role that a method of a resource needs. Without it, {@link Role#READ} if the method only
 * reads, else {@link Role#ADMIN}.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Needs {
  /** The lowest role that may call it. */
  Role value();
}
