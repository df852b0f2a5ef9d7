package net.sluice.core.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.sluice.core.ControllerEvent;
import net.sluice.core.ControllerEvent.EventsLeftOut;
import net.sluice.core.ControllerEvent.Reconciled;
import net.sluice.core.ControllerEvent.SessionChanged;
import net.sluice.core.ControllerEvent.StatusChanged;
import net.sluice.core.ControllerListener;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.ReconcileReport;
import net.sluice.core.TargetState;
import net.sluice.core.testing.VirtualTime;
import net.sluice.intents.model.Kind;
import org.junit.jupiter.api.Test;

class EventsTest {
  private final VirtualTime time = new VirtualTime();
  private final Events events = new Events(time.scheduler());
  private final List<ControllerEvent> heard = new ArrayList<>();

  @Test
  void whatHappensToTargetsIsToldHoweverManyDeclarationsChange() {
    events.listen(heard::add);
    int more = 7;
    for (int i = 0; i < Events.MAX_WAITING + more; i++) {
      events.tellOfChanges(
          1,
          out ->
              out.accept(
                  new StatusChanged(
                      Kind.SUBSCRIBER,
                      "alice",
                      "switch",
                      TargetState.INSTALLED,
                      Optional.empty())));
    }
    SessionChanged ready = new SessionChanged("switch", SessionState.READY, Optional.empty());
    Reconciled reconciled =
        new Reconciled("switch", new ReconcileReport("switch", 1, 0, 0, 0, Duration.ZERO));
    events.tellOfTarget(ready);
    events.tellOfTarget(reconciled);
    time.pass(Duration.ofSeconds(1));
    assertThat(heard).filteredOn(StatusChanged.class::isInstance).hasSize(Events.MAX_WAITING);
    assertThat(heard)
        .filteredOn(EventsLeftOut.class::isInstance)
        .containsExactly(new EventsLeftOut(more));
    assertThat(heard).endsWith(ready, reconciled);
  }

  @Test
  void nothingIsMadeForNobody() {
    events.tellOfChanges(
        1,
        out -> {
          throw new AssertionError("made");
        });
    time.pass(Duration.ofSeconds(1));
    events.listen(heard::add).close();
    events.tellOfTarget(new SessionChanged("switch", SessionState.READY, Optional.empty()));
    time.pass(Duration.ofSeconds(1));
    assertThat(heard).isEmpty();
  }

  /** A listener that keeps a record. */
  private static ControllerListener recorder(List<ControllerEvent> record) {
    return new ControllerListener() {
      @Override
      public void on(ControllerEvent event) {
        record.add(event);
      }

      @Override
      public boolean keepsRecord() {
        return true;
      }
    };
  }

  @Test
  void eachThatKeepsARecordIsToldOfTheOpening() {
    SessionChanged opening = new SessionChanged("switch", SessionState.READY, Optional.empty());
    events.tellOfOpening(1, out -> out.accept(opening));
    List<ControllerEvent> other = new ArrayList<>();
    var first = events.listen(recorder(heard));
    time.pass(Duration.ofSeconds(1));
    var second = events.listen(recorder(other));
    time.pass(Duration.ofSeconds(1));
    assertThat(heard).containsExactly(opening);
    assertThat(other).containsExactly(opening);
    first.close();
    second.close();
  }
}
