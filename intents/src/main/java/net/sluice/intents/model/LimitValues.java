package net.sluice.intents.model;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import net.sluice.intents.model.policy.LimitDelay;

/**
 * The values of a subscriber's rate limit, as a tariff or a subscriber under one says some of them.
 * The components are those of {@link RateLimit}.
 */
public record LimitValues(
    OptionalLong downBps,
    OptionalLong upBps,
    OptionalInt burstBytes,
    Optional<Enforcement> enforcement,
    Optional<Gate> gate,
    LimitDelay delay) {
  /** Nothing is said. */
  public static final LimitValues NONE =
      new LimitValues(
          OptionalLong.empty(),
          OptionalLong.empty(),
          OptionalInt.empty(),
          Optional.empty(),
          Optional.empty(),
          LimitDelay.UNSAID);

  public LimitValues {
    Objects.requireNonNull(enforcement, "enforcement");
    Objects.requireNonNull(gate, "gate");
    Objects.requireNonNull(delay, "delay");
  }

  /** The same, with what is not said here as others say it. */
  public LimitValues over(LimitValues others) {
    return new LimitValues(
        downBps.isPresent() ? downBps : others.downBps,
        upBps.isPresent() ? upBps : others.upBps,
        burstBytes.isPresent() ? burstBytes : others.burstBytes,
        enforcement.or(() -> others.enforcement),
        gate.or(() -> others.gate),
        new LimitDelay(
            delay.aqm().or(() -> others.delay.aqm()),
            delay.maxDelayMillis().isPresent()
                ? delay.maxDelayMillis()
                : others.delay.maxDelayMillis()));
  }

  /** The same with another gate. */
  public LimitValues withGate(Gate other) {
    return new LimitValues(downBps, upBps, burstBytes, enforcement, Optional.of(other), delay);
  }

  /** Whether a direction has a rate. */
  public boolean limits() {
    return downBps.isPresent() || upBps.isPresent();
  }
}
