package net.sluice.intents.model;

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

  public Attachment {
    Ranges.require("attachment.port", port, 0, MAX_PORT);
    Ranges.require("attachment.tree", tree, 0, MAX_TREE);
  }
}
