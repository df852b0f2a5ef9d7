package net.sluice.fpga;

import net.sluice.intents.value.Ranges;

/**
 * One of the FPGA's 262,144 queues, which its 18-bit queue id names: {@code port<<15 | tree<<9 |
 * customer<<3 | class}. Packets carry the id as a 32-bit big-endian prefix (paper 001).
 *
 * @param port BNG port, 0..7
 * @param tree OLT tree of the port, 0..63
 * @param customer customer of the tree, 0..63
 * @param queueClass class of the customer, 0..7
 */
public record FpgaQueue(int port, int tree, int customer, int queueClass) {
  public FpgaQueue {
    Ranges.require("port", port, 0, 7);
    Ranges.require("tree", tree, 0, 63);
    Ranges.require("customer", customer, 0, 63);
    Ranges.require("class", queueClass, 0, 7);
  }

  /** The queue that {@code id} names. */
  public static FpgaQueue of(int id) {
    Ranges.require("queue id", id, 0, RegisterLayout.QUEUES - 1);
    return new FpgaQueue(id >>> 15, id >>> 9 & 63, id >>> 3 & 63, id & 7);
  }

  /** The queue id. */
  public int id() {
    return port << 15 | tree << 9 | customer << 3 | queueClass;
  }
}
