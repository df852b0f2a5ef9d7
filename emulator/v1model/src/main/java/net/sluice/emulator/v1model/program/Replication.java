package net.sluice.emulator.v1model.program;

import java.math.BigInteger;
import java.util.List;

/**
 * A program's copies of packets (clone, resubmit, recirculate, multicast) and digests.
 *
 * @param fieldLists the metadata that copies keep, by id in the JSON
 * @param digests messages to the controller
 * @param clones whether it clones packets
 * @param resubmits whether ingress sends packets back to its parser
 * @param recirculates whether egress sends packets back to the parser
 * @param multicasts whether it sets a multicast group
 * @param truncates whether it truncates packets
 * @param listsByPacket whether a field list's id is computed at run time
 */
public record Replication(
    List<FieldList> fieldLists,
    List<Digest> digests,
    boolean clones,
    boolean resubmits,
    boolean recirculates,
    boolean multicasts,
    boolean truncates,
    boolean listsByPacket) {

  /** Whether packets can come back to the parser. */
  public boolean reenters() {
    return resubmits || recirculates;
  }

  /** Whether the program can request anything but forwarding from the traffic manager. */
  public boolean any() {
    return clones || reenters() || multicasts || !digests.isEmpty();
  }

  /**
   * Fields whose values a copy keeps.
   *
   * @param id number in the JSON; 0 stands for no list
   */
  public record FieldList(int id, String name, List<Header.Ref> fields) {}

  /**
   * A message to the controller.
   *
   * @param id number in the JSON, from 1
   * @param index number from 0, which digests of one name and type share
   */
  public record Digest(String name, int id, int index, List<Element> elements) {}

  /** A part of a digest: a field, or else a constant. */
  public record Element(Header.Ref field, BigInteger constant, int widthBits) {}
}
