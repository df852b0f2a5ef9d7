package net.sluice.emulator.server.p4runtime.packet;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.server.p4runtime.value.ByteStrings;
import net.sluice.emulator.server.p4runtime.value.StringType;
import net.sluice.emulator.switching.Replicas;
import net.sluice.emulator.switching.ReplicationEngine;
import p4.v1.P4RuntimeOuterClass.BackupReplica;
import p4.v1.P4RuntimeOuterClass.Replica;

/**
 * Replicas of multicast groups and clone sessions. Ports are taken as {@code egress_port} and in
 * the form of version 1.4, as {@code port}; {@code backup_replicas} are those of version 1.5.
 *
 * @param portNames how the bytes of {@code port} are taken as strings; null for as numbers
 */
record ReplicaCodec(StringType portNames) {

  private static final int MAX_PORT = 511;
  private static final int PORT_BITS = 9;

  /**
   * Reads the replicas of an entry.
   *
   * @param what the entry, for messages
   * @throws RpcException INVALID_ARGUMENT if one is wrong, or two are the same
   */
  Replicas read(List<Replica> written, String what) throws RpcException {
    List<Replicas.Replica> replicas = new ArrayList<>(written.size());
    Set<Replicas.Place> seen = new HashSet<>();
    for (int i = 0; i < written.size(); i++) {
      Replica one = written.get(i);
      String where = "replica " + (i + 1) + " of " + what;
      Replicas.Place place = place(port(one, where), one.getInstance() & 0xffffffffL, where, seen);
      List<Replicas.Place> backups = new ArrayList<>(one.getBackupReplicasCount());
      for (int k = 0; k < one.getBackupReplicasCount(); k++) {
        backups.add(
            backup(one.getBackupReplicas(k), place, "backup " + (k + 1) + " of " + where, seen));
      }
      replicas.add(new Replicas.Replica(place, backups));
    }
    return Replicas.of(replicas);
  }

  private Replicas.Place backup(
      BackupReplica backup, Replicas.Place of, String where, Set<Replicas.Place> seen)
      throws RpcException {
    Replicas.Place place =
        place(port(backup.getPort(), where), backup.getInstance() & 0xffffffffL, where, seen);
    if (place.port() == of.port()) {
      throw RpcException.invalid(
          "port " + place.port() + " of " + where + " must be another than the replica's own");
    }
    return place;
  }

  private static Replicas.Place place(
      int port, long instance, String where, Set<Replicas.Place> seen) throws RpcException {
    if (instance > ReplicationEngine.MAX_INSTANCE) {
      throw RpcException.invalid(
          "instance %s of %s must be from 0 to %s",
          instance, where, ReplicationEngine.MAX_INSTANCE);
    }
    Replicas.Place place = new Replicas.Place(port, (int) instance);
    if (!seen.add(place)) {
      throw RpcException.invalid(
          where + ": port " + port + " with instance " + instance + " is there already");
    }
    return place;
  }

  private int port(Replica replica, String where) throws RpcException {
    return replica.hasPort()
        ? port(replica.getPort(), where)
        : port(replica.getEgressPort() & 0xffffffffL, "egress_port", where);
  }

  private int port(ByteString written, String where) throws RpcException {
    ByteString bytes =
        portNames == null ? written : portNames.number(written, PORT_BITS, "port of " + where);
    if (bytes.isEmpty()) {
      throw RpcException.invalid("port of " + where + " is empty; at least one byte is needed");
    }
    long port = 0;
    for (int i = 0; i < bytes.size(); i++) {
      // Larger numbers need not be told apart.
      port = Math.min(port << 8 | bytes.byteAt(i) & 0xff, 0xffffffffL);
    }
    return port(port, "port", where);
  }

  private static int port(long port, String field, String where) throws RpcException {
    if (port > MAX_PORT) {
      throw RpcException.invalid(
          field + " " + port + " of " + where + " must be from 0 to " + MAX_PORT);
    }
    return (int) port;
  }

  /** Writes the ports of a replica that has been read as they are answered: numbers shortest. */
  void shorten(Replica.Builder replica) {
    if (portNames != null) {
      return;
    }
    if (replica.hasPort()) {
      replica.setPort(ByteStrings.shortest(replica.getPort()));
    }
    for (BackupReplica.Builder backup : replica.getBackupReplicasBuilderList()) {
      backup.setPort(ByteStrings.shortest(backup.getPort()));
    }
  }
}
