package net.sluice.core.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.IpPrefix.Family;
import net.sluice.intents.model.Kind;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.intents.state.PrefixIndex;

/**
 * The ids of subscribers and rate limits and the prefixes that are in force in a network, each at
 * one switch: the only place that knows them. A switch loads its own apart and brings them in with
 * {@link #adopt}; from then on its state keeps them here.
 *
 * <p>Thread-safe. Its lock is taken last, for one look or one change at a time.
 */
public final class Names {
  /** Most switches a network can have. */
  public static final int MAX_SWITCHES = 1 << 9;

  private static final int INDEX_BITS =
      Integer.SIZE - Integer.numberOfLeadingZeros(MarkerLayout.MAX_SUBSCRIBERS);
  private static final int INDEX_MASK = (1 << INDEX_BITS) - 1;

  /** By number; null where there is none. */
  private Part[] parts = new Part[1];

  private PrefixIndex v4 = new PrefixIndex(Family.V4);
  private PrefixIndex v6 = new PrefixIndex(Family.V6);
  private final Map<String, Part> limits = new HashMap<>();

  /** Changes of what is declared that have begun. */
  private final AtomicLong begun = new AtomicLong();

  /** Those of them that have ended. */
  private final AtomicLong ended = new AtomicLong();

  /** Subscribers by their ids; a number is that of the part, with the index behind it. */
  private SlotHash subscribers = newHash();

  private SlotHash newHash() {
    return new SlotHash() {
      @Override
      int hashOf(int number) {
        return part(number).texts.hashOf(number & INDEX_MASK);
      }
    };
  }

  private Part part(int number) {
    return parts[number >>> INDEX_BITS];
  }

  /**
   * A name that a switch brings and that is in force at another one.
   *
   * @param kind of the declaration that has it
   * @param id of the declaration
   */
  public record Collision(Kind kind, String id) {}

  /** The names of one switch. */
  public final class Part implements SwitchNames {
    private final IdTexts texts;
    private final String switchName;
    private final int number;

    private Part(String switchName, int number, IdTexts texts) {
      this.switchName = switchName;
      this.number = number;
      this.texts = texts;
    }

    /** The number of a subscriber of this switch in the network. */
    int number(int index) {
      return number << INDEX_BITS | index;
    }

    private Names names() {
      return Names.this;
    }

    @Override
    public int find(String id) {
      synchronized (Names.this) {
        int found = findAt(id, this);
        return found & INDEX_MASK;
      }
    }

    @Override
    public String id(int index) {
      return texts.id(index);
    }

    @Override
    public void put(String id, int index) {
      synchronized (Names.this) {
        texts.put(id, index);
      }
    }

    @Override
    public void remove(int index) {
      synchronized (Names.this) {
        texts.remove(index);
      }
    }

    @Override
    public void enforce(String id, int index, List<IpPrefix> prefixes) {
      synchronized (Names.this) {
        texts.put(id, index);
        int done = 0;
        try {
          for (; done < prefixes.size(); done++) {
            prefixes(prefixes.get(done)).insert(prefixes.get(done), number(index));
          }
        } finally {
          if (done < prefixes.size()) {
            prefixes.subList(0, done).forEach(prefix -> prefixes(prefix).delete(prefix));
          }
        }
        subscribers.add(number(index), IdTexts.hash(id));
      }
    }

    @Override
    public void lift(int index, List<IpPrefix> prefixes) {
      synchronized (Names.this) {
        subscribers.remove(number(index));
        prefixes.forEach(prefix -> prefixes(prefix).delete(prefix));
      }
    }

    @Override
    public int exactOwner(IpPrefix prefix) {
      synchronized (Names.this) {
        int owner = prefixes(prefix).exact(prefix);
        return owner == PrefixIndex.NONE ? 0 : indexHere(owner);
      }
    }

    @Override
    public Optional<Owner> overlapping(IpPrefix prefix, String exceptId) {
      synchronized (Names.this) {
        PrefixIndex index = prefixes(prefix);
        int owner = index.overlapping(prefix);
        if (owner != PrefixIndex.NONE) {
          // Only now: of most prefixes none overlaps, and then nobody has to be looked up.
          int except = findAt(exceptId, null);
          owner = except == 0 ? owner : index.overlapping(prefix, except);
        }
        if (owner == PrefixIndex.NONE) {
          return Optional.empty();
        }
        return Optional.of(owner(owner, part(owner).texts.id(owner & INDEX_MASK)));
      }
    }

