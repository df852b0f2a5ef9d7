package net.sluice.emulator.server.p4runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.netsim.WallClock;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.testing.ForeignClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * P4Runtime clients that others have written, where they are installed: each runs a script with all
 * that it knows of the protocol.
 */
@Tag("long")
class ForeignClientsTest {

  private final V1modelSwitch device = new V1modelSwitch(Controller.DEVICE, 1);
  private final Simulation simulation = new Simulation(1);
  private P4RuntimeServer server;
  private Thread time;

  @TempDir private Path folder;

  @BeforeEach
  void start() throws Exception {
    new SwitchNode(simulation, device);
    server = P4RuntimeServer.start(device, new InetSocketAddress("127.0.0.1", 0));
    time =
        new Thread(
            () -> {
              try {
                simulation.runPaced(Long.MAX_VALUE, WallClock.system());
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    time.start();
  }

  @AfterEach
  void stop() throws Exception {
    simulation.stop();
    time.join();
    server.close();
  }

  private String run(String module, String script, String... more) throws Exception {
    String python = ForeignClient.python(module);
    Path client = ForeignClient.file(folder, "clients/" + script);
    Path info = ForeignClient.file(folder, "stf/entities.p4info.txtpb");
    Path json = ForeignClient.file(folder, "stf/entities.json");
    Object[] command = {python, client, "127.0.0.1:" + server.port(), info, json};
    return ForeignClient.output(folder, ForeignClient.with(command, (Object[]) more));
  }

  @Test
  void p4runtimeShellReadsAndWritesEverything() throws Exception {
    assertThat(run("p4runtime_sh.shell", "p4runtime_shell_client.py")).endsWith("done\n");
  }

  @Test
  void p4runtimeShellInARole() throws Exception {
    assertThat(run("p4runtime_sh.shell", "p4runtime_shell_client.py", "routes")).endsWith("done\n");
  }

  @Test
  void finsyReadsAndWritesEverything() throws Exception {
    assertThat(run("finsy", "finsy_client.py")).endsWith("done\n");
  }

  @Test
  void finsyInARoleThatHasAPartOfTheProgram() throws Exception {
    assertThat(run("finsy", "finsy_role_client.py")).endsWith("done\n");
  }
}
