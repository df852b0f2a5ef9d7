package net.sluice.intents.field;

import java.util.Optional;

/**
 * In JSON {@code true}, or an object; {@code false} is the same as nothing.
 *
 * @param value the object; empty for {@code true}
 */
public record OrTrue<T>(Optional<T> value) {}
