package net.sluice.emulator.server.p4runtime.cell;

import com.google.rpc.Code;
import net.sluice.emulator.server.p4runtime.status.RpcException;

/** Indices into arrays of counters, meters and registers. */
final class Indices {

  private Indices() {}

  /**
   * Checks an index.
   *
   * @param of what is indexed, for the message: {@code "counter 'c'"}
   * @throws RpcException INVALID_ARGUMENT if it is negative, OUT_OF_RANGE if it is too large
   */
  static int check(long index, int size, String of) throws RpcException {
    if (index >= 0 && index < size) {
      return (int) index;
    }
    throw new RpcException(
        index < 0 ? Code.INVALID_ARGUMENT : Code.OUT_OF_RANGE,
        "index " + index + " of " + of + " must be from 0 to " + (size - 1));
  }
}
