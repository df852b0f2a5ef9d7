package net.sluice.core.network;

import static net.sluice.core.testing.NetworkRig.at;
import static net.sluice.core.testing.TestNetwork.policy;
import static net.sluice.core.testing.TestNetwork.put;
import static net.sluice.core.testing.TestNetwork.smallConfig;
import static net.sluice.core.testing.TestNetwork.subscriber;
import static net.sluice.core.testing.TestNetwork.switchProfile;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.sluice.core.Outcome;
import net.sluice.core.session.TargetSession;
import net.sluice.core.testing.NetworkRig;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.model.SubscriberTerms;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.model.schedule.Schedule;
import net.sluice.intents.model.schedule.Span;
import net.sluice.intents.plan.Change;
import net.sluice.intents.validate.Refusal;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A switch that answers nothing keeps only those waiting who change something there. */
@Timeout(
    value = Patience.SECONDS,
    unit = TimeUnit.SECONDS,
    threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RoomTest {
  private static final int WAITING = 250;

  private NetworkRig rig;

  @BeforeEach
  void fill() {
    rig = NetworkRig.settled("bng1", "bng2");
    rig.accept(policy("gold", BuiltInFunction.GOLD));
    rig.accept(policy("bronze", BuiltInFunction.SILVER));
    rig.accept(at("bng1", new Change.Put(owl("owl1", "10.0.1.1/32"))));
    rig.accept(at("bng2", new Change.Put(owl("owl2", "10.0.1.2/32"))));
    rig.time.settle();
    for (String name : List.of("bng1", "bng2")) {
      rig.add(
          name,
          smallConfig()
              .queueCapacity(100)
              .batchSize(10)
              .window(2)
              .roomWait(Duration.ofSeconds(2 * Patience.SECONDS))
              .auditInterval(Optional.empty())
              .build());
    }
    rig.open();
    rig.time.pass(Duration.ofSeconds(1));
    rig.switches.get("bng2").holdAnswers();
    assertThat(
            rig.controller.applyAll(
                IntStream.range(0, WAITING)
                    .mapToObj(i -> (Change) at("bng2", put("m" + i, "10.0.2." + i + "/32")))
                    .toList()))
        .allMatch(Outcome::isAccepted);
    rig.time.settle();
  }

  @AfterEach
  void close() {
    rig.close();
  }

  /** A subscriber of policy gold that has bronze at night, when the test begins. */
  private static Subscriber owl(String id, String prefix) {
    Subscriber always = subscriber(id, prefix);
    Span.Daily evening =
        new Span.Daily(
            LocalTime.of(22, 0), LocalTime.of(6, 0), ZoneOffset.UTC, Span.Daily.EVERY_DAY);
    return always.withParts(
        always
            .parts()
            .withTerms(
                SubscriberTerms.of(
                    new SubscriberTerms.Holding.Has("gold"),
                    Optional.empty(),
                    new Schedule<>(
                        List.of(
                            new Schedule.Entry<>(
                                evening, new SubscriberTerms.Holding.Has("bronze")))))));
  }

  private String policyOf(String id) {
    return ((Subscriber) rig.controller.find(Kind.SUBSCRIBER, id).orElseThrow().declared())
        .policyId();
  }

  private Supplier<List<Outcome>> change(String kind) {
    Change atFull = at("bng2", put("alice", "10.0.3.1/32"));
    Change atOther = at("bng1", put("bob", "10.0.3.2/32"));
    return switch (kind) {
      case "single" -> () -> List.of(rig.controller.apply(atFull));
      case "policy" -> () -> List.of(rig.controller.apply(policy("silver", BuiltInFunction.GOLD)));
      case "move" -> () -> List.of(rig.controller.apply(at("bng1", put("m0", "10.0.2.0/32"))));
      case "bulk" -> () -> rig.controller.applyAll(List.of(atFull, atOther));
      case "bulk of a move" ->
          () -> rig.controller.applyAll(List.of(at("bng1", put("m0", "10.0.2.0/32")), atOther));
      case "set" -> () -> rig.controller.applyTogether(List.of(atFull, atOther), false).outcomes();
      default -> throw new IllegalArgumentException(kind);
    };
  }

  private static boolean waitsForRoom(Thread thread) {
    return thread.getState() == Thread.State.TIMED_WAITING
        && Stream.of(thread.getStackTrace())
            .anyMatch(
                frame ->
                    frame.getClassName().equals(TargetSession.class.getName())
                        && frame.getMethodName().equals("awaitSpace"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"single", "policy", "move", "bulk", "bulk of a move", "set"})
  void aChangeThatWaitsForRoomKeepsNoSwitchAndNoOtherChangeWaiting(String kind) throws Exception {
    FutureTask<List<Outcome>> waiting = new FutureTask<>(change(kind)::get);
    Thread thread = new Thread(waiting, "waiting");
    thread.setDaemon(true);
    thread.start();
    Patience.await("it waits for room", () -> waitsForRoom(thread));

    rig.add("bng3", switchProfile(1000));
    assertThat(rig.controller.put(rig.member("bng3"))).isTrue();
    rig.time.pass(Duration.ofSeconds(1));
    rig.accept(at("bng3", put("carol", "10.0.3.3/32")));
    rig.accept(at("bng1", put("dave", "10.0.3.4/32")));
    rig.time.settle();
    assertThat(rig.controller.whenInstalled(Kind.SUBSCRIBER, "carol", Duration.ZERO))
        .isCompletedWithValue(true);
    assertThat(waiting.isDone()).isFalse();

    rig.switches.get("bng2").answerAll();
    Patience.await(
        "it is made",
        () -> {
          rig.time.settle();
          return waiting.isDone();
        });
    assertThat(waiting.get()).allMatch(Outcome::isAccepted);
    rig.time.pass(Duration.ofSeconds(2));
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }

  @Test
  void whatIsDueComesIntoForceAtOtherSwitchesAndThereWhenThereIsRoom() throws Refusal {
    rig.time.pass(Duration.ofHours(12));
    assertThat(policyOf("owl1")).isEqualTo("gold");
    assertThat(policyOf("owl2")).isEqualTo("bronze");
    rig.add("bng3", switchProfile(1000));
    assertThat(rig.controller.put(rig.member("bng3"))).isTrue();

    rig.switches.get("bng2").answerAll();
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(policyOf("owl2")).isEqualTo("gold");
    rig.time.pass(Duration.ofSeconds(1));
    assertThat(rig.controller.summary().isAllInstalled()).isTrue();
  }
}
