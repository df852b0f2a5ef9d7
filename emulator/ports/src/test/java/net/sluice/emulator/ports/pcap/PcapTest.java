package net.sluice.emulator.ports.pcap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PcapTest {
  private static final long MAX_NANOS = 0xffff_ffffL * 1_000_000_000L + 999_999_999L;

  record Frame(long nanos, String hex) {
    byte[] bytes() {
      return HexFormat.of().parseHex(hex);
    }
  }

  @Provide
  Arbitrary<List<Frame>> frames() {
    return Combinators.combine(
            Arbitraries.longs().between(0, MAX_NANOS),
            Arbitraries.bytes().array(byte[].class).ofMaxSize(300))
        .as((nanos, bytes) -> new Frame(nanos, HexFormat.of().formatHex(bytes)))
        .list()
        .ofMaxSize(12);
  }

  @Provide
  Arbitrary<ByteOrder> orders() {
    return Arbitraries.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN);
  }

  private static byte[] write(
      List<Frame> frames, ByteOrder order, PcapResolution resolution, int snaplen)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (PcapWriter writer = PcapWriter.of(out, order, resolution, snaplen)) {
      for (Frame frame : frames) {
        byte[] padded = new byte[frame.bytes().length + 7];
        System.arraycopy(frame.bytes(), 0, padded, 3, frame.bytes().length);
        writer.write(frame.nanos(), padded, 3, frame.bytes().length);
      }
      assertThat(writer.frames()).isEqualTo(frames.size());
    }
    return out.toByteArray();
  }

  private static List<Frame> read(byte[] file) throws IOException {
    List<Frame> frames = new ArrayList<>();
    try (PcapReader reader = PcapReader.of("x.pcap", new ByteArrayInputStream(file))) {
      while (reader.next()) {
        frames.add(
            new Frame(
                reader.nanos(), HexFormat.of().formatHex(reader.bytes(), 0, reader.length())));
      }
    }
    return frames;
  }

  @Property(tries = 300, seed = "1")
  void whatIsWrittenIsReadAgain(
      @ForAll("frames") List<Frame> frames,
      @ForAll("orders") ByteOrder order,
      @ForAll PcapResolution resolution)
      throws IOException {
    byte[] file = write(frames, order, resolution, PcapReader.MAX_FRAME_BYTES);
    List<Frame> expected =
        frames.stream()
            .map(f -> new Frame(f.nanos() - f.nanos() % resolution.nanosPerUnit(), f.hex()))
            .toList();
    assertThat(read(file)).isEqualTo(expected);
    try (PcapReader reader = PcapReader.of("x.pcap", new ByteArrayInputStream(file))) {
      assertThat(reader.byteOrder()).isEqualTo(order);
      assertThat(reader.resolution()).isEqualTo(resolution);
      assertThat(reader.snaplen()).isEqualTo(PcapReader.MAX_FRAME_BYTES);
    }
  }

  @Property(tries = 100, seed = "1")
  void framesBeyondTheSnaplenAreCutAndSaySo(
      @ForAll("frames") List<Frame> frames,
      @ForAll("orders") ByteOrder order,
      @ForAll @IntRange(min = 1, max = 200) int snaplen)
      throws IOException {
    byte[] file = write(frames, order, PcapResolution.NANOS, snaplen);
    try (PcapReader reader = PcapReader.of("x.pcap", new ByteArrayInputStream(file))) {
      assertThat(reader.snaplen()).isEqualTo(snaplen);
      for (Frame frame : frames) {
        assertThat(reader.next()).isTrue();
        byte[] kept = Arrays.copyOf(frame.bytes(), Math.min(frame.bytes().length, snaplen));
        assertThat(Arrays.copyOf(reader.bytes(), reader.length())).isEqualTo(kept);
        assertThat(reader.originalLength()).isEqualTo(frame.bytes().length);
      }
      assertThat(reader.next()).isFalse();
    }
  }

  @Property(tries = 200, seed = "1")
  void aFileThatEndsEarlyIsRefusedWhereTheBrokenPartBegins(
      @ForAll("frames") List<Frame> frames, @ForAll @IntRange(min = 0, max = 5_000) int at)
      throws IOException {
    byte[] file = write(frames, ByteOrder.BIG_ENDIAN, PcapResolution.MICROS, 65_535);
    int length = at % file.length;
    List<Integer> boundaries = new ArrayList<>(List.of(PcapReader.FILE_HEADER_BYTES));
    for (Frame frame : frames) {
      int last = boundaries.get(boundaries.size() - 1);
      boundaries.add(last + PcapReader.RECORD_HEADER_BYTES + frame.bytes().length);
    }
    byte[] cut = Arrays.copyOf(file, length);
    if (boundaries.contains(length)) {
      assertThat(read(cut)).hasSize(boundaries.indexOf(length));
      return;
    }
    PcapFormatException refusal = catchThrowableOfType(PcapFormatException.class, () -> read(cut));
    assertThat(refusal.offset()).isLessThanOrEqualTo(length);
    assertThat(refusal).hasMessageStartingWith("x.pcap at offset " + refusal.offset() + ": ");
    int begin = boundaries.stream().filter(b -> b <= length).mapToInt(b -> b).max().orElse(0);
    assertThat(refusal.offset()).isIn((long) begin, (long) begin + PcapReader.RECORD_HEADER_BYTES);
  }

  @Property(tries = 500, seed = "1")
  void arbitraryDamageIsReadOrRefusedButNothingElse(
      @ForAll("frames") List<Frame> frames,
      @ForAll @IntRange(min = 0, max = 5_000) int at,
      @ForAll byte value)
      throws IOException {
    byte[] file = write(frames, ByteOrder.LITTLE_ENDIAN, PcapResolution.MICROS, 65_535);
    file[at % file.length] = value;
    try {
      assertThat(read(file)).hasSizeLessThanOrEqualTo(frames.size() + 300);
    } catch (PcapFormatException e) {
      assertThat(e.offset()).isBetween(0L, (long) file.length);
    }
  }

  @Test
  void theFormatIsTheOneOthersWrite() throws IOException {
    // tcpdump's layout, written down by hand: little-endian microseconds, snaplen 65535, one frame.
    String file =
        "d4c3b2a1 0200 0400 00000000 00000000 ffff0000 01000000"
            + "01000000 02000000 03000000 05000000 aabbcc";
    byte[] bytes = HexFormat.of().parseHex(file.replace(" ", ""));
    assertThat(read(bytes)).containsExactly(new Frame(1_000_002_000L, "aabbcc"));
    byte[] written =
        write(
            List.of(new Frame(1_000_002_999L, "aabbccddee")),
            ByteOrder.LITTLE_ENDIAN,
            PcapResolution.MICROS,
            3);
    assertThat(HexFormat.of().formatHex(written))
        .isEqualTo(file.replace(" ", "").replace("ffff0000", "03000000"));
  }

  @Test
  void everyMalformedFileIsOneClearLine() throws IOException {
    byte[] good =
        write(
            List.of(new Frame(5, "00112233445566778899aabb")),
            ByteOrder.LITTLE_ENDIAN,
            PcapResolution.MICROS,
            65_535);
    List<byte[]> files = new ArrayList<>();
    files.add(new byte[0]);
    files.add(Arrays.copyOf(good, 23));
    files.add(Arrays.copyOf(good, 24 + 15));
    files.add(Arrays.copyOf(good, good.length - 1));
    files.add(HexFormat.of().parseHex("0a0d0d0a1c0000004d3c2b1a"));
    files.add("frames, one a line; not at all a capture".getBytes(StandardCharsets.US_ASCII));
    files.add(changed(good, 4, 3));
    files.add(changed(good, 20, 113));
    files.add(changed(good, 28, 1_000_000));
    files.add(changed(good, 32, 13));
    files.add(changed(good, 32, PcapReader.MAX_FRAME_BYTES + 1));
    StringBuilder texts = new StringBuilder();
    for (byte[] file : files) {
      PcapFormatException refusal =
          catchThrowableOfType(PcapFormatException.class, () -> read(file));
      texts.append(refusal.getMessage()).append('\n');
    }
    assertThat(texts.toString()).isEqualTo(golden("/port/pcap-errors.golden.txt", texts));
  }

  private static byte[] changed(byte[] file, int at, int value) {
    byte[] copy = file.clone();
    ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN).putInt(at, value);
    return copy;
  }

  private static String golden(String name, CharSequence actual) throws IOException {
    try (var stream = PcapTest.class.getResourceAsStream(name)) {
      assertThat(stream).as("golden file %s; the texts are:%n%s", name, actual).isNotNull();
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void aTimeThatTheFormatCannotHoldIsRefused() throws IOException {
    try (PcapWriter writer =
        PcapWriter.of(
            new ByteArrayOutputStream(), ByteOrder.LITTLE_ENDIAN, PcapResolution.MICROS, 100)) {
      writer.write(MAX_NANOS, new byte[1], 0, 1);
      assertThatThrownBy(() -> writer.write(MAX_NANOS + 1, new byte[1], 0, 1))
          .hasMessage("nanos " + (MAX_NANOS + 1) + ": must be 0.." + MAX_NANOS);
      assertThatThrownBy(() -> writer.write(-1, new byte[1], 0, 1))
          .hasMessage("nanos -1: must be 0.." + MAX_NANOS);
    }
  }

  @Test
  void aSummaryCountsFramesAndThoseThatWereCut(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("a.pcap");
    Files.write(
        file,
        write(
            List.of(new Frame(7_000, "0011"), new Frame(3_000, "001122"), new Frame(9_000, "00")),
            ByteOrder.BIG_ENDIAN,
            PcapResolution.MICROS,
            2));
    assertThat(PcapSummary.of(file))
        .isEqualTo(new PcapSummary(PcapResolution.MICROS, 2, 3, 1, 7_000));
    Files.write(file, Arrays.copyOf(Files.readAllBytes(file), 30));
    assertThatThrownBy(() -> PcapSummary.of(file))
        .isInstanceOf(PcapFormatException.class)
        .hasMessageStartingWith(file + " at offset 24: ");
  }

  @Property(tries = 300, seed = "7")
  void framesThatFollowAreThoseThatCome(
      @ForAll("frames") List<Frame> frames, @ForAll("orders") ByteOrder order) throws IOException {
    byte[] file = write(frames, order, PcapResolution.NANOS, 65_535);
    int[] offsets = new int[5];
    int[] lengths = new int[5];
    try (PcapReader reader = PcapReader.of("a.pcap", new ByteArrayInputStream(file))) {
      for (int at = 0; reader.next(); at++) {
        int count = reader.following(offsets, lengths);
        assertThat(count).isEqualTo(Math.min(5, frames.size() - at - 1));
        for (int i = 0; i < count; i++) {
          assertThat(Arrays.copyOfRange(reader.buffered(), offsets[i], offsets[i] + lengths[i]))
              .isEqualTo(frames.get(at + 1 + i).bytes());
        }
      }
    }
  }

  @Test
  void whatIsNoWholeFrameDoesNotFollow() throws IOException {
    List<Frame> frames = List.of(new Frame(1, "0102"), new Frame(2, "0304"));
    byte[] file = write(frames, ByteOrder.BIG_ENDIAN, PcapResolution.NANOS, 65_535);
    int second = PcapReader.FILE_HEADER_BYTES + 2 * PcapReader.RECORD_HEADER_BYTES + 2;
    for (int length : new int[] {3, -1, Integer.MAX_VALUE}) {
      byte[] wrong = file.clone();
      ByteBuffer.wrap(wrong).putInt(second - 8, length);
      assertThat(following(wrong)).as("length %d", length).isZero();
    }
    assertThat(following(file)).isOne();
    for (int end = second - PcapReader.RECORD_HEADER_BYTES; end < file.length; end++) {
      assertThat(following(Arrays.copyOf(file, end))).as("%d bytes", end).isZero();
    }
  }

  /** Frames behind the first. */
  private static int following(byte[] file) throws IOException {
    try (PcapReader reader = PcapReader.of("a.pcap", new ByteArrayInputStream(file))) {
      reader.next();
      return reader.following(new int[4], new int[4]);
    }
  }
}
