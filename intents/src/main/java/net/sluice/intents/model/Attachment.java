package net.sluice.intents.model;

import net.sluice.intents.value.Ranges;

/**
 * Where a subscriber is attached: a BNG port and one of its OLT trees (paper 001's queue
 * hierarchy).
 *
 * @param port BNG port, 0..7
 * @param tree OLT tree of that port, 0..63
 */
public record Attachment(int port, int tree) {
  /** Highest BNG port. */
  public static final int MAX_PORT = 7;

  /** Highest OLT tree of a port. */
  public static final int MAX_TREE = 63;

  /** Trees of all ports. */
  public static final int TREES = (MAX_PORT + 1) * (MAX_TREE + 1);

  public Attachment {
    Ranges.require("attachment.port", port, 0, MAX_PORT);
    Ranges.require("attachment.tree", tree, 0, MAX_TREE);
  }

  /** The attachment of that {@link #treeIndex}. */
  public static Attachment ofTreeIndex(int index) {
    return new Attachment(index / (MAX_TREE + 1), index % (MAX_TREE + 1));
  }

  /** A number from 0 to {@link #TREES} - 1, port by port. */
  public int treeIndex() {
    return port * (MAX_TREE + 1) + tree;
  }
}
