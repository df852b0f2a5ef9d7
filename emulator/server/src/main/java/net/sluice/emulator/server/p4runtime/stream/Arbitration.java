package net.sluice.emulator.server.p4runtime.stream;

import com.google.rpc.Code;
import com.google.rpc.Status;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.sluice.emulator.server.p4runtime.request.RoleConfig;
import net.sluice.emulator.server.p4runtime.request.RoleKey;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.server.p4runtime.variant.ServerVariant;
import p4.v1.P4RuntimeOuterClass.MasterArbitrationUpdate;
import p4.v1.P4RuntimeOuterClass.Role;
import p4.v1.P4RuntimeOuterClass.StreamMessageResponse;
import p4.v1.P4RuntimeOuterClass.Uint128;

/**
 * Decides which of the connected controllers is primary, by the rules of section "Client
 * Arbitration and Controller Replication" of the P4Runtime specification: in each role the one
 * whose election id equals the highest that this switch has ever received for it. When it goes,
 * nobody is primary in that role until somebody claims that id or a higher one.
 *
 * <p>A role exists from the first claim on. What it has access to is what its primary's {@link
 * RoleConfig} says, everything without one.
 *
 * <p>Not thread-safe: the caller's lock also keeps writes of a former primary from running on while
 * a new one is told that it is. Only {@link #primaries()} may be called by any thread.
 */
public final class Arbitration {

  /** Where messages to a controller go. Any thread may send; sending takes no lock for long. */
  interface Channel {

    /** Sends a message, however many wait already; without effect when the stream has ended. */
    void send(StreamMessageResponse message);

    /** Whether the controller takes messages as fast as they are sent. */
    boolean isReady();
  }

  /** A controller's stream. */
  static final class Client {
    private final Channel channel;
    private RoleKey role;
    private Uint128 electionId;

    /** Its role's configuration; null for access to everything. */
    private volatile RoleConfig config;

    Client(Channel channel) {
      this.channel = channel;
    }

    /** The role it takes part in; null before its first claim was taken. */
    RoleKey role() {
      return role;
    }

    Channel channel() {
      return channel;
    }

    /** The part of a message that is for its role; null if nothing is. */
    StreamMessageResponse part(StreamMessageResponse message) {
      RoleConfig restricted = config;
      return restricted == null ? message : restricted.part(message);
    }
  }

  /** State of a role; it stays when its controllers go. */
  private static final class RoleState {
    private final List<Client> clients = new ArrayList<>();
    private Uint128 highest;
    private RoleConfig config;

    private Client primary() {
      if (highest != null) {
        for (Client client : clients) {
          if (highest.equals(client.electionId)) {
            return client;
          }
        }
      }
      return null;
    }
  }

  /** Streams of a role beyond these are refused. */
  private static final int MAX_CLIENTS = 64;

  /** Roles beyond these are refused. */
  private static final int MAX_ROLES = 64;

  private final long deviceId;
  private final ServerVariant kind;
  private final Map<RoleKey, RoleState> roles = new LinkedHashMap<>();
  private volatile List<Client> primaries = List.of();

  public Arbitration(long deviceId, ServerVariant kind) {
    this.deviceId = deviceId;
    this.kind = kind;
    // The default role exists whether or not somebody has claimed it.
    roles.put(RoleKey.DEFAULT, new RoleState());
  }

  /**
   * Takes a controller's claim and tells whom it concerns.
   *
   * @throws RpcException if the claim is refused, which ends that controller's stream and nothing
   *     else
   */
  void update(Client client, MasterArbitrationUpdate claim) throws RpcException {
    RoleKey role = check(client, claim);
    RoleConfig config = config(role, claim);
    RoleState state = roles.computeIfAbsent(role, r -> new RoleState());
    Uint128 claimed = claim.hasElectionId() ? claim.getElectionId() : null;
    Client before = state.primary();
    if (client.role == null) {
      client.role = role;
      state.clients.add(client);
    }
    client.electionId = claimed;
    boolean becomes =
        claimed != null && (state.highest == null || compare(claimed, state.highest) >= 0);
    if (becomes) {
      state.highest = claimed;
      state.config = config;
    }
    refreshPrimaries();
    // Everyone hears of a new primary, and of one that stepped back; a backup that stays one hears
    // alone how things are.
    if (becomes || before == client) {
      notifyAll(state, client);
    } else {
      notify(state, client);
    }
  }

