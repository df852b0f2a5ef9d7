package net.sluice.core.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.sluice.core.ControllerConfig;
import net.sluice.core.Declared;
import net.sluice.core.Outcome;
import net.sluice.core.store.InMemoryNetworkStore;
import net.sluice.core.testing.MemoryTarget;
import net.sluice.core.testing.NetworkRig;
import net.sluice.core.testing.RandomTimedChanges;
import net.sluice.core.testing.TestNetwork;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.marker.PolicyValueEntry;
import net.sluice.intents.plan.entry.marker.RandomRateEntry;
import net.sluice.intents.plan.entry.marker.RateBinEntry;
import net.sluice.intents.profile.AggregateProfile;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.MeterProfile;
import net.sluice.intents.profile.ShapeProfile;
import net.sluice.intents.value.Direction;

/**
 * After any history that the controller accepted, one that starts with what is stored serves what
 * the one before it would serve: from the same moment on for a week, also when it starts later in
 * that week, having missed all that came due until then; and it takes the same changes after that.
 */
class StartPropertyTest {
  private static final List<String> SWITCHES = List.of("bng1", "bng2");
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Property(tries = 60, shrinking = ShrinkingMode.OFF, seed = "1")
  void aStartServesWhatWasServed(@ForAll long seed) {
    new Run(seed).run();
  }

  @Tag("long")
  @Property(tries = 1000, shrinking = ShrinkingMode.OFF, seed = "2")
  void aStartServesWhatWasServedByFarMoreSeeds(@ForAll long seed) {
    new Run(seed).run();
  }

  private static final ControllerConfig CONFIG = config();
  private static final Compiler COMPILER =
      new Compiler(CONFIG.topology(), CONFIG.switchProfile(), CONFIG.fpgaProfile());

  /** Room for little, so that it is fought for. */
  static ControllerConfig config() {
    FpgaProfile fpga =
        new FpgaProfile(156.25e6, 1248, 18, 2, 2, 2, 8, 1600, 32_767, 2000, 256 * 1024)
            .withClassShares(true);
    return ControllerConfig.builder(
            Path.of("unused"),
            TestNetwork.topology().withLoopPorts(List.of(505, 506, 507, 508)),
            TestNetwork.switchProfile(1_000)
                .withShaping(new ShapeProfile(6, 15_000_000))
                .withMeters(new MeterProfile(6))
                .withAggregates(new AggregateProfile(3, 16))
                .withTrafficClasses(2),
            fpga)
        .queueCapacity(10_000_000)
        .auditInterval(Optional.empty())
        .build();
  }

  private static NetworkRig rig(InMemoryNetworkStore store, Duration begin) {
    NetworkRig rig = NetworkRig.over(store);
    SWITCHES.forEach(name -> rig.add(name, CONFIG));
    rig.compilers = unused -> COMPILER;
    rig.time.pass(begin);
    rig.open();
    rig.time.pass(SECOND);
    return rig;
  }

  private static final class Run {
    private static final int CHANGES = 50;
    private static final int CHANGES_AFTER = 10;
    private static final int MOMENTS = 10;

    private final Random random;
    private final List<String> diary = new ArrayList<>();
    private final NetworkRig live;
    private final InMemoryNetworkStore store = new InMemoryNetworkStore();
    private Duration passed = SECOND;

    Run(long seed) {
      random = new Random(seed);
      live = rig(store, Duration.ZERO);
    }

