package net.sluice.intents.compile;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.IpPrefix.Family;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.state.PrefixCounts;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.state.SubscriberState;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Problems;

/**
 * Gives subscribers their places in the marker: the pipe of the port they are attached to, there
 * the least loaded instance that has room for them, the lowest of equals, and there the lowest free
 * index. A subscriber keeps its place until it is attached to a port of another pipe, or gets other
 * tags beside another port or other prefixes; no change moves another subscriber.
 */
final class Placement {
  private static final int NONE = -1;

  private static final Family[] FAMILIES = Family.values();

  private final Topology topology;
  private final MarkerLayout markers;
  private final int capacity;

  Placement(Topology topology, SwitchProfile profile) {
    this.topology = topology;
    this.markers = profile.markers();
    this.capacity = profile.subscriberCapacity();
  }

  /**
   * The index of a subscriber that is put, whose port is connected.
   *
   * @param old what it replaces; null for none
   * @param prefixes how many it has now
   */
  int index(SlaState state, SubscriberState old, Subscriber put, PrefixCounts prefixes) {
    int kept = kept(state, old, put, prefixes);
    return kept == NONE ? free(state, put, prefixes) : kept;
  }

  /**
   * The index that a subscriber gets in place of its own, so that none of its packets meets the
   * tags of another line; empty if it needs none or there is none.
   */
  OptionalInt fresh(SlaState state, SubscriberState old, Subscriber put, PrefixCounts prefixes) {
    Optional<SubscriberState> had = old == null ? state.formerly(put.id()) : Optional.of(old);
    if (had.isEmpty() || !keepsPlace(had.get(), put) || !meetsOtherTags(had.get(), put)) {
      return OptionalInt.empty();
    }
    int index = free(state, put, prefixes);
    return index == NONE || index > capacity ? OptionalInt.empty() : OptionalInt.of(index);
  }

  /** The index of one who comes; NONE if a pipe has no room. */
  private int free(SlaState state, Subscriber put, PrefixCounts prefixes) {
    int instance = markers.isDivided() ? leastLoaded(state, pipe(put), prefixes) : 0;
    return instance == NONE ? NONE : state.lowestFreeIndex(markers.firstIndex(instance));
  }

  /** Where a subscriber is, for people. */
  String text(int index) {
    return markers.text(index);
  }

  /** True if there is a choice of places. */
  boolean isTold() {
    return markers.isDivided();
  }

  /** The index that a subscriber keeps, or gets again; or NONE. */
  private int kept(SlaState state, SubscriberState old, Subscriber put, PrefixCounts prefixes) {
    if (old != null) {
      return keepsPlace(old, put) ? old.index() : NONE;
    }
    Optional<SubscriberState> had = state.formerly(put.id());
    if (had.isEmpty() || !keepsPlace(had.get(), put)) {
      return NONE;
    }
    int index = had.get().index();
    boolean isFree = state.idOf(index) == null;
    return isFree && hasRoom(state, markers.instanceOf(index), prefixes) ? index : NONE;
  }

  /**
   * Whether packets could get the tags of one line at the port, or for the address, of another one
   * between two writes: the tags have an entry of their own, by index. Those of a new index are
   * there before any packet is classified by it.
   */
  private boolean meetsOtherTags(SubscriberState old, Subscriber put) {
    Subscriber was = old.subscriber();
    boolean isClassifiedAlike =
        Set.copyOf(was.prefixes()).equals(Set.copyOf(put.prefixes()))
            && topology
                .switchPort(was.attachment().port())
                .equals(topology.switchPort(put.attachment().port()));
    return !was.vlans().equals(put.vlans()) && !isClassifiedAlike;
  }

  private boolean keepsPlace(SubscriberState old, Subscriber put) {
    return markers.pipes() == 1 || markers.placeOf(old.index()).pipe() == pipe(put);
  }

  private int pipe(Subscriber subscriber) {
    return markers.pipeOfPort(topology.switchPort(subscriber.attachment().port()).orElseThrow());
  }

  /** The instance of a pipe, by number, that has room and the fewest subscribers; or NONE. */
  private int leastLoaded(SlaState state, int pipe, PrefixCounts prefixes) {
    int least = NONE;
    int lowest = markers.subscribersPerInstance();
    int first = pipe * markers.instances();
    for (int instance = first; instance < first + markers.instances(); instance++) {
      int load = state.subscribersIn(instance);
      if (load < lowest && hasRoom(state, instance, prefixes)) {
        least = instance;
        lowest = load;
      }
    }
    return least;
  }

