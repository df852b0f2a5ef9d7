package net.sluice.core.reconcile;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import net.sluice.core.state.ShardState;
import net.sluice.core.target.ExpectedEntries;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.plan.Expected;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.intents.state.SubscriberState;

/**
 * The desired content of the switch, generated table by table: subscribers are read from the store
 * in the order of their ids, so that a walk is not disturbed by what is declared meanwhile.
 *
 * @param shared the entries that are of no single subscriber
 */
record DesiredSwitchTables(
    ShardState shard, Compiler compiler, Supplier<Stream<Expected<SwitchEntry>>> shared)
    implements ExpectedEntries<SwitchEntry> {
  @Override
  public long count(Table table) {
    long[] count = new long[1];
    shard.exclusively(
        () ->
            count[0] =
                table.isOfSubscribers()
                    ? compiler.entries(shard.state(), table)
                    : shared(table).count());
    return count[0];
  }

  private Stream<SwitchEntry> shared(Table table) {
    return shared.get().map(Expected::entity).filter(entry -> entry.table() == table);
  }

  @Override
  public Cursor<SwitchEntry> entries(Table table) {
    return table.isOfSubscribers() ? new OfSubscribers(table) : new Shared(table);
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

  private final class Shared implements Cursor<SwitchEntry> {
    private final List<SwitchEntry> entries = new ArrayList<>();
    private int at;

    Shared(Table table) {
      shard.exclusively(() -> shared(table).forEach(entries::add));
    }

    @Override
    public List<SwitchEntry> next(int max) {
      List<SwitchEntry> part = entries.subList(at, Math.min(entries.size(), at + max));
      at += part.size();
      return List.copyOf(part);
    }
  }
}
