package net.sluice.intents.share;

import java.util.Arrays;

/**
 * Subscribers of one switch and direction, in columns: each with what it offers, the limits that it
 * is under and the link that it leaves by. Made to be filled a million at a time; not thread-safe.
 */
public final class Sharers {
  /** No tree, port or link. */
  public static final int NONE = -1;

  /** The demand of one who takes whatever it gets, as TCP does. */
  public static final double ELASTIC = Double.POSITIVE_INFINITY;

  private int size;
  private double[] demandBps = new double[16];
  private double[] ownBps = new double[16];
  private short[] tree = new short[16];
  private short[] port = new short[16];
  private short[] link = new short[16];
  private short[] function = new short[16];

  /**
   * Adds one.
   *
   * @param demand what it offers, bit/s, or {@link #ELASTIC}
   * @param own its own limit, bit/s; infinite for none
   * @param treeNumber its tree, or {@link #NONE}
   * @param portNumber its BNG port, or {@link #NONE}
   * @param linkNumber the link that it leaves by, or {@link #NONE}
   * @param functionNumber what its traffic is worth
   * @return its number
   */
  public int add(
      double demand,
      double own,
      int treeNumber,
      int portNumber,
      int linkNumber,
      int functionNumber) {
    if (size == demandBps.length) {
      int capacity = size + (size >> 1);
      demandBps = Arrays.copyOf(demandBps, capacity);
      ownBps = Arrays.copyOf(ownBps, capacity);
      tree = Arrays.copyOf(tree, capacity);
      port = Arrays.copyOf(port, capacity);
      link = Arrays.copyOf(link, capacity);
      function = Arrays.copyOf(function, capacity);
    }
    demandBps[size] = demand;
    ownBps[size] = own;
    tree[size] = (short) treeNumber;
    port[size] = (short) portNumber;
    link[size] = (short) linkNumber;
    function[size] = (short) functionNumber;
    return size++;
  }

  /** How many there are. */
  public int size() {
    return size;
  }

  /** The demand of one. */
  public double demandBps(int member) {
    return demandBps[member];
  }

  /** Has one offer something else. */
  public void demand(int member, double demand) {
    demandBps[member] = demand;
  }

  /** The limit of its own, infinite for none. */
  public double ownBps(int member) {
    return ownBps[member];
  }

  /** Its tree, or {@link #NONE}. */
  public int tree(int member) {
    return tree[member];
  }

  /** Its BNG port, or {@link #NONE}. */
  public int port(int member) {
    return port[member];
  }

  /** The link that it leaves by, or {@link #NONE}. */
  public int link(int member) {
    return link[member];
  }

  /** The number of its function. */
  public int function(int member) {
    return function[member];
  }

  boolean isElastic(int member) {
    return demandBps[member] == ELASTIC;
  }
}
