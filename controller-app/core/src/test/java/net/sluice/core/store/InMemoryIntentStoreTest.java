package net.sluice.core.store;

class InMemoryIntentStoreTest extends IntentStoreContract {
  @Override
  IntentStore open() {
    return new InMemoryIntentStore();
  }
}
