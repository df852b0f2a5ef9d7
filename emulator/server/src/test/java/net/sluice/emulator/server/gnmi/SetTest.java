package net.sluice.emulator.server.gnmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.sluice.emulator.netsim.EventHandler;
import net.sluice.emulator.netsim.QueueScheduling;
import net.sluice.gnmi.GnmiPaths;
import net.sluice.gnmi.GnmiValues;
import net.sluice.gnmi.wire.GetRequest.DataType;
import net.sluice.gnmi.wire.SetRequest;
import net.sluice.gnmi.wire.SetResponse;
import net.sluice.gnmi.wire.UpdateResult;
import org.junit.jupiter.api.Test;

class SetTest {

  private static final String POLICY = "/qos/scheduler-policies/scheduler-policy[name=p]";
  private static final String BOUND =
      "/qos/interfaces/interface[name=eth1]/output/scheduler-policy/config/name";

  private final Target target = new Target();

  @Test
  void aPortIsDisabledAndEnabledAgain() {
    String enabled = "/interfaces/interface[name=eth1]/config/enabled";
    target.simulation.runUntil(7_000_000);
    assertThat(target.update(enabled, GnmiValues.of(false))).isEqualTo("OK");
    assertThat(target.one.enabled()).isFalse();
    assertThat(target.value("/interfaces/interface[name=eth1]/state/admin-status"))
        .isEqualTo("DOWN");
    assertThat(target.value("/interfaces/interface[name=eth1]/state/oper-status"))
        .isEqualTo("DOWN");
    assertThat(target.value("/interfaces/interface[name=eth1]/state/last-change"))
        .isEqualTo(Target.EPOCH + 7_000_000);
    assertThat(target.sets).isEqualTo(1);
    assertThat(target.delete(enabled)).isEqualTo("OK");
    assertThat(target.one.enabled()).isTrue();
    assertThat(target.value(enabled)).isEqualTo(true);
  }

  @Test
  void aPortWithoutLinkIsEnabledAndDown() {
    target.simulation.execute(() -> target.one.setLinkUp(false));
    assertThat(target.value("/interfaces/interface[name=eth1]/state/admin-status")).isEqualTo("UP");
    assertThat(target.value("/interfaces/interface[name=eth1]/state/oper-status"))
        .isEqualTo("DOWN");
  }

  @Test
  void aPortGetsASpeedAndItsOwnBack() {
    String speed = "/interfaces/interface[name=3]/ethernet/config/port-speed";
    assertThat(target.update(speed, GnmiValues.of("SPEED_10GB"))).isEqualTo("OK");
    assertThat(target.three.rateBps()).isEqualTo(10_000_000_000L);
    assertThat(target.value("/interfaces/interface[name=3]/ethernet/state/port-speed"))
        .isEqualTo("SPEED_10GB");
    assertThat(target.update(speed, "\"openconfig-if-ethernet:SPEED_25GB\"")).isEqualTo("OK");
    assertThat(target.three.rateBps()).isEqualTo(25_000_000_000L);
    assertThat(target.delete("/interfaces/interface[name=3]")).isEqualTo("OK");
    assertThat(target.three.rateBps()).isEqualTo(20_000_000);
  }

  private static final String TWO_LEVELS =
      """
      {"config": {"name": "p"},
       "schedulers": {"scheduler": [
         {"sequence": 1, "config": {"sequence": 1, "priority": "STRICT"},
          "inputs": {"input": [{"id": "a", "config": {"id": "a", "queue": "7"}}]},
          "one-rate-two-color": {"config": {
            "cir": "100000000", "bc": 3000, "max-queue-depth-packets": 10}}},
         {"sequence": 2, "config": {"sequence": 2},
          "inputs": {"input": [
            {"id": "b", "config": {"id": "b", "queue": "1", "weight": "3"}},
            {"id": "c", "config": {"id": "c", "queue": "2", "weight": "1"}}]},
          "one-rate-two-color": {"config": {"max-queue-depth-bytes": 50000}}}]}}""";

