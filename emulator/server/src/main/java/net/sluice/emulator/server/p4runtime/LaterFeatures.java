package net.sluice.emulator.server.p4runtime;

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
  private static final int SELECTION_MODE = 2;
  private static final int SIZE_SEMANTICS = 3;
  private static final int GROUP_ACTION = 5;

  private static final int RANDOM = 2;

  /** Of {@link #sizeSemantics}: a group is as large as its weights together. */
  static final int SUM_OF_WEIGHTS = 1;

  /** Of {@link #sizeSemantics}: a group is as large as it has members. */
  static final int SUM_OF_MEMBERS = 2;

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
    for (P4InfoOuterClass.Table table : info.getTablesList()) {
      for (P4InfoOuterClass.ActionRef ref : table.getActionRefsList()) {
        if (ref.getScope() == P4InfoOuterClass.ActionRef.Scope.UNRECOGNIZED) {
          throw RpcException.invalid(
              "table '"
                  + table.getPreamble().getName()
                  + "' has an action of scope "
                  + ref.getScopeValue()
                  + " in P4Info, which is not supported; 0 (TABLE_AND_DEFAULT), 1 (TABLE_ONLY) and"
                  + " 2 (DEFAULT_ONLY) are");
        }
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
   * @throws RpcException INVALID_ARGUMENT if it is nothing that there is, UNIMPLEMENTED if it is
   *     not supported
   */
  static void check(ActionProfileActionSet set, String table) throws RpcException {
    UnknownFieldSet later = set.getUnknownFields();
    checkKnown(later, SELECTION_MODE, "action_selection_mode", "1 (HASH) or 2 (RANDOM)", table);
    checkKnown(
        later, SIZE_SEMANTICS, "size_semantics", "1 (SUM_OF_WEIGHTS) or 2 (SUM_OF_MEMBERS)", table);
    if (!later.getField(GROUP_ACTION).getLengthDelimitedList().isEmpty()) {
      throw new RpcException(
          Code.UNIMPLEMENTED,
          "group_action of the set of an entry of table '"
              + table
              + "' is set; only the action of the member that is picked is executed");
    }
  }

  private static void checkKnown(
      UnknownFieldSet later, int field, String name, String allowed, String table)
      throws RpcException {
    int value = number(later, field);
    if (value < 0 || value > 2) {
      throw RpcException.invalid(
          name
              + " "
              + value
              + " of the set of an entry of table '"
              + table
              + "' must be 0 (as the selector has it), "
              + allowed);
    }
  }

  /** Whether a set's group picks by chance instead of by the selector's hash. */
  static boolean isRandom(ActionProfileActionSet set) {
    return number(set.getUnknownFields(), SELECTION_MODE) == RANDOM;
  }

  /** How the size of a set's group is counted: 0 for as its selector has it. */
  static int sizeSemantics(ActionProfileActionSet set) {
    return number(set.getUnknownFields(), SIZE_SEMANTICS);
  }

  /** A number in a field that the messages in use do not know, of 32 bits; 0 if it is not set. */
  static int number(UnknownFieldSet fields, int field) {
    return (int) last(fields.getField(field));
  }

  private static long last(UnknownFieldSet.Field field) {
    List<Long> values = field.getVarintList();
    return values.isEmpty() ? 0 : values.get(values.size() - 1);
  }
}
