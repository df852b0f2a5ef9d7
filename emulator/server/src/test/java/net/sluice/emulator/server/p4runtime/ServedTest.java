package net.sluice.emulator.server.p4runtime;

import java.io.IOException;
import java.net.InetSocketAddress;
import net.sluice.emulator.v1model.V1modelSwitch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;

/** A test of a switch that is served over P4Runtime. */
public abstract class ServedTest {

  public final V1modelSwitch device = new V1modelSwitch(Controller.DEVICE, 1);
  public P4RuntimeServer server;

  /** The primary controller; null if the test brings its own. */
  public Controller controller;

  private final ForwardingPipelineConfig config;
  private final long electionId;

  /**
   * @param config that the switch starts with; null for none
   * @param electionId of the primary controller; 0 for none
   */
  public ServedTest(ForwardingPipelineConfig config, long electionId) {
    this.config = config;
    this.electionId = electionId;
  }

  @BeforeEach
  protected void serve() throws IOException {
    server = P4RuntimeServer.start(device, new InetSocketAddress("127.0.0.1", 0));
    if (config != null) {
      server.install(config);
    }
    if (electionId != 0) {
      controller = Controller.primary(server.port(), electionId);
    }
  }

  @AfterEach
  protected void stopServing() {
    if (controller != null) {
      controller.close();
    }
    server.close();
  }
}