    /** The first prefix in force, by address, that overlaps and whose owner {@code matches}. */
    Optional<IpPrefix> firstOverlapping(IpPrefix prefix, IntPredicate matches) {
      synchronized (Names.this) {
        return prefixes(prefix).firstOverlapping(prefix, matches);
      }
    }

    /** The subscriber that has exactly that prefix, which is in force. */
    Owner ownerOf(IpPrefix inForce) {
      synchronized (Names.this) {
        int number = prefixes(inForce).exact(inForce);
        return owner(number, part(number).texts.id(number & INDEX_MASK));
      }
    }

    /** The subscriber with that number, which has that id. */
    Owner owner(int number, String id) {
      return new Owner(id, part(number).switchName, part(number) == this);
    }

    /** The number of the subscriber in force under an id, here or at another switch, or 0. */
    int numberOf(String id) {
      synchronized (Names.this) {
        return findAt(id, null);
      }
    }

    /** The index of a number that is of this switch, or 0. */
    int indexHere(int number) {
      return part(number) == this ? number & INDEX_MASK : 0;
    }

    @Override
    public void enforceLimit(String id) {
      synchronized (Names.this) {
        limits.put(id, this);
      }
    }

    @Override
    public void liftLimit(String id) {
      synchronized (Names.this) {
        limits.remove(id, this);
      }
    }

    @Override
    public void changing() {
      begun.incrementAndGet();
    }

    @Override
    public void changed() {
      ended.incrementAndGet();
    }

    @Override
    public long bytes() {
      synchronized (Names.this) {
        return texts.bytes() + subscribers.bytes() + v4.bytes() + v6.bytes();
      }
    }
  }

  /**
   * The subscriber that has a prefix.
   *
   * @param id of the subscriber
   * @param switchName where it is
   * @param isHere whether that is where it was asked
   */
  record Owner(String id, String switchName, boolean isHere) {
    @Override
    public String toString() {
      return isHere ? id : id + " on switch " + switchName;
    }
  }

  /** Names of one switch that no other can collide with before they are adopted. */
  static Part apart() {
    Names names = new Names();
    Part part = names.new Part("", 0, new IdTexts());
    names.parts[0] = part;
    return part;
  }

  /**
   * A number that is another one as soon as anything that is declared in the network begins to
   * change; empty while something changes.
   */
  public OptionalLong changes() {
    // In this order: what begins in between is seen.
    long all = ended.get();
    return begun.get() == all ? OptionalLong.of(all) : OptionalLong.empty();
  }

  /** The switch at which a subscriber or a rate limit is in force. */
  public synchronized Optional<String> switchOf(Kind kind, String id) {
    if (kind == Kind.RATE_LIMIT) {
      return Optional.ofNullable(limits.get(id)).map(part -> part.switchName);
    }
    int found = findAt(id, null);
    return found == 0 ? Optional.empty() : Optional.of(part(found).switchName);
  }

  /** The subscriber in force one of whose prefixes has an address: the longest such prefix's. */
  public synchronized Optional<String> subscriberAt(IpPrefix address) {
    // Prefixes in force do not overlap, so that no other one has it.
    int owner = prefixes(address).overlapping(address);
    return owner == PrefixIndex.NONE
        ? Optional.empty()
        : Optional.of(part(owner).texts.id(owner & INDEX_MASK));
  }

  /** The number of a subscriber at a switch, or, with null, at any; 0 if there is none. */
  private int findAt(String id, Part at) {
    int hash = IdTexts.hash(id);
    return subscribers.holds(hash)
        ? subscribers.find(
            hash,
            number ->
                (at == null || part(number) == at)
                    && part(number).texts.holds(number & INDEX_MASK, IdTexts.bytesOf(id)))
        : 0;
  }

  /** The number of the subscriber that is called as an index of other texts; 0 if there is none. */
  private int findAt(IdTexts texts, int index) {
    return subscribers.find(
        texts.hashOf(index), number -> part(number).texts.holds(number & INDEX_MASK, texts, index));
  }

  private PrefixIndex prefixes(IpPrefix prefix) {
    return prefix.family() == Family.V4 ? v4 : v6;
  }

