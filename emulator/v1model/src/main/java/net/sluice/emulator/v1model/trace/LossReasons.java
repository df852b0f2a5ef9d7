package net.sluice.emulator.v1model.trace;

import net.sluice.emulator.switching.SwitchPacket;
import net.sluice.emulator.trace.v1.DropReason;

/** The drop reasons of a traffic manager's losses. */
final class LossReasons {

  private LossReasons() {}

  static DropReason of(SwitchPacket.Loss loss) {
    return switch (loss) {
      case NO_SUCH_PORT -> DropReason.NO_SUCH_PORT;
      case QUEUE_FULL -> DropReason.QUEUE_FULL;
      case NO_SUCH_QUEUE -> DropReason.NO_SUCH_QUEUE;
      case PORT_DOWN -> DropReason.PORT_DOWN;
      case NO_SUCH_GROUP -> DropReason.NO_SUCH_GROUP;
      case NO_COPIES -> DropReason.NO_COPIES;
      case TOO_MANY_RETURN -> DropReason.TOO_MANY_RETURN;
      case PROGRAM_REPLACED -> DropReason.PROGRAM_REPLACED;
      case NONE -> DropReason.DROP_REASON_UNSPECIFIED;
      default -> throw new IllegalStateException("no reason for " + loss);
    };
  }
}
