package net.sluice.core.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import net.sluice.core.target.ExpectedEntries;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.marker.RateBins;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.state.SubscriberState;

/**
 * What the switch should hold, generated piece by piece: subscribers are read from the store in the
 * order of their ids, so that a walk is not disturbed by what is declared meanwhile.
 */
final class ExpectedSwitchEntries implements ExpectedEntries<SwitchEntry> {
  private final ShardState shard;
  private final Compiler compiler;
  private final Supplier<Stream<SwitchEntry>> base;

  /** {@code base}: what the switch holds whatever is declared. */
  ExpectedSwitchEntries(ShardState shard, Compiler compiler, Supplier<Stream<SwitchEntry>> base) {
    this.shard = shard;
    this.compiler = compiler;
    this.base = base;
  }

  private static boolean isOfSubscribers(Table table) {
    return switch (table) {
      case IPV4_PREFIX, IPV6_PREFIX, VLAN, ENCAPSULATION -> true;
      default -> false;
    };
  }

  @Override
  public long count(Table table) {
    long[] count = new long[1];
    shard.exclusively(
        () ->
            count[0] =
                isOfSubscribers(table)
                    ? shard.state().subscriberEntries(table)
                    : table == Table.POLICY_VALUE
                        ? (long) shard.state().policies() * RateBins.BINS
                        : base.get().filter(e -> e.table() == table).count());
    return count[0];
  }

  @Override
  public Cursor<SwitchEntry> entries(Table table) {
    return isOfSubscribers(table) ? new OfSubscribers(table) : new OfOthers(table);
  }

  private final class OfSubscribers implements Cursor<SwitchEntry> {
    private final Table table;
    private String after = "";

    OfSubscribers(Table table) {
      this.table = table;
    }

    @Override
    public List<SwitchEntry> next(int max) {
      List<SwitchEntry> entries = new ArrayList<>(max);
      boolean[] more = {true};
      // Many subscribers may have nothing in this table.
      while (entries.isEmpty() && more[0]) {
        shard.exclusively(
            () ->
                more[0] =
                    shard
                            .store()
                            .scanSubscribers(after, 0, max, subscriber -> add(subscriber, entries))
                        == max);
      }
      return entries;
    }

    private void add(SubscriberState subscriber, List<SwitchEntry> entries) {
      after = subscriber.subscriber().id();
      compiler.expected(
          shard.state(),
          subscriber,
          entry -> {
            if (entry.table() == table) {
              entries.add(entry);
            }
          });
    }
  }

  private final class OfOthers implements Cursor<SwitchEntry> {
    private final List<SwitchEntry> entries = new ArrayList<>();
    private int at;

    OfOthers(Table table) {
      shard.exclusively(
          () -> {
            Stream<SwitchEntry> all =
                table == Table.POLICY_VALUE
                    ? shard.state().allPolicies().flatMap(compiler::expected)
                    : base.get().filter(entry -> entry.table() == table);
            all.forEach(entries::add);
          });
    }

    @Override
    public List<SwitchEntry> next(int max) {
      List<SwitchEntry> part = entries.subList(at, Math.min(entries.size(), at + max));
      at += part.size();
      return List.copyOf(part);
    }
  }
}
