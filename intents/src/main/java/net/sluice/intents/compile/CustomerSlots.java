package net.sluice.intents.compile;

import java.util.Locale;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Problems;

/** Customers of a tree as a set of bits. */
final class CustomerSlots {
  private CustomerSlots() {}

  /** The lowest clear bit of {@code inUse}; 64 if there is none. */
  static int lowestFree(long inUse) {
    return Long.numberOfTrailingZeros(~inUse);
  }

  /** True if the FPGA has that port and tree; else adds a problem of {@code field}. */
  static boolean checkShape(FpgaProfile fpga, int port, int tree, String field, Problems problems) {
    if (port < fpga.ports() && tree < fpga.treesPerPort()) {
      return true;
    }
    problems.add(
        Code.INVALID,
        field,
        port + "/" + tree,
        String.format(
            Locale.ROOT, "port 0 to %d, tree 0 to %d", fpga.ports() - 1, fpga.treesPerPort() - 1),
        String.format(Locale.ROOT, "The FPGA has no queues for port %d tree %d.", port, tree));
    return false;
  }
}
