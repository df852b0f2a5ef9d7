package net.sluice.intents.verdict;

/** The limitation of a subscriber in one direction. */
public sealed interface LimitVerdict {
  /** Its kind. */
  Cause cause();

  /** Its packets are dropped because it is suspended. */
  record Suspended() implements LimitVerdict {
    @Override
    public Cause cause() {
      return Cause.SUSPENDED;
    }
  }

  /**
   * A target does not hold what is declared.
   *
   * @param target its name
   * @param detail what is known of why, a clause; empty if nothing
   */
  record OutOfStep(String target, String detail) implements LimitVerdict {
    @Override
    public Cause cause() {
      return Cause.OUT_OF_STEP;
    }
  }

  /** The port that it leaves by is down. */
  record PortDown(Place place) implements LimitVerdict {
    @Override
    public Cause cause() {
      return Cause.PORT_DOWN;
    }
  }

  /**
   * The limit of its own.
   *
   * @param limitBps what is granted, bit/s
   */
  record OwnLimit(double limitBps) implements LimitVerdict {
    @Override
    public Cause cause() {
      return Cause.OWN_LIMIT;
    }
  }

  /**
   * The limit of its tree.
   *
   * @param tree the tree
   * @param bngPort the BNG port of the tree
   * @param limitBps what is granted, bit/s
   * @param subscribers how many are in the tree
   */
  record TreeLimit(int bngPort, int tree, double limitBps, int subscribers)
      implements LimitVerdict {
    @Override
    public Cause cause() {
      return Cause.TREE;
    }
  }

  /** The limit of its BNG port; as of a tree. */
  record PortLimit(int bngPort, double limitBps, int subscribers) implements LimitVerdict {
    @Override
    public Cause cause() {
      return Cause.PORT;
    }
  }

  /**
   * More is offered to a port than it carries.
   *
   * @param place the port
   * @param thresholdBps the rate at which the subscriber's traffic is worth as much as the port
   *     still carries, bit/s
   * @param subscribers how many leave by it
   */
  record Congestion(Place place, double thresholdBps, int subscribers) implements LimitVerdict {
    @Override
    public Cause cause() {
      return Cause.CONGESTION;
    }
  }

  /** It gets what it offers. */
  record Nothing() implements LimitVerdict {
    @Override
    public Cause cause() {
      return Cause.NOTHING;
    }
  }

  /**
   * A port of a switch.
   *
   * @param switchName the switch; empty if there is only one
   * @param port its number
   */
  record Place(String switchName, int port) {
    @Override
    public String toString() {
      return switchName.isEmpty() ? "port " + port : "port " + port + " of " + switchName;
    }
  }
}
