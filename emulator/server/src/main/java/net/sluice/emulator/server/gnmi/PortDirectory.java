package net.sluice.emulator.server.gnmi;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.sluice.emulator.netsim.QueueScheduling;
import net.sluice.emulator.netsim.SwitchPort;

/** The front ports of a switch by name, and what they were before anybody configured them. */
final class PortDirectory {

  /**
   * A port that a server serves.
   *
   * @param name of its interface
   * @param port the port
   * @param rateBps rate it had when the server started
   * @param scheduling scheduling it had then
   * @param limitBytes limit of each queue then
   * @param limitPackets limit of each queue then
   */
  record Served(
      String name,
      SwitchPort port,
      long rateBps,
      QueueScheduling scheduling,
      List<Long> limitBytes,
      List<Integer> limitPackets) {

    static Served of(String name, SwitchPort port) {
      List<Long> bytes = new java.util.ArrayList<>();
      List<Integer> packets = new java.util.ArrayList<>();
      for (int queue = 0; queue < QueueScheduling.QUEUES; queue++) {
        bytes.add(port.queueLimitBytes(queue));
        packets.add(port.queueLimitPackets(queue));
      }
      return new Served(
          name, port, port.rateBps(), port.scheduling(), List.copyOf(bytes), List.copyOf(packets));
    }
  }

  private final Map<String, Served> byName = new LinkedHashMap<>();

  /**
   * @param names of the ports that have one beside their number
   */
  PortDirectory(List<SwitchPort> ports, Map<Integer, String> names) {
    for (SwitchPort port : ports) {
      String name = names.getOrDefault(port.number(), Integer.toString(port.number()));
      if (byName.put(name, Served.of(name, port)) != null) {
        throw new IllegalArgumentException("name '" + name + "': must be that of one port");
      }
    }
  }

  Collection<String> names() {
    return byName.keySet();
  }

  Collection<Served> all() {
    return byName.values();
  }

  Served get(String name) {
    return byName.get(name);
  }
}
