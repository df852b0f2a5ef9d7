package net.sluice.emulator.v1model.prefetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.ToIntFunction;
import net.sluice.emulator.switching.PacketPipeline;
import net.sluice.emulator.switching.SwitchPacket;
import net.sluice.emulator.v1model.LoadedProgram;
import net.sluice.emulator.v1model.Probe;
import net.sluice.emulator.v1model.TestProgram;
import net.sluice.emulator.v1model.program.Program;
import net.sluice.emulator.v1model.runtime.CounterCells;
import net.sluice.emulator.v1model.runtime.RegisterArray;
import net.sluice.emulator.v1model.table.HashedTable;
import net.sluice.emulator.v1model.table.MatchKey;
import net.sluice.emulator.v1model.table.MatchTable;
import org.junit.jupiter.api.Test;

/** Prefetching for coming packets, with Sluice's own program. */
class EntryPrefetchTest {
  /** Cells that are indexed by a subscriber and a direction. */
  private static final int DIRECTIONS = 1 << 21;

  private static final Path JSON = Path.of("..", "..", "p4", "p4c-out", "v1model", "sluice.json");
  private static final String SUBSCRIBERS = "SluiceIngress.classifier.SubscriberRate4";
  private static final int FIRST_ADDRESS = 0x0a000000;
  private static final int SERVER = 0xc0a80102;
  private static final int ETHERNET_BYTES = 14;

  /** So few that they fit a cache. */
  private static final int FEW = EntryPrefetch.LARGE - 1;

  private final TestProgram program = TestProgram.load(JSON);

  private static byte[] ipv4(int source, int destination) {
    ByteBuffer packet = ByteBuffer.allocate(100);
    packet.putShort(12, (short) 0x0800);
    packet.put(ETHERNET_BYTES, (byte) 0x45).put(ETHERNET_BYTES + 8, (byte) 64);
    packet.putShort(ETHERNET_BYTES + 2, (short) 86);
    packet.putInt(ETHERNET_BYTES + 12, source).putInt(ETHERNET_BYTES + 16, destination);
    return packet.array();
  }

  private static void subscribers(TestProgram program, int from, int to) {
    for (int i = from; i < to; i++) {
      program.insert(
          SUBSCRIBERS,
          List.of(
              new TestProgram.Match(
                  BigInteger.valueOf(Integer.toUnsignedLong(FIRST_ADDRESS + i)),
                  BigInteger.valueOf(32))),
          0,
          "SluiceIngress.classifier.subscriber",
          i,
          0,
          1);
    }
  }

  /** The sum loaded for packets. */
  private long load(byte[]... packets) {
    return load(prefetch(), packets);
  }

  private EntryPrefetch prefetch() {
    LoadedProgram loaded = program.loaded;
    return new EntryPrefetch(loaded.program(), loaded.tables(), loaded.state());
  }

  private static long load(EntryPrefetch prefetch, byte[]... packets) {
    int most = PacketPipeline.MAX_EXPECTED;
    byte[] bytes = new byte[3 + 100 * most];
    int[] offsets = new int[most];
    int[] lengths = new int[most];
    for (int i = 0; i < packets.length; i++) {
      offsets[i] = 3 + 100 * i;
      lengths[i] = packets[i].length;
      System.arraycopy(packets[i], 0, bytes, offsets[i], lengths[i]);
    }
    return prefetch.load(bytes, offsets, lengths, packets.length);
  }

  private List<KeyGuess> guesses(String table) {
    LoadedProgram loaded = program.loaded;
    for (int i = 0; i < loaded.tables().size(); i++) {
      Program.Table candidate = loaded.tables().get(i);
      if (candidate.name().equals(table)) {
        return KeyGuess.of(
            candidate.key(),
            program.table(table).layout(),
            new CopiedFields(loaded.program()),
            HeaderOffsets.of(loaded.program()));
      }
    }
    throw new IllegalArgumentException(table);
  }

  private static List<String> read(List<KeyGuess> guesses, int words, byte[] packet, int length) {
    List<String> keys = new ArrayList<>();
    for (KeyGuess guess : guesses) {
      long[] key = new long[words];
      boolean read = guess.read(packet, 0, length, key);
      keys.add(
          read ? String.join(" ", Arrays.stream(key).mapToObj(Long::toHexString).toList()) : "-");
    }
    return keys;
  }

