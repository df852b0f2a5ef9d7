package net.sluice.onos;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import net.sluice.core.Controller;
import net.sluice.core.ControllerException;
import net.sluice.core.PortSummary;
import net.sluice.core.engine.SlaController;
import net.sluice.core.shard.NetworkSwitch;
import net.sluice.core.traffic.PortStatus;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.onos.store.ClusterNetworkStore;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.switches.SwitchForm;
import org.onosproject.net.DeviceId;

/**
 * The controller of the instance that leads, with switches that come and go as the configuration
 * says.
 *
 * <p>Beside what is declared for a switch the store keeps how the switch was driven. Whoever takes
 * over begins with that, and only then follows the configuration: what of it would take something
 * from somebody is refused, whoever leads, and the switch is driven as before.
 */
final class LeaderNetwork {
  private final ClusterNetworkStore store;
  private final Supplier<WantedSwitches> wanted;
  private final ClusterTargets targets;
  private final Clock clock;

  /** The switches by name; exchanged as a whole, so that whoever asks waits for nobody. */
  private volatile Map<String, SwitchSettings> driven = Map.of();

  private final SlaController controller;
  private volatile List<String> refused = List.of();
  private volatile Map<DeviceId, JsonValue> declared = Map.of();

  /**
   * Opens a controller over a store, which it closes, with the switches that the store has.
   *
   * @param wanted what the configuration asks for at the moment
   * @throws ControllerException if what is stored cannot be driven
   */
  LeaderNetwork(
      ClusterNetworkStore store,
      SluiceSettings application,
      Supplier<WantedSwitches> wanted,
      ClusterTargets targets,
      Clock clock) {
    this.store = store;
    this.wanted = wanted;
    this.targets = targets;
    this.clock = clock;
    Map<String, SwitchSettings> kept = new LinkedHashMap<>();
    store
        .switches()
        .forEach(
            (name, document) ->
                kept.put(name, SwitchSettings.ofStored(name, document, application)));
    if (kept.isEmpty()) {
      // Nothing is stored yet, or it was when there was one switch only.
      SwitchSettings first = wanted.get().placeholder();
      kept.put(first.name(), first);
    }
    driven = kept;
    List<NetworkSwitch> members = new ArrayList<>();
    try {
      driven.values().forEach(each -> members.add(member(each)));
      controller = SlaController.open(members, store, clock);
    } catch (RuntimeException e) {
      members.forEach(ClusterTargets::close);
      throw e;
    }
  }

  private NetworkSwitch member(SwitchSettings each) {
    return targets.member(each, store.epoch(each.name()), clock);
  }

  /** The controller; whoever closes it ends this, too. */
  Controller controller() {
    return controller;
  }

  /**
   * The parts of the configuration that are not in force though they are acceptable by themselves,
   * and why.
   */
  List<String> refused() {
    return controller.isClosed() ? List.of() : refused;
  }

  /** The devices of the configuration that was followed last. */
  Map<DeviceId, JsonValue> declared() {
    return declared;
  }

  /**
   * Takes switches in and leaves them out until they are those of the configuration.
   *
   * @throws ControllerException if the store fails
   */
  synchronized void follow() {
    if (controller.isClosed()) {
      return;
    }
    WantedSwitches now = wanted.get();
    declared = now.devices();
    Map<String, SwitchSettings> next = new LinkedHashMap<>(now.byName());
    List<SwitchSettings> leaving = new ArrayList<>();
    for (SwitchSettings each : driven.values()) {
      boolean isRefused = each.device().map(now.refused()::containsKey).orElse(false);
      if (isRefused) {
        next.putIfAbsent(each.name(), each);
      } else if (!next.containsKey(each.name())) {
        leaving.add(each);
      }
    }
    if (next.isEmpty()) {
      next.put(now.placeholder().name(), now.placeholder());
      leaving.removeIf(each -> each.name().equals(now.placeholder().name()));
    }
    List<String> reasons = new ArrayList<>();
    try {
      // Before others come: a device may have got another name.
      leaving.removeIf(each -> driven.size() > 1 && remove(each).isEmpty());
      reasons.addAll(putAll(next.values()));
      // That of a switch without a device is no news: it stays while there is no other.
      leaving.forEach(
          each -> remove(each).filter(unused -> each.device().isPresent()).ifPresent(reasons::add));
    } catch (ControllerException e) {
      if (!controller.isClosed()) {
        throw e;
      }
    }
    refused = List.copyOf(reasons);
  }

  /** Drives switches so, in an order in which their trunks end somewhere; why not all of them. */
  private List<String> putAll(Collection<SwitchSettings> switches) {
    List<SwitchSettings> left = new ArrayList<>(switches);
    List<String> reasons = new ArrayList<>();
    for (boolean progress = true; progress; ) {
      Map<String, SwitchSettings> before = driven;
      reasons.clear();
      left.removeIf(
          each -> {
            Optional<String> reason = put(each);
            reason.ifPresent(reasons::add);
            return reason.isEmpty();
          });
      progress = driven != before && !left.isEmpty();
    }
    return reasons;
  }

