package net.sluice.core.network;

import java.util.Comparator;
import java.util.List;
import net.sluice.core.change.ShardChanges;
import net.sluice.core.shard.SwitchShard;

/**
 * Opens a store again that has failed. A commit that failed may have been made all the same, and
 * perhaps at several switches, which shows only then: all switches for which the store has failed
 * read it together, while nothing is changed at any other, so that what has moved between them is
 * neither at both nor at none.
 */
public final class StoreReopening {
  private final Network network;

  public StoreReopening(Network network) {
    this.network = network;
  }

  /** Does nothing if the store has been opened since somebody asked for it. */
  public void run() {
    network.alone(
        () -> {
          List<ShardChanges> failed =
              network.all().stream()
                  .filter(shard -> !shard.storeHealth().isWritable())
                  .sorted(Comparator.comparing(SwitchShard::name))
                  .map(SwitchShard::changes)
                  .toList();
          if (!failed.isEmpty()) {
            failed.get(0).reopenStore();
            ShardChanges.exclusively(failed, () -> read(failed));
            failed.forEach(ShardChanges::storeIsBack);
          }
        });
  }

  private static void read(List<ShardChanges> failed) {
    // All are read before any is taken: if one cannot be, what was known stays in force.
    List<Runnable> take = failed.stream().map(ShardChanges::readStored).toList();
    failed.forEach(ShardChanges::leaveNames);
    take.forEach(Runnable::run);
  }
}
