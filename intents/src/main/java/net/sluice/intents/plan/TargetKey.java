package net.sluice.intents.plan;

import java.util.List;
import net.sluice.intents.value.Direction;

/**
 * A target of one switch: the switch itself or the FPGA of a direction. There is one object of
 * each.
 *
 * @param <E> what it holds
 */
public final class TargetKey<E extends Entity> {
  /** The switch. */
  public static final TargetKey<SwitchEntry> SWITCH = new TargetKey<>("switch");

  private static final TargetKey<FpgaSetting> FPGA_DOWN = new TargetKey<>("fpga-down");
  private static final TargetKey<FpgaSetting> FPGA_UP = new TargetKey<>("fpga-up");

  private final String text;

  private TargetKey(String text) {
    this.text = text;
  }

  /** The FPGA of a direction. */
  public static TargetKey<FpgaSetting> fpga(Direction direction) {
    return direction == Direction.DOWN ? FPGA_DOWN : FPGA_UP;
  }

  /** The switch and then the FPGAs, which is the order in which they are told of. */
  public static List<TargetKey<?>> all() {
    return List.of(SWITCH, FPGA_DOWN, FPGA_UP);
  }

  /** {@code switch}, {@code fpga-down} or {@code fpga-up}. */
  public String text() {
    return text;
  }

  @Override
  public String toString() {
    return text;
  }
}
