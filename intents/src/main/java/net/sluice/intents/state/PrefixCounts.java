package net.sluice.intents.state;

import java.util.List;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.model.IpPrefix.Family;

/** How many prefixes of each family there are. */
public record PrefixCounts(int v4, int v6) {
  /** No prefix. */
  public static final PrefixCounts NONE = new PrefixCounts(0, 0);

  /** Of a list of prefixes. */
  public static PrefixCounts of(List<IpPrefix> prefixes) {
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
