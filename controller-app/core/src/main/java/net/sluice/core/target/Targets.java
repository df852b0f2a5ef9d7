package net.sluice.core.target;

import java.util.Objects;
import java.util.Optional;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.value.Direction;

/**
 * The targets of one controller.
 *
 * @param switchTarget the switch
 * @param counters its counters; usually the same object
 * @param fpgaDown the FPGA of the down direction, if there is one
 * @param fpgaUp the FPGA of the up direction, if there is one
 * @param ports tells of the switch's ports, if something does
 * @param packets frames to and from its lines, if there is a way for them
 */
public record Targets(
    Target<SwitchEntry> switchTarget,
    CounterSource counters,
    Optional<Target<FpgaSetting>> fpgaDown,
    Optional<Target<FpgaSetting>> fpgaUp,
    Optional<PortMonitor> ports,
    Optional<LinePackets> packets) {
  public Targets {
    Objects.requireNonNull(switchTarget, "switchTarget");
    Objects.requireNonNull(counters, "counters");
    Objects.requireNonNull(fpgaDown, "fpgaDown");
    Objects.requireNonNull(fpgaUp, "fpgaUp");
    Objects.requireNonNull(ports, "ports");
    Objects.requireNonNull(packets, "packets");
  }

  /** Targets without a way for packets. */
  public Targets(
      Target<SwitchEntry> switchTarget,
      CounterSource counters,
      Optional<Target<FpgaSetting>> fpgaDown,
      Optional<Target<FpgaSetting>> fpgaUp,
      Optional<PortMonitor> ports) {
    this(switchTarget, counters, fpgaDown, fpgaUp, ports, Optional.empty());
  }

  /** Targets of which nothing tells of the ports. */
  public Targets(
      Target<SwitchEntry> switchTarget,
      CounterSource counters,
      Optional<Target<FpgaSetting>> fpgaDown,
      Optional<Target<FpgaSetting>> fpgaUp) {
    this(switchTarget, counters, fpgaDown, fpgaUp, Optional.empty());
  }

  /** The FPGA of {@code direction}. */
  public Optional<Target<FpgaSetting>> fpga(Direction direction) {
    return direction == Direction.DOWN ? fpgaDown : fpgaUp;
  }
}
