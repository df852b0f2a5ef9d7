package net.sluice.intents.model;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A subscriber as declared.
 *
 * @param id identifier, see {@link Ids}
 * @param policyId the policy that values its traffic, now if that is not always the same
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

  /** The same with another policy in force. */
  public Subscriber withPolicy(String otherPolicyId) {
    return new Subscriber(id, otherPolicyId, prefixes, vlans, attachment, parts);
  }

  @Override
  public Kind kind() {
    return Kind.SUBSCRIBER;
  }

  @Override
  public Subscriber at(Instant moment) {
    if (parts.terms().isEmpty()) {
      return this;
    }
    SubscriberTerms terms = parts.terms().get();
    Optional<SubscriberTerms.Holding> holds = terms.holdsAt(moment);
    return with(
        holds.flatMap(SubscriberTerms.Holding::policy).orElse(terms.policyId()),
        terms.at(moment),
        holds.isPresent() && holds.get() instanceof SubscriberTerms.Holding.Stopped);
  }

  @Override
  public Optional<Instant> changesAt() {
    return parts.terms().isEmpty() ? Optional.empty() : parts.terms().get().until();
  }

  @Override
  public boolean isTimed() {
    return parts.terms().isPresent();
  }

  @Override
  public Subscriber asDeclared() {
    return parts.terms().isEmpty()
        ? this
        : with(parts.terms().get().policyId(), parts.terms().get().until(Optional.empty()), false);
  }

  private Subscriber with(String policy, SubscriberTerms terms, boolean stopped) {
    return new Subscriber(
        id,
        policy,
        prefixes,
        vlans,
        attachment,
        parts.withTerms(Optional.of(terms)).withStopped(stopped));
  }
}
