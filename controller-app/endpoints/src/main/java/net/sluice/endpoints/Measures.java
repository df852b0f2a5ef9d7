package net.sluice.endpoints;

/** Is told how long the store and the targets take; any thread tells, and is not to wait. */
public interface Measures {
  /** Takes no notice. */
  Measures NONE =
      new Measures() {
        @Override
        public void committed(long nanos) {}

        @Override
        public void written(String target, int updates, boolean answered, long nanos) {}
      };

  /** A commit became durable, that long after it was handed to the store. */
  void committed(long nanos);

  /**
   * A batch of writes came to its end.
   *
   * @param updates number of its writes
   * @param answered whether the target has dealt with each of them; else it was lost
   * @param nanos since it was handed to the target
   */
  void written(String target, int updates, boolean answered, long nanos);
}
