package net.sluice.intents.model;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import net.sluice.intents.model.schedule.Schedule;
import net.sluice.intents.model.schedule.Timing;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.Ids;
import net.sluice.intents.value.InvalidValueException;

/**
 * A subscriber as declared.
 *
 * @param id identifier, see {@link Ids}
 * @param policyId the policy that values its traffic, now if that is not always the same; of
 *     downstream traffic alone if {@link OptionalParts#upstreamPolicyId} says so
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

  /** The field that names the policy of a direction. */
  public static String policyField(Direction direction) {
    return direction == Direction.UP ? "upstreamPolicy" : "policy";
  }

  /** The policy that values its traffic of a direction now, if any of it passes. */
  public String policyId(Direction direction) {
    return direction == Direction.UP ? parts.upstreamPolicyId().orElse(policyId) : policyId;
  }

  /** Whether its traffic has another policy upstream than downstream now. */
  public boolean isSplit() {
    return parts.upstreamPolicyId().isPresent() && !parts.upstreamPolicyId().get().equals(policyId);
  }

  /** Whether it has one policy at all times and is not asked to have another upstream. */
  public boolean hasOnePolicy() {
    return !isTimed() && parts.upstreamPolicyId().isEmpty();
  }

  /**
   * Passes on each policy that may come into force for a direction by name, with the field that
   * names it.
   */
  public void policies(Direction direction, Schedule.FieldValues<String> out) {
    if (isTimed()) {
      parts.terms().orElseThrow().policies(direction, out);
    } else if (direction == Direction.DOWN) {
      out.accept(policyField(direction), policyId);
    } else {
      parts.upstreamPolicyId().ifPresent(id -> out.accept(policyField(direction), id));
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

  /**
   * The same as it is declared under its tariff. Before, it has the policies that it declares
   * itself, and in place of one that it leaves to the tariff an id without meaning.
   */
  public Subscriber under(Tariff tariff) {
    return otherwise(tariff.holding(parts.tariff().orElseThrow()));
  }

  /** The same as it is declared, with these policies where it has a tariff that gives them. */
  public Subscriber otherwise(SubscriberTerms.Holding.Has policies) {
    return withPolicy(policies.policyId())
        .withParts(
            parts
                .withTerms(parts.terms().map(of -> of.otherwise(policies).with(Timing.NONE)))
                .withStopped(false)
                .withUpstreamPolicy(policies.upstreamPolicyId()));
  }

  /** The policies that it has when nothing else is due. */
  public SubscriberTerms.Holding.Has otherwise() {
    return parts
        .terms()
        .map(SubscriberTerms::otherwise)
        .orElseGet(() -> new SubscriberTerms.Holding.Has(policyId, parts.upstreamPolicyId()));
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
    return with(terms.holdsAt(moment), terms.at(moment));
  }

  @Override
  public Subscriber outAt(Instant moment) {
    return withParts(parts.withTerms(parts.terms().map(terms -> terms.outAt(moment))));
  }

  @Override
  public Optional<Subscriber> treatedAs(Declaration other) {
    Subscriber was = (Subscriber) other;
    if (parts.terms().isEmpty()) {
      return Optional.empty();
    }
    SubscriberTerms terms = parts.terms().get();
    Optional<SubscriberTerms> before = was.parts.terms();
    boolean isAlike = before.filter(each -> each.with(terms.timing()).equals(terms)).isPresent();
    Subscriber same =
        withPolicy(was.policyId)
            .withParts(
                parts
                    .withTerms(Optional.of(isAlike ? before.get() : terms))
                    .withStopped(was.parts.stopped())
                    .withUpstreamPolicy(was.parts.upstreamPolicyId()));
    return isAlike || treatments().contains(same) ? Optional.of(same) : Optional.empty();
  }

  @Override
  public List<Subscriber> treatments() {
    List<Subscriber> treatments = new ArrayList<>();
    variants((field, variant) -> treatments.add(variant));
    return treatments;
  }

  @Override
  public Optional<Instant> outSince() {
    return parts.terms().isEmpty() ? Optional.empty() : parts.terms().get().timing().outSince();
  }

  @Override
  public Optional<Instant> changesAt() {
    return parts.terms().isEmpty() ? Optional.empty() : parts.terms().get().timing().until();
  }

  /**
   * Passes on the subscriber as it may come to be treated, once for each treatment that is
   * declared, with the field that declares it and its dot before {@code policy}.
   */
  public void variants(Schedule.FieldValues<Subscriber> out) {
    if (parts.terms().isEmpty()) {
      out.accept("", this);
    } else {
      SubscriberTerms terms = parts.terms().get();
      terms.holdings((field, holds) -> out.accept(field, with(holds, terms)));
    }
  }

  @Override
  public boolean isTimed() {
    return parts.terms().isPresent();
  }

  @Override
  public Subscriber asDeclared() {
    return parts.terms().isEmpty()
        ? this
        : with(parts.terms().get().otherwise(), parts.terms().get().with(Timing.NONE));
  }

  private Subscriber with(SubscriberTerms.Holding holds, SubscriberTerms terms) {
    return new Subscriber(
        id,
        holds.policy(Direction.DOWN).orElse(terms.otherwise().policyId()),
        prefixes,
        vlans,
        attachment,
        parts
            .withTerms(Optional.of(terms))
            .withStopped(holds instanceof SubscriberTerms.Holding.Stopped)
            .withUpstreamPolicy(holds.policy(Direction.UP)));
  }
}
