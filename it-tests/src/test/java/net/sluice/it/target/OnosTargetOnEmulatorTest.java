package net.sluice.it.target;

final class OnosTargetOnEmulatorTest extends OnosTargetContract {
  @Override
  SwitchServer startServer() {
    return new EmulatorServer();
  }
}
