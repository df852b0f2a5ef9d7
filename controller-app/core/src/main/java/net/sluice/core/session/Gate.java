package net.sluice.core.session;

/** Holds a write back until writes to other targets have been answered. */
@FunctionalInterface
public interface Gate {
  /** True once the write may go; stays true. */
  boolean isOpen();
}
