package net.sluice.pipeconf.table;

import net.sluice.intents.value.InvalidValueException;
import net.sluice.pipeconf.p4info.ParamDescriptor;
import p4.v1.P4RuntimeOuterClass.Action;

/** A parameter of an action, at most 63 bits wide. */
final class ActionParam {
  private static final int CACHED_BITS = 10;

  private final int id;
  private final int bits;
  private final String name;
  private final Action.Param[] cached;

  /**
   * @param name the value's name in error messages
   */
  ActionParam(ParamDescriptor param, String name) {
    this.id = param.id();
    this.bits = param.bits();
    this.name = name;
    this.cached = new Action.Param[bits <= CACHED_BITS ? 1 << bits : 0];
    for (int i = 0; i < cached.length; i++) {
      cached[i] = create(i);
    }
  }

  Action.Param of(long value) {
    if (value >>> bits != 0) {
      throw new InvalidValueException(name, value, "0 to " + ((1L << bits) - 1));
    }
    return value < cached.length ? cached[(int) value] : create(value);
  }

  long read(Action action) {
    return CanonicalBytes.read(find(action).getValue(), bits, name);
  }

  private Action.Param find(Action action) {
    int count = action.getParamsCount();
    // Most servers answer in the order of P4Info, which numbers parameters from 1.
    if (id <= count) {
      Action.Param likely = action.getParams(id - 1);
      if (likely.getParamId() == id) {
        return likely;
      }
    }
    for (int i = 0; i < count; i++) {
      if (action.getParams(i).getParamId() == id) {
        return action.getParams(i);
      }
    }
    throw new MalformedEntryException("no " + name);
  }

  private Action.Param create(long value) {
    return Action.Param.newBuilder().setParamId(id).setValue(CanonicalBytes.of(value)).build();
  }
}
