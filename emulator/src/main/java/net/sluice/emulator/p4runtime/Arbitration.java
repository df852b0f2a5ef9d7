package net.sluice.emulator.p4runtime;

import com.google.rpc.Code;
import com.google.rpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import p4.v1.P4RuntimeOuterClass.MasterArbitrationUpdate;
import p4.v1.P4RuntimeOuterClass.Role;
import p4.v1.P4RuntimeOuterClass.StreamMessageResponse;
import p4.v1.P4RuntimeOuterClass.Uint128;

/**
 * Decides which of the connected controllers is primary, by the rules of section "Client
 * Arbitration and Controller Replication" of the P4Runtime specification: the one whose election id
 * equals the highest that this switch has ever received. When it goes, nobody is primary until
 * somebody claims that id or a higher one. There is one role, the default one.
 *
 * <p>Not thread-safe: the caller's lock also keeps writes of a former primary from running on while
 * a new one is told that it is.
 */
final class Arbitration {

  /** A controller's stream. */
  static final class Client {
    private final Consumer<StreamMessageResponse> notifier;
    private boolean live;
    private Uint128 electionId;

    Client(Consumer<StreamMessageResponse> notifier) {
      this.notifier = notifier;
    }
  }

  /** Streams beyond these are refused. */
  private static final int MAX_CLIENTS = 64;

  private static final int ROLE_NAME_FIELD = 3;

  private final long deviceId;
  private final List<Client> clients = new ArrayList<>();
  private Uint128 highest;

  Arbitration(long deviceId) {
    this.deviceId = deviceId;
  }

  /**
   * Takes a controller's claim and tells whom it concerns.
   *
   * @throws RpcException if the claim is refused, which ends that controller's stream and nothing
   *     else
   */
  void update(Client client, MasterArbitrationUpdate claim) throws RpcException {
    check(client, claim);
    Uint128 claimed = claim.hasElectionId() ? claim.getElectionId() : null;
    Client before = primary();
    if (!client.live) {
      client.live = true;
      clients.add(client);
    }
    client.electionId = claimed;
    boolean becomes = claimed != null && (highest == null || compare(claimed, highest) >= 0);
    if (becomes) {
      highest = claimed;
    }
    // Everyone hears of a new primary, and of one that stepped back; a backup that stays one hears
    // alone how things are.
    if (becomes || before == client) {
      notifyAll(client);
    } else {
      notify(client);
    }
  }

  private void check(Client client, MasterArbitrationUpdate claim) throws RpcException {
    if (claim.getDeviceId() != deviceId) {
      throw new RpcException(
          client.live ? Code.FAILED_PRECONDITION : Code.NOT_FOUND,
          "device_id is "
              + Long.toUnsignedString(claim.getDeviceId())
              + "; this is device "
              + Long.toUnsignedString(deviceId));
    }
    Role role = claim.getRole();
    if (role.getId() != 0 || role.getUnknownFields().hasField(ROLE_NAME_FIELD)) {
      throw new RpcException(
          Code.UNIMPLEMENTED, "roles other than the default one are not supported");
    }
    if (role.hasConfig()) {
      throw RpcException.invalid("role.config is set; the default role has none");
    }
    if (claim.hasElectionId()) {
      for (Client other : clients) {
        if (other != client && claim.getElectionId().equals(other.electionId)) {
          throw RpcException.invalid(
              "election_id " + text(claim.getElectionId()) + " is in use by another controller");
        }
      }
    }
    if (!client.live && clients.size() >= MAX_CLIENTS) {
      throw new RpcException(
          Code.RESOURCE_EXHAUSTED, "there are " + MAX_CLIENTS + " controllers already");
    }
  }

  /**
   * Forgets a controller whose stream ended; if it was primary the others are told that there is
   * none.
   */
  void disconnect(Client client) {
    boolean wasPrimary = primary() == client;
    client.live = false;
    clients.remove(client);
    if (wasPrimary) {
      notifyAll(null);
    }
  }

  /** Whether the primary is connected and has this election id. */
  boolean isPrimary(Uint128 electionId) {
    Client primary = primary();
    return primary != null && primary.electionId.equals(electionId);
  }

  private Client primary() {
    if (highest != null) {
      for (Client client : clients) {
        if (Objects.equals(client.electionId, highest)) {
          return client;
        }
      }
    }
    return null;
  }

  /** Tells everyone; the one who caused it last, when the others know. */
  private void notifyAll(Client last) {
    for (Client client : clients) {
      if (client != last) {
        notify(client);
      }
    }
    if (last != null) {
      notify(last);
    }
  }

  private void notify(Client client) {
    Client primary = primary();
    Code code =
        client == primary ? Code.OK : primary != null ? Code.ALREADY_EXISTS : Code.NOT_FOUND;
    String message =
        client == primary
            ? "is primary"
            : primary != null ? "another controller is primary" : "there is no primary";
    MasterArbitrationUpdate.Builder update =
        MasterArbitrationUpdate.newBuilder()
            .setDeviceId(deviceId)
            .setStatus(Status.newBuilder().setCode(code.getNumber()).setMessage(message));
    if (highest != null) {
      update.setElectionId(highest);
    }
    client.notifier.accept(StreamMessageResponse.newBuilder().setArbitration(update).build());
  }

  private static int compare(Uint128 a, Uint128 b) {
    int high = Long.compareUnsigned(a.getHigh(), b.getHigh());
    return high != 0 ? high : Long.compareUnsigned(a.getLow(), b.getLow());
  }

  private static String text(Uint128 id) {
    return (id.getHigh() == 0 ? "" : Long.toUnsignedString(id.getHigh()) + ":")
        + Long.toUnsignedString(id.getLow());
  }
}
