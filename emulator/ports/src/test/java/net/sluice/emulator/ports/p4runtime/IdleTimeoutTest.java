package net.sluice.emulator.ports.p4runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.StatusRuntimeException;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import net.sluice.emulator.netsim.LineClock;
import net.sluice.emulator.netsim.Simulation;
import net.sluice.emulator.netsim.SwitchNode;
import net.sluice.emulator.netsim.SwitchPort;
import net.sluice.emulator.ports.RealTimeSwitch;
import net.sluice.emulator.server.p4runtime.Controller;
import net.sluice.emulator.server.p4runtime.P4RuntimeServer;
import net.sluice.emulator.server.p4runtime.P4Text;
import net.sluice.emulator.v1model.V1modelSwitch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.IdleTimeoutNotification;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Update.Type;

/** Idle timeouts of table entries, in virtual time. */
class IdleTimeoutTest {

  private static final long MILLI = 1_000_000;
  private static final String KEY =
      "table_entry { table_id: $In.prefixes match { field_id: 2 exact { value: '\\x%s' } } ";
  private static final String DROP = "action { action { action_id: $In.drop } } ";
  private static final String SOON =
      KEY.formatted("01") + DROP + "idle_timeout_ns: " + 20 * MILLI + " }";

  private final P4Text text = new P4Text(P4Text.config("entities").getP4Info());
  private final V1modelSwitch device = new V1modelSwitch(Controller.DEVICE, 1);
  private final Simulation simulation = new Simulation(1);
  private final SwitchPort port =
      new SwitchNode(simulation, device).addPort(0, LineClock.UNLIMITED_BPS, 1_000_000);
  private P4RuntimeServer server;
  private Controller controller;

  @BeforeEach
  void start() throws Exception {
    server = P4RuntimeServer.start(device, new InetSocketAddress("127.0.0.1", 0));
    server.install(P4Text.config("entities"));
    controller = Controller.primary(server.port(), 1);
  }

  @AfterEach
  void stop() {
    controller.close();
    server.close();
  }

  private String write(Type type, String entry) {
    return controller.writeError(text.update(type, entry));
  }

  private void insert(int nibble, long timeoutNanos) {
    String entry = KEY.formatted("0" + nibble) + DROP + "idle_timeout_ns: " + timeoutNanos + " }";
    assertThat(write(Type.INSERT, entry)).isEqualTo("OK");
  }

  /** A packet that hits the entry with this key, at this time. */
  private void hit(int nibble, long atNanos) {
    byte[] packet = new byte[31];
    packet[2] = (byte) nibble;
    packet[30] = 1;
    simulation.schedule(atNanos, (now, a) -> port.receive(packet, 0, packet.length, 0, now), 0);
  }

  private static String text(IdleTimeoutNotification news) {
    StringBuilder result = new StringBuilder().append(news.getTimestamp() / MILLI).append(" ms:");
    for (TableEntry entry : news.getTableEntryList()) {
      result
          .append(' ')
          .append(entry.getMatch(0).getExact().getValue().byteAt(0))
          .append(entry.getMetadata().isEmpty() ? "" : entry.getMetadata().toStringUtf8());
      assertThat(entry.hasAction()).isFalse();
      assertThat(entry.getIdleTimeoutNs()).isPositive();
    }
    return result.toString();
  }

  private String news() {
    return text(controller.next().getIdleTimeoutNotification());
  }

  @Test
  void anEntryThatIsNotHitIsReportedAgainAndAgain() {
    insert(1, 50 * MILLI);
    simulation.runUntil(160 * MILLI);
    assertThat(List.of(news(), news(), news()))
        .containsExactly("50 ms: 1", "100 ms: 1", "150 ms: 1");
    assertThat(
            controller.readEntries(
                text.entity("table_entry { table_id: $In.prefixes }").getTableEntry()))
        .hasSize(1);
  }

  @Test
  void aHitBeginsTheIdleTimeAnew() {
    insert(1, 50 * MILLI);
    insert(2, 50 * MILLI);
    hit(1, 40 * MILLI);
    hit(1, 80 * MILLI);
    simulation.runUntil(140 * MILLI);
    assertThat(List.of(news(), news(), news()))
        .containsExactly("50 ms: 2", "100 ms: 2", "130 ms: 1");
    assertThat(controller.heardNothingMore()).isTrue();
  }

  @Test
  void entriesThatExpireTogetherComeInOneMessage() {
    insert(1, 50 * MILLI);
    insert(2, 50 * MILLI);
    insert(3, 0);
    simulation.runUntil(60 * MILLI);
    assertThat(news()).isIn("50 ms: 1 2", "50 ms: 2 1");
    assertThat(controller.heardNothingMore()).isTrue();
  }

  @Test
  void verySmallTimeoutsAreTakenForTheSmallestThereIs() {
    insert(1, 1);
    simulation.runUntil(25 * MILLI);
    assertThat(List.of(news(), news())).containsExactly("10 ms: 1", "20 ms: 1");
    TableEntry read =
        controller
            .readEntries(text.entity("table_entry { table_id: $In.prefixes }").getTableEntry())
            .get(0);
    assertThat(read.getIdleTimeoutNs()).isEqualTo(1);
  }

