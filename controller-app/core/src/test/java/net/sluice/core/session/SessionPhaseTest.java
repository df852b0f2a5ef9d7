package net.sluice.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import net.sluice.core.ReconcileReport;
import net.sluice.core.session.SessionPhase.BackingOff;
import net.sluice.core.session.SessionPhase.Closed;
import net.sluice.core.session.SessionPhase.Connecting;
import net.sluice.core.session.SessionPhase.Draining;
import net.sluice.core.session.SessionPhase.Reading;
import net.sluice.core.session.SessionPhase.Ready;
import net.sluice.core.session.SessionPhase.Refusing;
import net.sluice.core.session.SessionPhase.Removing;
import net.sluice.core.session.SessionPhase.Rewriting;
import net.sluice.core.session.SessionPhase.Standby;
import org.junit.jupiter.api.Test;

/** Every phase of a session and what every event makes of it. */
class SessionPhaseTest {
  private static final Instant T1 = Instant.ofEpochSecond(1);
  private static final Instant T2 = Instant.ofEpochSecond(2);
  private static final ReconcileReport REPORT =
      new ReconcileReport("switch", 1, 2, 3, 4, Duration.ZERO);

  /** Name, phase. */
  private static Map<String, SessionPhase> phases() {
    Map<String, SessionPhase> phases = new LinkedHashMap<>();
    phases.put("BackingOff", new BackingOff("refused", T1));
    phases.put("Standby", new Standby("refused"));
    phases.put("Connecting", new Connecting("refused"));
    phases.put("Draining", new Draining(false));
    phases.put("Draining again", new Draining(true));
    phases.put("Reading", new Reading(T1, false));
    phases.put("Reading again", new Reading(T1, true));
    phases.put("Removing 1", new Removing(T1, false, 1));
    phases.put("Removing 2", new Removing(T1, false, 2));
    phases.put("Removing 2 again", new Removing(T1, true, 2));
    phases.put("Removing 1 again", new Removing(T1, true, 1));
    phases.put("Refusing", new Refusing("refused"));
    phases.put("Rewriting", new Rewriting(T1, false, false));
    phases.put("Rewriting again", new Rewriting(T1, true, false));
    phases.put("Rewriting full", new Rewriting(T1, false, true));
    phases.put("Rewriting full again", new Rewriting(T1, true, true));
    phases.put("Ready unreported", new Ready(Optional.of(REPORT)));
    phases.put("Ready", new Ready(Optional.empty()));
    phases.put("Closed", new Closed());
    return phases;
  }

  private static Map<String, UnaryOperator<SessionPhase>> events() {
    Map<String, UnaryOperator<SessionPhase>> events = new LinkedHashMap<>();
    events.put("attemptDue", SessionPhase::attemptDue);
    events.put("up", SessionPhase::up);
    events.put("drained", phase -> phase.drained(T1));
    events.put("readBack 0", phase -> phase.readBack(0));
    events.put("readBack 2", phase -> phase.readBack(2));
    events.put("refused", phase -> phase.refused("refused"));
    events.put("removed", SessionPhase::removed);
    events.put("no room", phase -> phase.room(false));
    events.put("room", phase -> phase.room(true));
    events.put("rewritten", phase -> phase.rewritten(REPORT));
    events.put("reported", SessionPhase::reported);
    events.put("reconcileAsked", SessionPhase::reconcileAsked);
    events.put("lost", phase -> phase.lost("refused", T1));
    events.put("held", phase -> phase.held("refused"));
    events.put("released", SessionPhase::released);
    events.put("closed", SessionPhase::closed);
    return events;
  }

