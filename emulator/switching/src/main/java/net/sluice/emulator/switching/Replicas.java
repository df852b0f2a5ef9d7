package net.sluice.emulator.switching;

import java.util.List;
import java.util.function.IntPredicate;

/**
 * Copies to make of a packet, in order: the ports they go to and the instance number each carries.
 * A copy may have other places to go to while its port is down. Looking one up makes no garbage.
 */
public final class Replicas {

  /** No copies. */
  public static final Replicas NONE = new Replicas(List.of());

  /**
   * Where a copy goes.
   *
   * @param port 0..511
   * @param instance 0..65535; the copy finds it in its {@code egress_rid}
   */
  public record Place(int port, int instance) {}

  /**
   * One copy.
   *
   * @param place where it goes
   * @param backups where it goes while that port is down: to the first of these whose port is up
   */
  public record Replica(Place place, List<Place> backups) {

    /** One copy that goes nowhere else. */
    public Replica(int port, int instance) {
      this(new Place(port, instance), List.of());
    }
  }

  // The first places of all copies, then all backups.
  private final int[] ports;
  private final int[] instances;

  /** Of each copy, where its backups begin; they end where the next one's begin. */
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

  /** How many copies. */
  public int size() {
    return size;
  }

  /**
   * Where the i-th copy goes now, for {@link #port} and {@link #instance}: to its own port if that
   * is up, or if none of its backups' ports is; otherwise to the first of those that is.
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
