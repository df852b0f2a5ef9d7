package net.sluice.emulator.ports.p4runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.rpc.Code;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.sluice.emulator.ports.RealTimeSwitch;
import net.sluice.emulator.server.p4runtime.Controller;
import net.sluice.emulator.server.p4runtime.P4RuntimeServer;
import net.sluice.emulator.server.p4runtime.P4Text;
import net.sluice.emulator.server.p4runtime.ServedNode;
import net.sluice.emulator.server.p4runtime.program.DigestBinding;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.server.p4runtime.value.TranslatedTypes;
import net.sluice.emulator.v1model.LoadedProgram;
import net.sluice.emulator.v1model.V1modelSwitch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4DataOuterClass.P4Data;
import p4.v1.P4RuntimeOuterClass.DigestEntry;
import p4.v1.P4RuntimeOuterClass.DigestList;
import p4.v1.P4RuntimeOuterClass.DigestListAck;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.StreamError;
import p4.v1.P4RuntimeOuterClass.StreamMessageRequest;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.Update.Type;

/** Digests: configured, collected, sent to the primaries, acknowledged and forgotten. */
class DigestsTest {

  private static final long MILLI = 1_000_000;
  private static final String NAME = "learned_t";

  private final ServedNode served = new ServedNode("copies", 0);
  private Controller controller;

  @BeforeEach
  void connect() {
    controller = served.primary(10);
  }

  @AfterEach
  void close() {
    controller.close();
    served.close();
  }

  private static int id() {
    return P4Text.config("copies").getP4Info().getDigests(0).getPreamble().getId();
  }

  private static Update config(Type type, long maxTimeoutNs, int maxListSize, long ackTimeoutNs) {
    return Update.newBuilder()
        .setType(type)
        .setEntity(
            Entity.newBuilder()
                .setDigestEntry(
                    DigestEntry.newBuilder()
                        .setDigestId(id())
                        .setConfig(
                            DigestEntry.Config.newBuilder()
                                .setMaxTimeoutNs(maxTimeoutNs)
                                .setMaxListSize(maxListSize)
                                .setAckTimeoutNs(ackTimeoutNs))))
        .build();
  }

  /** A packet that asks for a digest with this number, and leaves by port 1. */
  private void learn(int keep) {
    served.receive(1, String.format("2000000000%02x00000000000000010000" + "0000", keep));
  }

  private static String number(P4Data data) {
    return new BigInteger(1, data.getBitstring().toByteArray()).toString(16)
        + "/"
        + data.getBitstring().size();
  }

  private String list() {
    DigestList list = controller.next().getDigest();
    assertThat(list.getDigestId()).isEqualTo(id());
    List<String> messages = new ArrayList<>();
    for (P4Data data : list.getDataList()) {
      messages.add(
          number(data.getStruct().getMembers(0))
              + " "
              + number(data.getStruct().getMembers(1))
              + " "
              + number(data.getStruct().getMembers(2)));
    }
    return list.getListId() + " at " + list.getTimestamp() + ": " + messages;
  }

  private void acknowledge(long list) {
    controller.send(
        StreamMessageRequest.newBuilder()
            .setDigestAck(DigestListAck.newBuilder().setDigestId(id()).setListId(list))
            .build());
    ServedNode.settle(controller);
  }

  private List<Entity> read(int digest) {
    return controller.read(
        Entity.newBuilder().setDigestEntry(DigestEntry.newBuilder().setDigestId(digest)).build());
  }

  private boolean quiet() {
    ServedNode.settle(controller);
    return controller.heardNothingMore();
  }

  @Test
  void aFullListIsSentAtOnceAndDuplicatesAreNot() {
    controller.write(config(Type.INSERT, 1_000 * MILLI, 3, 1_000 * MILLI));
    served.pass(5 * MILLI);
    for (int keep : new int[] {1, 2, 1, 2, 2}) {
      learn(keep);
    }
    served.pass(MILLI);
    assertThat(quiet()).isTrue();
    learn(0xff);
    // Number, port, and 72 bits that begin with the number: in the shortest form.
    assertThat(list())
        .isEqualTo(
            "1 at 6000000: [1/1 1/1 10000000000000005/9, 2/1 1/1 20000000000000005/9,"
                + " ff/1 1/1 ff0000000000000005/9]");
  }

