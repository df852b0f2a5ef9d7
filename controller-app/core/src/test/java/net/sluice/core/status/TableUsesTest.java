package net.sluice.core.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import net.sluice.core.ControllerConfig;
import net.sluice.core.Outcome;
import net.sluice.core.engine.SlaController;
import net.sluice.core.store.InMemoryIntentStore;
import net.sluice.core.target.Targets;
import net.sluice.core.testing.MemoryTarget;
import net.sluice.core.testing.TestCounters;
import net.sluice.core.testing.TestNetwork;
import net.sluice.core.testing.VirtualTime;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.TableUse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What takes of the last tenth of a table says so. */
class TableUsesTest {
  private final VirtualTime time = new VirtualTime();
  // 10 subscribers, 20 prefixes of each kind.
  private final SlaController controller =
      new SlaController(
          ControllerConfig.builder(
                  Path.of("unused"),
                  TestNetwork.topology(),
                  TestNetwork.switchProfile(10),
                  TestNetwork.fpgaProfile())
              .build(),
          new InMemoryIntentStore(),
          new Targets(
              MemoryTarget.ofSwitch(time.scheduler()),
              TestCounters.silent(),
              Optional.of(MemoryTarget.ofFpga("fpga-down", time.scheduler())),
              Optional.of(MemoryTarget.ofFpga("fpga-up", time.scheduler())),
              Optional.empty()),
          time,
          name -> time.scheduler());

  private TableUsesTest() {
    time.pass(Duration.ofSeconds(1));
    notes(TestNetwork.policy("gold", BuiltInFunction.GOLD));
  }

  @AfterEach
  void close() {
    controller.close();
  }

  private List<String> notes(Change change) {
    return ((Outcome.Accepted) controller.apply(change)).plan().notes();
  }

  private static Change two(int number) {
    return TestNetwork.put("s" + number, "10.0." + number + ".1/32", "10.0." + number + ".2/32");
  }

  @Test
  void aNoteComesWithTheFirstChangeBeyondNineTenths() {
    for (int number = 1; number <= 9; number++) {
      assertThat(notes(two(number))).as("subscriber %d", number).isEmpty();
    }
    Outcome.Accepted dry = (Outcome.Accepted) controller.dryRun(two(10));
    assertThat(dry.plan().notes())
        .containsExactly(
            "subscribers full: 10 of 10 in use", "ipv4-prefixes full: 20 of 20 in use");
    assertThat(notes(TestNetwork.put("s9", "10.0.9.1/32", "10.0.9.2/32", "10.0.9.3/32")))
        .containsExactly("ipv4-prefixes nearly full: 19 of 20 in use");
    assertThat(controller.switches().get(0).tables())
        .filteredOn(TableUse::isNearlyFull)
        .extracting(use -> use.note().orElseThrow())
        .containsExactly("ipv4-prefixes nearly full: 19 of 20 in use");
    // What takes nothing more has no note, nor has what gives back.
    assertThat(notes(TestNetwork.put("s9", "10.0.9.1/32", "10.0.9.2/32", "10.0.9.4/32"))).isEmpty();
    assertThat(notes(new Change.Delete(Kind.SUBSCRIBER, "s1"))).isEmpty();
    assertThat(controller.switches().get(0).tables()).noneMatch(TableUse::isNearlyFull);
  }
}
