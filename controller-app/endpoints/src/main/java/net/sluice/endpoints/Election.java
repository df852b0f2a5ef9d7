package net.sluice.endpoints;

import io.grpc.Status;
import p4.v1.P4RuntimeOuterClass.MasterArbitrationUpdate;
import p4.v1.P4RuntimeOuterClass.Uint128;

/**
 * The answer of a switch to a controller's claim to be primary (P4Runtime 1.3, "Client Arbitration
 * and Controller Replication"): OK to the primary, ALREADY_EXISTS while another one is, NOT_FOUND
 * while nobody is. A switch makes nobody primary whose election id is lower than the highest it has
 * ever received.
 *
 * @param answer the switch's answer
 * @param claimed election id of this controller
 */
record Election(MasterArbitrationUpdate answer, long claimed) {
  boolean isPrimary() {
    return answer.getStatus().getCode() == Status.Code.OK.value();
  }

  private boolean isAnother() {
    return answer.getStatus().getCode() != Status.Code.NOT_FOUND.value();
  }

  /** True if nobody is primary and there is a higher election id than any before. */
  boolean canBeRaised() {
    return !isAnother() && hasNext();
  }

  private boolean hasNext() {
    Uint128 id = answer.getElectionId();
    return id.getHigh() == 0 && id.getLow() >= 0 && Math.max(id.getLow(), claimed) < Long.MAX_VALUE;
  }

  /** The lowest election id that makes a controller primary. */
  long next() {
    return Math.max(answer.getElectionId().getLow(), claimed) + 1;
  }

  /** The highest election id that the switch has received, in decimal; 128 bits in hex. */
  String highest() {
    Uint128 id = answer.getElectionId();
    return id.getHigh() == 0
        ? Long.toUnsignedString(id.getLow())
        : String.format("0x%x%016x", id.getHigh(), id.getLow());
  }

  /** Why this controller is not primary, and what to do about it. */
  String obstacle() {
    String remedy =
        hasNext()
            ? "start this one with --election-id " + next() + " or more"
            : "no higher election id is left: start the switch anew";
    return isAnother()
        ? "another controller is primary, with election id "
            + highest()
            + "; this one has "
            + claimed
            + " and changes nothing. To have it take over, stop that one, or "
            + remedy
        : "no controller is primary: the switch wants election id "
            + highest()
            + " or more, which one that is gone has had; this one has "
            + claimed
            + ". To have it take over, "
            + remedy;
  }
}
