package net.sluice.emulator.netsim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import net.sluice.emulator.switching.CloneSession;
import net.sluice.emulator.switching.Replicas;
import net.sluice.emulator.switching.ReplicationEngine;
import net.sluice.emulator.v1model.LoadedProgram;
import net.sluice.emulator.v1model.V1modelSwitch;
import org.junit.jupiter.api.Test;

/**
 * Where what a clone session and a node's limits say shows: in how much of a packet its clones
 * carry, in which queue they wait, and in what is lost and counted. The program does what commands
 * in the packet ask for and puts a report of 36 bytes behind the headers each time through egress.
 */
class CopiesInNodeTest {

  private static final int CLONE = 1;
  private static final int AGAIN = 4;
  private static final int GROUP = 16;

  private static final int COMMAND_BYTES = 18;
  private static final int REPORT_BYTES = 36;

  /** Of a report: what it says of the packet's length. */
  private static final int LENGTH_AT = 12;

  private final Simulation simulation = new Simulation(1);
  private final V1modelSwitch device = new V1modelSwitch(1, 1);
  private final SwitchNode node = new SwitchNode(simulation, device);
  private final List<byte[]> out = new ArrayList<>();
  private final ReplicationEngine engine;

  CopiesInNodeTest() {
    engine = program().state().replication();
    node.addPort(1, LineClock.UNLIMITED_BPS, 1 << 20);
    pass(10);
  }

