package net.sluice.core.store;

class InMemoryDocumentsTest extends DocumentsContract {
  private InMemoryNetworkStore kept = new InMemoryNetworkStore();

  @Override
  protected NetworkStore open() {
    return kept;
  }

  @Override
  protected void kill() {
    kept = kept.copy();
  }
}