  @Test
  void whatWaitsLongEnoughIsSent() {
    controller.write(config(Type.INSERT, 20 * MILLI, 0, 1_000 * MILLI));
    served.pass(5 * MILLI);
    learn(1);
    served.pass(10 * MILLI);
    learn(2);
    served.pass(10 * MILLI - 1);
    assertThat(quiet()).isTrue();
    served.pass(1);
    assertThat(list())
        .isEqualTo("1 at 25000000: [1/1 1/1 10000000000000005/9, 2/1 1/1 20000000000000005/9]");
    // The next list has its own time.
    learn(3);
    served.pass(20 * MILLI);
    assertThat(list()).isEqualTo("2 at 45000000: [3/1 1/1 30000000000000005/9]");
  }

  @Test
  void whatHasBeenSentIsSentAgainWhenItIsAcknowledgedOrForgotten() {
    controller.write(config(Type.INSERT, 0, 0, 100 * MILLI));
    learn(1);
    assertThat(list()).startsWith("1 at 0: [1/1");
    learn(1);
    learn(2);
    assertThat(list()).startsWith("2 at 0: [2/1");
    acknowledge(1);
    learn(2);
    learn(1);
    assertThat(list()).startsWith("3 at 0: [1/1");
    // Forgotten after two timeouts, the latest that it is in bmv2.
    served.pass(200 * MILLI - 1_000);
    learn(2);
    assertThat(quiet()).isTrue();
    served.pass(1_000);
    learn(2);
    assertThat(list()).startsWith("4 at 200000000: [2/1");
    // One that comes late does no harm.
    acknowledge(2);
    learn(2);
    assertThat(quiet()).isTrue();
  }

  @Test
  void withoutAckTimeoutNothingIsRemembered() {
    controller.write(config(Type.INSERT, 0, 5, 0));
    learn(1);
    learn(1);
    assertThat(list()).startsWith("1 at 0: [1/1");
    assertThat(list()).startsWith("2 at 0: [1/1");
  }

  @Test
  void aNewPrimaryIsToldAnew() {
    controller.write(config(Type.INSERT, 0, 1, 1_000_000 * MILLI));
    learn(7);
    assertThat(list()).startsWith("1 at");
    try (Controller other = served.primary(11)) {
      assertThat(controller.news()).startsWith("ALREADY_EXISTS");
      learn(7);
      assertThat(other.next().getDigest().getListId()).isEqualTo(2);
      learn(7);
      ServedNode.settle(other);
      assertThat(other.heardNothingMore()).isTrue();
    }
    assertThat(quietAfterNews()).isTrue();
    // Nobody is told now, so nothing counts as sent.
    learn(8);
    controller.claim(12);
    assertThat(controller.news()).isEqualTo("OK 12");
    learn(8);
    assertThat(list()).startsWith("3 at");
  }

  private boolean quietAfterNews() {
    assertThat(controller.news()).startsWith("NOT_FOUND");
    ServedNode.settle(controller);
    return controller.heardNothingMore();
  }

  @Test
  void theConfigurationIsInsertedModifiedDeletedAndRead() {
    Update insert = config(Type.INSERT, 50 * MILLI, 10, MILLI);
    learn(1);
    assertThat(read(0)).isEmpty();
    controller.write(insert);
    assertThat(read(0)).containsExactly(insert.getEntity());
    learn(1);
    learn(2);
    // A smaller limit than what waits lets it go.
    controller.write(config(Type.MODIFY, 50 * MILLI, 2, MILLI));
    served.pass(1_000);
    assertThat(list()).startsWith("1 at 0: [1/1 1/1 10000000000000005/9, 2/1");
    learn(3);
    controller.write(config(Type.DELETE, 0, 0, 0));
    served.pass(100 * MILLI);
    learn(4);
    served.pass(100 * MILLI);
    assertThat(quiet()).isTrue();
    assertThat(read(id())).isEmpty();
  }

