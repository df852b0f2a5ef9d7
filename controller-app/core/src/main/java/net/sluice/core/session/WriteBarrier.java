package net.sluice.core.session;

/**
 * A barrier before a write: it is lifted when earlier writes, most often to other targets, have
 * been answered.
 */
@FunctionalInterface
public interface WriteBarrier {
  /** True once the write may be sent; stays true. */
  boolean isLifted();
}
