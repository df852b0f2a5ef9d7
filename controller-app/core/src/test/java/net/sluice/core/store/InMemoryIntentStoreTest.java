package net.sluice.core.store;

class InMemoryIntentStoreTest extends IntentStoreContract {
  @Override
  protected IntentStore open() {
    return new InMemoryIntentStore();
  }
}
