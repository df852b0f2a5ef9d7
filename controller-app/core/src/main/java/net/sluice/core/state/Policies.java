package net.sluice.core.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.policy.LikeFunction;
import net.sluice.intents.state.PolicyState;

/** The policies in force, as objects, with their slots and numbers of users. Not thread-safe. */
final class Policies {
  private static final int MAX_SLOT = 255;
  private static final int BNG_PORTS = Attachment.MAX_PORT + 1;

  private final Map<String, PolicyState> byId = new HashMap<>();

  /** The one that was asked for last: one change of a subscriber asks for it several times. */
  private Optional<PolicyState> last = Optional.empty();

  private final List<PolicyState> bySlot = new ArrayList<>(Arrays.asList((PolicyState) null));

  /** By slot and BNG port. */
  private final int[] users = new int[(MAX_SLOT + 1) * BNG_PORTS];

  private final int[] upstream = new int[MAX_SLOT + 1];

  private final int[] naming = new int[MAX_SLOT + 1];

  /** The same, which know nothing of later changes. */
  Policies copy() {
    Policies copy = new Policies();
    all().forEach(copy::put);
    System.arraycopy(users, 0, copy.users, 0, users.length);
    System.arraycopy(upstream, 0, copy.upstream, 0, upstream.length);
    System.arraycopy(naming, 0, copy.naming, 0, naming.length);
    return copy;
  }

  void put(PolicyState state) {
    last = Optional.empty();
    PolicyState old = byId.put(state.policy().id(), state);
    if (state.slot() < 1 || state.slot() > MAX_SLOT) {
      throw new IllegalStateException("policy slot " + state.slot() + " is not 1 to " + MAX_SLOT);
    }
    while (bySlot.size() <= state.slot()) {
      bySlot.add(null);
    }
    if (old == null && bySlot.get(state.slot()) != null) {
      throw new IllegalStateException("policy slot " + state.slot() + " is taken");
    }
    bySlot.set(state.slot(), state);
  }

  void remove(String id, int slot) {
    last = Optional.empty();
    byId.remove(id);
    bySlot.set(slot, null);
  }

  Optional<PolicyState> get(String id) {
    Optional<PolicyState> found = last;
    if (found.isEmpty() || !found.get().policy().id().equals(id)) {
      found = Optional.ofNullable(byId.get(id)).map(this::resolved);
      last = found;
    }
    return found;
  }

  /** The policy in that slot, or null. */
  PolicyState inSlot(int slot) {
    PolicyState found = slot >= 0 && slot < bySlot.size() ? bySlot.get(slot) : null;
    return found == null ? null : resolved(found);
  }

  /** With the function of the policy that it is like by now; while loading, that may come later. */
  private PolicyState resolved(PolicyState state) {
    if (!(state.policy().function() instanceof LikeFunction like)) {
      return state;
    }
    PolicyState other = byId.get(like.policyId());
    return other == null ? state : state.like(other);
  }

  /** By slot. */
  Stream<PolicyState> all() {
    return bySlot.stream().filter(Objects::nonNull).map(this::resolved);
  }

  int size() {
    return byId.size();
  }

  int nextSlot() {
    int slot = 1;
    while (inSlot(slot) != null) {
      slot++;
    }
    return slot;
  }

  /** A subscriber attached to that BNG port takes the policy in that slot. */
  void use(int slot, int bngPort) {
    users[slot * BNG_PORTS + bngPort]++;
  }

  /** A subscriber attached to that BNG port gives the policy in that slot back. */
  void leave(int slot, int bngPort) {
    users[slot * BNG_PORTS + bngPort]--;
  }

  /** One subscriber more, or fewer, has the policy in that slot upstream alone. */
  void useUpstream(int slot, int by) {
    upstream[slot] += by;
  }

  /**
   * One subscriber more, or fewer, has another policy and may come to have the one in that slot.
   */
  void name(int slot, int by) {
    naming[slot] += by;
  }

  /** Number of these. */
  int naming(int slot) {
    return naming[slot];
  }

  /** Number of subscribers that have the policy in that slot in a direction or both. */
  int users(int slot) {
    return upstream[slot]
        + IntStream.range(0, BNG_PORTS).map(bngPort -> users(slot, bngPort)).sum();
  }

  /** Number of those attached to a BNG port that have it downstream. */
  int users(int slot, int bngPort) {
    return users[slot * BNG_PORTS + bngPort];
  }
}
