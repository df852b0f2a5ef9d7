package net.sluice.core.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.sluice.core.ControllerConfig;
import net.sluice.core.Outcome;
import net.sluice.core.store.InMemoryNetworkStore;
import net.sluice.core.testing.NetworkRig;
import net.sluice.core.testing.RandomTimedChanges;
import net.sluice.intents.compile.Compiler;
import net.sluice.intents.model.Declaration;
import net.sluice.intents.plan.Change;

/**
 * An empty controller takes the export of any history that another one accepted, line by line or as
 * one set, at any time of the day.
 */
class ImportPropertyTest {
  private static final List<String> SWITCHES = List.of("bng1", "bng2");
  private static final int CHANGES = 60;
  private static final ControllerConfig CONFIG = StartPropertyTest.config();
  private static final Compiler COMPILER =
      new Compiler(CONFIG.topology(), CONFIG.switchProfile(), CONFIG.fpgaProfile());

  @Property(tries = 60, shrinking = ShrinkingMode.OFF, seed = "1")
  void anExportIsTakenWhole(@ForAll long seed) {
    run(seed);
  }

  @Tag("long")
  @Property(tries = 1000, shrinking = ShrinkingMode.OFF, seed = "2")
  void anExportIsTakenWholeByFarMoreSeeds(@ForAll long seed) {
    run(seed);
  }

  private static void run(long seed) {
    Random random = new Random(seed);
    RandomTimedChanges changes = new RandomTimedChanges(random, SWITCHES);
    List<Change> exported = new ArrayList<>();
    Duration passed = Duration.ofSeconds(1);
    try (NetworkRig rig = rig(passed)) {
      changes.policies().forEach(rig.controller::apply);
      for (int i = 0; i < CHANGES; i++) {
        Outcome unused = rig.controller.apply(changes.next(rig.time.instant()));
        Duration pause = changes.pause(rig.time.instant());
        rig.time.pass(pause);
        passed = passed.plus(pause);
      }
      rig.controller.export(each -> exported.add(restored(each.put())));
    }
    for (int hours : List.of(0, random.nextInt(100), 500)) {
      try (NetworkRig other = rig(passed.plus(Duration.ofHours(hours)))) {
        List<Outcome> outcomes =
            random.nextInt(4) == 0
                ? other.controller.applyTogether(exported, false).outcomes()
                : lineByLine(other, exported);
        assertThat(outcomes)
            .as("%d hours later, at %s, of %s", hours, other.time.instant(), exported)
            .hasSameSizeAs(exported)
            .allMatch(Outcome::isAccepted);
      }
    }
  }

  /** Things may come into force between two lines. */
  private static List<Outcome> lineByLine(NetworkRig rig, List<Change> lines) {
    List<Outcome> outcomes = new ArrayList<>();
    for (Change line : lines) {
      outcomes.addAll(rig.controller.applyAll(List.of(line)));
      rig.time.settle();
    }
    return outcomes;
  }

  private static Change restored(Change.Put exported) {
    Declaration declared = exported.declaration().asDeclared();
    return new Change.Put(declared, exported.switchName())
        .elsewhere(declared.treatedAs(exported.declaration()).map(Declaration.class::cast));
  }

  private static NetworkRig rig(Duration begin) {
    NetworkRig rig = NetworkRig.over(new InMemoryNetworkStore());
    SWITCHES.forEach(name -> rig.add(name, CONFIG));
    rig.compilers = unused -> COMPILER;
    rig.time.pass(begin);
    rig.open();
    rig.time.pass(Duration.ofSeconds(1));
    return rig;
  }
}
