package net.sluice.core.store;

class InMemoryIntentStoreTest extends IntentStoreContract {
  private InMemoryIntentStore last = new InMemoryIntentStore();

  @Override
  protected IntentStore open() {
    last = last.copy();
    return last;
  }
}