  /** The names that collide with those in force at other switches, if they are brought in. */
  synchronized List<Collision> collisions(String switchName, Part loaded) {
    List<Collision> collisions = new ArrayList<>();
    if (!isEmpty() || !limits.isEmpty()) {
      collide(switchName, loaded.names(), collisions);
    }
    return collisions;
  }

  /**
   * Brings in the names of a switch that were loaded apart, in place of those it had.
   *
   * @param loaded must not be used any more if this succeeds
   * @param joined is given the part to use from now on, if nothing collides
   * @return {@link #collisions}; if there are any, nothing has changed
   */
  synchronized List<Collision> adopt(String switchName, Part loaded, Consumer<Part> joined) {
    Names apart = loaded.names();
    List<Collision> collisions = collisions(switchName, loaded);
    if (!collisions.isEmpty()) {
      return collisions;
    }
    drop(switchName);
    int number = freeNumber();
    Part part = new Part(switchName, number, loaded.texts);
    part.changing();
    parts[number] = part;
    if (isEmpty() && number == 0) {
      // The first: what it has is taken as it is.
      v4 = apart.v4;
      v6 = apart.v6;
      subscribers = newHash().takeFrom(apart.subscribers);
    } else {
      apart.subscribers.forEach(each -> subscribers.add(part.number(each)));
      apart.v4.forEach((prefix, each) -> v4.insert(prefix, part.number(each)));
      apart.v6.forEach((prefix, each) -> v6.insert(prefix, part.number(each)));
    }
    apart.limits.keySet().forEach(id -> limits.put(id, part));
    joined.accept(part);
    part.changed();
    return collisions;
  }

  private boolean isEmpty() {
    return subscribers.isEmpty() && v4.size() == 0 && v6.size() == 0;
  }

  private void collide(String switchName, Names apart, List<Collision> collisions) {
    BitSet subscribersInTheWay = new BitSet();
    Part loaded = apart.parts[0];
    apart.subscribers.forEach(
        number -> {
          int other = findAt(loaded.texts, number);
          if (other != 0 && !part(other).switchName.equals(switchName)) {
            subscribersInTheWay.set(number);
          }
        });
    collide(switchName, v4, apart.v4, subscribersInTheWay);
    collide(switchName, v6, apart.v6, subscribersInTheWay);
    subscribersInTheWay.stream()
        .mapToObj(index -> new Collision(Kind.SUBSCRIBER, loaded.texts.id(index)))
        .forEach(collisions::add);
    apart.limits.keySet().stream()
        .filter(id -> limits.containsKey(id) && !limits.get(id).switchName.equals(switchName))
        .sorted()
        .map(id -> new Collision(Kind.RATE_LIMIT, id))
        .forEach(collisions::add);
  }

  private void collide(String switchName, PrefixIndex here, PrefixIndex loaded, BitSet inTheWay) {
    if (here.size() == 0) {
      return;
    }
    loaded.forEach(
        (prefix, number) -> {
          // A prefix may overlap several: one of its own switch, and one of another.
          if (here.firstOverlapping(prefix, other -> !part(other).switchName.equals(switchName))
              .isPresent()) {
            inTheWay.set(number);
          }
        });
  }

  /** Forgets all names of a switch; no matter whether it has any. */
  public synchronized void drop(String switchName) {
    for (Part part : parts) {
      if (part != null && part.switchName.equals(switchName)) {
        v4 = v4.without(number -> part(number) == part);
        v6 = v6.without(number -> part(number) == part);
        SlotHash others = newHash();
        subscribers.forEach(
            number -> {
              if (part(number) != part) {
                others.add(number);
              }
            });
        subscribers = others;
        limits.values().removeIf(each -> each == part);
        parts[part.number] = null;
      }
    }
  }

  private int freeNumber() {
    List<Part> all = new ArrayList<>(Arrays.asList(parts));
    int free = all.indexOf(null);
    if (free < 0) {
      free = parts.length;
      if (free == MAX_SWITCHES) {
        throw new IllegalStateException("a network has at most " + MAX_SWITCHES + " switches");
      }
      parts = Arrays.copyOf(parts, Math.min(MAX_SWITCHES, 2 * free));
    }
    return free;
  }
}
