package net.sluice.rest.operation;

import java.io.IOException;
import java.util.List;

/** The place where operations outlive the controller. Thread-safe, but for two calls of one id. */
public interface OperationStore {
  /** None: operations are forgotten as the controller ends. */
  OperationStore NONE =
      new OperationStore() {
        @Override
        public List<byte[]> all() {
          return List.of();
        }

        @Override
        public void put(String id, byte[] operation) {}

        @Override
        public void delete(String id) {}
      };

  /** All that are kept, in any order. */
  List<byte[]> all() throws IOException;

  /**
   * Keeps an operation, in the place of the one of its id. It outlives the machine's death then.
   *
   * @param operation a JSON object
   */
  void put(String id, byte[] operation) throws IOException;

  /** Forgets an operation. */
  void delete(String id) throws IOException;
}
