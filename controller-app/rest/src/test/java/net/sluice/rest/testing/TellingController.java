package net.sluice.rest.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import net.sluice.core.ControllerEvent;
import net.sluice.core.ControllerListener;
import net.sluice.core.store.NetworkStore;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;
import net.sluice.northbound.events.ControllerEvents;

/** Tells the events that a test likes. */
public final class TellingController extends MemoryController {
  private final List<ControllerListener> listeners = new CopyOnWriteArrayList<>();
  private NetworkStore store;

  /** Tells none by itself. */
  public TellingController() {
    super(10);
  }

  @Override
  public Registration listen(ControllerListener listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  /** The store that records changes, as a commit would. */
  public void recordIn(NetworkStore other) {
    store = other;
  }

  /** Tells some events. */
  public void tell(ControllerEvent... events) {
    List<Change> changes =
        Stream.of(events)
            .flatMap(
                each ->
                    each instanceof ControllerEvent.ChangeAccepted of
                        ? Stream.of(of.change())
                        : Stream.empty())
            .toList();
    if (!changes.isEmpty()) {
      var unused = store.journal("events").append(ControllerEvents.ofChanges().of(changes));
    }
    for (ControllerListener listener : listeners) {
      List.of(events).forEach(listener::on);
      listener.caughtUp();
    }
  }

  /** Tells that subscribers were deleted. */
  public void tellOfDeleted(String... ids) {
    tell(
        Stream.of(ids)
            .map(id -> new ControllerEvent.ChangeAccepted(new Change.Delete(Kind.SUBSCRIBER, id)))
            .toArray(ControllerEvent[]::new));
  }
}
