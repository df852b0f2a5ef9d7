package net.sluice.emulator.server.p4runtime;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import java.util.List;
import p4.v1.P4RuntimeOuterClass.Role;

/**
 * What tells roles apart: the name that P4Runtime 1.4 gives them, and the number they had before.
 * The messages in use here know only the number, so the name is among their unknown fields.
 *
 * @param id 0 if there is none
 * @param name UTF-8; empty if there is none
 */
record RoleKey(long id, ByteString name) {

  /** Full access to the pipeline, for controllers that name no role. */
  static final RoleKey DEFAULT = new RoleKey(0, ByteString.EMPTY);

  private static final int MAX_NAME_BYTES = 255;
  private static final int NAME_FIELD = 3;

  /** The role that a controller claims. */
  static RoleKey of(Role role) throws RpcException {
    RoleKey key = of(role.getId(), role.getUnknownFields(), NAME_FIELD);
    if (key.name.size() > MAX_NAME_BYTES) {
      throw RpcException.invalid(
          "role.name has "
              + key.name.size()
              + " bytes; at most "
              + MAX_NAME_BYTES
              + " are allowed");
    }
    return key;
  }

  /**
   * The role of a request.
   *
   * @param nameField number of the name among the request's unknown fields
   */
  static RoleKey of(long id, UnknownFieldSet unknown, int nameField) {
    if (id == 0 && !unknown.hasField(nameField)) {
      return DEFAULT;
    }
    List<ByteString> names = unknown.getField(nameField).getLengthDelimitedList();
    return new RoleKey(id, names.isEmpty() ? ByteString.EMPTY : names.get(names.size() - 1));
  }

  boolean isDefault() {
    return equals(DEFAULT);
  }

  /** The role as arbitration messages have it. */
  Role toMessage() {
    Role.Builder role = Role.newBuilder().setId(id);
    if (!name.isEmpty()) {
      role.setUnknownFields(
          UnknownFieldSet.newBuilder()
              .addField(
                  NAME_FIELD, UnknownFieldSet.Field.newBuilder().addLengthDelimited(name).build())
              .build());
    }
    return role.build();
  }

  /** The role in a message to people. */
  @Override
  public String toString() {
    if (isDefault()) {
      return "the default role";
    }
    return "role"
        + (name.isEmpty() ? "" : " '" + name.toStringUtf8() + "'")
        + (id == 0 ? "" : " " + Long.toUnsignedString(id));
  }
}
