package net.sluice.emulator.server.p4runtime;

import com.google.rpc.Code;
import p4.v1.P4RuntimeOuterClass.ExternEntry;

/** Entries of externs: v1model has none that P4Runtime does not know by an entity of its own. */
final class ExternEntries {

  private ExternEntries() {}

  /** Why an entry is neither written nor read. */
  static RpcException refusal(ExternEntry entry) {
    return new RpcException(
        Code.UNIMPLEMENTED,
        "there is no extern of type "
            + Integer.toUnsignedString(entry.getExternTypeId())
            + " (extern_id "
            + Integer.toUnsignedString(entry.getExternId())
            + "): v1model has no externs with entries of their own");
  }
}
