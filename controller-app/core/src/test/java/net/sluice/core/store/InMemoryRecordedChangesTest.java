package net.sluice.core.store;

import java.util.Random;
import net.sluice.core.store.InMemoryNetworkStore.Fate;

class InMemoryRecordedChangesTest extends RecordedChangesContract {
  private InMemoryNetworkStore store;

  @Override
  protected NetworkStore begin() {
    store = new InMemoryNetworkStore();
    return store;
  }

  @Override
  protected void fail(Random by) {
    if (by.nextInt(3) == 0) {
      store.full(true);
    } else {
      store.breakNext(by.nextBoolean() ? Fate.LOST : Fate.KEPT);
    }
  }

  @Override
  protected NetworkStore goOn(Random by) {
    store.full(false);
    store.reopen();
    store = by.nextBoolean() ? store.copy() : store;
    return store;
  }
}
