package net.sluice.intents.state;

import java.util.List;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.IpPrefix.Family;

/** How many prefixes of each family there are. */
public record PrefixCounts(int v4, int v6) {
  /** No prefix. */
  public static final PrefixCounts NONE = new PrefixCounts(0, 0);

  private static final PrefixCounts ONE_V4 = new PrefixCounts(1, 0);
  private static final PrefixCounts ONE_V6 = new PrefixCounts(0, 1);

  /** Of a list of prefixes. */
  public static PrefixCounts of(List<IpPrefix> prefixes) {
    if (prefixes.size() == 1) {
      return prefixes.get(0).family() == Family.V4 ? ONE_V4 : ONE_V6;
    }
    int v4 = 0;
    for (int i = 0; i < prefixes.size(); i++) {
      if (prefixes.get(i).family() == Family.V4) {
        v4++;
      }
    }
    return new PrefixCounts(v4, prefixes.size() - v4);
  }

  /** Those of a family. */
  public int of(Family family) {
    return family == Family.V4 ? v4 : v6;
  }
}
