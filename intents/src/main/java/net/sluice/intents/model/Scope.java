package net.sluice.intents.model;

import net.sluice.intents.value.Ids;
import net.sluice.intents.value.Ranges;

/**
 * The traffic that a rate limit limits: of one subscriber, everything behind an OLT tree, or a
 * whole BNG port.
 */
public sealed interface Scope {
  /** One subscriber. */
  record OfSubscriber(String subscriberId) implements Scope {
    public OfSubscriber {
      Ids.require("scope.subscriber", subscriberId);
    }

    @Override
    public String toString() {
      return "subscriber " + subscriberId;
    }
  }

  /** All subscribers of one OLT tree together; {@code port} 0..7, {@code tree} 0..63. */
  record OfTree(int port, int tree) implements Scope {
    public OfTree {
      Ranges.require("scope.port", port, 0, Attachment.MAX_PORT);
      Ranges.require("scope.tree", tree, 0, Attachment.MAX_TREE);
    }

    @Override
    public String toString() {
      return "port " + port + " tree " + tree;
    }
  }

  /** All subscribers of one BNG port together; {@code port} 0..7. */
  record OfPort(int port) implements Scope {
    public OfPort {
      Ranges.require("scope.port", port, 0, Attachment.MAX_PORT);
    }

    @Override
    public String toString() {
      return "port " + port;
    }
  }
}