  @Test
  void aSchedulerPolicyServesTheQueuesOfAPort() {
    assertThat(target.replace(POLICY, TWO_LEVELS)).isEqualTo("OK");
    assertThat(target.one.scheduling()).isEqualTo(QueueScheduling.STRICT);
    assertThat(target.update(BOUND, GnmiValues.of("p"))).isEqualTo("OK");
    assertThat(target.one.scheduling())
        .isEqualTo(
            QueueScheduling.complete(
                List.of(
                    new QueueScheduling.Level(
                        false, List.of(new QueueScheduling.Input(7, 1)), 100_000_000, 3_000),
                    new QueueScheduling.Level(
                        true,
                        List.of(new QueueScheduling.Input(1, 3), new QueueScheduling.Input(2, 1)),
                        Target.UNLIMITED,
                        0))));
    assertThat(target.one.queueLimitPackets(7)).isEqualTo(10);
    assertThat(target.one.queueLimitBytes(7)).isEqualTo(100_000);
    assertThat(target.one.queueLimitBytes(1)).isEqualTo(50_000);
    assertThat(target.one.queueLimitBytes(3)).isEqualTo(100_000);
    assertThat(
            target.value("/qos/interfaces/interface[name=eth1]/output/scheduler-policy/state/name"))
        .isEqualTo("p");
    assertThat(
            target
                .text(DataType.STATE, POLICY + "/schedulers/scheduler[sequence=2]/inputs")
                .lines())
        .contains(POLICY + "/schedulers/scheduler[sequence=2]/inputs/input[id=b]/state/weight = 3");
    // A change of the policy reaches the port, and so does its end.
    assertThat(
            target.update(
                POLICY + "/schedulers/scheduler[sequence=2]/inputs/input[id=c]/config/weight",
                GnmiValues.ofUnsigned(5)))
        .isEqualTo("OK");
    assertThat(target.one.scheduling().levels().get(1).inputs())
        .containsExactly(new QueueScheduling.Input(2, 5), new QueueScheduling.Input(1, 3));
    assertThat(target.delete("/qos/interfaces/interface[name=eth1]")).isEqualTo("OK");
    assertThat(target.one.scheduling()).isEqualTo(QueueScheduling.STRICT);
    assertThat(target.one.queueLimitPackets(7)).isEqualTo(Integer.MAX_VALUE);
    assertThat(target.delete(POLICY)).isEqualTo("OK");
    assertThat(target.text(DataType.ALL, "/qos/scheduler-policies/...")).isEmpty();
  }

  @Test
  void weightsThatAreSetShareTheLine() {
    assertThat(target.replace(POLICY, TWO_LEVELS)).isEqualTo("OK");
    assertThat(target.update(BOUND, GnmiValues.of("p"))).isEqualTo("OK");
    target.device.load(p -> p.priority = (int) p.tag, p -> {});
    for (int queue : new int[] {1, 2, 7}) {
      EventHandler[] source = new EventHandler[1];
      source[0] =
          (now, a) -> {
            target.two.receive(new byte[500], 0, 500, queue, now);
            target.simulation.schedule(now + 3_000, source[0], 0);
          };
      target.simulation.schedule(0, source[0], 0);
    }
    target.simulation.runUntil(1_000_000_000);
    // 7 keeps to 100 Mbit/s, 1 and 2 share 900 as 3 : 1, all offering 1,333 each.
    assertThat(target.one.queueStatistics(7).sentBytes()).isCloseTo(12_500_000, within(4_000L));
    assertThat(target.one.queueStatistics(1).sentBytes()).isCloseTo(84_375_000, within(5_000L));
    assertThat(target.one.queueStatistics(2).sentBytes()).isCloseTo(28_125_000, within(5_000L));
  }

  @Test
  void strictInputsGoByWeightHighestFirst() {
    assertThat(
            target.update(
                "/qos",
                """
                {"openconfig-qos:scheduler-policies": {"scheduler-policy": [
                   {"name": "q", "schedulers": {"scheduler": [
                     {"sequence": 5, "config": {"priority": "STRICT"}, "inputs": {"input": [
                       {"id": "x", "config": {"queue": "0", "weight": "10"}},
                       {"id": "y", "config": {"queue": "6", "weight": "20"}}]}}]}}]},
                 "interfaces": {"interface": [
                   {"interface-id": "eth1",
                    "output": {"scheduler-policy": {"config": {"name": "q"}}}}]}}"""))
        .isEqualTo("OK");
    assertThat(target.one.scheduling()).isEqualTo(QueueScheduling.parse("6,0"));
  }

