package net.sluice.it.target;

final class OnosTargetOnBmv2Test extends OnosTargetContract {
  @Override
  SwitchServer startServer() {
    Bmv2Server.assumeInstalled();
    return new Bmv2Server();
  }

  /** bmv2 does not tell a full table from other failures of its own. */
  @Override
  String wordsOfAFullTable() {
    return "UNKNOWN: Error when adding match entry to target";
  }
}
