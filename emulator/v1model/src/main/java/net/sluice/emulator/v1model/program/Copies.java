package net.sluice.emulator.v1model.program;

import java.math.BigInteger;
import java.util.List;

/**
 * What a program does with copies of packets, and what it tells the controller.
 *
 * @param fieldLists what copies keep of the metadata, by number in the JSON
 * @param digests messages to the controller
 * @param clones whether it clones packets
 * @param resubmits whether ingress sends packets back to its parser
 * @param recirculates whether egress sends packets back to the parser
 * @param multicasts whether it sets a multicast group
 * @param truncates whether it truncates packets
 * @param listsByPacket whether there are field lists whose number only the packet knows
 */
public record Copies(
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

  /** Whether anything can be asked of the traffic manager besides forwarding. */
  public boolean any() {
    return clones || reenters() || multicasts || !digests.isEmpty();
  }

  /**
   * Fields whose values go along with a copy.
   *
   * @param id number in the JSON; packets come back with none that has 0
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
