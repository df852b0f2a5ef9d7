package net.sluice.emulator.v1model.trace;

import net.sluice.emulator.switching.SwitchPacket;
import net.sluice.emulator.trace.v1.DropReason;

/** The drop reasons of a traffic manager's losses. */
final class LossReasons {

  private LossReasons() {}

  static DropReason of(SwitchPacket.Loss loss) {
    switch (loss) {
      case NO_SUCH_PORT:
        return DropReason.NO_SUCH_PORT;
      case QUEUE_FULL:
        return DropReason.QUEUE_FULL;
      case NO_SUCH_QUEUE:
        return DropReason.NO_SUCH_QUEUE;
      case PORT_DOWN:
        return DropReason.PORT_DOWN;
      case NO_SUCH_GROUP:
        return DropReason.NO_SUCH_GROUP;
      case NO_COPIES:
        return DropReason.NO_COPIES;
      case TOO_MANY_RETURN:
        return DropReason.TOO_MANY_RETURN;
      case PROGRAM_REPLACED:
        return DropReason.PROGRAM_REPLACED;
      case NONE:
        return DropReason.DROP_REASON_UNSPECIFIED;
    }
    throw new IllegalStateException("no reason for " + loss);
  }
}