  /** Drives a switch so; why not, if that is refused. */
  private Optional<String> put(SwitchSettings each) {
    boolean isNew = !driven.containsKey(each.name());
    try {
      drive(each);
      return Optional.empty();
    } catch (Refusal e) {
      return Optional.of(
          each.deviceText()
              + " is not driven as configured: "
              + words(e)
              + (isNew ? "" : " Switch " + each.name() + " is driven as before."));
    }
  }

  private void drive(SwitchSettings each) throws Refusal {
    SwitchSettings old = driven.get(each.name());
    if (old == null || !old.document().equals(each.document())) {
      requireFree(each);
      NetworkSwitch member = member(each);
      try {
        boolean unused = controller.put(member);
      } catch (Refusal | RuntimeException e) {
        ClusterTargets.close(member);
        throw e;
      }
      Map<String, SwitchSettings> more = new LinkedHashMap<>(driven);
      more.put(each.name(), each);
      driven = more;
    }
    store.declare(each.name(), Optional.of(each.stored()));
  }

  /** No device is driven by two. */
  private void requireFree(SwitchSettings wanting) throws Refusal {
    Optional<DeviceId> device = wanting.device();
    for (SwitchSettings each : driven.values()) {
      if (device.isPresent()
          && each.device().equals(device)
          && !each.name().equals(wanting.name())) {
        throw new Refusal(
            List.of(
                new Problem(
                    Problem.Code.CONFLICT,
                    SwitchForm.DEVICE,
                    wanting.deviceText(),
                    "a device that no other switch is",
                    "It is still driven as switch " + each.name() + ".")));
      }
    }
  }

  /** Drives a switch no longer; why not, if that is refused. */
  private Optional<String> remove(SwitchSettings each) {
    try {
      leave(each.name());
      return Optional.empty();
    } catch (Refusal e) {
      return Optional.of(
          each.deviceText() + " is not configured any more and is driven as before: " + words(e));
    }
  }

  private void leave(String name) throws Refusal {
    controller.remove(name);
    Map<String, SwitchSettings> fewer = new LinkedHashMap<>(driven);
    fewer.remove(name);
    driven = fewer;
    store.declare(name, Optional.empty());
  }

  /**
   * Drives a switch so, has the configuration say so, and follows it.
   *
   * @throws Refusal if it cannot be driven so; nothing has changed
   */
  synchronized void declare(SwitchSettings each, Runnable configure) throws Refusal {
    drive(each);
    configure.run();
    follow();
  }

  /**
   * Drives a switch no longer, has the configuration not ask for it, and follows it.
   *
   * @throws Refusal if there is no such switch, or it is in use; nothing has changed
   */
  synchronized void undeclare(String name, Runnable configure) throws Refusal {
    SwitchSettings placeholder = wanted.get().placeholder();
    // The controller has one at least.
    boolean isLast = driven.size() == 1 && !driven.containsKey(placeholder.name());
    if (isLast && driven.containsKey(name)) {
      drive(placeholder);
    }
    try {
      leave(name);
    } catch (Refusal e) {
      follow();
      throw e;
    }
    configure.run();
    follow();
  }

  private static String words(Refusal refusal) {
    return Problem.sentences(refusal.problems());
  }

  /** Whether there is a switch of that name that is a device. */
  boolean drives(String name) {
    SwitchSettings each = driven.get(name);
    return each != null && each.device().isPresent();
  }

  /** Name of the switch that is a device; empty unless it is driven. */
  Optional<String> drives(DeviceId device) {
    return driven.values().stream()
        .filter(each -> each.device().equals(Optional.of(device)))
        .map(SwitchSettings::name)
        .findFirst();
  }

  /** The ports of the switch that is that device, as it tells of them, if anything there does. */
  List<PortStatus> ports(DeviceId device) {
    Optional<SwitchSettings> settings =
        driven.values().stream()
            .filter(each -> each.device().equals(Optional.of(device)))
            .findFirst();
    if (settings.isEmpty()) {
      return List.of();
    }
    return controller.switches().stream()
        .filter(each -> each.name().equals(settings.get().name()))
        .flatMap(each -> each.ports().stream())
        .map(PortSummary::ports)
        .findFirst()
        .orElseGet(() -> undescribed(settings.get()));
  }

  private static List<PortStatus> undescribed(SwitchSettings of) {
    return of.document().topology().ports().stream()
        .map(port -> PortStatus.unknown(port.number(), port.rateBps()))
        .toList();
  }
}
