package net.sluice.intents.plan;

import net.sluice.intents.model.Attachment;

/**
 * The 18-bit queue id of the FPGA (paper 001): {@code port<<15 | tree<<9 | customer<<3 | class}. A
 * subscriber is a customer; its packets are of class 0 unless its policy has classes.
 */
public final class QueueId {
  /** Customers of one tree. */
  public static final int CUSTOMERS = 64;

  /** Classes of one customer. */
  public static final int CLASSES = 8;

  private QueueId() {}

  /** The class-0 queue of {@code customer} (0..63) of a tree. */
  public static int of(int port, int tree, int customer) {
    return port << 15 | tree << 9 | customer << 3;
  }

  /** The class-0 queue of {@code customer} (0..63) of an attachment's tree. */
  public static int of(Attachment attachment, int customer) {
    return of(attachment.port(), attachment.tree(), customer);
  }

  /** BNG port, 0..7. */
  public static int port(int queueId) {
    return queueId >>> 15;
  }

  /** OLT tree, 0..63. */
  public static int tree(int queueId) {
    return queueId >>> 9 & 63;
  }

  /** Customer within its tree, 0..63. */
  public static int customer(int queueId) {
    return queueId >>> 3 & 63;
  }

  /** Index of the queue's customer in the customer level, 0..32,767. */
  public static int customerIndex(int queueId) {
    return queueId >>> 3;
  }

  /** Index of the queue's tree in the tree level, 0..511. */
  public static int treeIndex(int queueId) {
    return queueId >>> 9;
  }

  /** Index of a tree in the tree level, 0..511. */
  public static int treeIndex(int port, int tree) {
    return port << 6 | tree;
  }
}
