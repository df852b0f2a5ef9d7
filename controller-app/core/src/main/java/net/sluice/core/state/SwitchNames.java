package net.sluice.core.state;

import java.util.List;
import java.util.Optional;
import net.sluice.intents.model.IpPrefix;

/** The names of one switch, among those of a network. */
interface SwitchNames {
  /** The index of the subscriber of that id in force at this switch, or 0. */
  int find(String id);

  /** The id of a subscriber of this switch, in force or not. */
  String id(int index);

  /** Gives an index its id, which is not in force. */
  void put(String id, int index);

  /** Takes an index that is not in force its id away. */
  void remove(int index);

  /**
   * Gives an index its id, and both that and the prefixes are in force from now on.
   *
   * @throws IllegalArgumentException if a prefix overlaps one in force; then the index has its id
   *     and nothing else has changed
   */
  void enforce(String id, int index, List<IpPrefix> prefixes);

  /** The id and the prefixes of an index are in force no longer. */
  void lift(int index, List<IpPrefix> prefixes);

  /** The index of the subscriber in force here that has exactly that prefix, or 0. */
  int exactOwner(IpPrefix prefix);

  /**
   * The subscriber in force, here or at another switch, one of whose prefixes overlaps.
   *
   * @param exceptId the id of one that does not count
   */
  Optional<Names.Owner> overlapping(IpPrefix prefix, String exceptId);

  /** A rate limit is in force here from now on. */
  void enforceLimit(String id);

  /** A rate limit is not in force here any more. */
  void liftLimit(String id);

  /** Something that is declared here begins to change, see {@link Names#changes}. */
  void changing();

  /** It has changed. */
  void changed();

  /** Bytes of the ids of this switch, and of what all switches have in common. */
  long bytes();
}
