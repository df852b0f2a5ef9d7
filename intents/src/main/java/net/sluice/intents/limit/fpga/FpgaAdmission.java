package net.sluice.intents.limit.fpga;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import net.sluice.intents.limit.AppliedLimits;
import net.sluice.intents.limit.LimitedSubscriber;
import net.sluice.intents.model.Attachment;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.plan.QueueId;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Problems;
import net.sluice.intents.value.Direction;

/** Whether the FPGAs beside a switch can do what is declared: rates, bursts, trees and queues. */
final class FpgaAdmission {
  private final Topology topology;
  private final FpgaProfile fpga;
  private final Function<RateLimit, Optional<RateLimit>> part;

  /**
   * Of the FPGAs beside one switch.
   *
   * @param part of a limit the directions that the FPGAs enforce
   */
  FpgaAdmission(
      Topology topology, FpgaProfile fpga, Function<RateLimit, Optional<RateLimit>> part) {
    this.topology = topology;
    this.fpga = fpga;
    this.part = part;
  }

  /** Adds what the FPGAs cannot do of a limit that is declared. */
  void admit(RateLimit limit, Problems problems) {
    if (limit.scope() instanceof Scope.OfTree of) {
      checkScope(new Attachment(of.port(), of.tree()), problems);
    } else if (limit.scope() instanceof Scope.OfPort of) {
      checkScope(new Attachment(of.port(), 0), problems);
    }
    for (Direction direction : Direction.values()) {
      OptionalLong rateBps = limit.rateBps(direction);
      if (rateBps.isEmpty()) {
        continue;
      }
      String field = direction.text() + "Bps";
      if (topology.sidecar(direction).isEmpty()) {
        problems.add(
            Code.INVALID,
            field,
            rateBps.getAsLong(),
            "no limit in this direction",
            String.format(
                Locale.ROOT,
                "No shaping sidecar is connected for the %s direction, so %s cannot be limited.",
                direction.text(),
                field));
      }
      if (!fpga.canRepresent(rateBps.getAsLong())) {
        problems.add(
            Code.INVALID,
            field,
            rateBps.getAsLong(),
            "1 to " + fpga.maxRateBps() + " bit/s",
            String.format(
                Locale.ROOT,
                "%s of %d bit/s is beyond what the FPGA can represent, %d bit/s.",
                field,
                rateBps.getAsLong(),
                fpga.maxRateBps()));
      }
    }
    OptionalInt burst = limit.burstBytes();
    if (burst.isPresent()
        && (burst.getAsInt() < fpga.minBurstBytes() || burst.getAsInt() > fpga.maxBurstBytes())) {
      problems.add(
          Code.INVALID,
          "burstBytes",
          burst.getAsInt(),
          fpga.minBurstBytes() + " to " + fpga.maxBurstBytes() + " bytes",
          String.format(
              Locale.ROOT,
              "burstBytes is %d; the FPGA's buckets hold %d (one packet) to %d bytes.",
              burst.getAsInt(),
              fpga.minBurstBytes(),
              fpga.maxBurstBytes()));
    }
  }

  /** Adds what they cannot do any more of what was accepted for a subscriber. */
  void readmit(LimitedSubscriber stored, Problems problems) {
    boolean shaped = stored.limits().parts(part).any();
    // Without a limit nothing changes: an allotment is left from one that was set aside.
    if (stored.limits().any()
        && shaped != stored.state().hasAllotment()
        && stored.state().leaving().isEmpty()) {
      problems.add(
          Code.INVALID,
          "enforcement",
          shaped ? "fpga" : "shape or police",
          shaped ? "shape or police, as it was accepted" : "fpga, as it was accepted",
          String.format(
              Locale.ROOT,
              "Subscriber %s is limited by %s, which would change from %s.",
              stored.state().subscriber().id(),
              stored.limits().names(),
              shaped ? "the switch to the FPGA" : "the FPGA to the switch"));
      return;
    }
    if (stored.state().hasAllotment()) {
      Subscriber subscriber = stored.state().subscriber();
      if (checkTree(subscriber.attachment(), "attachment", problems)) {
        int customer = QueueId.customer(stored.state().allotment());
        checkCustomer(subscriber, stored.limits().parts(part), customer, problems);
      }
    }
  }

  private void checkScope(Attachment at, Problems problems) {
    if (topology.switchPort(at.port()).isPresent()) {
      checkTree(at, "scope", problems);
    }
  }

  /** True if the FPGA has that port and tree; else adds a problem of {@code field}. */
  boolean checkTree(Attachment at, String field, Problems problems) {
    if (at.port() < fpga.ports() && at.tree() < fpga.treesPerPort()) {
      return true;
    }
    problems.add(
        Code.INVALID,
        field,
        at.port() + "/" + at.tree(),
        String.format(
            Locale.ROOT, "port 0 to %d, tree 0 to %d", fpga.ports() - 1, fpga.treesPerPort() - 1),
        String.format(
            Locale.ROOT, "The FPGA has no queues for port %d tree %d.", at.port(), at.tree()));
    return false;
  }

  /** True if its tree has that customer; else adds a problem. */
  boolean checkCustomer(
      Subscriber subscriber, AppliedLimits limits, int customer, Problems problems) {
    if (customer < fpga.customersPerTree()) {
      return true;
    }
    Attachment at = subscriber.attachment();
    problems.add(
        Code.CAPACITY,
        "attachment.tree",
        at.tree(),
        "a tree with a free customer queue",
        String.format(
            Locale.ROOT,
            "Subscriber %s is limited by %s and needs a queue, but all %d of port %d tree %d are"
                + " in use.",
            subscriber.id(),
            limits.names(),
            fpga.customersPerTree(),
            at.port(),
            at.tree()));
    return false;
  }
}
