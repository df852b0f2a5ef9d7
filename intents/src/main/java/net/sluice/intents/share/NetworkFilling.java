package net.sluice.intents.share;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.sluice.intents.model.InvalidValueException;
import net.sluice.intents.share.WaterFilling.Group;
import net.sluice.intents.share.WaterFilling.Shares;

/**
 * How core-stateless resource sharing divides the links of a network. Each link drops what is worth
 * less than a value of its own, so what gets through several links in a row is worth at least the
 * highest of their values: a subscriber gets the rate at which its throughput-value function falls
 * to that, or what it offers if that is less.
 *
 * <p>The values are found by progressive filling: of all links, each divided among those that are
 * not settled yet with what the settled ones leave of it, the one with the highest value settles
 * everybody on it; then the rest. It is max-min fairness with the policies' values in place of
 * rates, and {@link WaterFilling} where there is one link.
 */
public final class NetworkFilling {
  private NetworkFilling() {}

  /**
   * A link.
   *
   * @param capacityBps what it carries, in bit/s, 0 or more
   * @param groups the groups that pass it, by their numbers from 0
   */
  public record Link(double capacityBps, Set<Integer> groups) {
    public Link {
      if (!(capacityBps >= 0)) {
        throw new InvalidValueException("capacityBps", capacityBps, "0 or more");
      }
      groups = Set.copyOf(groups);
    }
  }

  /**
   * The division of a network.
   *
   * @param thresholdValues V* of each link, in the order of the links; 0 if everything that reaches
   *     it fits
   * @param ratesBps rate of each subscriber of each group, in bit/s, in the order of the groups
   */
  public record NetworkShares(List<Double> thresholdValues, List<Double> ratesBps) {}

  /**
   * Divides {@code links} among {@code groups}; a group on no link gets what it offers.
   *
   * @throws InvalidValueException if a link names a group that is not there
   */
  public static NetworkShares divide(List<Group> groups, List<Link> links) {
    for (Link link : links) {
      for (int group : link.groups()) {
        if (group < 0 || group >= groups.size()) {
          throw new InvalidValueException("groups", group, "0 to " + (groups.size() - 1));
        }
      }
    }
    List<Double> rates = new ArrayList<>();
    groups.forEach(group -> rates.add(group.demandBps()));
    List<Double> values = new ArrayList<>(Collections.nCopies(links.size(), 0.0));
    Set<Integer> settled = new HashSet<>();
    Set<Integer> open = new HashSet<>();
    for (int link = 0; link < links.size(); link++) {
      open.add(link);
    }
    while (true) {
      int tightest = -1;
      Shares least = null;
      for (int link : open) {
        Shares shares = divideRest(links.get(link), groups, rates, settled);
        if (shares.isFull() && (least == null || isTighter(shares, least))) {
          tightest = link;
          least = shares;
        }
      }
      if (least == null) {
        return new NetworkShares(List.copyOf(values), List.copyOf(rates));
      }
      List<Integer> numbers = unsettled(links.get(tightest), settled);
      for (int i = 0; i < numbers.size(); i++) {
        rates.set(numbers.get(i), least.ratesBps().get(i));
      }
      settled.addAll(numbers);
      values.set(tightest, least.thresholdValue());
      open.remove(tightest);
    }
  }

  private static boolean isTighter(Shares one, Shares other) {
    return one.thresholdValue() > other.thresholdValue()
        || one.thresholdValue() == other.thresholdValue() && one.part() < other.part();
  }

  /** What a link has left, among those on it that are not settled. */
  private static Shares divideRest(
      Link link, List<Group> groups, List<Double> rates, Set<Integer> settled) {
    double leftBps = link.capacityBps();
    for (int group : link.groups()) {
      if (settled.contains(group)) {
        leftBps -= groups.get(group).count() * rates.get(group);
      }
    }
    // Rounding may leave a little less than nothing.
    return WaterFilling.divide(
        unsettled(link, settled).stream().map(groups::get).toList(), Math.max(0, leftBps));
  }

  private static List<Integer> unsettled(Link link, Set<Integer> settled) {
    return link.groups().stream().filter(group -> !settled.contains(group)).sorted().toList();
  }
}