  @Test
  void aModifiedTimeoutCountsFromTheLastHit() {
    insert(1, 500 * MILLI);
    simulation.runUntil(30 * MILLI);
    write(
        Type.MODIFY,
        KEY.formatted("01") + DROP + "metadata: ' mine' idle_timeout_ns: " + 50 * MILLI + " }");
    simulation.runUntil(90 * MILLI);
    assertThat(news()).isEqualTo("50 ms: 1 mine");
    write(Type.MODIFY, KEY.formatted("01") + DROP + "}");
    simulation.runUntil(900 * MILLI);
    assertThat(controller.heardNothingMore()).isTrue();
  }

  @Test
  void aDeletedEntryIsNotReported() {
    insert(1, 50 * MILLI);
    insert(2, 60 * MILLI);
    write(Type.DELETE, KEY.formatted("01") + "}");
    simulation.runUntil(70 * MILLI);
    assertThat(news()).isEqualTo("60 ms: 2");
  }

  @Test
  void theTimeSinceTheLastHitIsReadOnRequest() {
    insert(1, 0);
    hit(1, 40 * MILLI);
    simulation.runUntil(100 * MILLI);
    String filter = "table_entry { table_id: $In.prefixes %s }";
    List<Entity> without = controller.read(text.entity(filter.formatted("")));
    assertThat(without.get(0).getTableEntry().hasTimeSinceLastHit()).isFalse();
    List<Entity> with = controller.read(text.entity(filter.formatted("time_since_last_hit {}")));
    assertThat(with.get(0).getTableEntry().getTimeSinceLastHit().getElapsedNs())
        .isEqualTo(60 * MILLI);
  }

  @Test
  void onlyPrimariesHear() {
    try (Controller backup = new Controller(server.port());
        Controller other = new Controller(server.port()).in("other").becomePrimary(7)) {
      backup.send(backup.claimOf(null));
      backup.next();
      insert(1, 50 * MILLI);
      simulation.runUntil(60 * MILLI);
      assertThat(news()).isEqualTo("50 ms: 1");
      assertThat(text(other.next().getIdleTimeoutNotification())).isEqualTo("50 ms: 1");
      assertThat(backup.heardNothingMore()).isTrue();
    }
  }

  @Test
  void aSwitchThatSleepsInRealTimeWakesUpForIt() throws Exception {
    inRealTime(
        true,
        owner -> {
          Instant before = Instant.now();
          assertThat(owner.writeError(text.update(Type.INSERT, SOON))).isEqualTo("OK");
          IdleTimeoutNotification news = owner.next().getIdleTimeoutNotification();
          assertThat(news.getTableEntryCount()).isEqualTo(1);
          assertThat(Instant.EPOCH.plusNanos(news.getTimestamp())).isBetween(before, Instant.now());
        });
  }

  @Test
  void entriesFromBeforeASwitchRunsInRealTimeBecomeIdleWhenItDoes() throws Exception {
    inRealTime(
        false,
        owner ->
            assertThat(owner.next().getIdleTimeoutNotification().getTableEntryCount())
                .isEqualTo(1));
  }

  /** With a switch that runs from before or after an entry that is idle soon was inserted. */
  private void inRealTime(boolean before, Consumer<Controller> use) throws Exception {
    V1modelSwitch live = new V1modelSwitch(Controller.DEVICE, 1);
    try (RealTimeSwitch real = new RealTimeSwitch(live, 1);
        P4RuntimeServer other = P4RuntimeServer.start(live, new InetSocketAddress("127.0.0.1", 0));
        Controller owner = Controller.primary(other.port(), 1)) {
      other.install(P4Text.config("entities"));
      if (!before) {
        assertThat(owner.writeError(text.update(Type.INSERT, SOON))).isEqualTo("OK");
      }
      Thread thread = new Thread(real::run);
      thread.start();
      try {
        use.accept(owner);
      } finally {
        real.stop();
        thread.join();
      }
    }
  }

  @Test
  void refusalsNameTableAndValue() {
    assertThat(
            List.of(
                write(Type.INSERT, KEY.formatted("01") + DROP + "idle_timeout_ns: -5 }"),
                write(Type.INSERT, KEY.formatted("01") + DROP + "time_since_last_hit {} }"),
                write(
                    Type.MODIFY,
                    "table_entry { table_id: $In.prefixes is_default_action: true idle_timeout_ns:"
                        + " 5 }"),
                write(
                    Type.INSERT, "table_entry { table_id: $In.wide_prefixes idle_timeout_ns: 5 }")))
        .containsExactly(
            "INVALID_ARGUMENT table 'In.prefixes': idle_timeout_ns is -5; it must not be negative",
            "INVALID_ARGUMENT has_time_since_last_hit must not be set in WriteRequest",
            "INVALID_ARGUMENT the default entry of table 'In.prefixes' has no idle timeout;"
                + " idle_timeout_ns is 5",
            "INVALID_ARGUMENT idle_timeout_ns must be set to 0 for tables which do not support idle"
                + " timeout");
    assertThat(
            catchThrowableOfType(
                StatusRuntimeException.class,
                () ->
                    controller.read(
                        text.entity("table_entry { table_id: $In.masks time_since_last_hit {} }"))))
        .satisfies(
            e ->
                assertThat(Controller.text(Controller.details(e).get(0)))
                    .isEqualTo(
                        "INVALID_ARGUMENT table 'In.masks' has no idle timeout;"
                            + " time_since_last_hit is set"));
  }
}