  @Test
  void keysAreReadWhereThePacketHasWhatTheProgramCopies() {
    byte[] packet = ipv4(FIRST_ADDRESS + 1, SERVER);
    List<KeyGuess> subscribers = guesses(SUBSCRIBERS);
    assertThat(read(subscribers, 1, packet, 100)).containsExactly("a000001", "c0a80102");
    // The destination is not there.
    assertThat(read(subscribers, 1, packet, 33)).containsExactly("a000001", "-");
    assertThat(read(subscribers, 1, packet, 29)).containsExactly("-", "-");
    assertThat(read(guesses("SluiceIngress.forwarding.Routing4"), 1, packet, 100))
        .containsExactly("c0a80102");
    // The less significant word comes first.
    byte[] six = new byte[100];
    HexFormat hex = HexFormat.of();
    byte[] source = hex.parseHex("20010db8000000000000000000000001");
    byte[] destination = hex.parseHex("fd00000000000000123456789abcdef0");
    System.arraycopy(source, 0, six, ETHERNET_BYTES + 8, 16);
    System.arraycopy(destination, 0, six, ETHERNET_BYTES + 24, 16);
    assertThat(read(guesses("SluiceIngress.classifier.SubscriberRate6"), 2, six, 100))
        .containsExactly("1 20010db800000000", "123456789abcdef0 fd00000000000000");
    // A port that no packet has in it.
    assertThat(guesses("SluiceIngress.classifier.SubscriberVlan")).isEmpty();
  }

  @Test
  void fieldsOfAKeyLieInItsWordsAsTheTableHasThem() {
    TestProgram constructs = TestProgram.load("constructs");
    LoadedProgram loaded = constructs.loaded;
    byte[] packet =
        Probe.op(1)
            .with("small", 0x7b)
            .with("medium", 0x1234)
            .with("word", 0x89abcdefL)
            .with("wide", new BigInteger("0123456789abcdeffedcba9876543210", 16))
            .bytes();
    List<String> seen = new ArrayList<>();
    for (int i = 0; i < loaded.tables().size(); i++) {
      Program.Table table = loaded.tables().get(i);
      MatchTable contents = loaded.state().tables().get(i);
      List<KeyGuess> guesses =
          KeyGuess.of(
              table.key(),
              contents.layout(),
              new CopiedFields(loaded.program()),
              HeaderOffsets.of(loaded.program()));
      if (contents instanceof HashedTable && !guesses.isEmpty()) {
        seen.add(
            table.name() + ": " + read(guesses, contents.layout().words(), packet, packet.length));
      }
    }
    assertThat(seen)
        .contains(
            "In.exact_table: [12347b]",
            "In.exact_wide: [fedcba9876543210 123456789abcdef 89abcdef]",
            "In.lpm_table: [89abcdef]",
            "In.lpm_wide: [fedcba9876543210 123456789abcdef 7b]");
  }

  @Test
  void theEntriesOfPacketsAreFound() {
    subscribers(program, 0, 5_000);
    HashedTable table = (HashedTable) program.table(SUBSCRIBERS);
    KeyGuess guess = guesses(SUBSCRIBERS).get(1);
    long[] words = new long[1];
    int[] slots = new int[1];
    MatchKey key = new MatchKey(table.layout());
    for (int i = 0; i < 5_000; i++) {
      assertThat(guess.read(ipv4(SERVER, FIRST_ADDRESS + i), 0, 100, words)).isTrue();
      table.load(new int[] {table.place(words)}, 1, slots);
      key.value[0] = Integer.toUnsignedLong(FIRST_ADDRESS + i);
      key.prefixLength = 32;
      assertThat(slots[0]).isEqualTo(table.locate(key));
    }
  }

  @Test
  void theCellsOfPacketsAreLoaded() {
    subscribers(program, 0, 5_000);
    byte[][] packets = {ipv4(SERVER, FIRST_ADDRESS + 77), ipv4(FIRST_ADDRESS + 4_321, SERVER)};
    long before = load(packets);
    List<Long> loaded = new ArrayList<>();
    List<Long> expected = new ArrayList<>();
    long sum = 0;
    for (int subscriber : new int[] {77, 4_321, 78}) {
      boolean sends = subscriber != 78;
      for (CounterCells cells : program.loaded.state().counters()) {
        if (cells.size() == DIRECTIONS) {
          cells.set(2 * subscriber, 1_000, 0);
          sum += sends ? 1_000 : 0;
          expected.add(sum);
          loaded.add(load(packets) - before);
        }
      }
      for (RegisterArray register : program.loaded.state().registers()) {
        if (register.size() == DIRECTIONS) {
          register.set(2 * subscriber, BigInteger.valueOf(10));
          sum += sends ? 10 : 0;
          expected.add(sum);
          loaded.add(load(packets) - before);
        }
      }
    }
    // All cells of the subscribers that have packets, and none of another one.
    assertThat(loaded).isEqualTo(expected).hasSizeGreaterThan(20);
  }

