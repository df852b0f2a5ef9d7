package net.sluice.rest.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
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
    BulkLine decoded = BulkLineDecoder.decode(3, line, 0, line.length);
    assertThat(decoded).isEqualTo(new BulkLine(3, change));
  }

  /** A line that is read as it streams by is the same change as one that is read as a whole. */
  @Property(tries = 5000, seed = "1")
  void bothWaysAgreeOnDamagedLines(
      @ForAll("changes") Change change, @ForAll("damage") List<Integer> damage) throws IOException {
    byte[] line = line(change);
    byte[] alphabet = "{}[]\":,0123456789-.eE \\tuladnsxp".getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i + 1 < damage.size(); i += 2) {
      line[Math.floorMod(damage.get(i), line.length)] =
          alphabet[Math.floorMod(damage.get(i + 1), alphabet.length)];
    }
    BulkLine decoded = BulkLineDecoder.decode(1, line, 0, line.length);
    if (decoded.isSound()) {
      assertThat(full(line)).isEqualTo(decoded.change());
    }
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
      BulkLine decoded = BulkLineDecoder.decode(1, bytes, 0, bytes.length);
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

  private static Change full(byte[] line) {
    try {
      return BulkLineDecoder.decodeFully(1, line, 0, line.length).change();
    } catch (Refusal e) {
      throw new AssertionError(new String(line, StandardCharsets.UTF_8), e);
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
