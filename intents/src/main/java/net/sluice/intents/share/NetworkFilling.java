package net.sluice.intents.share;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import net.sluice.intents.share.WaterFilling.Group;
import net.sluice.intents.share.WaterFilling.Shares;
import net.sluice.intents.value.InvalidValueException;

/**
 * How core-stateless resource sharing divides the links of a network among senders that do not slow
 * down. Each link drops what is worth less than a value of its own, so what gets through several
 * links in a row is worth at least the highest of their values: a subscriber gets the rate at which
 * its throughput-value function falls to that, or what it offers if that is less.
 *
 * <p>What reaches a link is what those before it have left, and it is divided as {@link
 * WaterFilling} divides one link; so links are filled in the order in which packets come to them.
 * What a later link drops has taken its part of the earlier ones. Where senders do slow down to
 * what arrives, it would be left to others there.
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
   * The state of a link.
   *
   * @param thresholdValue V*; 0 if everything that reaches it fits
   * @param carriedBps what it carries, bit/s
   */
  public record Filled(double thresholdValue, double carriedBps) {
    /** Whether it takes something away. */
    public boolean isFull() {
      return thresholdValue > 0;
    }
  }

  /**
   * The division of a network.
   *
   * @param links in the order of the links
   * @param ratesBps rate of each subscriber of each group behind the last link it passes, in bit/s,
   *     in the order of the groups
   */
  public record NetworkShares(List<Filled> links, List<Double> ratesBps) {}

  /**
   * Divides {@code links} among {@code groups}; a group on no link gets what it offers.
   *
   * @param links each behind those that packets pass before it
   * @throws InvalidValueException if a link names a group that is not there
   */
  public static NetworkShares divide(List<Group> groups, List<Link> links) {
    List<Group> left = new ArrayList<>(groups);
    List<Filled> filled = new ArrayList<>();
    for (Link link : links) {
      List<Integer> numbers = link.groups().stream().sorted().toList();
      for (int number : numbers) {
        if (number < 0 || number >= groups.size()) {
          throw new InvalidValueException("groups", number, "0 to " + (groups.size() - 1));
        }
      }
      Shares shares =
          WaterFilling.divide(numbers.stream().map(left::get).toList(), link.capacityBps());
      double carriedBps = 0;
      for (int i = 0; i < numbers.size(); i++) {
        Group group = left.get(numbers.get(i));
        double rateBps = shares.ratesBps().get(i);
        carriedBps += group.count() * rateBps;
        left.set(numbers.get(i), new Group(group.count(), rateBps, group.function()));
      }
      filled.add(new Filled(shares.thresholdValue(), carriedBps));
    }
    return new NetworkShares(List.copyOf(filled), left.stream().map(Group::demandBps).toList());
  }
}