  /** What leads elsewhere; whatever is not listed leaves the phase as it is. */
  private static final List<String> TRANSITIONS =
      List.of(
          "BackingOff -- attemptDue --> Connecting",
          "BackingOff -- held --> Standby",
          "BackingOff -- closed --> Closed",
          "Standby -- released --> Connecting",
          "Standby -- closed --> Closed",
          "Connecting -- up --> Draining",
          "Connecting -- lost --> BackingOff",
          "Connecting -- held --> Standby",
          "Connecting -- closed --> Closed",
          "Draining -- drained --> Reading",
          "Draining -- reconcileAsked --> Draining again",
          "Draining -- lost --> BackingOff",
          "Draining -- held --> Standby",
          "Draining -- closed --> Closed",
          "Draining again -- drained --> Reading again",
          "Draining again -- lost --> BackingOff",
          "Draining again -- held --> Standby",
          "Draining again -- closed --> Closed",
          "Reading -- readBack 0 --> Rewriting",
          "Reading -- readBack 2 --> Removing 2",
          "Reading -- refused --> Refusing",
          "Reading -- reconcileAsked --> Reading again",
          "Reading -- lost --> BackingOff",
          "Reading -- held --> Standby",
          "Reading -- closed --> Closed",
          "Reading again -- readBack 0 --> Rewriting again",
          "Reading again -- readBack 2 --> Removing 2 again",
          "Reading again -- refused --> Refusing",
          "Reading again -- lost --> BackingOff",
          "Reading again -- held --> Standby",
          "Reading again -- closed --> Closed",
          "Removing 1 -- removed --> Rewriting",
          "Removing 1 -- reconcileAsked --> Removing 1 again",
          "Removing 1 -- lost --> BackingOff",
          "Removing 1 -- held --> Standby",
          "Removing 1 -- closed --> Closed",
          "Removing 2 -- removed --> Removing 1",
          "Removing 2 -- reconcileAsked --> Removing 2 again",
          "Removing 2 -- lost --> BackingOff",
          "Removing 2 -- held --> Standby",
          "Removing 2 -- closed --> Closed",
          "Removing 2 again -- removed --> Removing 1 again",
          "Removing 2 again -- lost --> BackingOff",
          "Removing 2 again -- held --> Standby",
          "Removing 2 again -- closed --> Closed",
          "Removing 1 again -- removed --> Rewriting again",
          "Removing 1 again -- lost --> BackingOff",
          "Removing 1 again -- held --> Standby",
          "Removing 1 again -- closed --> Closed",
          "Refusing -- reconcileAsked --> Draining",
          "Refusing -- lost --> BackingOff",
          "Refusing -- held --> Standby",
          "Refusing -- closed --> Closed",
          "Rewriting -- no room --> Rewriting full",
          "Rewriting -- rewritten --> Ready unreported",
          "Rewriting -- reconcileAsked --> Rewriting again",
          "Rewriting -- lost --> BackingOff",
          "Rewriting -- held --> Standby",
          "Rewriting -- closed --> Closed",
          "Rewriting again -- no room --> Rewriting full again",
          "Rewriting again -- rewritten --> Draining",
          "Rewriting again -- lost --> BackingOff",
          "Rewriting again -- held --> Standby",
          "Rewriting again -- closed --> Closed",
          "Rewriting full -- room --> Rewriting",
          "Rewriting full -- rewritten --> Ready unreported",
          "Rewriting full -- reconcileAsked --> Rewriting full again",
          "Rewriting full -- lost --> BackingOff",
          "Rewriting full -- held --> Standby",
          "Rewriting full -- closed --> Closed",
          "Rewriting full again -- room --> Rewriting again",
          "Rewriting full again -- rewritten --> Draining",
          "Rewriting full again -- lost --> BackingOff",
          "Rewriting full again -- held --> Standby",
          "Rewriting full again -- closed --> Closed",
          "Ready unreported -- reported --> Ready",
          "Ready unreported -- reconcileAsked --> Draining",
          "Ready unreported -- lost --> BackingOff",
          "Ready unreported -- held --> Standby",
          "Ready unreported -- closed --> Closed",
          "Ready -- reconcileAsked --> Draining",
          "Ready -- lost --> BackingOff",
          "Ready -- held --> Standby",
          "Ready -- closed --> Closed");

  @Test
  void everyEventLeadsFromEveryPhaseWhereTheTableSays() {
    Map<SessionPhase, String> names = new LinkedHashMap<>();
    phases().forEach((name, phase) -> names.put(phase, name));
    List<String> found = new ArrayList<>();
    phases()
        .forEach(
            (from, phase) ->
                events()
                    .forEach(
                        (event, transition) -> {
                          SessionPhase to = transition.apply(phase);
                          assertThat(names).containsKey(to);
                          if (!to.equals(phase)) {
                            found.add(from + " -- " + event + " --> " + names.get(to));
                          }
                        }));
    assertThat(found).containsExactlyElementsOf(TRANSITIONS);
  }

  @Test
  void everyPhaseSaysWhatItMeans() {
    List<String> found = new ArrayList<>();
    phases()
        .forEach(
            (name, phase) ->
                found.add(
                    name
                        + ": "
                        + phase.state()
                        + (phase.isUp() ? " queues" : "")
                        + (phase.maySend() ? " sends" : "")
                        + (phase.isReading() ? " reads" : "")
                        + phase.detail().map(why -> " because " + why).orElse("")));
    assertThat(found)
        .containsExactly(
            "BackingOff: CONNECTING because refused",
            "Standby: CONNECTING because refused",
            "Connecting: CONNECTING because refused",
            "Draining: RECONCILING queues",
            "Draining again: RECONCILING queues",
            "Reading: RECONCILING queues reads",
            "Reading again: RECONCILING queues reads",
            "Removing 1: RECONCILING queues reads",
            "Removing 2: RECONCILING queues reads",
            "Removing 2 again: RECONCILING queues reads",
            "Removing 1 again: RECONCILING queues reads",
            "Refusing: REFUSING because refused",
            "Rewriting: RECONCILING queues sends",
            "Rewriting again: RECONCILING queues sends",
            "Rewriting full: RECONCILING queues sends",
            "Rewriting full again: RECONCILING queues sends",
            "Ready unreported: READY queues sends",
            "Ready: READY queues sends",
            "Closed: CLOSED because closed");
  }

  @Test
  void theTimesAndReasonsOfEventsAreKept() {
    assertThat(new Draining(false).drained(T2)).isEqualTo(new Reading(T2, false));
    assertThat(new Connecting("none yet").lost("gone", T2)).isEqualTo(new BackingOff("gone", T2));
    assertThat(new BackingOff("gone", T2).attemptDue()).isEqualTo(new Connecting("gone"));
  }
}
