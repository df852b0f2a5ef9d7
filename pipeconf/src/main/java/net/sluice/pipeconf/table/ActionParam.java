package net.sluice.pipeconf.table;

import net.sluice.intents.model.InvalidValueException;
import net.sluice.pipeconf.p4info.ParamDescriptor;
import p4.v1.P4RuntimeOuterClass.Action;

/** A parameter of an action, at most 63 bits wide. */
final class ActionParam {
  private static final int CACHED_BITS = 10;

  private final int id;
  private final int bits;
  private final String domainName;
  private final Action.Param[] cached;

  /**
   * @param domainName the value's name in error messages
   */
  ActionParam(ParamDescriptor param, String domainName) {
    this.id = param.id();
    this.bits = param.bits();
    this.domainName = domainName;
    this.cached = new Action.Param[bits <= CACHED_BITS ? 1 << bits : 0];
    for (int i = 0; i < cached.length; i++) {
      cached[i] = create(i);
    }
  }

  Action.Param of(long value) {
    if (value >>> bits != 0) {
      throw new InvalidValueException(domainName, value, "0 to " + ((1L << bits) - 1));
    }
    return value < cached.length ? cached[(int) value] : create(value);
  }

  Action.Param of(boolean value) {
    return of(value ? 1 : 0);
  }

  long read(Action action) {
    for (int i = 0; i < action.getParamsCount(); i++) {
      Action.Param param = action.getParams(i);
      if (param.getParamId() == id) {
        return CanonicalBytes.read(param.getValue(), bits, domainName);
      }
    }
    throw new MalformedEntryException("no " + domainName);
  }

  int readInt(Action action) {
    return (int) read(action);
  }

  boolean readBoolean(Action action) {
    return read(action) != 0;
  }

  private Action.Param create(long value) {
    return Action.Param.newBuilder().setParamId(id).setValue(CanonicalBytes.of(value)).build();
  }
}
