package net.sluice.emulator.server.p4runtime.request;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.UnknownFieldSet;
import com.google.rpc.Code;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.server.p4runtime.value.ByteStrings;
import p4.v1.P4RuntimeOuterClass.IdleTimeoutNotification;
import p4.v1.P4RuntimeOuterClass.PacketIn;
import p4.v1.P4RuntimeOuterClass.StreamMessageResponse;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/**
 * The entities a role may access, in the scheme of Stratum's {@code stratum.P4RoleConfig}, whose
 * fields are: exclusive_p4_ids (1) and shared_p4_ids (2), the parts of the program that the role
 * may read and write, alone or with others; packet_in_filter (3) with metadata_id (1) and value
 * (2); receives_packet_ins (4); can_push_pipeline (5).
 */
public final class RoleConfig {

  private static final String TYPE = "stratum.P4RoleConfig";
  private static final int EXCLUSIVE = 1;
  private static final int SHARED = 2;
  private static final int FILTER = 3;
  private static final int RECEIVES = 4;
  private static final int PUSHES = 5;

  private final Any message;
  private final Set<Integer> exclusive = new TreeSet<>(Integer::compareUnsigned);
  private final Set<Integer> shared = new TreeSet<>(Integer::compareUnsigned);
  private final boolean receivesPacketIns;
  private final boolean pushesPipelines;
  private final int filterId;
  private final ByteString filterValue;

  private RoleConfig(Any message, RoleKey role) throws RpcException, IOException {
    this.message = message;
    UnknownFieldSet fields = UnknownFieldSet.parseFrom(message.getValue());
    for (int number : fields.asMap().keySet()) {
      if (number > PUSHES) {
        throw wrong(role, "has a field " + number + ", which " + TYPE + " does not have");
      }
    }
    ids(fields.getField(EXCLUSIVE), exclusive);
    ids(fields.getField(SHARED), shared);
    receivesPacketIns = flag(fields.getField(RECEIVES));
    pushesPipelines = flag(fields.getField(PUSHES));
    List<ByteString> filters = fields.getField(FILTER).getLengthDelimitedList();
    if (filters.isEmpty()) {
      filterId = 0;
      filterValue = null;
      return;
    }
    UnknownFieldSet filter = UnknownFieldSet.parseFrom(filters.get(filters.size() - 1));
    filterId = (int) last(filter.getField(1));
    List<ByteString> values = filter.getField(2).getLengthDelimitedList();
    if (values.isEmpty() || values.get(values.size() - 1).isEmpty()) {
      throw wrong(role, "has a packet_in_filter without value");
    }
    if (!receivesPacketIns) {
      throw wrong(role, "has a packet_in_filter, but receives_packet_ins is not set");
    }
    filterValue = ByteStrings.shortest(values.get(values.size() - 1));
  }

  /**
   * Reads a role's configuration.
   *
   * @throws RpcException INVALID_ARGUMENT if it is none of this scheme
   */
  public static RoleConfig of(Any config, RoleKey role) throws RpcException {
    if (!config.getTypeUrl().endsWith("/" + TYPE)) {
      throw RpcException.invalid(
          "role.config of %s is a '%s'; it must be unset, for access to the full pipeline,"
              + " or a '%s'",
          role, config.getTypeUrl(), TYPE);
    }
    if (role.isDefault()) {
      throw RpcException.invalid(
          "role.config of " + role + " must be unset: it has access to the full pipeline");
    }
    try {
      return new RoleConfig(config, role);
    } catch (IOException e) {
      throw wrong(role, "cannot be read: " + e.getMessage());
    }
  }

  private static RpcException wrong(RoleKey role, String what) {
    return RpcException.invalid("role.config of " + role + " " + what);
  }

  private static void ids(UnknownFieldSet.Field field, Set<Integer> into) throws IOException {
    field.getVarintList().forEach(id -> into.add(id.intValue()));
    for (ByteString packed : field.getLengthDelimitedList()) {
      CodedInputStream in = packed.newCodedInput();
      while (!in.isAtEnd()) {
        into.add(in.readUInt32());
      }
    }
  }

  private static long last(UnknownFieldSet.Field field) {
    List<Long> values = field.getVarintList();
    return values.isEmpty() ? 0 : values.get(values.size() - 1);
  }

  private static boolean flag(UnknownFieldSet.Field field) {
    return last(field) != 0;
  }

  /**
   * Checks that what is exclusive to a role is no other role's.
   *
   * @throws RpcException INVALID_ARGUMENT if this and the other role's config contradict each other
   */
  public void checkBeside(RoleKey role, RoleKey otherRole, RoleConfig other) throws RpcException {
    for (int id : exclusive) {
      if (other.exclusive.contains(id) || other.shared.contains(id)) {
        throw wrong(
            role,
            "has id %s exclusively, which %s has, too"
                .formatted(Integer.toUnsignedString(id), otherRole));
      }
    }
    for (int id : shared) {
      if (other.exclusive.contains(id)) {
        throw wrong(
            role,
            "has id " + Integer.toUnsignedString(id) + ", which " + otherRole + " has exclusively");
      }
    }
  }

  /** As it was received. */
  public Any message() {
    return message;
  }

  public boolean pushesPipelines() {
    return pushesPipelines;
  }

  /**
   * Refuses a part of the program that is not the role's.
   *
   * @param p4Id of the part, 0 for none
   * @throws RpcException PERMISSION_DENIED
   */
  void check(int p4Id) throws RpcException {
    if (!sees(p4Id)) {
      throw new RpcException(
          Code.PERMISSION_DENIED,
          "the role has no access to id "
              + Integer.toUnsignedString(p4Id)
              + "; its role.config lists it neither as exclusive nor as shared");
    }
  }

  /** Whether a part of the program is the role's, or 0 for none. */
  boolean sees(int p4Id) {
    return p4Id == 0 || has(p4Id);
  }

  private boolean has(int id) {
    return exclusive.contains(id) || shared.contains(id);
  }

  /** The part of a message that is for the role; null if nothing is. */
  public StreamMessageResponse part(StreamMessageResponse message) {
    return switch (message.getUpdateCase()) {
      case PACKET -> receivesPacketIns && passes(message.getPacket()) ? message : null;
      case DIGEST -> has(message.getDigest().getDigestId()) ? message : null;
      case IDLE_TIMEOUT_NOTIFICATION -> {
        IdleTimeoutNotification all = message.getIdleTimeoutNotification();
        IdleTimeoutNotification.Builder own = all.toBuilder().clearTableEntry();
        for (TableEntry entry : all.getTableEntryList()) {
          if (has(entry.getTableId())) {
            own.addTableEntry(entry);
          }
        }
        yield own.getTableEntryCount() == 0
            ? null
            : StreamMessageResponse.newBuilder().setIdleTimeoutNotification(own).build();
      }
      default -> message;
    };
  }

  private boolean passes(PacketIn packet) {
    return filterValue == null
        || packet.getMetadataList().stream()
            .anyMatch(
                m ->
                    m.getMetadataId() == filterId
                        && ByteStrings.shortest(m.getValue()).equals(filterValue));
  }
}
