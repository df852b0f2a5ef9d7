package net.sluice.intents.model;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A subscriber as declared.
 *
 * @param id identifier, see {@link Ids}
 * @param policyId the policy that values its traffic
 * @param prefixes its addresses; at most {@link #MAX_PREFIXES}; may be empty if it has VLAN tags
 * @param vlans the tags of its line
 * @param attachment where it is attached
 * @param parts those that most subscribers do not have
 */
public record Subscriber(
    String id,
    String policyId,
    List<IpPrefix> prefixes,
    Optional<VlanTags> vlans,
    Attachment attachment,
    OptionalParts parts)
    implements Declaration {
  /** Most prefixes one subscriber may have. */
  public static final int MAX_PREFIXES = 64;

  /** A subscriber without optional parts. */
  public Subscriber(
      String id,
      String policyId,
      List<IpPrefix> prefixes,
      Optional<VlanTags> vlans,
      Attachment attachment) {
    this(id, policyId, prefixes, vlans, attachment, OptionalParts.NONE);
  }

  public Subscriber {
    Ids.require("id", id);
    Ids.require("policy", policyId);
    prefixes = List.copyOf(prefixes);
    Objects.requireNonNull(vlans, "vlans");
    Objects.requireNonNull(attachment, "attachment");
    Objects.requireNonNull(parts, "parts");
    if (prefixes.isEmpty() && vlans.isEmpty()) {
      throw new InvalidValueException("prefixes", "[]", "at least one prefix, or an sVlan");
    }
    if (prefixes.size() > MAX_PREFIXES) {
      throw new InvalidValueException(
          "prefixes", prefixes.size() + " prefixes", "at most " + MAX_PREFIXES + " prefixes");
    }
  }

  /** The same with other optional parts. */
  public Subscriber withParts(OptionalParts newParts) {
    return new Subscriber(id, policyId, prefixes, vlans, attachment, newParts);
  }

  @Override
  public Kind kind() {
    return Kind.SUBSCRIBER;
  }
}
