package net.sluice.intents.plan;

import java.util.List;
import java.util.OptionalLong;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.IpPrefix.Family;
import net.sluice.intents.plan.FpgaSetting.IdentityWord;
import net.sluice.intents.plan.SwitchEntry.RouteEntry;
import net.sluice.intents.profile.Topology;

/**
 * How targets keep the identity of the store whose declarations they hold, which is what tells one
 * store from another: 64 bits, made at random with the store.
 *
 * <p>A switch keeps it as a route that nothing follows: to the one address of the discard prefix
 * 100::/64 (RFC 6666) whose last 64 bits it is, and out of a port that drops. That takes no more of
 * a switch than any route does, so that every P4Runtime server and client can write and read it. An
 * FPGA keeps it in two registers, if it has them.
 */
public final class StoreIdentity {
  /** First half of the discard prefix. */
  private static final long DISCARD = 0x0100_0000_0000_0000L;

  private StoreIdentity() {}

  /** The entry by which a switch keeps {@code identity}. */
  public static SwitchEntry switchEntry(long identity) {
    return new RouteEntry(IpPrefix.v6(DISCARD, identity, Family.V6.bits()), Topology.DROP_PORT);
  }

  /** The identity that {@code entry} stands for; empty if it is any other entry. */
  public static OptionalLong of(SwitchEntry entry) {
    return entry instanceof RouteEntry route
            && route.port() == Topology.DROP_PORT
            && route.prefix().hi() == DISCARD
            && route.prefix().length() == Family.V6.bits()
        ? OptionalLong.of(route.prefix().lo())
        : OptionalLong.empty();
  }

  /** The settings by which an FPGA keeps {@code identity}. */
  public static List<FpgaSetting> fpgaWords(Direction direction, long identity) {
    return List.of(
        new IdentityWord(direction, 0, (int) identity),
        new IdentityWord(direction, 1, (int) (identity >>> Integer.SIZE)));
  }

  /** True for a half of an identity. */
  public static boolean isWord(FpgaSetting setting) {
    return setting instanceof IdentityWord;
  }

  /** As people are told it. */
  public static String text(long identity) {
    return String.format("%016x", identity);
  }
}
