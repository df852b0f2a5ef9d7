package net.sluice.emulator.server.gnmi;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import net.sluice.emulator.netsim.LineClock;
import net.sluice.emulator.netsim.QueueScheduling;
import net.sluice.emulator.netsim.QueueScheduling.Input;
import net.sluice.emulator.netsim.QueueScheduling.Level;
import net.sluice.emulator.netsim.SwitchPort;

/**
 * Settings of one port by a configuration. Making it finds everything that can be wrong, applying
 * it cannot fail.
 */
final class PortSettings {

  private final PortDirectory.Served served;
  private final boolean enabled;
  private final long rateBps;
  private QueueScheduling scheduling;
  private final long[] limitBytes = new long[QueueScheduling.QUEUES];
  private final int[] limitPackets = new int[QueueScheduling.QUEUES];

  private PortSettings(PortDirectory.Served served, ConfigStore config) throws GnmiException {
    this.served = served;
    Object isEnabled = config.get(InterfacesModel.enabledPlace(served.name()));
    enabled = isEnabled == null || (Boolean) isEnabled;
    Object speed = config.get(InterfacesModel.speedPlace(served.name()));
    rateBps = speed == null ? served.rateBps() : PortSpeeds.bps((String) speed);
    scheduling = served.scheduling();
    for (int queue = 0; queue < QueueScheduling.QUEUES; queue++) {
      limitBytes[queue] = served.limitBytes().get(queue);
      limitPackets[queue] = served.limitPackets().get(queue);
    }
    Object policy = config.get(QosModel.policyPlace(served.name()));
    if (policy != null) {
      schedule((String) policy, config);
    }
  }

  /**
   * The settings of each port by a configuration.
   *
   * @throws GnmiException if it means nothing, naming the path
   */
  static List<PortSettings> of(PortDirectory ports, ConfigStore config) throws GnmiException {
    List<PortSettings> settings = new ArrayList<>();
    for (PortDirectory.Served served : ports.all()) {
      settings.add(new PortSettings(served, config));
    }
    return settings;
  }

  /** Changes the port where it is not so yet. */
  void apply() {
    SwitchPort port = served.port();
    if (port.rateBps() != rateBps) {
      port.setRateBps(rateBps);
    }
    if (!port.scheduling().equals(scheduling)) {
      port.setScheduling(scheduling);
    }
    for (int queue = 0; queue < QueueScheduling.QUEUES; queue++) {
      port.setQueueLimits(queue, limitBytes[queue], limitPackets[queue]);
    }
    port.setEnabled(enabled);
  }

  private void schedule(String policy, ConfigStore config) throws GnmiException {
    List<String> place = QosModel.below(QosModel.policiesPlace(), policy);
    String path = "/qos/scheduler-policies/scheduler-policy[name=" + policy + "]";
    if (!config.names(QosModel.policiesPlace()).contains(policy)) {
      throw GnmiException.invalid(
          "path '/qos/interfaces/interface[name=%s]/output/scheduler-policy/config/name':"
              + " policy '%s' does not exist",
          served.name(), policy);
    }
    List<String> schedulers = QosModel.below(place, "schedulers", "scheduler");
    List<String> sequences = new ArrayList<>(config.names(schedulers));
    sequences.sort(Comparator.comparingLong(Long::parseLong));
    List<Level> levels = new ArrayList<>();
    for (String sequence : sequences) {
      levels.add(
          level(
              path + "/schedulers/scheduler[sequence=" + sequence + "]",
              QosModel.below(schedulers, sequence),
              config));
    }
    try {
      scheduling = QueueScheduling.complete(levels);
    } catch (IllegalArgumentException e) {
      throw GnmiException.invalid("path '" + path + "': " + e.getMessage());
    }
  }

  private Level level(String path, List<String> place, ConfigStore config) throws GnmiException {
    List<String> inputs = QosModel.below(place, "inputs", "input");
    boolean strict = config.get(QosModel.below(place, "config", "priority")) != null;
    List<Weighted> queues = new ArrayList<>();
    for (String id : config.names(inputs)) {
      List<String> input = QosModel.below(inputs, id, "config");
      Object queue = config.get(QosModel.below(input, "queue"));
      if (queue == null) {
        throw GnmiException.invalid(
            "path '" + path + "/inputs/input[id=" + id + "]/config/queue': must be set");
      }
      Object weight = config.get(QosModel.below(input, "weight"));
      queues.add(
          new Weighted(
              Integer.parseInt((String) queue), weight == null ? 1 : (int) (long) (Long) weight));
    }
    if (queues.isEmpty()) {
      throw GnmiException.invalid("path '" + path + "/inputs': must have an input");
    }
    queues.sort(
        Comparator.comparingInt(Weighted::weight).thenComparingInt(Weighted::queue).reversed());
    List<String> rate = QosModel.below(place, "one-rate-two-color", "config");
    Object cir = config.get(QosModel.below(rate, "cir"));
    Object burst = config.get(QosModel.below(rate, "bc"));
    if (burst != null && cir == null) {
      throw GnmiException.invalid(
          "path '" + path + "/one-rate-two-color/config/cir': must be set when bc is");
    }
    limit(queues, rate, config);
    return new Level(
        !strict,
        queues.stream()
            .map(queue -> new Input(queue.queue(), strict ? 1 : queue.weight()))
            .toList(),
        cir == null ? LineClock.UNLIMITED_BPS : (Long) cir,
        burst == null ? 0 : (Long) burst);
  }

  private record Weighted(int queue, int weight) {}

  private void limit(List<Weighted> queues, List<String> rate, ConfigStore config) {
    Object bytes = config.get(QosModel.below(rate, "max-queue-depth-bytes"));
    Object packets = config.get(QosModel.below(rate, "max-queue-depth-packets"));
    for (Weighted input : queues) {
      if (bytes != null) {
        limitBytes[input.queue()] = (Long) bytes;
      }
      if (packets != null) {
        limitPackets[input.queue()] = (int) (long) (Long) packets;
      }
    }
  }
}
