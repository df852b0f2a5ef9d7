package net.sluice.emulator.p4runtime;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import com.google.rpc.Code;
import java.util.List;
import net.sluice.emulator.switching.ReplicationEngine;
import p4.config.v1.P4InfoOuterClass;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.ActionProfileActionSet;

/**
 * What later versions of P4Runtime ask of a target in fields that the messages in use do not know:
 * it is checked, or refused by name, instead of being left aside.
 */
final class LaterFeatures {

  private static final int PLATFORM_PROPERTIES = 11;
  private static final int MULTICAST_GROUPS = 1;
  private static final int WEIGHTS_DISALLOWED = 8;
  private static final int SELECTION_MODE = 2;
  private static final int SIZE_SEMANTICS = 3;
  private static final int GROUP_ACTION = 5;

  private LaterFeatures() {}

  /**
   * Checks what a P4Info requires.
   *
   * @throws RpcException INVALID_ARGUMENT if the switch does not have that
   */
  static void check(P4Info info) throws RpcException {
    for (ByteString required :
        info.getPkgInfo()
            .getUnknownFields()
            .getField(PLATFORM_PROPERTIES)
            .getLengthDelimitedList()) {
      long groups = last(parsed(required).getField(MULTICAST_GROUPS));
      if (groups > ReplicationEngine.MAX_GROUP) {
        throw RpcException.invalid(
            "pkg_info.platform_properties requires "
                + groups
                + " multicast groups; there are at most "
                + ReplicationEngine.MAX_GROUP);
      }
    }
    for (P4InfoOuterClass.ActionProfile profile : info.getActionProfilesList()) {
      if (last(profile.getUnknownFields().getField(WEIGHTS_DISALLOWED)) != 0) {
        throw RpcException.invalid(
            "action profile '"
                + profile.getPreamble().getName()
                + "' has weights_disallowed in P4Info, which is not supported");
      }
    }
  }

  private static UnknownFieldSet parsed(ByteString message) throws RpcException {
    try {
      return UnknownFieldSet.parseFrom(message);
    } catch (InvalidProtocolBufferException e) {
      throw RpcException.invalid("pkg_info.platform_properties cannot be read: " + e.getMessage());
    }
  }

  /**
   * Checks what a set of actions asks of its group.
   *
   * @throws RpcException UNIMPLEMENTED if it asks for more than the selector's own way
   */
  static void check(ActionProfileActionSet set, String table) throws RpcException {
    UnknownFieldSet later = set.getUnknownFields();
    String field =
        last(later.getField(SELECTION_MODE)) != 0
            ? "action_selection_mode"
            : last(later.getField(SIZE_SEMANTICS)) != 0
                ? "size_semantics"
                : later.getField(GROUP_ACTION).getLengthDelimitedList().isEmpty()
                    ? null
                    : "group_action";
    if (field != null) {
      throw new RpcException(
          Code.UNIMPLEMENTED,
          field
              + " of the set of an entry of table '"
              + table
              + "' is set; members are picked and counted as the selector has it");
    }
  }

  private static long last(UnknownFieldSet.Field field) {
    List<Long> values = field.getVarintList();
    return values.isEmpty() ? 0 : values.get(values.size() - 1);
  }
}
