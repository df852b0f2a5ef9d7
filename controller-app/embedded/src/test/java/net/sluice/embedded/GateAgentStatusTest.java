package net.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import net.sluice.core.Servers.SwitchEndpoint;
import net.sluice.core.target.Target;
import net.sluice.core.time.WatchedThread;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.endpoints.P4RuntimeTarget;
import net.sluice.gates.AgentRun;
import net.sluice.gates.loop.LoopSettings;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.profile.MarkerSettings;
import net.sluice.pipeconf.V1ModelPipeline;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.Test;

/** A switch as a target tells of the agent that moves its gates. */
class GateAgentStatusTest {
  private static void awaitAgent(P4RuntimeTarget target, String expected) {
    Patience.await("the agent", target::agent, agent -> agent.equals(Optional.of(expected)));
  }

  @Test
  void aSwitchTellsOfTheAgentBesideItAndThatItIsGone() throws Exception {
    DefaultTopology topology =
        new DefaultTopology(
            1_000_000_000L, new MarkerSettings(10_000_000_000L, RandomRates.BITS_16));
    try (SwitchWithFpgas device = SwitchWithFpgas.start(new Simulation(1), topology.topology(), 1);
        P4RuntimeTarget target = target(device)) {
      CountDownLatch up = new CountDownLatch(1);
      target.connect(
          new Target.SessionListener() {
            @Override
            public void up() {
              up.countDown();
            }

            @Override
            public void down(String reason) {
              // What is awaited does not come then.
            }
          });
      up.await();
      awaitAgent(target, "none");
      try (AgentRun agent = device.agent()) {
        new Thread(agent, "agent").start();
        awaitAgent(target, "election id 1");
      }
      awaitAgent(target, "none");
      target.disconnect();
      assertThat(target.agent()).isEmpty();
    }
  }

  /** Health asks for such threads. */
  @Test
  void anAgentThatEndsIsTold() throws Exception {
    DefaultTopology topology = new DefaultTopology(1_000_000_000L);
    try (EmbeddedTargets targets = EmbeddedTargets.start(topology, 1)) {
      targets.run(
          new AgentRun(
              new AgentRun.Place(new InetSocketAddress(0), 1, 1),
              LoopSettings.PAPER,
              place -> {
                throw new StackOverflowError("deep");
              }));
      Patience.await(
          "the end of the agent",
          WatchedThread::ended,
          ended ->
              ended.contains("thread sluice-gates has ended: java.lang.StackOverflowError: deep"));
    }
    assertThat(WatchedThread.ended()).noneMatch(ended -> ended.contains("sluice-gates"));
  }

  private static P4RuntimeTarget target(SwitchWithFpgas device) {
    String address = device.p4runtimeText();
    int colon = address.lastIndexOf(':');
    return new P4RuntimeTarget(
        "switch",
        new SwitchEndpoint(
            address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)), 1, 1),
        V1ModelPipeline.load());
  }
}
