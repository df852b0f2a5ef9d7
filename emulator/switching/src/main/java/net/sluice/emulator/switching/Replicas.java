package net.sluice.emulator.switching;

import java.util.List;
import java.util.function.IntPredicate;

/**
 * Copies to make of a packet, in order: the ports they go to and the instance number each carries.
 * A copy may have backups for when its port is down. Lookups allocate nothing.
 */
public final class Replicas {

  /** No copies. */
  public static final Replicas NONE = new Replicas(List.of());

  /**
   * A copy's destination.
   *
   * @param port 0..511
   * @param instance 0..65535; the copy finds it in its {@code egress_rid}
   */
  public record Place(int port, int instance) {}

  /**
   * One copy.
   *
   * @param place its destination
   * @param backups destinations while that port is down: the first whose port is up
   */
  public record Replica(Place place, List<Place> backups) {

    /** A copy without backups. */
    public Replica(int port, int instance) {
      this(new Place(port, instance), List.of());
    }
  }

  // The first places of all copies, then all backups.
  private final int[] ports;
  private final int[] instances;

  /** By copy: index of its first backup; they end where the next copy's begin. */
  private final int[] backups;

  private final int size;

  private Replicas(List<Replica> replicas) {
    size = replicas.size();
    int places = size + replicas.stream().mapToInt(r -> r.backups().size()).sum();
    ports = new int[places];
    instances = new int[places];
    backups = new int[size + 1];
    int next = size;
    for (int i = 0; i < size; i++) {
      Replica replica = replicas.get(i);
      set(i, replica.place());
      backups[i] = next;
      for (Place backup : replica.backups()) {
        set(next++, backup);
      }
    }
    backups[size] = next;
  }

  private void set(int i, Place place) {
    ports[i] = place.port();
    instances[i] = place.instance();
  }

  /** Copies, made in this order. */
  public static Replicas of(List<Replica> replicas) {
    return new Replicas(replicas);
  }

  /** Number of copies. */
  public int size() {
    return size;
  }

  /**
   * Current destination of the i-th copy, for {@link #port} and {@link #instance}: its own if that
   * port or none of its backups' is up, otherwise the first backup whose port is up.
   */
  public int place(int i, IntPredicate isUp) {
    int end = backups[i + 1];
    int next = backups[i];
    if (next == end || isUp.test(ports[i])) {
      return i;
    }
    while (next < end && !isUp.test(ports[next])) {
      next++;
    }
    return next == end ? i : next;
  }

  /** Port of a {@link #place}; the i-th is the i-th copy's own. */
  public int port(int place) {
    return ports[place];
  }

  /** Instance number of a {@link #place}; the i-th is the i-th copy's own. */
  public int instance(int place) {
    return instances[place];
  }
}
