package net.sluice.it.target;

import net.sluice.core.Servers.SwitchEndpoint;
import net.sluice.core.target.Target;
import net.sluice.endpoints.P4RuntimeTarget;
import net.sluice.intents.plan.SwitchEntry;

/** Directly over P4Runtime, as the standalone controller does. */
abstract class P4RuntimeTargetContract extends SwitchTargetContract {
  @Override
  Target<SwitchEntry> createTarget(SwitchServer of) {
    return new P4RuntimeTarget(
        "switch", new SwitchEndpoint("127.0.0.1", of.port(), of.deviceId(), ELECTION_ID), PIPELINE);
  }
}
