package net.sluice.intents.state;

import java.util.List;
import java.util.OptionalLong;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.IpPrefix.Family;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.FpgaSetting.StoreWord;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.forwarding.RouteEntry;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.value.Direction;

/**
 * How targets keep the identity of the store whose declarations they hold, which tells one store
 * from another, and its revision, which tells it from an older copy of itself. Both are 64 bits:
 * the identity is made at random with the store, the revision says how far the store had got.
 *
 * <p>A switch keeps each as a route that nothing follows: to the address of the discard prefix
 * 100::/64 (RFC 6666) whose last 64 bits are the identity, and to that of the dummy prefix
 * 100:0:0:1::/64 (RFC 9780) whose last 64 bits are the revision, both out of a port that drops.
 * That takes no more of a switch than any route does, so that every P4Runtime server and client can
 * write and read it. An FPGA keeps each in two registers, if it has them.
 */
public final class StoreIdentity {
  /** First half of the discard prefix. */
  private static final long DISCARD = 0x0100_0000_0000_0000L;

  /** First half of the dummy prefix. */
  private static final long DUMMY = 0x0100_0000_0000_0001L;

  private StoreIdentity() {}

  /** The entry by which a switch keeps {@code identity}. */
  public static SwitchEntry switchEntry(long identity) {
    return route(DISCARD, identity);
  }

  /** The identity that {@code entry} stands for; empty if it is any other entry. */
  public static OptionalLong of(SwitchEntry entry) {
    return lastBits(DISCARD, entry);
  }

  /** The entry by which a switch keeps {@code revision}. */
  public static SwitchEntry revisionEntry(long revision) {
    return route(DUMMY, revision);
  }

  /** The revision that {@code entry} stands for; empty if it is any other entry. */
  public static OptionalLong revisionOf(SwitchEntry entry) {
    return lastBits(DUMMY, entry);
  }

  private static SwitchEntry route(long firstHalf, long bits) {
    return new RouteEntry(IpPrefix.v6(firstHalf, bits, Family.V6.bits()), Topology.DROP_PORT);
  }

  private static OptionalLong lastBits(long firstHalf, SwitchEntry entry) {
    return entry instanceof RouteEntry route
            && route.port() == Topology.DROP_PORT
            && route.prefix().hi() == firstHalf
            && route.prefix().length() == Family.V6.bits()
        ? OptionalLong.of(route.prefix().lo())
        : OptionalLong.empty();
  }

  /** The settings by which an FPGA keeps {@code identity}, the lower half first. */
  public static List<FpgaSetting> fpgaWords(Direction direction, long identity) {
    return words(direction, 0, identity);
  }

  /** The settings by which an FPGA keeps {@code revision}, the lower half first. */
  public static List<FpgaSetting> revisionWords(Direction direction, long revision) {
    return words(direction, 2, revision);
  }

  private static List<FpgaSetting> words(Direction direction, int first, long bits) {
    return List.of(
        new StoreWord(direction, first, (int) bits),
        new StoreWord(direction, first + 1, (int) (bits >>> Integer.SIZE)));
  }

  /** True for a half of an identity. */
  public static boolean isWord(FpgaSetting setting) {
    return setting instanceof StoreWord word && word.index() < 2;
  }

  /** True for a half of a revision. */
  public static boolean isRevisionWord(FpgaSetting setting) {
    return setting instanceof StoreWord word && word.index() >= 2;
  }

  /** As people are told it. */
  public static String text(long identity) {
    return String.format("%016x", identity);
  }
}
