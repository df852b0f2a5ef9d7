package net.sluice.emulator.server.p4runtime.table;

import com.google.protobuf.ByteString;
import java.util.Arrays;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.server.p4runtime.value.ByteStrings;
import net.sluice.emulator.server.p4runtime.value.StringType;
import net.sluice.emulator.v1model.table.WordLayout;
import p4.v1.P4RuntimeOuterClass.Action;

/** Actions with their arguments between P4Runtime's messages and words. */
final class ActionArguments {

  private ActionArguments() {}

  /**
   * Reads an action's arguments.
   *
   * @param data takes them
   * @throws RpcException INVALID_ARGUMENT if some are missing, unknown or given twice, OUT_OF_RANGE
   *     if a value is too wide
   */
  static void read(Action action, BoundTable.ActionBinding binding, long[] data)
      throws RpcException {
    Arrays.fill(data, 0);
    int expected = binding.parameterIds().length;
    long given = 0;
    for (int i = 0; i < action.getParamsCount(); i++) {
      Action.Param param = action.getParams(i);
      int index = parameterIndex(binding, param.getParamId());
      if (index < 0) {
        throw RpcException.invalid(
            "action '%s' has no parameter with id %s",
            binding.name(), Integer.toUnsignedString(param.getParamId()));
      }
      if ((given & 1L << index) != 0) {
        throw RpcException.invalid(parameter(binding, index) + " is given twice");
      }
      given |= 1L << index;
      WordLayout.Field field = binding.layout().fields().get(index);
      String what = parameter(binding, index);
      StringType strings = binding.strings()[index];
      ByteStrings.read(
          strings == null
              ? param.getValue()
              : strings.number(param.getValue(), field.widthBits(), what),
          field,
          data,
          what);
    }
    if (action.getParamsCount() != expected) {
      throw RpcException.invalid(
          parameter(binding, Long.numberOfTrailingZeros(~given)) + " is missing");
    }
  }

  private static int parameterIndex(BoundTable.ActionBinding action, int id) {
    int[] ids = action.parameterIds();
    for (int i = 0; i < ids.length; i++) {
      if (ids[i] == id) {
        return i;
      }
    }
    return -1;
  }

  private static String parameter(BoundTable.ActionBinding action, int index) {
    return "parameter '%s' of action '%s'"
        .formatted(action.layout().fields().get(index).name(), action.name());
  }

  /** An action with its arguments. */
  static Action write(BoundTable.ActionBinding action, long[] data) {
    Action.Builder built = Action.newBuilder().setActionId(action.id());
    for (int i = 0; i < action.parameterIds().length; i++) {
      ByteString number = ByteStrings.write(action.layout().fields().get(i), data);
      StringType strings = action.strings()[i];
      built.addParams(
          Action.Param.newBuilder()
              .setParamId(action.parameterIds()[i])
              .setValue(strings == null ? number : strings.string(number)));
    }
    return built.build();
  }
}
