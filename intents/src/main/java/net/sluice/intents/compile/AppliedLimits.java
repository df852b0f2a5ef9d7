package net.sluice.intents.compile;

import java.util.Optional;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;

/**
 * The rate limits a subscriber is under. It is shaped in a direction if any of them sets that
 * direction: its traffic then passes the FPGA, where each level's bucket is applied.
 */
record AppliedLimits(Optional<RateLimit> own, Optional<RateLimit> tree, Optional<RateLimit> port) {
  static final AppliedLimits NONE =
      new AppliedLimits(Optional.empty(), Optional.empty(), Optional.empty());

  static AppliedLimits of(Subscriber subscriber, LimitView limits) {
    int port = subscriber.attachment().port();
    Optional<RateLimit> own = limits.of(new Scope.OfSubscriber(subscriber.id()));
    Optional<RateLimit> ofTree = limits.of(new Scope.OfTree(port, subscriber.attachment().tree()));
    Optional<RateLimit> ofPort = limits.of(new Scope.OfPort(port));
    return own.isEmpty() && ofTree.isEmpty() && ofPort.isEmpty()
        ? NONE
        : new AppliedLimits(own, ofTree, ofPort);
  }

  boolean in(Direction direction) {
    return sets(own, direction) || sets(tree, direction) || sets(port, direction);
  }

  /** Shaped in that direction by tree or port alone, so that its own bucket has no limit. */
  boolean open(Direction direction) {
    return !sets(own, direction) && (sets(tree, direction) || sets(port, direction));
  }

  boolean any() {
    return this != NONE;
  }

  /** The limits by name, for messages. */
  String names() {
    StringBuilder names = new StringBuilder();
    append(names, own);
    append(names, tree);
    append(names, port);
    return names.toString();
  }

  private static void append(StringBuilder names, Optional<RateLimit> limit) {
    if (limit.isPresent()) {
      names.append(names.length() == 0 ? "" : ", ").append("rate limit ").append(limit.get().id());
      names.append(" of ").append(limit.get().scope());
    }
  }

  private static boolean sets(Optional<RateLimit> limit, Direction direction) {
    return limit.isPresent() && limit.get().rateBps(direction).isPresent();
  }
}
