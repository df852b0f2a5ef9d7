package net.sluice.emulator.server.gnmi;

import io.grpc.ServerServiceDefinition;
import java.util.Map;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.server.rpc.MalformedMessages;

/**
 * gNMI 0.10 for one switch, for any server: its ports as openconfig-interfaces, its queues as
 * openconfig-qos. What was set is forgotten when it is closed; the ports stay as they are.
 */
public final class GnmiEndpoint implements AutoCloseable {

  private final GnmiService service;
  private final GnmiClock clock;

  /**
   * For the ports that the switch has now.
   *
   * @param names of the ports that have one; the others have their number for a name
   * @param clock closed with this
   * @param afterSet told when a client has set something, for a simulation that may be asleep
   * @throws IllegalArgumentException if two ports have the same name
   */
  public GnmiEndpoint(
      Simulation simulation,
      SwitchNode node,
      Map<Integer, String> names,
      GnmiClock clock,
      Runnable afterSet) {
    this.service = new GnmiService(simulation, node, names, clock, afterSet);
    this.clock = clock;
  }

  /** The service for a server to add. */
  public ServerServiceDefinition definition() {
    return MalformedMessages.named(service.bindService());
  }

  /** Subscriptions under way. */
  public int subscriptions() {
    return service.subscriptions();
  }

  /** Ends all subscriptions; clients find them cancelled. */
  @Override
  public void close() {
    service.close();
    clock.close();
  }
}
