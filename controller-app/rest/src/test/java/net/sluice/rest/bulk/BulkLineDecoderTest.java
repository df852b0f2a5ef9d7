package net.sluice.rest.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.sluice.intents.model.Kind;
import net.sluice.intents.plan.Change;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.northbound.json.JsonContent;
import net.sluice.rest.form.DeclarationForm;
import net.sluice.rest.testing.Declared;
import net.sluice.testing.Golden;
import org.junit.jupiter.api.Test;

final class BulkLineDecoderTest {
  @Property(tries = 500, seed = "1")
  void aChangeDecodesAsWritten(@ForAll("changes") Change change) throws IOException {
    byte[] line = line(change);
    BulkLine decoded = decode(3, line);
    assertThat(decoded).isEqualTo(new BulkLine(3, change));
  }

  /** The lines around it change nothing of how a line is read. */
  @Property(tries = 5000, seed = "1")
  void damagedLinesAreReadAsOnTheirOwn(
      @ForAll("changesTogether") List<Change> changes, @ForAll("damage") List<Integer> damage)
      throws IOException {
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    for (Change change : changes) {
      stream.write(line(change));
      stream.write('\n');
    }
    byte[] bytes = stream.toByteArray();
    byte[] alphabet =
        "{}[]\":,0123456789-.eE \n\r\tuladnsxp\0\u00e4".getBytes(StandardCharsets.ISO_8859_1);
    for (int i = 0; i + 1 < damage.size(); i += 2) {
      bytes[Math.floorMod(damage.get(i), bytes.length)] =
          alphabet[Math.floorMod(damage.get(i + 1), alphabet.length)];
    }
    List<BulkLine> alone = new ArrayList<>();
    int from = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '\n' || i + 1 == bytes.length) {
        int end = bytes[i] == '\n' ? i : i + 1;
        end = end > from && bytes[end - 1] == '\r' && bytes[i] == '\n' ? end - 1 : end;
        alone.add(whole(alone.size() + 1, Arrays.copyOfRange(bytes, from, end)));
        from = i + 1;
      }
    }
    assertThat(split(bytes, bytes.length)).isEqualTo(alone);
  }

  /** What two lines make together is no change of either. */
  @Test
  void aLineEndsWhatItBegins() {
    String good = "{\"op\":\"delete\",\"kind\":\"policy\",\"id\":\"a\"}";
    String halves = good.replace(",\"id\"", "\n,\"id\"");
    String stream = good + good + "\n" + halves + "\n" + good + "\n";
    List<BulkLine> lines = split(stream.getBytes(StandardCharsets.US_ASCII), 65_536);
    assertThat(lines).extracting(BulkLine::isSound).containsExactly(false, false, false, true);
    List<BulkLine> wide = split((good + "\n").getBytes(StandardCharsets.UTF_16LE), 65_536);
    assertThat(wide).extracting(BulkLine::isSound).containsOnly(false);
  }

  @Test
  void everyProblemOfALineIsNamed() throws IOException {
    StringBuilder transcript = new StringBuilder();
    for (String line :
        List.of(
            "",
            "x",
            "{\"op\":\"put\"",
            "{}",
            "[]",
            "{\"op\":\"put\",\"kind\":\"subscriber\",\"id\":\"a\"}",
            "{\"op\":\"delete\",\"kind\":\"subscriber\",\"id\":\"a\",\"value\":{}}",
            "{\"op\":\"upsert\",\"kind\":\"subscriber\",\"id\":\"a\",\"value\":{}}",
            "{\"op\":\"put\",\"kind\":\"customer\",\"id\":\"a\",\"value\":{}}",
            "{\"op\":\"put\",\"kind\":\"policy\",\"id\":7,\"value\":[]}",
            "{\"op\":\"delete\",\"kind\":\"policy\",\"id\":\"no/slash\"}",
            "{\"op\":\"put\",\"op\":\"put\",\"kind\":\"policy\",\"id\":\"a\",\"value\":{},\"x\":1}",
            "{\"op\":\"put\",\"kind\":\"subscriber\",\"id\":\"a b\",\"value\":{\"policy\":\"p\","
                + "\"prefixes\":[\"10.0.0.1/33\"],\"attachment\":{\"port\":0,\"tree\":99}}}",
            "{\"op\":\"put\",\"kind\":\"rate-limit\",\"id\":\"a\",\"value\":{\"scope\":{}}}")) {
      byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
      BulkLine decoded = decode(1, bytes);
      assertThat(decoded.problems()).as(line).isNotEmpty();
      transcript.append(line).append('\n');
      for (Problem problem : decoded.problems()) {
        transcript.append("  ").append(problem).append('\n');
      }
    }
    Golden.check("bulk-lines.txt", transcript.toString());
  }

  @Property(tries = 300, seed = "1")
  void linesDoNotDependOnHowTheStreamIsCut(
      @ForAll("changes") Change first,
      @ForAll("changes") Change second,
      @ForAll @IntRange(min = 1, max = 300) int piece)
      throws IOException {
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    stream.write(line(first));
    stream.write("\r\n\nnonsense\n".getBytes(StandardCharsets.US_ASCII));
    stream.write(line(second));
    List<BulkLine> lines = split(stream.toByteArray(), piece);
    assertThat(lines).extracting(BulkLine::number).containsExactly(1L, 2L, 3L, 4L);
    assertThat(lines).extracting(BulkLine::change).containsExactly(first, null, null, second);
  }

  @Test
  void aLineThatIsTooLongIsRefusedAndTheNextIsRead() throws IOException {
    String good = "{\"op\":\"delete\",\"kind\":\"policy\",\"id\":\"a\"}";
    String fits = good + " ".repeat(LineSplitter.MAX_LINE_BYTES - good.length());
    String stream = fits + "\r\n" + fits + " \n" + good + "\n" + "x".repeat(3_000_000);
    List<BulkLine> lines = split(stream.getBytes(StandardCharsets.US_ASCII), 65_536);
    assertThat(lines).extracting(BulkLine::isSound).containsExactly(true, false, true, false);
    assertThat(lines.get(1).problems())
        .extracting(Problem::detail)
        .containsExactly(
            "body is more than 1048576 bytes; allowed: lines of at most 1048576 bytes.");
    assertThat(lines.get(3).problems()).isEqualTo(lines.get(1).problems());
  }

  @Provide
  Arbitrary<List<Integer>> damage() {
    return Arbitraries.integers().list().ofMinSize(2).ofMaxSize(6);
  }

  @Provide
  Arbitrary<Change> changes() {
    return Arbitraries.oneOf(
        usual(),
        Declared.policies().<Change>map(Change.Put::new),
        Declared.subscribersWithParts().<Change>map(Change.Put::new));
  }

  @Provide
  Arbitrary<Change> usual() {
    return Arbitraries.<Change>oneOf(
        Declared.subscribers().map(Change.Put::new),
        Declared.rateLimits().map(Change.Put::new),
        Declared.ids().map(id -> new Change.Delete(Kind.POLICY, id)),
        Declared.ids().map(id -> new Change.Delete(Kind.SUBSCRIBER, id)),
        Declared.ids().map(id -> new Change.Delete(Kind.RATE_LIMIT, id)));
  }

  @Provide
  Arbitrary<List<Change>> changesTogether() {
    return changes().list().ofMinSize(1).ofMaxSize(4);
  }

  private static BulkLine decode(long number, byte[] line) {
    SoundLines lines = new SoundLines();
    lines.block(line, 0, line.length);
    return BulkLineDecoder.decode(number, lines, line, 0, line.length);
  }

  private static BulkLine whole(long number, byte[] line) {
    try {
      return BulkLineDecoder.decodeFully(number, line, 0, line.length);
    } catch (Refusal e) {
      return new BulkLine(number, e.problems());
    }
  }

  private static List<BulkLine> split(byte[] stream, int piece) {
    List<BulkLine> lines = new ArrayList<>();
    LineSplitter splitter = new LineSplitter(lines::add);
    byte[] buffer = new byte[piece];
    for (int from = 0; from < stream.length; from += piece) {
      int length = Math.min(piece, stream.length - from);
      System.arraycopy(stream, from, buffer, 0, length);
      splitter.take(buffer, length);
    }
    splitter.end();
    return lines;
  }

  private static byte[] line(Change change) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (JsonGenerator json = JsonContent.generator(out)) {
      json.writeStartObject();
      json.writeStringField("op", change instanceof Change.Put ? "put" : "delete");
      json.writeStringField("kind", change.kind().text());
      json.writeStringField("id", change.id());
      if (change instanceof Change.Put put) {
        json.writeFieldName("value");
        DeclarationForm.write(json, put.declaration(), put.switchName());
      }
      json.writeEndObject();
    }
    return out.toByteArray();
  }
}
