package net.sluice.pipeconf.table;

import java.util.Arrays;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.intents.plan.entry.limit.WaitSetting.Managed;
import net.sluice.intents.plan.entry.queue.Gain;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.plan.form.ChoiceField;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.p4info.SerializableEnums;

/** The program's numbers of the values of an enumeration. */
final class EnumCodes {
  private static final Map<Class<?>, EnumCodes> ALL =
      Map.of(
          Direction.class, new EnumCodes(Direction.values(), EnumCodes::code),
          PortRole.class, new EnumCodes(PortRole.values(), EnumCodes::code),
          Gain.class, new EnumCodes(Gain.values(), EnumCodes::code),
          AqmKind.class, new EnumCodes(AqmKind.values(), EnumCodes::code),
          Managed.class, new EnumCodes(Managed.values(), EnumCodes::code));

  private final int[] codes;

  private <V> EnumCodes(V[] values, ToIntFunction<V> code) {
    codes = Arrays.stream(values).mapToInt(code).toArray();
  }

  /**
   * The numbers of a field's values.
   *
   * @throws IllegalStateException if the program has none for them
   */
  static EnumCodes of(ChoiceField<?, ?> field) {
    EnumCodes codes = ALL.get(field.type());
    if (codes == null) {
      throw new IllegalStateException("the program has no numbers for " + field.type());
    }
    return codes;
  }

  /** True if the program numbers the values by their places. */
  boolean areOrdinals() {
    return IntStream.range(0, codes.length).allMatch(i -> codes[i] == i);
  }

  /** The program's number of the value in that place. */
  long code(long ordinal) {
    return codes[(int) ordinal];
  }

  /**
   * The place of the value with the program's number.
   *
   * @param name the field's name in the message if there is none
   */
  long ordinal(long code, String name) {
    for (int i = 0; i < codes.length; i++) {
      if (codes[i] == code) {
        return i;
      }
    }
    throw new MalformedEntryException(name + " " + code + " is unknown");
  }

  private static int code(Managed managed) {
    return switch (managed) {
      case NONE -> SerializableEnums.LIMIT_AQM_NONE;
      case CODEL -> SerializableEnums.LIMIT_AQM_CODEL;
      case OF_POLICY -> SerializableEnums.LIMIT_AQM_OF_POLICY;
    };
  }

  private static int code(Direction direction) {
    return switch (direction) {
      case DOWN -> SerializableEnums.DIRECTION_DOWN;
      case UP -> SerializableEnums.DIRECTION_UP;
    };
  }

  private static int code(PortRole role) {
    return switch (role) {
      case ACCESS -> SerializableEnums.PORT_ROLE_ACCESS;
      case CORE -> SerializableEnums.PORT_ROLE_CORE;
      case TRUNK -> SerializableEnums.PORT_ROLE_TRUNK;
      case SIDECAR -> SerializableEnums.PORT_ROLE_SIDECAR;
    };
  }

  private static int code(Gain gain) {
    return switch (gain) {
      case FAST -> SerializableEnums.GAIN_FAST;
      case MEDIUM -> SerializableEnums.GAIN_MEDIUM;
      case SLOW -> SerializableEnums.GAIN_SLOW;
    };
  }

  private static int code(AqmKind kind) {
    return switch (kind) {
      case CODEL_ACT -> SerializableEnums.AQM_KIND_CODEL_ACT;
      case P4_CODEL -> SerializableEnums.AQM_KIND_P4_CODEL;
      case RFC8289 -> SerializableEnums.AQM_KIND_RFC8289;
    };
  }
}
