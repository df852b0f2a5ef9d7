package net.sluice.onos.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import net.sluice.core.Controller;
import net.sluice.core.ControllerException;
import net.sluice.core.Declared;
import net.sluice.core.InstallSummary.PerTarget;
import net.sluice.core.Outcome;
import net.sluice.core.testing.VirtualTime;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;
import net.sluice.intents.validate.Refusal;

/**
 * Where each subscriber may be after changes some of which nobody acknowledged: at one switch, or
 * at one of several.
 */
public final class SubscriberPlaces {
  /** Of a subscriber that is not declared. */
  public static final String NOWHERE = "";

  private final Map<String, Set<String>> places = new HashMap<>();

  /**
   * Makes a change by whoever leads, if anybody does.
   *
   * @param place where it puts its subscriber, if it is about one
   */
  public void change(Optional<Controller> leader, Change change, Optional<String> place) {
    if (leader.isEmpty()) {
      return;
    }
    Set<String> before = places.getOrDefault(change.id(), Set.of(NOWHERE));
    try {
      Outcome outcome = leader.get().apply(change);
      if (place.isPresent() && outcome.isAccepted()) {
        places.put(change.id(), Set.of(place.get()));
      } else if (place.isPresent()) {
        // There was nothing to delete.
        assertThat(before).as(outcome.toString()).contains(NOWHERE);
        places.put(change.id(), Set.of(NOWHERE));
      }
    } catch (ControllerException e) {
      place.ifPresent(
          possible -> {
            Set<String> either = new HashSet<>(before);
            either.add(possible);
            places.put(change.id(), either);
          });
    }
  }

  /**
   * Asserts that everything is installed, each subscriber at one of its places, and the switches
   * hold just that.
   *
   * @param prefixesAt how many subscribers' prefixes a switch holds, by its name
   */
  public void check(
      Controller leader,
      Iterable<String> switches,
      ToLongFunction<String> prefixesAt,
      VirtualTime time)
      throws Refusal {
    assertThat(leader.summary().isAllInstalled()).as(leader.summary().toString()).isTrue();
    Map<String, Long> at = new HashMap<>();
    for (Map.Entry<String, Set<String>> each : places.entrySet()) {
      String found =
          leader.find(Kind.SUBSCRIBER, each.getKey()).flatMap(Declared::switchName).orElse(NOWHERE);
      assertThat(each.getValue()).as(each.getKey()).contains(found);
      at.merge(found, 1L, Long::sum);
    }
    for (String name : switches) {
      assertThat(prefixesAt.applyAsLong(name))
          .as("prefixes at " + name)
          .isEqualTo(at.getOrDefault(name, 0L));
    }
    leader.reconcile();
    time.pass(Duration.ofMinutes(1));
    for (PerTarget target : leader.summary().targets()) {
      assertThat(leader.drift(target.target()).compared().tables()).as(target.target()).isEmpty();
    }
  }
}
