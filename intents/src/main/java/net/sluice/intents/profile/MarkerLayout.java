package net.sluice.intents.profile;

import java.util.OptionalInt;
import net.sluice.intents.model.IpPrefix.Family;
import net.sluice.intents.value.InvalidValueException;

/**
 * How a program divides the subscribers it marks (paper 000, sections V.C and VI, figure 7): among
 * the pipes of a switch, by port, and in each pipe among instances of the tables and rate filters
 * that mark, one a stage. A subscriber's index, 1 or more, is its place: {@code 1 + (pipe *
 * instances + instance) * subscribersPerInstance + cell}.
 *
 * <p>A program whose tables P4Runtime can fill only in all pipes alike has one pipe here, to which
 * all ports belong.
 *
 * @param pipes pipes whose tables have different entries
 * @param portsPerPipe switch ports of a pipe: port {@code p} belongs to pipe {@code p /
 *     portsPerPipe}; of no meaning for one pipe
 * @param instances instances of the marker in a pipe
 * @param subscribersPerInstance subscribers, i.e. rate filters, of an instance
 * @param v4PrefixesPerInstance entries of an instance's own IPv4 subscriber table; empty if one
 *     table classifies for all instances of a pipe
 * @param v6PrefixesPerInstance the same for IPv6
 */
public record MarkerLayout(
    int pipes,
    int portsPerPipe,
    int instances,
    int subscribersPerInstance,
    OptionalInt v4PrefixesPerInstance,
    OptionalInt v6PrefixesPerInstance) {
  /** The highest index of any layout. */
  public static final int MAX_SUBSCRIBERS = (1 << 22) - 1;

  /**
   * An instance of the marker.
   *
   * @param pipe from 0
   * @param instance within the pipe, from 0
   */
  public record Place(int pipe, int instance) {}

  public MarkerLayout {
    require("pipes", pipes, 1);
    require("portsPerPipe", portsPerPipe, 1);
    require("instances", instances, 1);
    require("subscribersPerInstance", subscribersPerInstance, 1);
    v4PrefixesPerInstance.ifPresent(size -> require("v4PrefixesPerInstance", size, 1));
    v6PrefixesPerInstance.ifPresent(size -> require("v6PrefixesPerInstance", size, 1));
    long capacity = (long) pipes * instances * subscribersPerInstance;
    if (capacity > MAX_SUBSCRIBERS) {
      throw new InvalidValueException(
          "pipes * instances * subscribersPerInstance", capacity, "at most " + MAX_SUBSCRIBERS);
    }
  }

  private static void require(String field, int value, int least) {
    if (value < least) {
      throw new InvalidValueException(field, value, "at least " + least);
    }
  }

  /** One pipe with one instance. */
  public static MarkerLayout undivided(int subscribers) {
    return new MarkerLayout(
        1, Topology.MAX_PORT + 1, 1, subscribers, OptionalInt.empty(), OptionalInt.empty());
  }

  /** Of each dimension the smaller, with the ports of this. */
  public MarkerLayout limitedTo(MarkerLayout other) {
    return new MarkerLayout(
        Math.min(pipes, other.pipes),
        portsPerPipe,
        Math.min(instances, other.instances),
        Math.min(subscribersPerInstance, other.subscribersPerInstance),
        smaller(v4PrefixesPerInstance, other.v4PrefixesPerInstance),
        smaller(v6PrefixesPerInstance, other.v6PrefixesPerInstance));
  }

  private static OptionalInt smaller(OptionalInt one, OptionalInt other) {
    return one.isEmpty() || other.orElse(MAX_SUBSCRIBERS) < one.getAsInt() ? other : one;
  }

  /** The same with at most that many subscribers, as many in each instance. */
  public MarkerLayout limitedTo(int subscribers) {
    return new MarkerLayout(
        pipes,
        portsPerPipe,
        instances,
        Math.min(subscribersPerInstance, subscribers / allInstances()),
        v4PrefixesPerInstance,
        v6PrefixesPerInstance);
  }

  /** Subscribers there is room for. */
  public int capacity() {
    return allInstances() * subscribersPerInstance;
  }

  /** Subscribers there is room for in a pipe. */
  public int pipeCapacity() {
    return instances * subscribersPerInstance;
  }

  /** Instances in all pipes; they are numbered from 0, pipe by pipe. */
  public int allInstances() {
    return pipes * instances;
  }

  /** True if there is more than one instance, so that a subscriber's place is a choice. */
  public boolean isDivided() {
    return allInstances() > 1;
  }

  /** The pipe of a switch port; {@link #pipes} or more if the program does not mark there. */
  public int pipeOfPort(int port) {
    return pipes == 1 ? 0 : port / portsPerPipe;
  }

  /** The number of the instance that an index is a place of. */
  public int instanceOf(int index) {
    return (index - 1) / subscribersPerInstance;
  }

  /** The instance that an index is a place of. */
  public Place placeOf(int index) {
    return new Place(instanceOf(index) / instances, instanceOf(index) % instances);
  }

  /** The place of an index within its instance, from 0. */
  public int cellOf(int index) {
    return (index - 1) % subscribersPerInstance;
  }

  /** The lowest index of the instance with that number. */
  public int firstIndex(int instanceNumber) {
    return 1 + instanceNumber * subscribersPerInstance;
  }

  /** Entries of an instance's own table of a family; empty if it has none of its own. */
  public OptionalInt prefixesPerInstance(Family family) {
    return family == Family.V4 ? v4PrefixesPerInstance : v6PrefixesPerInstance;
  }

  /**
   * Which of several tables classifies by prefix the subscriber with that index: that of its
   * instance if each has its own, otherwise that of its pipe. Empty if there is only one.
   */
  public OptionalInt prefixTable(Family family, int index) {
    if (prefixesPerInstance(family).isPresent() && isDivided()) {
      return OptionalInt.of(instanceOf(index));
    }
    return pipes == 1 ? OptionalInt.empty() : OptionalInt.of(instanceOf(index) / instances);
  }

  /** An instance for people: {@code pipe 1, instance 3}, or {@code instance 3} in one pipe. */
  public String text(int index) {
    Place place = placeOf(index);
    String instance = "instance " + place.instance();
    return pipes == 1 ? instance : "pipe " + place.pipe() + ", " + instance;
  }
}
