package net.sluice.intents.plan;

/**
 * Something that a target should hold.
 *
 * @param entity an entry or setting
 * @param owner whose status it counts for, see {@link OwnerIds}
 * @param <E> what the target holds
 */
public record Expected<E extends Entity>(E entity, int owner) {}