    void run() {
      try {
        RandomTimedChanges changes = new RandomTimedChanges(random, SWITCHES);
        changes.policies().forEach(this::apply);
        for (int i = 0; i < CHANGES; i++) {
          apply(changes.next(live.time.instant()));
          pass(changes.pause(live.time.instant()));
        }
        // Killed, perhaps with moves under way.
        InMemoryNetworkStore stored = store.copy();
        NetworkRig started = rig(stored.copy(), passed);
        pass(SECOND);
        Duration end = passed;
        assertThat(served(started))
            .as("at once, at %s", live.time.instant())
            .isEqualTo(served(live));
        for (int i = 0; i < MOMENTS; i++) {
          Duration length = next(end);
          started.time.pass(length);
          pass(length);
          Map<String, Object> served = served(live);
          assertThat(served(started)).as("at %s", live.time.instant()).isEqualTo(served);
          if (i % 5 == 0) {
            NetworkRig later = rig(stored.copy(), passed.minus(SECOND));
            assertThat(served(later)).as("begun at %s", live.time.instant()).isEqualTo(served);
            later.close();
          }
        }
        for (int i = 0; i < CHANGES_AFTER; i++) {
          Change change = changes.next(live.time.instant());
          boolean isAccepted = apply(change);
          assertThat(started.controller.apply(change).isAccepted()).isEqualTo(isAccepted);
          Duration pause = changes.pause(live.time.instant()).plus(SECOND);
          started.time.pass(pause);
          pass(pause);
          assertThat(served(started)).as("at %s", live.time.instant()).isEqualTo(served(live));
        }
        started.close();
        live.close();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(e.getMessage() + "\n" + String.join("\n", diary), e);
      }
    }

    /** Some hours, to a moment that is often one at which schedules begin and end. */
    private Duration next(Duration end) {
      Duration left = end.plus(Duration.ofDays(7)).minus(passed);
      Duration most = left.dividedBy(4);
      Duration any = Duration.ofSeconds(1 + random.nextLong(most.toSeconds()));
      long second = live.time.instant().plus(any).getEpochSecond() % 3_600;
      // Just behind the hour: a start takes a second.
      return random.nextBoolean() ? any.plusSeconds(3_600 - second + 1) : any;
    }

    private boolean apply(Change change) {
      Outcome outcome = live.controller.apply(change);
      diary.add(
          live.time.instant()
              + (outcome.isAccepted() ? " accepted " : " refused ")
              + change
              + (outcome instanceof Outcome.Refused refused ? " " + refused.problems() : ""));
      return outcome.isAccepted();
    }

    private void pass(Duration length) {
      live.time.pass(length);
      passed = passed.plus(length);
    }
  }

  /** All that a network serves and tells. */
  private static Map<String, Object> served(NetworkRig rig) {
    Map<String, Object> served = new TreeMap<>();
    for (String name : SWITCHES) {
      served.put(name, entries(rig.switches.get(name)));
      for (Direction direction : Direction.values()) {
        served.put(name + direction, new HashMap<>(rig.fpga(name, direction).content()));
      }
    }
    for (Kind kind : Kind.values()) {
      for (int i = 0; i < RandomTimedChanges.IDS; i++) {
        String id = RandomTimedChanges.id(kind, i);
        rig.controller.find(kind, id).ifPresent(found -> served.put(kind + " " + id, told(found)));
      }
    }
    served.put("notes", rig.controller.notes());
    served.put("allInstalled", rig.controller.summary().isAllInstalled());
    return served;
  }

  /** The entries by key; of the thousands that are of a policy or of none only their number. */
  private static List<Object> entries(MemoryTarget<SwitchEntry> target) {
    Map<Object, SwitchEntry> entries = new HashMap<>();
    target
        .content()
        .forEach(
            (key, entry) -> {
              if (!isOfMarker(entry)) {
                entries.put(key, entry);
              }
            });
    return List.of(entries, target.content().size());
  }

  private static boolean isOfMarker(SwitchEntry entry) {
    return entry instanceof PolicyValueEntry
        || entry instanceof RandomRateEntry
        || entry instanceof RateBinEntry;
  }

  private static List<Object> told(Declared found) {
    return List.of(
        found.declared(),
        found.grants(),
        found.notes(),
        found.switchName(),
        found.targets().stream().map(each -> each.target() + " " + each.state()).toList());
  }
}