  private boolean hasRoom(SlaState state, int instance, PrefixCounts prefixes) {
    return prefixes.v4() <= room(state, Family.V4, instance)
        && prefixes.v6() <= room(state, Family.V6, instance);
  }

  /** Free entries of an instance's own table of a family. */
  private int room(SlaState state, Family family, int instance) {
    OptionalInt size = markers.prefixesPerInstance(family);
    return size.isEmpty()
        ? Integer.MAX_VALUE
        : Math.max(0, size.getAsInt() - state.prefixesIn(family, instance));
  }

  /**
   * Adds what stands against a place for a subscriber that is put.
   *
   * @param prefixes how many it has now
   * @param released how many it had
   */
  void admit(
      SlaState state,
      SubscriberState old,
      Subscriber put,
      PrefixCounts prefixes,
      PrefixCounts released,
      Problems problems) {
    if (!markers.isDivided()) {
      int kept = kept(state, old, put, prefixes);
      // With fewer subscribers than places one of the places is free.
      if (kept != NONE || state.subscribers() >= capacity) {
        checkIndex(put, kept == NONE ? state.lowestFreeIndex(1) : kept, problems);
      }
      checkTables(state, 0, prefixes, released, problems);
      return;
    }
    OptionalInt port = topology.switchPort(put.attachment().port());
    if (port.isEmpty() || !checkPipe(put, port.getAsInt(), problems)) {
      return;
    }
    if (old != null && keepsPlace(old, put)) {
      checkTables(state, markers.instanceOf(old.index()), prefixes, released, problems);
    } else if (kept(state, old, put, prefixes) == NONE
        && leastLoaded(state, pipe(put), prefixes) == NONE) {
      refuse(state, put, prefixes, problems);
    }
  }

  /** Adds what stands against the place that a stored subscriber has. */
  void readmit(
      SlaState state, Subscriber stored, int index, PrefixCounts prefixes, Problems problems) {
    checkIndex(stored, index, problems);
    OptionalInt port = topology.switchPort(stored.attachment().port());
    if (index > capacity || port.isEmpty() || !checkPipe(stored, port.getAsInt(), problems)) {
      return;
    }
    MarkerLayout.Place place = markers.placeOf(index);
    int pipe = markers.pipeOfPort(port.getAsInt());
    if (place.pipe() != pipe) {
      problems.add(
          Code.INVALID,
          "attachment.port",
          stored.attachment().port(),
          bngPorts(IntStream.of(place.pipe())),
          String.format(
              Locale.ROOT,
              "Subscriber %s has place %d, which is in pipe %d, but BNG port %d is in pipe %d.",
              stored.id(),
              index,
              place.pipe(),
              stored.attachment().port(),
              pipe));
    }
    checkTables(state, markers.instanceOf(index), prefixes, PrefixCounts.NONE, problems);
  }

  private void checkIndex(Subscriber subscriber, int index, Problems problems) {
    if (index > capacity) {
      problems.add(
          Code.CAPACITY,
          "subscriber",
          subscriber.id(),
          "at most " + capacity + " subscribers",
          String.format(
              Locale.ROOT,
              "The switch has %d rate filters, and this subscriber needs number %d.",
              capacity,
              index));
    }
  }

  /** False if packets of that port pass no marker. */
  private boolean checkPipe(Subscriber subscriber, int switchPort, Problems problems) {
    int pipe = markers.pipeOfPort(switchPort);
    if (pipe < markers.pipes()) {
      return true;
    }
    problems.add(
        Code.INVALID,
        "attachment.port",
        subscriber.attachment().port(),
        bngPorts(IntStream.range(0, markers.pipes())),
        String.format(
            Locale.ROOT,
            "BNG port %d is switch port %d in pipe %d, where the program does not run.",
            subscriber.attachment().port(),
            switchPort,
            pipe));
    return false;
  }

  /** Adds which of an instance's own tables is too small. */
  private void checkTables(
      SlaState state,
      int instance,
      PrefixCounts prefixes,
      PrefixCounts released,
      Problems problems) {
    for (Family family : FAMILIES) {
      int needed = prefixes.of(family);
      int more = needed - released.of(family);
      int room = more > 0 ? room(state, family, instance) : 0;
      if (more > 0 && more > room) {
        problems.add(
            Code.CAPACITY,
            "prefixes",
            count(needed, family),
            "at most " + (room + released.of(family)),
            String.format(
                Locale.ROOT,
                "The %s table of %s holds %d entries, %d are used, and this needs %d more.",
                name(family),
                markers.text(markers.firstIndex(instance)),
                markers.prefixesPerInstance(family).getAsInt(),
                state.prefixesIn(family, instance),
                more));
      }
    }
  }

