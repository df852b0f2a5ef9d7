package net.sluice.pipeconf.table;

import net.sluice.intents.model.Direction;
import net.sluice.pipeconf.p4info.SerializableEnums;

/** The program's numbers of directions. */
final class DirectionCodes {
  private DirectionCodes() {}

  static int code(Direction direction) {
    return switch (direction) {
      case DOWN -> SerializableEnums.DIRECTION_DOWN;
      case UP -> SerializableEnums.DIRECTION_UP;
    };
  }

  static Direction direction(long code) {
    return code == SerializableEnums.DIRECTION_DOWN ? Direction.DOWN : Direction.UP;
  }
}
