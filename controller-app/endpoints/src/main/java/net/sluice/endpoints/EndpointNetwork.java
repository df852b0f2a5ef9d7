package net.sluice.endpoints;

import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.sluice.core.Controller;
import net.sluice.core.engine.SlaController;
import net.sluice.core.store.NetworkStore;
import net.sluice.core.store.StoreException;
import net.sluice.endpoints.Endpoints.SwitchAt;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.InvalidValueException;

/** A controller over a store on disk, whose switches can come and go. */
public final class EndpointNetwork {
  private final SlaController controller;
  private final NetworkStore store;
  private final Clock clock;
  private final Measures measures;

  /** By name; replaced as a whole, so that a look at it waits for no switch that comes or goes. */
  private volatile Map<String, SwitchAt> members = Map.of();

  EndpointNetwork(
      SlaController controller,
      NetworkStore store,
      List<SwitchAt> members,
      Clock clock,
      Measures measures) {
    this.controller = controller;
    this.store = store;
    this.clock = clock;
    this.measures = measures;
    members.forEach(this::add);
  }

  /** The switches there are by now. */
  public List<SwitchAt> members() {
    return List.copyOf(members.values());
  }

  private void add(SwitchAt member) {
    Map<String, SwitchAt> changed = new LinkedHashMap<>(members);
    changed.put(member.name(), member);
    members = changed;
  }

  /** The store of the controller, which closes it. */
  public NetworkStore store() {
    return store;
  }

  /** The controller; closing it closes the store and the targets, too. */
  public Controller controller() {
    return controller;
  }

  /**
   * Takes a switch in, or drives the one of that name otherwise, and keeps its document for the
   * next start.
   *
   * @return true if there was none of that name
   * @throws Refusal as {@link SlaController#put}
   * @throws InvalidValueException if an endpoint is missing, or the topology has no use for one
   * @throws StoreException if the store fails; the switch is driven, but will not be after a
   *     restart
   */
  public synchronized boolean put(SwitchAt member, byte[] document) throws Refusal {
    Deque<Runnable> opened = new ArrayDeque<>();
    boolean created;
    try {
      created = controller.put(Endpoints.member(member, clock, measures, opened));
    } catch (Refusal | RuntimeException e) {
      Endpoints.closeAll(opened, e);
      throw e;
    }
    add(member);
    store.declare(member.name(), Optional.of(document));
    return created;
  }

  /**
   * Leaves a switch out and forgets its document.
   *
   * @throws Refusal as {@link SlaController#remove}
   */
  public synchronized void remove(String name) throws Refusal {
    // If the store fails now, whoever asks again finds the switch gone and its document there.
    if (members.containsKey(name) || !store.switches().containsKey(name)) {
      controller.remove(name);
      Map<String, SwitchAt> changed = new LinkedHashMap<>(members);
      changed.remove(name);
      members = changed;
    }
    store.declare(name, Optional.empty());
  }
}
