package net.sluice.it.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import net.sluice.core.target.ExpectedEntries;
import net.sluice.gates.AgentRun;
import net.sluice.gates.loop.LoopSettings;
import net.sluice.intents.plan.Op;
import net.sluice.pipeconf.table.GateCodec;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.Test;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.ReadRequest;

final class OnosTargetOnEmulatorTest extends OnosTargetContract {
  private EmulatorServer server;

  @Override
  SwitchServer startServer() {
    server = new EmulatorServer();
    return server;
  }

  /** The entries of the gate table, which the agent writes. */
  private List<Entity> gates(ManagedChannel channel) {
    List<Entity> gates = new ArrayList<>();
    P4RuntimeGrpc.newBlockingStub(channel)
        .withDeadlineAfter(Patience.SECONDS, TimeUnit.SECONDS)
        .read(
            ReadRequest.newBuilder()
                .setDeviceId(server.deviceId())
                .addEntities(
                    Entity.newBuilder().setTableEntry(GateCodec.of(program().descriptor()).all()))
                .build())
        .forEachRemaining(answer -> gates.addAll(answer.getEntitiesList()));
    return gates;
  }

  /** It has a role of its own, and finds the program by the cookie of the pipeconf. */
  @Test
  void theGateAgentWorksBesideOnos() throws Exception {
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
    AgentRun.Place place = new AgentRun.Place(address, server.deviceId(), 1);
    ManagedChannel channel =
        ManagedChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build();
    try (AgentRun agent = new AgentRun(place, LoopSettings.PAPER)) {
      new Thread(agent, "gates").start();
      Patience.await("the gates", () -> gates(channel), gates -> !gates.isEmpty());
      assertThat(write(Op.INSERT, samples())).containsOnly("OK");
      assertThat(read(ExpectedEntries.none()).entries)
          .containsExactlyInAnyOrderElementsOf(samples());
      List<Entity> before = gates(channel);
      Patience.await("the next step", () -> gates(channel), gates -> !gates.equals(before));
      assertThat(write(Op.DELETE, samples())).containsOnly("OK");
      assertThat(read(ExpectedEntries.none()).malformed).isEmpty();
    } finally {
      channel.shutdownNow();
    }
  }
}
