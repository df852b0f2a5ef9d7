package net.sluice.intents.model;

import java.util.Objects;
import java.util.Optional;
import net.sluice.intents.value.Ids;

/**
 * The declaration by a subscriber of its tariff, and of values in place of those.
 *
 * @param tariffId the tariff
 * @param policyId a policy in place of the tariff's, in both directions unless the next is there
 * @param upstreamPolicyId one of upstream traffic in place of the tariff's
 * @param overrides values in place of the tariff's
 */
public record TariffUse(
    String tariffId,
    Optional<String> policyId,
    Optional<String> upstreamPolicyId,
    LimitValues overrides) {
  public TariffUse {
    Ids.require("tariff", tariffId);
    policyId.ifPresent(id -> Ids.require("policy", id));
    upstreamPolicyId.ifPresent(id -> Ids.require("upstreamPolicy", id));
    Objects.requireNonNull(overrides, "overrides");
  }

  /** The same with other overrides. */
  public TariffUse withOverrides(LimitValues other) {
    return new TariffUse(tariffId, policyId, upstreamPolicyId, other);
  }
}