  /** Names what the pipe lacks: places, or in the instances that have some, table entries. */
  private void refuse(SlaState state, Subscriber put, PrefixCounts prefixes, Problems problems) {
    int pipe = pipe(put);
    int used = used(state, pipe);
    String where = markers.pipes() == 1 ? "the switch" : "pipe " + pipe;
    if (used < markers.pipeCapacity()) {
      refuseForTables(state, pipe, where, prefixes, problems);
      return;
    }
    String places =
        String.format(
            Locale.ROOT,
            "All %d places of %s are in use (instances: %d, of %d each)",
            markers.pipeCapacity(),
            where,
            markers.instances(),
            markers.subscribersPerInstance());
    if (markers.pipes() == 1) {
      problems.add(
          Code.CAPACITY,
          "subscriber",
          put.id(),
          "at most " + capacity + " subscribers",
          places + ".");
      return;
    }
    int[] others =
        IntStream.range(0, markers.pipes())
            .filter(other -> used(state, other) < markers.pipeCapacity())
            .toArray();
    problems.add(
        Code.CAPACITY,
        "attachment.port",
        put.attachment().port(),
        others.length == 0
            ? "at most " + capacity + " subscribers"
            : bngPorts(IntStream.of(others)),
        String.format(
            Locale.ROOT,
            "%s, and BNG port %d is in that pipe. Pipes with room: %s.",
            places,
            put.attachment().port(),
            others.length == 0
                ? "none"
                : IntStream.of(others)
                    .mapToObj(other -> room(state, other))
                    .collect(Collectors.joining(", "))));
  }

  /** There are places in a pipe, but none with room for all of the prefixes. */
  private void refuseForTables(
      SlaState state, int pipe, String where, PrefixCounts prefixes, Problems problems) {
    int first = pipe * markers.instances();
    boolean named = false;
    for (Family family : FAMILIES) {
      int room =
          IntStream.range(first, first + markers.instances())
              .filter(i -> state.subscribersIn(i) < markers.subscribersPerInstance())
              .map(i -> room(state, family, i))
              .max()
              .orElseThrow();
      int needed = prefixes.of(family);
      if (needed > room) {
        named = true;
        problems.add(
            Code.CAPACITY,
            "prefixes",
            count(needed, family),
            "at most " + room,
            String.format(
                Locale.ROOT,
                "No instance of %s has a free place and room for %d in its %s table of %d.",
                where,
                needed,
                name(family),
                markers.prefixesPerInstance(family).getAsInt()));
      }
    }
    if (!named) {
      String both = count(prefixes.v4(), Family.V4) + " and " + count(prefixes.v6(), Family.V6);
      problems.add(
          Code.CAPACITY,
          "prefixes",
          both,
          "fewer of one family",
          String.format(
              Locale.ROOT,
              "No instance of %s has a free place and room for both %s in its tables.",
              where,
              both));
    }
  }

  private String room(SlaState state, int pipe) {
    return pipe + " (" + (markers.pipeCapacity() - used(state, pipe)) + " free)";
  }

  private int used(SlaState state, int pipe) {
    int first = pipe * markers.instances();
    return IntStream.range(first, first + markers.instances()).map(state::subscribersIn).sum();
  }

  private static String count(int entries, Family family) {
    return entries + " " + name(family) + (entries == 1 ? " prefix" : " prefixes");
  }

  private static String name(Family family) {
    return family == Family.V4 ? "IPv4" : "IPv6";
  }

  /** The BNG ports of pipes: {@code BNG ports of pipe 1: 2, 3; of pipe 3: 6}. */
  private String bngPorts(IntStream pipes) {
    String ports =
        pipes
            .mapToObj(pipe -> "of pipe " + pipe + ": " + bngPorts(pipe))
            .filter(text -> !text.endsWith(": "))
            .collect(Collectors.joining("; "));
    return ports.isEmpty() ? "no BNG port: none is connected there" : "BNG ports " + ports;
  }

  private String bngPorts(int pipe) {
    return IntStream.rangeClosed(0, Attachment.MAX_PORT)
        .filter(
            port -> {
              OptionalInt switchPort = topology.switchPort(port);
              return switchPort.isPresent() && markers.pipeOfPort(switchPort.getAsInt()) == pipe;
            })
        .mapToObj(String::valueOf)
        .collect(Collectors.joining(", "));
  }
}
