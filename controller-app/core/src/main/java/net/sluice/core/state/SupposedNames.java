package net.sluice.core.state;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.IpPrefix.Family;
import net.sluice.intents.state.PrefixIndex;

/**
 * The names of a network as changes of several switches would make them: what differs from those in
 * force, which stay as they are. Not thread-safe.
 */
public final class SupposedNames {
  /** Numbers of subscribers as {@link Names} has them, by the ids that would be in force. */
  private final Map<String, Integer> subscribers = new HashMap<>();

  /** Numbers that would not be in force any more. */
  private final Set<Integer> lifted = new HashSet<>();

  /** Ids by number. */
  private final Map<Integer, String> ids = new HashMap<>();

  private final PrefixIndex v4 = new PrefixIndex(Family.V4);
  private final PrefixIndex v6 = new PrefixIndex(Family.V6);

  private PrefixIndex prefixes(IpPrefix prefix) {
    return prefix.family() == Family.V4 ? v4 : v6;
  }

  /** The names of one switch; nothing differs yet. */
  SwitchNames of(Names.Part inForce) {
    return new Part(inForce);
  }

  private final class Part implements SwitchNames {
    private final Names.Part inForce;

    private Part(Names.Part inForce) {
      this.inForce = inForce;
    }

    @Override
    public int find(String id) {
      Integer own = subscribers.get(id);
      if (own != null) {
        return inForce.indexHere(own);
      }
      int index = inForce.find(id);
      return index == 0 || lifted.contains(inForce.number(index)) ? 0 : index;
    }

    @Override
    public String id(int index) {
      String own = ids.get(inForce.number(index));
      return own == null ? inForce.id(index) : own;
    }

    @Override
    public void put(String id, int index) {
      ids.put(inForce.number(index), id);
    }

    @Override
    public void remove(int index) {
      ids.remove(inForce.number(index));
    }

    @Override
    public void enforce(String id, int index, List<IpPrefix> prefixes) {
      put(id, index);
      subscribers.put(id, inForce.number(index));
      prefixes.forEach(prefix -> prefixes(prefix).insert(prefix, inForce.number(index)));
    }

    @Override
    public void lift(int index, List<IpPrefix> prefixes) {
      if (subscribers.remove(id(index), inForce.number(index))) {
        prefixes.forEach(prefix -> prefixes(prefix).delete(prefix));
      } else {
        lifted.add(inForce.number(index));
      }
    }

    @Override
    public int exactOwner(IpPrefix prefix) {
      int own = prefixes(prefix).exact(prefix);
      if (own != PrefixIndex.NONE) {
        return inForce.indexHere(own);
      }
      int index = inForce.exactOwner(prefix);
      return index == 0 || lifted.contains(inForce.number(index)) ? 0 : index;
    }

    @Override
    public Optional<Names.Owner> overlapping(IpPrefix prefix, String exceptId) {
      int except = subscribers.getOrDefault(exceptId, inForce.numberOf(exceptId));
      Optional<IpPrefix> own =
          prefixes(prefix).firstOverlapping(prefix, number -> number != except);
      Optional<IpPrefix> other =
          inForce.firstOverlapping(prefix, number -> number != except && !lifted.contains(number));
      if (own.isEmpty() || other.isPresent() && other.get().compareTo(own.get()) < 0) {
        return other.map(inForce::ownerOf);
      }
      int number = prefixes(prefix).exact(own.get());
      return Optional.of(inForce.owner(number, ids.get(number)));
    }

    @Override
    public void enforceLimit(String id) {
      // That an id is in force once is seen by the routes of changes.
    }

    @Override
    public void liftLimit(String id) {
      // As above.
    }

    @Override
    public void changing() {
      // Nothing in force does.
    }

    @Override
    public void changed() {
      // As above.
    }

    @Override
    public long bytes() {
      throw new UnsupportedOperationException("names that are supposed are not kept");
    }
  }
}
