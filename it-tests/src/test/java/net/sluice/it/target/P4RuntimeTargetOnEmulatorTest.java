package net.sluice.it.target;

final class P4RuntimeTargetOnEmulatorTest extends P4RuntimeTargetContract {
  @Override
  SwitchServer startServer() {
    return new EmulatorServer();
  }
}
