package net.sluice.it.p4;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.TextFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.CloneSessionEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.MulticastGroupEntry;
import p4.v1.P4RuntimeOuterClass.PacketReplicationEngineEntry;
import p4.v1.P4RuntimeOuterClass.Replica;
import p4.v1.P4RuntimeOuterClass.Update;

/**
 * Clones, resubmitted, recirculated, multicast and truncated packets leave the emulated switch with
 * the bytes with which they leave bmv2. The program does what commands in the packet ask for, on
 * each pass and for each kind of packet, and writes into the packet all that egress sees.
 */
class CopiesTest {
  private static final Path PROGRAMS =
      Path.of("..", "emulator", "v1model", "src", "test", "resources", "stf");

  private static final int CLONE = 1;
  private static final int CLONE_KEEP = 2;
  private static final int AGAIN = 4;
  private static final int AGAIN_OTHER = 8;
  private static final int GROUP = 16;
  private static final int DIGEST = 32;
  private static final int CUT = 64;
  private static final int DROP = 128;

  private static final int FRAMES = 1_500;
  // What these become fits into the 64 places of one of bmv2's queues.
  private static final int BATCH = 3;

  /** Where bytes of the command lie in the packet. */
  private record Command(
      int inFirst,
      int inAgain,
      int outFirst,
      int outAgain,
      int outCopy,
      int keep,
      int session,
      int group,
      int cut,
      int port,
      byte[] options,
      byte[] payload) {

    PortFrame from(int ingressPort) {
      ByteBuffer frame = ByteBuffer.allocate(18 + options.length + payload.length);
      frame.put((byte) inFirst).put((byte) inAgain).put((byte) outFirst).put((byte) outAgain);
      frame.put((byte) outCopy).put((byte) keep);
      frame.putShort((short) session).putShort((short) group).putShort((short) cut);
      frame.putShort((short) port).putShort((short) 0);
      frame.put((byte) 0).put((byte) options.length).put(options).put(payload);
      return new PortFrame(ingressPort, ByteString.copyFrom(frame.array()));
    }
  }

  static ForwardingPipelineConfig config(String name) {
    try {
      P4Info.Builder info = P4Info.newBuilder();
      TextFormat.Parser.newBuilder()
          .setAllowUnknownFields(true)
          .build()
          .merge(
              Files.readString(PROGRAMS.resolve(name + ".p4info.txtpb"), StandardCharsets.UTF_8),
              info);
      return ForwardingPipelineConfig.newBuilder()
          .setP4Info(info)
          .setP4DeviceConfig(
              ByteString.copyFrom(Files.readAllBytes(PROGRAMS.resolve(name + ".json"))))
          .build();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Replica replica(int port, int instance) {
    return Replica.newBuilder().setEgressPort(port).setInstance(instance).build();
  }

  private static Update group(int id, Replica... replicas) {
    return insert(
        PacketReplicationEngineEntry.newBuilder()
            .setMulticastGroupEntry(
                MulticastGroupEntry.newBuilder()
                    .setMulticastGroupId(id)
                    .addAllReplicas(List.of(replicas))));
  }

  private static Update session(int id, Replica... replicas) {
    return insert(
        PacketReplicationEngineEntry.newBuilder()
            .setCloneSessionEntry(
                CloneSessionEntry.newBuilder().setSessionId(id).addAllReplicas(List.of(replicas))));
  }

  private static Update insert(PacketReplicationEngineEntry.Builder entry) {
    return Update.newBuilder()
        .setType(Update.Type.INSERT)
        .setEntity(Entity.newBuilder().setPacketReplicationEngineEntry(entry))
        .build();
  }

  private static List<Update> engine() {
    return List.of(
        group(1, replica(4, 0x101)),
        group(2, replica(5, 9), replica(4, 9), replica(4, 8), replica(6, 7)),
        group(3),
        session(1, replica(7, 0)),
        session(2, replica(7, 3), replica(8, 0), replica(8, 2), replica(9, 0xffff)),
        session(3));
  }

  private static int some(Random random, int... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private static int bits(Random random, int of) {
    int half = random.nextInt(256);
    return half & random.nextInt(256) & of;
  }

  private static PortFrame frame(Random random) {
    byte[] options = new byte[some(random, 0, 0, 1, 8)];
    byte[] payload = new byte[some(random, 0, 1, 40, 300)];
    random.nextBytes(options);
    random.nextBytes(payload);
    int ingress = CLONE | CLONE_KEEP | AGAIN | AGAIN_OTHER | GROUP | DIGEST | CUT | DROP;
    int egress = CLONE | CLONE_KEEP | AGAIN | AGAIN_OTHER | CUT | DROP;
    return new Command(
            bits(random, ingress),
            bits(random, ingress & ~(AGAIN | AGAIN_OTHER)),
            bits(random, egress),
            bits(random, egress & ~(AGAIN | AGAIN_OTHER)),
            bits(random, egress & ~(AGAIN | AGAIN_OTHER)),
            random.nextInt(256),
            some(random, 1, 2, 3, 4, 0x8002),
            some(random, 0, 1, 2, 3, 4),
            some(random, 0, 1, 17, 60, 200, 0xffff),
            some(random, 1, 2, 511, 300),
            options,
            payload)
        .from(some(random, 0, 1, 3));
  }

  @Test
  void copiesHaveTheBytesThatTheyHaveOnBmv2() {
    SimpleSwitchGrpc.assumeInstalled();
    ForwardingPipelineConfig program = config("copies");
    try (SwitchUnderTest bmv2 = SimpleSwitchGrpc.start(program, List.of());
        EmulatedNode emulated = EmulatedNode.start(program)) {
      bmv2.control().write(engine());
      emulated.control().write(engine());
      Random random = new Random(17);
      List<String> differences = new ArrayList<>();
      Set<Integer> types = new HashSet<>();
      Set<Integer> counts = new HashSet<>();
      for (int sent = 0; sent < FRAMES; sent += BATCH) {
        List<PortFrame> frames = new ArrayList<>();
        while (frames.size() < BATCH) {
          frames.add(frame(random));
        }
        List<List<PortFrame>> expected = bmv2.pass(frames);
        List<List<PortFrame>> actual = emulated.pass(frames);
        for (int i = 0; i < frames.size(); i++) {
          List<PortFrame> one = sorted(expected.get(i));
          List<PortFrame> other = sorted(actual.get(i));
          counts.add(one.size());
          one.forEach(f -> types.add(type(f)));
          if (!other.equals(one)) {
            differences.add(
                frames.get(i)
                    + "\n  on bmv2 only "
                    + without(one, other)
                    + "\n  on the emulated switch only "
                    + without(other, one));
          }
        }
      }
      assertThat(differences.stream().limit(5)).isEmpty();
      // Packets of all kinds left, alone and in numbers.
      assertThat(types).contains(0, 1, 2, 5);
      assertThat(counts).contains(0, 1, 2, 4, 8);
    }
  }

  /** bmv2's egress threads race each other: the order of one packet's copies is left open. */
  private static List<PortFrame> sorted(List<PortFrame> frames) {
    return frames.stream().sorted(Comparator.comparing(PortFrame::toString)).toList();
  }

  private static List<PortFrame> without(List<PortFrame> all, List<PortFrame> others) {
    List<PortFrame> left = new ArrayList<>(all);
    others.forEach(left::remove);
    return left;
  }

  private static int type(PortFrame frame) {
    int report = 18 + (frame.bytes().size() > 17 ? frame.bytes().byteAt(17) : 0);
    return frame.bytes().size() > report ? frame.bytes().byteAt(report) : -1;
  }
}
