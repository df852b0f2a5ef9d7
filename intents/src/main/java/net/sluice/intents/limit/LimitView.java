package net.sluice.intents.limit;

import java.util.Optional;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.state.SlaState;

/** The rate limit of each scope, either as in a store or as it will be after a change. */
public interface LimitView {
  /** The rate limit of exactly that scope. */
  Optional<RateLimit> of(Scope scope);

  /** The view after {@code removed} goes and {@code added} comes; either may be null. */
  static LimitView after(SlaState state, RateLimit removed, RateLimit added) {
    return scope -> {
      if (added != null && added.scope().equals(scope)) {
        return Optional.of(added);
      }
      if (removed != null && removed.scope().equals(scope)) {
        return Optional.empty();
      }
      return state.rateLimitOf(scope);
    };
  }
}
