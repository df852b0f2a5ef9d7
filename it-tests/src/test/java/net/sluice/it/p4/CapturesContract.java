package net.sluice.it.p4;

import static net.sluice.it.p4.PipelineContract.prefix;
import static net.sluice.it.p4.PipelineContract.unshaped;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import net.sluice.emulator.ports.pcap.PcapFormatException;
import net.sluice.emulator.ports.pcap.PcapReader;
import net.sluice.testing.Prerequisite;
import org.junit.jupiter.api.Test;

/**
 * What was captured elsewhere passes a wire as it is, either way, whether it is a subscriber's or
 * not. The captures are in a folder that the environment variable {@value #VARIABLE} or the system
 * property {@value #PROPERTY} names, and its folders.
 */
interface CapturesContract extends WireContract {
  String VARIABLE = "SLUICE_CAPTURES";
  String PROPERTY = "sluice.captures";

  /** So many frames are sent at a time. */
  int BATCH = 500;

  @Test
  default void capturesOfOthersPass() throws IOException {
    String given = System.getProperty(PROPERTY, System.getenv(VARIABLE));
    if (given == null || given.isBlank()) {
      Prerequisite.CAPTURES.skip(VARIABLE + " names no folder of captures to send through a wire");
    }
    List<Path> files;
    try (Stream<Path> all = Files.walk(Path.of(given))) {
      files = all.filter(Files::isRegularFile).sorted().toList();
    }
    installWire();
    // Half of the address space and more is a subscriber's.
    install(
        prefix("10.0.0.0/8", unshaped(1, 0, LINE_A)),
        prefix("192.168.0.0/16", unshaped(1, 0, LINE_A)),
        prefix("0.0.0.0/1", unshaped(1, 0, LINE_A)),
        prefix("2000::/3", unshaped(1, 0, LINE_A)));
    List<String> wrong = new ArrayList<>();
    int passed = 0;
    int read = 0;
    int longer = 0;
    for (Path file : files) {
      List<ByteString> frames = framesOf(file);
      read += frames.isEmpty() ? 0 : 1;
      List<ByteString> sent =
          frames.stream().filter(each -> each.size() > 0 && each.size() <= LONGEST).toList();
      longer += frames.size() - sent.size();
      for (int from = 0; from < sent.size(); from += BATCH) {
        List<ByteString> batch = sent.subList(from, Math.min(sent.size(), from + BATCH));
        passed += batch.size();
        wrong.addAll(changed(file + ", frames from " + from, batch));
      }
    }
    System.out.printf(
        "captures: %d frames of %d files were sent; left out: %d files that are no classic pcap of"
            + " Ethernet or have no frame, %d frames of no byte or more than %d%n",
        passed, read, files.size() - read, longer, LONGEST);
    assertThat(wrong).isEmpty();
    assertThat(passed).as("frames in " + given).isPositive();
  }

  /** The frames up to what is no longer in the format; none of another kind of file. */
  private static List<ByteString> framesOf(Path file) throws IOException {
    List<ByteString> frames = new ArrayList<>();
    try (PcapReader reader = PcapReader.open(file)) {
      while (reader.next()) {
        frames.add(ByteString.copyFrom(reader.bytes(), 0, reader.length()));
      }
    } catch (PcapFormatException e) {
      System.out.println("captures: " + e.getMessage());
    }
    return frames;
  }

  /** Sends frames in turns from either end; what has not come out of the other one as it was. */
  private List<String> changed(String where, List<ByteString> frames) {
    List<PortFrame> sent = new ArrayList<>();
    List<List<PortFrame>> expected = new ArrayList<>();
    for (ByteString bytes : frames) {
      boolean up = sent.size() % 2 == 0;
      sent.add(new PortFrame(up ? LINE_A : CORE, bytes));
      expected.add(List.of(new PortFrame(up ? CORE : LINE_A, bytes)));
    }
    List<List<PortFrame>> out = PipelineContract.send(dut(), sent).out();
    List<String> found = new ArrayList<>();
    for (int i = 0; i < sent.size(); i++) {
      if (!out.get(i).equals(expected.get(i))) {
        String bytes = HexFormat.of().formatHex(frames.get(i).toByteArray());
        found.add(where + ": " + i + " left as " + out.get(i).size() + " frames: " + bytes);
      }
    }
    return found;
  }
}
