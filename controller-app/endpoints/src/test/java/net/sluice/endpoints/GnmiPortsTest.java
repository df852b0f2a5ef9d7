package net.sluice.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Predicate;
import net.sluice.core.InstallSummary.SessionState;
import net.sluice.core.PortSummary;
import net.sluice.core.ports.GnmiConnection;
import net.sluice.core.ports.GnmiPorts;
import net.sluice.core.target.NotReadyException;
import net.sluice.core.testing.TestNetwork;
import net.sluice.core.time.Backoff;
import net.sluice.core.time.Scheduler;
import net.sluice.core.time.ThreadScheduler;
import net.sluice.core.traffic.PortStatus;
import net.sluice.gnmi.GnmiPaths;
import net.sluice.gnmi.GnmiValues;
import net.sluice.gnmi.wire.Encoding;
import net.sluice.gnmi.wire.SetRequest;
import net.sluice.gnmi.wire.Subscription;
import net.sluice.gnmi.wire.SubscriptionMode;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.value.Direction;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GnmiPortsTest {
  private static final Duration CHECK = Duration.ofSeconds(5);
  private static final long SECOND = 1_000_000_000L;
  private static final String ONE = "/interfaces/interface[name=eth1]/";

  private final FakeGnmi fake = new FakeGnmi();
  private final List<Duration> waits = new CopyOnWriteArrayList<>();
  private final Queue<String> obstacles = new ConcurrentLinkedQueue<>();
  private final List<String> checks = new CopyOnWriteArrayList<>();
  private final ImpatientScheduler scheduler = new ImpatientScheduler();
  private Server server;
  private GnmiPorts ports;

  /**
   * Notes how long it is told to wait, and does not; but {@link #CHECK}s wait until a test lets
   * them run.
   */
  private final class ImpatientScheduler implements Scheduler {
    private final Scheduler inner = new ThreadScheduler("test-ports");
    private final BlockingQueue<Runnable> held = new LinkedBlockingQueue<>();

    @Override
    public void execute(Runnable task) {
      inner.execute(task);
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
      waits.add(delay);
      if (delay.equals(CHECK)) {
        held.add(task);
        return () -> held.remove(task);
      }
      return inner.schedule(Duration.ZERO, task);
    }

    /** Lets the next check run. */
    void check() {
      inner.execute(Patience.next(held));
    }

    @Override
    public void close() {
      inner.close();
    }
  }

  @BeforeEach
  void serve() throws Exception {
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(fake)
            .build()
            .start();
  }

  @AfterEach
  void stop() {
    ports.close();
    assertThat(ports.ports().session()).isEqualTo(SessionState.CLOSED);
    server.shutdownNow();
  }

  private void start(Topology topology, boolean setsPorts) {
    String host = InetAddress.getLoopbackAddress().getHostAddress();
    ports =
        new GnmiPorts(
            new GnmiConnection.Access() {
              @Override
              public GnmiConnection open() throws NotReadyException {
                refuse();
                return new GnmiConnection(
                    host,
                    server.getPort(),
                    NettyChannelBuilder.forAddress(host, server.getPort()).usePlaintext().build());
              }

              @Override
              public Optional<Duration> checkInterval() {
                return checks.isEmpty() ? Optional.empty() : Optional.of(CHECK);
              }

              @Override
              public void check(GnmiConnection of) throws NotReadyException {
                assertThat(of.port()).isEqualTo(server.getPort());
                String answer = checks.remove(0);
                if (!answer.isEmpty()) {
                  throw new NotReadyException(answer);
                }
              }
            },
            topology,
            setsPorts,
            scheduler,
            Clock.systemUTC(),
            new Backoff(Duration.ofMillis(100), Duration.ofMillis(500)));
    ports.start();
  }

  private void refuse() throws NotReadyException {
    String reason = obstacles.poll();
    if (reason != null) {
      throw new NotReadyException(reason);
    }
  }

  private PortSummary await(String what, Predicate<PortSummary> condition) {
    return Patience.await(what, ports::ports, condition);
  }

  private static PortStatus first(PortSummary summary) {
    return summary.port(1).orElseThrow();
  }

  @Test
  void statesCountersAndUtilisationComeBySubscription() throws Exception {
    start(TestNetwork.topology(), false);
    FakeGnmi.Call call = fake.next();
    assertThat(call.list().getEncoding()).isEqualTo(Encoding.PROTO);
    assertThat(call.list().getSubscriptionList().stream())
        .filteredOn(s -> s.getPath().getElem(1).getKeyMap().containsValue("eth1"))
        .extracting(
            s -> GnmiPaths.print(s.getPath()).substring(ONE.length()), Subscription::getMode)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("state/oper-status", SubscriptionMode.ON_CHANGE),
            org.assertj.core.groups.Tuple.tuple("state/admin-status", SubscriptionMode.ON_CHANGE),
            org.assertj.core.groups.Tuple.tuple(
                "ethernet/state/port-speed", SubscriptionMode.ON_CHANGE),
            org.assertj.core.groups.Tuple.tuple(
                "state/counters/in-octets", SubscriptionMode.SAMPLE),
            org.assertj.core.groups.Tuple.tuple(
                "state/counters/out-octets", SubscriptionMode.SAMPLE),
            org.assertj.core.groups.Tuple.tuple(
                "state/counters/in-discards", SubscriptionMode.SAMPLE),
            org.assertj.core.groups.Tuple.tuple(
                "state/counters/out-discards", SubscriptionMode.SAMPLE),
            org.assertj.core.groups.Tuple.tuple(
                "state/counters/in-errors", SubscriptionMode.SAMPLE),
            org.assertj.core.groups.Tuple.tuple(
                "state/counters/out-errors", SubscriptionMode.SAMPLE));
    call.say(ONE + "state/oper-status", GnmiValues.of("UP"), 0);
    call.say(ONE + "state/admin-status", GnmiValues.of("UP"), 0);
    call.say(ONE + "ethernet/state/port-speed", GnmiValues.of("SPEED_1GB"), 0);
    call.say(ONE + "state/counters/out-octets", GnmiValues.ofUnsigned(1_000), 10 * SECOND);
    call.sync();
    PortSummary ready = await("ready", s -> s.session() == SessionState.READY);
    // The test's topology has a port 5, the fake has not.
    assertThat(ready.detail()).hasValue("the switch has no interface for port 5");
    assertThat(first(ready).up()).hasValue(true);
    assertThat(first(ready).enabled()).hasValue(true);
    assertThat(first(ready).name()).hasValue("eth1");
    assertThat(first(ready).rateBps()).isEqualTo(1_000_000_000);
    assertThat(first(ready).utilisation()).isEmpty();
    assertThat(ready.port(2).orElseThrow().up()).isEmpty();
    assertThat(ready.port(2).orElseThrow().rateBps()).isEqualTo(10_000_000_000L);
    // 25 MB in 2 s are 100 Mbit/s.
    call.say(ONE + "state/counters/out-octets", GnmiValues.ofUnsigned(25_001_000), 12 * SECOND);
    PortStatus busy = first(await("a rate", s -> first(s).outBps().isPresent()));
    assertThat(busy.outBps()).hasValue(100e6);
    assertThat(busy.utilisation()).hasValue(0.1);
    assertThat(busy.traffic().orElseThrow().outOctets()).isEqualTo(25_001_000);
    // A counter that begins anew tells nothing of the time before.
    call.say(ONE + "state/counters/out-octets", GnmiValues.ofUnsigned(5), 14 * SECOND);
    await("no rate", s -> first(s).outBps().isEmpty());
    call.say(ONE + "state/oper-status", GnmiValues.of("DOWN"), 0);
    PortStatus down = first(await("down", s -> first(s).up().equals(Optional.of(false))));
    assertThat(down.since()).isPresent();
  }

  /** What waits in a loop port that is not there is lost: the fake has ports 1 to 4. */
  @Test
  void loopPortsThatTheSwitchLacksAreTold() throws Exception {
    start(twoPorts().withLoopPorts(List.of(3, 4, 505, 506)), false);
    fake.next().sync();
    PortSummary ready = await("ready", s -> s.session() == SessionState.READY);
    assertThat(ready.detail())
        .hasValue("the switch has no interface for port 505 (of loopPorts), 506 (of loopPorts)");
    assertThat(ready.ports()).hasSize(2);
  }

  @Test
  void aLostSessionLeavesNothingKnownAndIsTakenUpAgain() throws Exception {
    start(TestNetwork.topology(), false);
    FakeGnmi.Call call = fake.next();
    call.say(ONE + "state/oper-status", GnmiValues.of("DOWN"), 0);
    call.sync();
    await("ready", s -> s.session() == SessionState.READY);
    fake.failCapabilities = 4;
    call.client().onError(Status.ABORTED.withDescription("restarting").asRuntimeException());
    FakeGnmi.Call again = fake.next();
    PortSummary lost = ports.ports();
    assertThat(lost.session()).isEqualTo(SessionState.CONNECTING);
    assertThat(first(lost).up()).isEmpty();
    assertThat(waits)
        .containsExactly(
            Duration.ofMillis(100),
            Duration.ofMillis(200),
            Duration.ofMillis(400),
            Duration.ofMillis(500),
            Duration.ofMillis(500));
    again.say(ONE + "state/oper-status", GnmiValues.of("UP"), 0);
    again.sync();
    await("ready again", s -> s.session() == SessionState.READY && first(s).up().isPresent());
    // A session that stood begins with the shortest wait.
    again.client().onCompleted();
    FakeGnmi.Call third = fake.next();
    assertThat(waits).hasSize(6).endsWith(Duration.ofMillis(100));
    // What an earlier session says is not heard.
    third.sync();
    await("ready once more", s -> s.session() == SessionState.READY);
  }

  /** Where this is not the instance to hold it, there is no session; it ends when that changes. */
  @Test
  void aSessionThatIsNotToStandIsNotBegunAndIsEnded() throws Exception {
    obstacles.add("another instance is master");
    obstacles.add("another instance is master");
    checks.add("");
    checks.add("another instance is master");
    start(TestNetwork.topology(), false);
    // Only when the server has the subscription does the session stand that is to end.
    fake.next();
    scheduler.check();
    scheduler.check();
    FakeGnmi.Call again = fake.next();
    assertThat(waits)
        .containsExactly(
            Duration.ofMillis(100), Duration.ofMillis(200), CHECK, CHECK, Duration.ofMillis(400));
    again.sync();
    await("ready", s -> s.session() == SessionState.READY);
  }

  @Test
  void valuesThatCannotBeEndTheSession() throws Exception {
    start(TestNetwork.topology(), false);
    fake.next().say(ONE + "state/counters/in-octets", GnmiValues.of("many"), 0);
    FakeGnmi.Call again = fake.next();
    assertThat(waits).containsExactly(Duration.ofMillis(100));
    again.sync();
    await("ready", s -> s.session() == SessionState.READY);
  }

  @Test
  void aTargetWithoutProtoIsNotUnderstood() {
    fake.encoding = Encoding.ASCII;
    start(TestNetwork.topology(), false);
    PortSummary summary =
        await("a reason", s -> s.detail().orElse("").startsWith("the gNMI server"));
    assertThat(summary.detail())
        .hasValueSatisfying(
            detail ->
                assertThat(detail)
                    .matches(
                        "the gNMI server has encodings \\[ASCII]; PROTO is needed; next attempt at"
                            + " 2[-0-9]+T[0-9:.]+Z"));
  }

  @Test
  void portsAreToldByTheirIndexWhereTheyHaveNoNumber() throws Exception {
    fake.onlyIndices = true;
    start(TestNetwork.topology(), false);
    fake.next().sync();
    PortSummary ready = await("ready", s -> s.session() == SessionState.READY);
    assertThat(first(ready).name()).hasValue("eth1");
  }

  /** Port 1 at 10 Gbit/s, which is a speed, and port 2 at 20 Mbit/s, which is none. */
  private static Topology twoPorts() {
    return new Topology(
        List.of(port(1, 10_000_000_000L), port(2, 20_000_000)),
        Map.of(0, 1),
        OptionalInt.empty(),
        OptionalInt.empty(),
        List.of());
  }

  private static Topology.SwitchPort port(int number, long rateBps) {
    return new Topology.SwitchPort(
        number, PortRole.ACCESS, Direction.UP, rateBps, 2, 3, false, true);
  }

  @Test
  void portsAreSetToTheirRatesBySpeedOrByShaping() throws Exception {
    start(twoPorts(), true);
    fake.next().sync();
    PortSummary ready = await("ready", s -> s.session() == SessionState.READY);
    assertThat(ready.port(2).orElseThrow().rateBps()).isEqualTo(20_000_000);
    assertThat(ready.port(2).orElseThrow().note()).isEmpty();
    List<SetRequest> sets;
    synchronized (fake.sets) {
      sets = List.copyOf(fake.sets);
    }
    assertThat(sets).hasSize(2);
    assertThat(GnmiPaths.print(sets.get(0).getUpdate(0).getPath()))
        .isEqualTo("/interfaces/interface[name=eth1]/ethernet/config/port-speed");
    assertThat(sets.get(0).getUpdate(0).getVal().getStringVal()).isEqualTo("SPEED_10GB");
    String policy = "/qos/scheduler-policies/scheduler-policy[name=sluice-eth2]";
    assertThat(sets.get(1).getUpdateList())
        .extracting(u -> GnmiPaths.print(u.getPath()) + " " + GnmiValues.toJava(u.getVal()))
        .startsWith(
            policy + "/schedulers/scheduler[sequence=1]/config/priority STRICT",
            policy + "/schedulers/scheduler[sequence=1]/one-rate-two-color/config/cir 20000000")
        .endsWith(
            "/qos/interfaces/interface[interface-id=eth2]/output/scheduler-policy/config/name"
                + " sluice-eth2");
  }

  @Test
  void whatCannotBeSetIsNoted() throws Exception {
    fake.qos = false;
    fake.setStatus = Status.INVALID_ARGUMENT.withDescription("no");
    start(twoPorts(), true);
    fake.next().sync();
    PortSummary ready = await("ready", s -> s.session() == SessionState.READY);
    assertThat(first(ready).note())
        .hasValue("was not set to 10000000000 bit/s: INVALID_ARGUMENT: no");
    assertThat(ready.port(2).orElseThrow().note())
        .hasValue("cannot be set to 20000000 bit/s: no speed has it, and nothing shapes");
  }
}
