package net.sluice.emulator.server.p4runtime.entity;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import net.sluice.emulator.server.p4runtime.status.RpcException;

/**
 * Parts of a program of one kind.
 *
 * @param what the kind of part, for messages: {@code "table"}
 * @param byId by P4Runtime id
 */
public record Parts<T>(String what, Map<Integer, T> byId) {

  /**
   * The part with an id.
   *
   * @throws RpcException INVALID_ARGUMENT if there is none
   */
  public T get(int id) throws RpcException {
    T part = byId.get(id);
    if (part == null) {
      throw RpcException.invalid(
          "there is no " + what + " with id " + Integer.toUnsignedString(id));
    }
    return part;
  }

  /** All parts. */
  public Collection<T> all() {
    return byId.values();
  }

  /** The part of a name, or null if there is none. */
  public static <T> T named(List<T> all, Function<T, String> nameOf, String name) {
    return all.stream().filter(one -> nameOf.apply(one).equals(name)).findFirst().orElse(null);
  }
}