  private RoleKey check(Client client, MasterArbitrationUpdate claim) throws RpcException {
    boolean live = client.role != null;
    int others = live ? 0 : roles.values().stream().mapToInt(role -> role.clients.size()).sum();
    kind.check(claim, others);
    if (claim.getDeviceId() != deviceId) {
      throw new RpcException(
          live ? Code.FAILED_PRECONDITION : Code.NOT_FOUND,
          "device_id is "
              + Long.toUnsignedString(claim.getDeviceId())
              + "; this is device "
              + Long.toUnsignedString(deviceId));
    }
    RoleKey role = RoleKey.of(claim.getRole());
    if (live && !role.equals(client.role)) {
      throw new RpcException(
          Code.FAILED_PRECONDITION,
          "the claim is for %s; this stream is in %s, and another role needs a stream of its own"
              .formatted(role, client.role));
    }
    RoleState state = roles.get(role);
    if (state == null) {
      if (roles.size() >= MAX_ROLES) {
        throw new RpcException(
            Code.RESOURCE_EXHAUSTED,
            role + " would be one too many: there are " + MAX_ROLES + " roles already");
      }
      return role;
    }
    if (claim.hasElectionId()) {
      for (Client other : state.clients) {
        if (other != client && claim.getElectionId().equals(other.electionId)) {
          throw RpcException.invalid(
              "election_id %s is in use by another controller of %s",
              text(claim.getElectionId()), role);
        }
      }
    }
    if (!live && state.clients.size() >= MAX_CLIENTS) {
      throw new RpcException(
          Code.RESOURCE_EXHAUSTED, role + " has " + MAX_CLIENTS + " controllers already");
    }
    return role;
  }

  /** The role's configuration in a claim, checked; null if there is none. */
  private RoleConfig config(RoleKey role, MasterArbitrationUpdate claim) throws RpcException {
    if (!claim.getRole().hasConfig()) {
      return null;
    }
    RoleConfig config = RoleConfig.of(claim.getRole().getConfig(), role);
    for (Map.Entry<RoleKey, RoleState> other : roles.entrySet()) {
      if (!other.getKey().equals(role) && other.getValue().config != null) {
        config.checkBeside(role, other.getKey(), other.getValue().config);
      }
    }
    return config;
  }

  /** The entities a role may access; null for all. */
  public RoleConfig config(RoleKey role) {
    RoleState state = roles.get(role);
    return state == null ? null : state.config;
  }

  /**
   * Forgets a controller whose stream ended; if it was primary the others of its role are told that
   * there is none.
   */
  void disconnect(Client client) {
    if (client.role == null) {
      return;
    }
    RoleState state = roles.get(client.role);
    boolean wasPrimary = state.primary() == client;
    state.clients.remove(client);
    client.role = null;
    refreshPrimaries();
    if (wasPrimary) {
      notifyAll(state, null);
    }
  }

  /** Whether a role is known. */
  public boolean hasRole(RoleKey role) {
    return roles.containsKey(role);
  }

  /** Whether the primary of a role is connected and has this election id. */
  public boolean isPrimary(RoleKey role, Uint128 electionId) {
    RoleState state = roles.get(role);
    Client primary = state == null ? null : state.primary();
    return primary != null && primary.electionId.equals(electionId);
  }

  /** Whether a controller is primary in its role. */
  public boolean isPrimary(Client client) {
    return client.role != null && roles.get(client.role).primary() == client;
  }

  /** The primaries of all roles that have one. */
  List<Client> primaries() {
    return primaries;
  }

  private void refreshPrimaries() {
    List<Client> now = new ArrayList<>();
    for (RoleState state : roles.values()) {
      Client primary = state.primary();
      if (primary != null) {
        primary.config = state.config;
        now.add(primary);
      }
    }
    primaries = List.copyOf(now);
  }

  /** Tells everyone of a role; the one who caused it last, when the others know. */
  private void notifyAll(RoleState state, Client last) {
    for (Client client : state.clients) {
      if (client != last) {
        notify(state, client);
      }
    }
    if (last != null) {
      notify(state, last);
    }
  }

  private void notify(RoleState state, Client client) {
    Client primary = state.primary();
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
    if (!client.role.isDefault()) {
      Role role = client.role.toMessage();
      update.setRole(
          state.config == null ? role : role.toBuilder().setConfig(state.config.message()).build());
    }
    if (state.highest != null) {
      update.setElectionId(state.highest);
    }
    client.channel.send(StreamMessageResponse.newBuilder().setArbitration(update).build());
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