  @Test
  void refusalsNameDigestAndField() {
    String name = "digest '" + NAME + "'";
    assertThat(controller.writeError(config(Type.MODIFY, 0, 0, 0)))
        .isEqualTo("NOT_FOUND " + name + " is not configured");
    assertThat(controller.writeError(config(Type.DELETE, 0, 0, 0)))
        .isEqualTo("NOT_FOUND " + name + " is not configured");
    assertThat(controller.writeError(config(Type.INSERT, -1, 0, 0)))
        .isEqualTo("INVALID_ARGUMENT max_timeout_ns -1 of " + name + " must be at least 0");
    assertThat(controller.writeError(config(Type.INSERT, 0, -2, 0)))
        .isEqualTo("INVALID_ARGUMENT max_list_size -2 of " + name + " must be at least 0");
    assertThat(controller.writeError(config(Type.INSERT, 0, 0, -3)))
        .isEqualTo("INVALID_ARGUMENT ack_timeout_ns -3 of " + name + " must be at least 0");
    controller.write(config(Type.INSERT, 0, 0, 0));
    assertThat(controller.writeError(config(Type.INSERT, 0, 0, 0)))
        .isEqualTo("ALREADY_EXISTS " + name + " is configured already");
    Update unknown =
        Update.newBuilder()
            .setType(Type.INSERT)
            .setEntity(Entity.newBuilder().setDigestEntry(DigestEntry.newBuilder().setDigestId(7)))
            .build();
    assertThat(controller.writeError(unknown))
        .isEqualTo("INVALID_ARGUMENT there is no digest with id 7");
    assertThat(ackError(id(), 1))
        .isEqualTo("NOT_FOUND list_id 1 of " + name + " has not been sent");
    assertThat(ackError(7, 1)).isEqualTo("INVALID_ARGUMENT there is no digest with id 7");
  }

  private String ackError(int digest, long list) {
    DigestListAck ack = DigestListAck.newBuilder().setDigestId(digest).setListId(list).build();
    controller.send(StreamMessageRequest.newBuilder().setDigestAck(ack).build());
    StreamError error = controller.next().getError();
    assertThat(error.getDigestListAck().getDigestListAck()).isEqualTo(ack);
    return Code.forNumber(error.getCanonicalCode()) + " " + error.getMessage();
  }

  @Test
  void inRealTimeListsWaitTheirTime() throws Exception {
    V1modelSwitch device = new V1modelSwitch(Controller.DEVICE, 1, 1);
    try (P4RuntimeServer server =
            P4RuntimeServer.start(device, new InetSocketAddress("127.0.0.1", 0));
        RealTimeSwitch real = new RealTimeSwitch(device, 1)) {
      server.install(P4Text.config("copies"));
      Thread running = new Thread(real::run);
      running.start();
      try (Controller primary = Controller.primary(server.port(), 1)) {
        primary.write(config(Type.INSERT, 30 * MILLI, 100, 0));
        byte[] packet = new byte[18];
        packet[0] = 0x20;
        packet[5] = 9;
        Instant before = Instant.now();
        assertThat(device.packetOut(packet)).isTrue();
        DigestList list = primary.next().getDigest();
        assertThat(list.getDataCount()).isEqualTo(1);
        // The time of day, no earlier than the list may have been sent.
        assertThat(Instant.EPOCH.plusNanos(list.getTimestamp()))
            .isBetween(before.plusMillis(29), Instant.now());
      } finally {
        real.stop();
        running.join();
      }
    }
  }

  @Test
  void typesOfMessagesAreThoseOfTheProgram() {
    P4Info info = P4Text.config("copies").getP4Info();
    P4Info.Builder other = info.toBuilder();
    other.getDigestsBuilder(0).getPreambleBuilder().setName("another");
    // Names differ between P4Info and the program for some types: what fits is taken.
    assertThat(bind(other)).isEqualTo("taken");
    other
        .getTypeInfoBuilder()
        .putStructs(
            NAME, info.getTypeInfo().getStructsOrThrow(NAME).toBuilder().removeMembers(1).build());
    assertThat(bind(other))
        .isEqualTo("INVALID_ARGUMENT: digest 'another' is missing in the device config");
    other.getDigestsBuilder(0).getPreambleBuilder().setName(NAME);
    assertThat(bind(other))
        .isEqualTo(
            "INVALID_ARGUMENT: digest 'learned_t' has fields of [8, 72] bits in P4Info and"
                + " [8, 9, 72] in the device config");
    other.getDigestsBuilder(0).getTypeSpecBuilder().getHeaderBuilder().setName("h");
    assertThat(bind(other))
        .isEqualTo(
            "INVALID_ARGUMENT: digest 'learned_t' has a field of type HEADER in P4Info; fields"
                + " must be bit<W>, int<W>, bool, serializable enums, or structs or tuples of"
                + " these");
  }

  private static String bind(P4Info.Builder info) {
    try {
      DigestBinding.of(
          info.build(),
          LoadedProgram.load(P4Text.config("copies").getP4DeviceConfig().toByteArray(), 1),
          TranslatedTypes.of(info.build(), Map.of()));
      return "taken";
    } catch (RpcException e) {
      return e.code() + ": " + e.getMessage();
    }
  }
}
