package net.sluice.emulator.switching;

import java.util.List;

/**
 * Copies to make of a packet, in order: the ports they go to and the instance number each carries.
 */
public final class Replicas {

  /** No copies. */
  public static final Replicas NONE = new Replicas(List.of());

  /**
   * One copy.
   *
   * @param port 0..511
   * @param instance 0..65535; the copy finds it in its {@code egress_rid}
   */
  public record Replica(int port, int instance) {}

  private final int[] ports;
  private final int[] instances;

  private Replicas(List<Replica> replicas) {
    ports = replicas.stream().mapToInt(Replica::port).toArray();
    instances = replicas.stream().mapToInt(Replica::instance).toArray();
  }

  /** Copies, made in this order. */
  public static Replicas of(List<Replica> replicas) {
    return new Replicas(replicas);
  }

  /** How many copies. */
  public int size() {
    return ports.length;
  }

  /** Port of the i-th copy. */
  public int port(int i) {
    return ports[i];
  }

  /** Instance number of the i-th copy. */
  public int instance(int i) {
    return instances[i];
  }
}
