package net.sluice.emulator.server.p4runtime.table;

import com.google.protobuf.ByteString;
import java.math.BigInteger;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.server.p4runtime.value.ByteStrings;
import net.sluice.emulator.server.p4runtime.value.StringType;
import p4.v1.P4RuntimeOuterClass.ActionProfileAction;
import p4.v1.P4RuntimeOuterClass.ActionProfileGroup;

/** Weights of members of groups, and the ports that have to be up for them to be picked. */
final class WatchPorts {

  private static final int MAX_PORT = 510;
  private static final int PORT_BITS = 9;

  private WatchPorts() {}

  /** Refuses a weight that means nothing. */
  static void checkWeight(ActionProfileBinding profile, int weight, String what)
      throws RpcException {
    if (profile.withoutWeights()) {
      if (weight != 0) {
        throw RpcException.invalid(
            "%s: weight is %s; it must be unset, weights_disallowed is set in P4Info",
            what, weight);
      }
      return;
    }
    int most = profile.maxMemberWeight();
    if (weight < 1 || most > 0 && weight > most) {
      throw RpcException.invalid(
          "%s: weight is %s; it must be %s",
          what, weight, most > 0 ? "from 1 to " + most : "at least 1");
    }
  }

  /** The port that a member of a group watches, or -1 for none. */
  static int of(ActionProfileGroup.Member member, StringType portNames, String what)
      throws RpcException {
    return port(
        member.getWatch(), member.hasWatchPort() ? member.getWatchPort() : null, portNames, what);
  }

  /** The port that an action of a set watches, or -1 for none. */
  static int of(ActionProfileAction action, StringType portNames, String what) throws RpcException {
    return port(
        action.getWatch(), action.hasWatchPort() ? action.getWatchPort() : null, portNames, what);
  }

  /** Writes the number of a watched port in its shortest form; strings stay. */
  static void shorten(ActionProfileGroup.Member.Builder member, StringType portNames) {
    if (portNames == null && member.hasWatchPort()) {
      member.setWatchPort(ByteStrings.shortest(member.getWatchPort()));
    }
  }

  /** The same for an action of a set. */
  static void shorten(ActionProfileAction.Builder action, StringType portNames) {
    if (portNames == null && action.hasWatchPort()) {
      action.setWatchPort(ByteStrings.shortest(action.getWatchPort()));
    }
  }

  private static int port(int watch, ByteString watchPort, StringType portNames, String what)
      throws RpcException {
    BigInteger port = BigInteger.valueOf(watch);
    if (watchPort == null) {
      if (watch == 0) {
        return -1;
      }
    } else {
      if (watchPort.isEmpty()) {
        return -1;
      }
      ByteString bytes =
          portNames == null
              ? watchPort
              : portNames.number(watchPort, PORT_BITS, what + ": watch_port");
      port = new BigInteger(1, bytes.toByteArray());
    }
    if (port.signum() < 0 || port.compareTo(BigInteger.valueOf(MAX_PORT)) > 0) {
      throw RpcException.invalid(
          what + ": watch_port is " + port + "; it must be from 0 to " + MAX_PORT);
    }
    return port.intValue();
  }
}
