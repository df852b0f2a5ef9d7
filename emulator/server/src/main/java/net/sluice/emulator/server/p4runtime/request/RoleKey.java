package net.sluice.emulator.server.p4runtime.request;

import net.sluice.emulator.server.p4runtime.status.RpcException;
import p4.v1.P4RuntimeOuterClass.Role;

/**
 * Identity of a role: the name that P4Runtime 1.4 gives them, and the number they had before.
 *
 * @param id 0 if there is none
 * @param name empty if there is none
 */
public record RoleKey(long id, String name) {

  /** Full access to the pipeline, for controllers that name no role. */
  public static final RoleKey DEFAULT = new RoleKey(0, "");

  private static final int MAX_NAME_BYTES = 255;

  /** The role that a controller claims. */
  public static RoleKey of(Role role) throws RpcException {
    int bytes = role.getNameBytes().size();
    if (bytes > MAX_NAME_BYTES) {
      throw RpcException.invalid(
          "role.name has " + bytes + " bytes; at most " + MAX_NAME_BYTES + " are allowed");
    }
    return of(role.getId(), role.getName());
  }

  /** The role of a request. */
  public static RoleKey of(long id, String name) {
    return id == 0 && name.isEmpty() ? DEFAULT : new RoleKey(id, name);
  }

  public boolean isDefault() {
    return equals(DEFAULT);
  }

  /** The role as arbitration messages have it. */
  public Role toMessage() {
    return Role.newBuilder().setId(id).setName(name).build();
  }

  /** The role in a message to people. */
  @Override
  public String toString() {
    if (isDefault()) {
      return "the default role";
    }
    return "role"
        + (name.isEmpty() ? "" : " '" + name + "'")
        + (id == 0 ? "" : " " + Long.toUnsignedString(id));
  }
}