  private LoadedProgram program() {
    try (InputStream in = CopiesInNodeTest.class.getResourceAsStream("/stf/copies.json")) {
      LoadedProgram program = device.load(in.readAllBytes());
      device.install(program);
      return program;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void listen(long rateBps) {
    node.addPort(2, rateBps, 1 << 20)
        .connect(
            (bytes, offset, length, tag, now) ->
                out.add(Arrays.copyOfRange(bytes, offset, offset + length)));
  }

  private void session(int id, int classOfService, int maxBytes) {
    Replicas replicas = Replicas.of(List.of(new Replicas.Replica(2, 0)));
    engine.setSession(id, new CloneSession(replicas, 0, classOfService, maxBytes));
  }

  /** A packet with commands and a payload. */
  private static byte[] packet(
      int inFirst, int inAgain, int outFirst, int session, int group, String payload) {
    byte[] bytes = HexFormat.of().parseHex(payload);
    ByteBuffer packet = ByteBuffer.allocate(COMMAND_BYTES + bytes.length);
    packet.put((byte) inFirst).put((byte) inAgain).put((byte) outFirst);
    packet.put((byte) 0).put((byte) 0).put((byte) 0);
    packet.putShort((short) session).putShort((short) group).putShort((short) 0);
    packet.putShort((short) 1).putShort((short) 0).put((byte) 0).put((byte) 0).put(bytes);
    return packet.array();
  }

  private void receive(byte[] packet) {
    simulation.execute(
        () -> node.port(1).receive(packet, 0, packet.length, 0, simulation.nowNanos()));
  }

  private void pass(long nanos) {
    simulation.runUntil(simulation.nowNanos() + nanos);
  }

  private byte[] only() {
    assertThat(out).hasSize(1);
    return out.remove(0);
  }

  private static String tail(byte[] packet, int from) {
    return HexFormat.of().formatHex(packet, from, packet.length);
  }

  @Test
  void aCloneFromIngressCarriesNoMoreThanItsSessionSays() {
    listen(LineClock.UNLIMITED_BPS);
    session(1, 0, COMMAND_BYTES + 3);
    receive(packet(CLONE, 0, 0, 1, 0, "0102030405"));
    pass(1_000);
    byte[] clone = only();
    assertThat(tail(clone, COMMAND_BYTES + REPORT_BYTES)).isEqualTo("010203");
    assertThat(clone[COMMAND_BYTES + LENGTH_AT + 1]).isEqualTo((byte) (COMMAND_BYTES + 3));
    // A packet that is shorter than that is cloned whole.
    receive(packet(CLONE, 0, 0, 1, 0, "0102"));
    pass(1_000);
    assertThat(tail(only(), COMMAND_BYTES + REPORT_BYTES)).isEqualTo("0102");
  }

  @Test
  void theParserOfACloneFromIngressSeesNoMoreEither() {
    listen(LineClock.UNLIMITED_BPS);
    session(1, 0, 4);
    receive(packet(CLONE, 0, 0, 1, 0, "0102030405"));
    pass(1_000);
    byte[] clone = only();
    // No command, the report, and what there was of the command.
    assertThat(clone).hasSize(REPORT_BYTES + 4);
    assertThat(tail(clone, REPORT_BYTES)).isEqualTo("01000000");
  }

  @Test
  void aCloneFromEgressCarriesItsHeadersAndWhatFitsOfThePayload() {
    listen(LineClock.UNLIMITED_BPS);
    int headers = COMMAND_BYTES + REPORT_BYTES;
    for (int payload : new int[] {0, 2, 5, 9}) {
      session(1, 0, headers + payload);
      receive(packet(0, 0, CLONE, 1, 0, "0102030405"));
      pass(3_000);
      byte[] clone = only();
      assertThat(tail(clone, headers + REPORT_BYTES))
          .isEqualTo("0102030405".substring(0, 2 * Math.min(5, payload)));
    }
    session(1, 0, 1);
    receive(packet(0, 0, CLONE, 1, 0, "0102030405"));
    pass(3_000);
    assertThat(only()).hasSize(headers + REPORT_BYTES);
  }

  @Test
  void theClassOfServiceIsTheQueueThatTheClonesWaitIn() {
    listen(1_000_000);
    session(1, 0, 0);
    session(2, 3, 0);
    session(3, 7, 0);
    // The first is being sent while the others wait; the queue of the highest number goes first.
    receive(packet(CLONE, 0, 0, 1, 0, "aa"));
    receive(packet(CLONE, 0, 0, 1, 0, "01"));
    receive(packet(CLONE, 0, 0, 2, 0, "02"));
    receive(packet(CLONE, 0, 0, 3, 0, "03"));
    receive(packet(CLONE, 0, 0, 2, 0, "04"));
    pass(10_000_000);
    assertThat(out.stream().map(p -> tail(p, p.length - 1)))
        .containsExactly("aa", "03", "02", "04", "01");
  }

  @Test
  void noMoreThanSoManyPacketsAreOnTheirWayBack() {
    byte[] again = packet(AGAIN, AGAIN, 0, 0, 0, "");
    for (int i = 0; i < CopyDispatcher.MAX_TURNING + 3; i++) {
      receive(again);
    }
    pass(10);
    assertThat(CopyDispatcher.MAX_TURNING).isEqualTo(16_384);
    assertThat(node.turnaroundDrops()).isEqualTo(3);
    // Those that turn keep their places, and there is none for another.
    pass(10 * CopyDispatcher.TURNAROUND_NANOS);
    assertThat(node.turnaroundDrops()).isEqualTo(3);
    receive(again);
    pass(10);
    assertThat(node.turnaroundDrops()).isEqualTo(4);
    // A new program ends them.
    program();
    pass(10);
    assertThat(node.replacedProgramDrops()).isEqualTo(CopyDispatcher.MAX_TURNING);
    receive(again);
    pass(10);
    assertThat(node.turnaroundDrops()).isEqualTo(4);
  }

  /** However long the run, a packet that goes round for ever costs it no more than a pass. */
  @Test
  void packetsThatAreNotToTurnBeforeTheEndOfARunComeBackOnceARun() {
    long[] endNanos = new long[1];
    node.turnNoEarlierThan(() -> endNanos[0] + 1);
    byte[] again = packet(AGAIN, AGAIN, 0, 0, 0, "");
    for (int i = 0; i < 3; i++) {
      receive(again);
    }
    pass(0);
    for (int run = 0; run < 4; run++) {
      long before = simulation.events();
      endNanos[0] = simulation.nowNanos() + 1_000 * CopyDispatcher.TURNAROUND_NANOS;
      simulation.runUntil(endNanos[0]);
      assertThat(simulation.events() - before).isEqualTo(3);
    }
    assertThat(node.turnaroundDrops()).isZero();
  }

  @Test
  void packetsToGroupsAndPortsThatDoNotExistAreCounted() {
    listen(LineClock.UNLIMITED_BPS);
    receive(packet(GROUP, 0, 0, 0, 7, "01"));
    pass(1_000);
    assertThat(node.unknownGroupDrops()).isEqualTo(1);
    engine.setGroup(7, Replicas.NONE);
    receive(packet(GROUP, 0, 0, 0, 7, "01"));
    pass(1_000);
    // A group of nobody is one.
    assertThat(node.unknownGroupDrops()).isEqualTo(1);
    engine.setGroup(
        7, Replicas.of(List.of(new Replicas.Replica(300, 1), new Replicas.Replica(2, 2))));
    receive(packet(GROUP, 0, 0, 0, 7, "01"));
    pass(1_000);
    assertThat(only()).hasSize(COMMAND_BYTES + REPORT_BYTES + 1);
    assertThat(node.unknownEgressPortDrops()).isEqualTo(1);
    assertThat(node.port(1).statistics().receivedPackets()).isEqualTo(3);
  }
}
