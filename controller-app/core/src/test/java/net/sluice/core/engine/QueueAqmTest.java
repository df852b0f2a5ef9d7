package net.sluice.core.engine;

import static net.sluice.core.testing.TestNetwork.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import net.sluice.core.TargetState;
import net.sluice.core.testing.ControllerRig;
import net.sluice.core.testing.MemoryTarget.Written;
import net.sluice.core.traffic.DropStatus;
import net.sluice.core.traffic.QueueCounters;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.PortQueue;
import net.sluice.intents.model.policy.Aqm;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.plan.Change;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.queue.QueueAqmEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberPrefixEntry;
import net.sluice.pipeconf.DropReason;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Queues that a policy has managed: written, told, kept and read back. */
class QueueAqmTest {
  private static final QueueAqmEntry ACT =
      new QueueAqmEntry(1, 0, AqmKind.CODEL_ACT, 5_000, 100_000, false);
  private static final QueueAqmEntry SHORTER =
      new QueueAqmEntry(1, 0, AqmKind.CODEL_ACT, 3_000, 100_000, false);

  private ControllerRig rig;

  private static Change gold(long targetMicros) {
    return gold(Optional.of(new Aqm.CoDel(AqmKind.CODEL_ACT, targetMicros, 100_000, false)));
  }

  private static Change gold(Optional<Aqm> aqm) {
    return new Change.Put(new Policy("gold", BuiltInFunction.GOLD, aqm));
  }

  @BeforeEach
  void open() {
    rig = ControllerRig.settled();
    rig.accept(gold(5_000));
    rig.accept(put("alice", "10.0.0.1/32"));
    rig.time.settle();
  }

  private List<Written<SwitchEntry>> writtenAfter(Runnable change) {
    int before = rig.switchTarget.writes().size();
    change.run();
    rig.time.settle();
    List<Written<SwitchEntry>> all = rig.switchTarget.writes();
    return all.subList(before, all.size());
  }

  private QueueAqmEntry held() {
    return (QueueAqmEntry) rig.switchTarget.content().get(ACT.key());
  }

  private TargetState goldsState() {
    return rig.controller.find(Kind.POLICY, "gold").orElseThrow().targets().get(0).state();
  }

  @Test
  void aChangeIsOneModificationAndNeverADeletion() {
    assertThat(held()).isEqualTo(ACT);
    assertThat(writtenAfter(() -> rig.accept(gold(3_000))))
        .containsExactly(new Written<>(Op.MODIFY, SHORTER, false));
    assertThat(goldsState()).isEqualTo(TargetState.INSTALLED);
  }

  @Test
  void theLastSubscribersIndexIsRetiredByItsOwnEntry() {
    List<Written<SwitchEntry>> writes =
        writtenAfter(() -> rig.accept(new Change.Delete(Kind.SUBSCRIBER, "alice")));
    assertThat(writes).hasSize(2).anyMatch(w -> w.op() == Op.DELETE && w.entity().equals(ACT));
    assertThat(writes)
        .filteredOn(Written::retires)
        .singleElement()
        .matches(w -> w.entity() instanceof SubscriberPrefixEntry);
    assertThat(rig.controller.remaining(Kind.SUBSCRIBER, "alice")).isEmpty();
  }

  @Test
  void whatTheSwitchRefusesCountsForThePolicy() {
    rig.switchTarget.refuse((op, entry) -> entry instanceof QueueAqmEntry ? "no such thing" : "");
    writtenAfter(() -> rig.accept(gold(3_000)));
    assertThat(goldsState()).isEqualTo(TargetState.FAILED);
    assertThat(rig.controller.find(Kind.SUBSCRIBER, "alice").orElseThrow().targets().get(0).state())
        .isEqualTo(TargetState.INSTALLED);
    rig.switchTarget.refuse((op, entry) -> "");
    // What failed is written anew with the next change of the policy.
    writtenAfter(() -> rig.accept(gold(4_000)));
    assertThat(held().targetMicros()).isEqualTo(4_000);
    assertThat(goldsState()).isEqualTo(TargetState.INSTALLED);
  }

  @Test
  void whatIsReadBackIsCorrected() {
    rig.switchTarget.place(SHORTER);
    QueueAqmEntry foreign = new QueueAqmEntry(2, 1, AqmKind.RFC8289, 1, 5_000, true);
    QueueAqmEntry nowhere = new QueueAqmEntry(300, 7, AqmKind.RFC8289, 1, 5_000, true);
    rig.switchTarget.place(foreign);
    rig.switchTarget.place(nowhere);
    assertThat(writtenAfter(rig.controller::reconcile))
        .containsExactlyInAnyOrder(
            new Written<>(Op.MODIFY, ACT, false),
            new Written<>(Op.DELETE, foreign, false),
            new Written<>(Op.DELETE, nowhere, false));
    rig.switchTarget.content().remove(ACT.key());
    assertThat(writtenAfter(rig.controller::reconcile))
        .containsExactly(new Written<>(Op.INSERT, ACT, false));
    assertThat(writtenAfter(rig.controller::reconcile)).isEmpty();
    assertThat(goldsState()).isEqualTo(TargetState.INSTALLED);
  }

  @Test
  void managedQueuesAreToldWithTheirCounters() {
    assertThat(rig.controller.queues().join().read())
        .singleElement()
        .satisfies(
            queue -> {
              assertThat(queue.managed().queue()).isEqualTo(new PortQueue(1, 0));
              assertThat(queue.managed().aqm())
                  .isEqualTo(new Aqm.CoDel(AqmKind.CODEL_ACT, 5_000, 100_000, false));
              assertThat(queue.managed().policy().orElseThrow().policy().id()).isEqualTo("gold");
              assertThat(queue.counters()).isEqualTo(new QueueCounters(1, 0, 3, 4, 5, 6));
            });
    rig.accept(gold(Optional.empty()));
    assertThat(rig.controller.queues().join().read()).isEmpty();
  }

  @Test
  void packetsDroppedAreToldByReason() {
    assertThat(rig.controller.drops().join().read())
        .containsExactly(new DropStatus(Optional.empty(), DropReason.SUSPENDED, 7, 700));
  }

  @Test
  void theSettingIsThereAfterARestart() {
    ControllerRig again = rig.restart();
    again.time.settle();
    assertThat(again.switchTarget.content()).containsEntry(ACT.key(), ACT);
    assertThat(again.controller.queues().join().read()).hasSize(1);
  }
}
