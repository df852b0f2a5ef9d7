package net.sluice.intents.verdict;

import net.sluice.intents.value.Direction;

/** Verdicts in sentences of plain English. */
public final class Sentences {
  /** The part of what is offered from which on it is called all of it. */
  private static final double ALL = 0.98;

  private Sentences() {}

  /** The sentence of a verdict about a direction of a subscriber. */
  public static String of(LimitVerdict verdict, Direction direction, TrafficLoad load) {
    if (verdict instanceof LimitVerdict.Suspended) {
      return "It is suspended: all its packets are dropped.";
    }
    if (verdict instanceof LimitVerdict.PortDown down) {
      return capital(down.place()) + " is down: nothing leaves by it.";
    }
    if (verdict instanceof LimitVerdict.OutOfStep out) {
      return "Target "
          + out.target()
          + " does not hold what is declared"
          + (out.detail().isEmpty() ? "" : ": " + out.detail())
          + "; until it does, what is measured may not be what is sold.";
    }
    if (verdict instanceof LimitVerdict.OwnLimit own) {
      return "Its own limit lets " + RateText.of(own.limitBps()) + " pass: " + fate(load);
    }
    if (verdict instanceof LimitVerdict.TreeLimit tree) {
      return shared(
          "tree " + tree.tree() + " of BNG port " + tree.bngPort(),
          tree.limitBps(),
          tree.subscribers(),
          load);
    }
    if (verdict instanceof LimitVerdict.PortLimit port) {
      return shared("BNG port " + port.bngPort(), port.limitBps(), port.subscribers(), load);
    }
    if (verdict instanceof LimitVerdict.Congestion congestion) {
      return capital(congestion.place())
          + " is congested: "
          + (congestion.subscribers() == 1
              ? "it offers more than the port carries"
              : "its " + congestion.subscribers() + " subscribers offer more than it carries")
          + ", and by its policy this one has "
          + RateText.of(congestion.thresholdBps())
          + " of it; "
          + fate(load);
    }
    return nothing(direction, load);
  }

  private static String shared(String of, double limitBps, int subscribers, TrafficLoad load) {
    return "The limit of "
        + of
        + " lets "
        + RateText.of(limitBps)
        + " pass"
        + (subscribers == 1 ? ": " : ", which " + subscribers + " subscribers share: ")
        + fate(load);
  }

  private static String fate(TrafficLoad load) {
    return load.gotBps() >= ALL * load.offeredBps()
        ? "it got " + RateText.of(load.gotBps()) + ", and its senders slow down to that."
        : "it got "
            + RateText.of(load.gotBps())
            + " of the "
            + RateText.of(load.offeredBps())
            + " offered.";
  }

  private static String nothing(Direction direction, TrafficLoad load) {
    if (load.offeredBps() <= 0) {
      return direction == Direction.DOWN
          ? "Nothing limits it: nothing is sent to it."
          : "Nothing limits it: it sends nothing.";
    }
    return load.gotBps() >= ALL * load.offeredBps()
        ? "Nothing limits it: it got all of the " + RateText.of(load.offeredBps()) + " offered."
        : "Nothing limits it for long: it got "
            + RateText.of(load.gotBps())
            + " of the "
            + RateText.of(load.offeredBps())
            + " offered, and lost the rest in bursts.";
  }

  private static String capital(LimitVerdict.Place place) {
    String text = place.toString();
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }
}