  @Test
  void cellsThatNoPacketChangesAreLeftAloneForAWhile() {
    subscribers(program, 0, 5_000);
    byte[] packet = ipv4(SERVER, FIRST_ADDRESS + 77);
    EntryPrefetch prefetch = prefetch();
    CounterCells used = null;
    long idle = 0;
    long before = load(prefetch, packet);
    for (CounterCells cells : program.loaded.state().counters()) {
      if (cells.size() == DIRECTIONS) {
        cells.set(2 * 77, 1_000, 0);
        used = used == null ? cells : used;
        idle += cells == used ? 0 : 1_000;
      }
    }
    assertThat(load(prefetch, packet) - before).isEqualTo(idle + 1_000);
    for (int i = 0; i < 70; i++) {
      used.set(2 * 77, 1_000 + i, 0);
      load(prefetch, packet);
    }
    used.set(2 * 77, 1_000, 0);
    assertThat(load(prefetch, packet) - before).isEqualTo(1_000);
    for (int i = 0; i < 2_048; i++) {
      used.set(2 * 77, i, 0);
      load(prefetch, packet);
    }
    used.set(2 * 77, 1_000, 0);
    assertThat(load(prefetch, packet) - before).isEqualTo(idle + 1_000);
  }

  @Test
  void cellsOfAnEntryAreUsedIfOneOfThemChanges() {
    subscribers(program, 0, 5_000);
    byte[] packet = ipv4(SERVER, FIRST_ADDRESS + 77);
    EntryPrefetch prefetch = prefetch();
    CounterCells counter = cells(program.loaded.state().counters(), CounterCells::size);
    RegisterArray register = cells(program.loaded.state().registers(), RegisterArray::size);
    for (int i = 0; i < 70; i++) {
      // Those of the subscriber's other direction.
      counter.set(2 * 77 + 1, i, 0);
      register.set(2 * 77 + 1, BigInteger.valueOf(i));
      load(prefetch, packet);
    }
    long before = load(prefetch, packet);
    counter.set(2 * 77, 1_000, 0);
    register.set(2 * 77, BigInteger.TEN);
    assertThat(load(prefetch, packet) - before).isEqualTo(1_010);
  }

  private static <T> T cells(List<T> arrays, ToIntFunction<T> size) {
    return arrays.stream()
        .filter(cells -> size.applyAsInt(cells) == DIRECTIONS)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void smallTablesAreLeftAlone() {
    subscribers(program, 0, FEW);
    byte[] packet = ipv4(SERVER, FIRST_ADDRESS + 1);
    assertThat(load(packet)).isZero();
    subscribers(program, FEW, FEW + 1);
    assertThat(load(packet)).isNotZero();
  }

  /** Packets of subscribers and of others, cut or damaged; the same each time. */
  private static List<byte[]> packets() {
    Random random = new Random(3);
    List<byte[]> packets = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      byte[] packet =
          random.nextBoolean()
              ? ipv4(SERVER, FIRST_ADDRESS + random.nextInt(6_000))
              : ipv4(FIRST_ADDRESS + random.nextInt(6_000), SERVER);
      if (random.nextInt(4) == 0) {
        packet[random.nextInt(packet.length)] ^= (byte) (1 << random.nextInt(8));
      }
      packets.add(random.nextInt(4) == 0 ? Arrays.copyOf(packet, random.nextInt(100)) : packet);
    }
    return packets;
  }

  /** The fates of packets, and the counters they leave. */
  private static List<String> run(boolean told) {
    TestProgram program = TestProgram.load(JSON);
    subscribers(program, 0, 5_000);
    program.insert(
        "SluiceIngress.classifier.PortRole",
        List.of(TestProgram.exact(1)),
        0,
        "SluiceIngress.classifier.set_role",
        1,
        1);
    LoadedProgram loaded = program.loaded;
    List<byte[]> packets = packets();
    List<String> became = new ArrayList<>();
    for (int i = 0; i < packets.size(); i++) {
      if (told && i % PacketPipeline.MAX_EXPECTED == 0) {
        byte[] bytes = new byte[100 * PacketPipeline.MAX_EXPECTED];
        int[] offsets = new int[PacketPipeline.MAX_EXPECTED];
        int[] lengths = new int[PacketPipeline.MAX_EXPECTED];
        int count = Math.min(PacketPipeline.MAX_EXPECTED, packets.size() - i);
        for (int k = 0; k < count; k++) {
          offsets[k] = 100 * k;
          lengths[k] = packets.get(i + k).length;
          System.arraycopy(packets.get(i + k), 0, bytes, offsets[k], lengths[k]);
        }
        loaded.pipeline().expect(bytes, offsets, lengths, count);
      }
      SwitchPacket packet = loaded.pipeline().acquire();
      packet.setBytes(packets.get(i), 0, packets.get(i).length);
      loaded.pipeline().ingress(packet, 1, i);
      boolean dropped = packet.dropped;
      if (!dropped) {
        loaded.pipeline().egress(packet, i);
      }
      became.add(dropped ? "dropped" : HexFormat.of().formatHex(packet.toByteArray()));
      loaded.pipeline().release(packet);
    }
    loaded.state().counters().forEach(cells -> became.add(cells.contentHash() + ""));
    return became;
  }

  @Test
  void nothingChangesForPacketsThatWereExpected() {
    assertThat(run(true)).isEqualTo(run(false));
  }
}