  @Test
  void editsAreDoneInTheOrderDeleteReplaceUpdate() {
    String enabled = "/interfaces/interface[name=eth1]/config/enabled";
    SetRequest request =
        SetRequest.newBuilder()
            .setPrefix(GnmiPaths.parse("/interfaces/interface[name=eth1]"))
            .addUpdate(Target.edit("config/enabled", GnmiValues.of(false)))
            .addReplace(Target.edit("config", GnmiValues.of(new GnmiValues.Json("{}", false))))
            .addDelete(GnmiPaths.parse("config"))
            .build();
    Target.Answer<SetResponse> answer = Target.call(target.service::set, request);
    assertThat(answer.value.getResponseList())
        .extracting(UpdateResult::getOp)
        .containsExactly(
            UpdateResult.Operation.DELETE,
            UpdateResult.Operation.REPLACE,
            UpdateResult.Operation.UPDATE);
    assertThat(answer.value.getTimestamp()).isEqualTo(Target.EPOCH);
    assertThat(target.value(enabled)).isEqualTo(false);
    assertThat(target.replace("/interfaces/interface[name=eth1]/config", "{}")).isEqualTo("OK");
    assertThat(target.value(enabled)).isEqualTo(true);
  }

  @Test
  void whatIsReplacedLosesWhatIsNotSaid() {
    assertThat(target.replace(POLICY, TWO_LEVELS)).isEqualTo("OK");
    assertThat(
            target.replace(
                POLICY + "/schedulers/scheduler[sequence=2]/inputs",
                "{\"input\":[{\"id\":\"d\",\"config\":{\"queue\":\"5\"}}]}"))
        .isEqualTo("OK");
    assertThat(
            target
                .text(DataType.CONFIG, POLICY + "/schedulers/scheduler[sequence=2]/inputs")
                .lines())
        .containsExactly(
            POLICY + "/schedulers/scheduler[sequence=2]/inputs/input[id=d]/config/id = d",
            POLICY + "/schedulers/scheduler[sequence=2]/inputs/input[id=d]/config/queue = 5");
  }

  /** Edits of which some cannot be; whatever fails must leave no trace. */
  @Property(seed = "1", tries = 200)
  void aSetThatFailsChangesNothing(@ForAll("edits") List<Integer> edits) {
    Target fresh = new Target();
    assertThat(fresh.replace(POLICY, TWO_LEVELS)).isEqualTo("OK");
    String before = fresh.text(DataType.ALL, "/");
    QueueScheduling scheduling = fresh.one.scheduling();
    SetRequest.Builder request = SetRequest.newBuilder();
    for (int edit : edits) {
      switch (edit) {
        case 0 ->
            request.addUpdate(
                Target.edit(
                    "/interfaces/interface[name=eth1]/config/enabled", GnmiValues.of(false)));
        case 1 ->
            request.addUpdate(
                Target.edit(
                    "/interfaces/interface[name=3]/ethernet/config/port-speed",
                    GnmiValues.of("SPEED_1GB")));
        case 2 -> request.addUpdate(Target.edit(BOUND, GnmiValues.of("p")));
        case 3 -> request.addDelete(GnmiPaths.parse(POLICY));
        case 4 -> request.addUpdate(Target.edit(BOUND, GnmiValues.of("other")));
        case 5 ->
            request.addUpdate(
                Target.edit(
                    "/interfaces/interface[name=eth2]/config/enabled", GnmiValues.of("no")));
        case 6 ->
            request.addUpdate(
                Target.edit(
                    POLICY + "/schedulers/scheduler[sequence=2]/inputs/input[id=b]/config/queue",
                    GnmiValues.of("2")));
        default -> request.addDelete(GnmiPaths.parse("/interfaces/interface[name=eth1]/state"));
      }
    }
    String outcome = fresh.set(request.build());
    // The last binding holds. The policy is gone, or has queue 2 twice, or only the new input.
    int bound = edits.stream().filter(edit -> edit == 2 || edit == 4).reduce((a, b) -> b).orElse(0);
    boolean wrong =
        edits.contains(5)
            || edits.contains(7)
            || bound == 4
            || bound == 2 && edits.contains(3) != edits.contains(6);
    assertThat(outcome.equals("OK")).as("%s: %s", edits, outcome).isEqualTo(!wrong);
    if (wrong) {
      assertThat(fresh.text(DataType.ALL, "/")).isEqualTo(before);
      assertThat(fresh.one.scheduling()).isEqualTo(scheduling);
      assertThat(fresh.one.enabled()).isTrue();
      assertThat(fresh.three.rateBps()).isEqualTo(20_000_000);
    } else {
      assertThat(fresh.one.enabled()).isEqualTo(!edits.contains(0));
      assertThat(fresh.three.rateBps()).isEqualTo(edits.contains(1) ? 1_000_000_000 : 20_000_000);
    }
  }

  @Provide
  Arbitrary<List<Integer>> edits() {
    return Arbitraries.integers()
        .between(0, 7)
        .list()
        .ofMinSize(1)
        .ofMaxSize(4)
        .map(ArrayList::new);
  }
}
