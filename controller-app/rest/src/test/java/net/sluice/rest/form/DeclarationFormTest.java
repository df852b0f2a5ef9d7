package net.sluice.rest.form;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.sluice.intents.model.Kind;
import net.sluice.intents.model.Policy;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Subscriber;
import net.sluice.intents.plan.Change;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Refusal;
import net.sluice.northbound.json.JsonContent;
import net.sluice.rest.testing.Declared;
import net.sluice.testing.Golden;
import org.junit.jupiter.api.Test;

final class DeclarationFormTest {
  private interface Reading {
    Object read(String id, byte[] body) throws Refusal;
  }

  private static Reading reading(Kind kind) {
    return (id, body) -> DeclarationForm.read(kind, id, body);
  }

  private final StringBuilder transcript = new StringBuilder();

  @Test
  void everyProblemOfABodyIsNamed() throws IOException {
    Reading subscriber = reading(Kind.SUBSCRIBER);
    refused(subscriber, "{}");
    refused(subscriber, "[]");
    refused(subscriber, "null");
    refused(subscriber, "\"gold\"");
    refused(
        subscriber,
        "{\"policy\":7,\"prefixes\":\"10.0.0.1/32\",\"sVlan\":\"100\",\"attachment\":[0,3]}");
    refused(
        subscriber,
        "{\"policy\":\"go ld\",\"prefixes\":[\"10.0.0.1\",4,\"10.0.0.1/24\",\"::/129\",null],"
            + "\"sVlan\":4095,\"cVlan\":0,\"attachment\":{\"port\":8,\"tree\":-1}}");
    refused(
        subscriber, "{\"policy\":\"gold\",\"prefixes\":[],\"attachment\":{\"port\":0,\"tree\":0}}");
    refused(subscriber, "{\"policy\":\"gold\",\"cVlan\":7,\"attachment\":{\"port\":0,\"tree\":0}}");
    refused(
        subscriber,
        "{\"policy\":\"gold\",\"polcy\":\"gold\",\"sVlan\":1,"
            + "\"attachment\":{\"port\":0,\"tree\":3,\"leaf\":{\"a\":[1,true]}}}");
    refused(
        subscriber,
        "{\"policy\":\"gold\",\"policy\":\"silver\",\"sVlan\":1,"
            + "\"attachment\":{\"port\":0,\"tree\":3,\"tree\":3}}");
    refused(
        subscriber,
        "{\"policy\":null,\"prefixes\":null,\"sVlan\":null,\"cVlan\":null,\"attachment\":null}");
    refused(
        subscriber,
        "{\"policy\":\"gold\",\"sVlan\":1.5,\"cVlan\":1e3,"
            + "\"attachment\":{\"port\":1.0,\"tree\":9999999999999999999}}");
    refused(
        subscriber,
        "{\"policy\":\"gold\",\"sVlan\":4294967297,\"attachment\":{\"port\":true,\"tree\":0}}");
    refused(subscriber, "{\"policy\":\"gold\",\"prefixes\":" + many("\"10.0.0.1/32\"", 65) + "}");
    refused(
        subscriber,
        "{\"policy\":\"gold\",\"sVlan\":1,\"attachment\":{\"port\":0,\"tree\":0},"
            + "\"comment\":\"\\u0000\\\"é\\ud800 and a text that is far too long to be repeated in"
            + " full in an error text\"}");
    String rest = "\"policy\":\"gold\",\"sVlan\":1,\"attachment\":{\"port\":0,\"tree\":0}}";
    refused(subscriber, "{\"labels\":[\"a\"]," + rest);
    refused(
        subscriber,
        "{\"labels\":{\"a\":\"b\",\"a\":\"c\",\"no space\":\"b\",\"d\":\"\",\"e\":7}," + rest);
    String seventeen =
        IntStream.rangeClosed(1, 17)
            .mapToObj(i -> "\"k" + i + "\":\"v\"")
            .collect(Collectors.joining(","));
    refused(subscriber, "{\"labels\":{" + seventeen + "}," + rest);
    for (String field :
        List.of(
            "\"displayName\":7",
            "\"displayName\":\"\"",
            "\"displayName\":\"two\\nlines\"",
            "\"displayName\":\"" + "é".repeat(121) + "\"",
            "\"suspended\":1",
            "\"schedule\":[{\"until\":\"2026-12-01T20:00:00Z\",\"suspended\":true,\"policy\":\"gold\"}]",
            "\"suspended\":{}",
            "\"suspended\":{\"policy\":\"no id\",\"until\":1}",
            "\"schedule\":{}",
            "\"schedule\":[7,{},{\"policy\":\"gold\"}]",
            "\"schedule\":[{\"until\":\"tomorrow\",\"policy\":\"no id\"}]",
            "\"schedule\":[{\"until\":\"2026-12-01T20:00:00\",\"policy\":\"gold\"}]",
            "\"schedule\":[{\"until\":\"2027-01-01T00:00Z\",\"policy\":\"gold\"}]",
            "\"schedule\":[{\"until\":\"2026-12-01T20:00:00Z\",\"upstreamPolicy\":\"gold\"}]",
            "\"schedule\":[{\"until\":\"2026-12-01T20:00:00Z\",\"suspended\":true,"
                + "\"upstreamPolicy\":\"gold\"}]",
            "\"schedule\":[{\"from\":\"22:00\",\"to\":\"06:00\",\"zone\":\"GMT+1\",\"policy\":\"gold\"}]",
            "\"schedule\":[{\"from\":\"22:00\",\"to\":\"06:00\",\"zone\":\"+01:00\",\"policy\":\"gold\"}]",
            "\"schedule\":[{\"until\":\"1969-12-31T23:59:59Z\",\"policy\":\"gold\"}]",
            "\"schedule\":[{\"until\":\"+10000-01-01T00:00:00Z\",\"policy\":\"gold\"}]",
            "\"schedule\":[{\"until\":\"2026-12-01T20:00:00Z\",\"from\":\"22:00\",\"policy\":\"gold\"}]",
            "\"schedule\":[{\"from\":\"24:00\",\"to\":\"6:00\",\"zone\":\"Mars\",\"days\":[],"
                + "\"policy\":\"gold\"}]",
            "\"schedule\":[{\"from\":\"22:00\",\"policy\":\"gold\"}]",
            "\"schedule\":[{\"from\":\"22:00\",\"to\":\"06:00\",\"zone\":\"UTC\","
                + "\"days\":[\"mon\",\"mon\"],\"policy\":\"gold\"}]",
            "\"schedule\":[{\"from\":\"22:00\",\"to\":\"06:00\",\"zone\":\"UTC\","
                + "\"days\":[\"Monday\"],\"policy\":\"gold\"}]",
            "\"schedule\":["
                + many("{\"until\":\"2026-12-01T20:00:00Z\",\"policy\":\"gold\"}", 17)
                    .substring(1))) {
      refused(subscriber, "{" + field + "," + rest);
    }
    Golden.check("subscriber-bodies.txt", transcript.toString());
  }

  @Test
  void everyProblemOfAContractIsNamed() throws IOException {
    Reading subscriber = reading(Kind.SUBSCRIBER);
    String rest = ",\"policy\":\"gold\",\"sVlan\":1,\"attachment\":{\"port\":0,\"tree\":0}}";
    for (String contract :
        List.of(
            "null",
            "[]",
            "{}",
            "{\"side\":{}}",
            "{\"up\":null}",
            "{\"up\":{}}",
            "{\"up\":{\"cirBps\":999,\"marker\":\"pam\"}}",
            "{\"up\":{\"cirBps\":10000000001,\"marker\":\"pam\"}}",
            "{\"up\":{\"cirBps\":1e6,\"marker\":\"F-SAM\"}}",
            "{\"up\":{\"cirBps\":1000,\"burstBytes\":1599,\"marker\":\"token-bucket\"}}",
            "{\"up\":{\"cirBps\":1000,\"burstBytes\":2001,\"marker\":\"token-bucket\"}}",
            "{\"up\":{\"cirBps\":1000,\"marker\":\"red\"}}",
            "{\"up\":{\"cirBps\":1000,\"marker\":\"pam\",\"weights\":[]}}",
            "{\"up\":{\"cirBps\":1000,\"marker\":\"pam\",\"least\":0.5,\"most\":0.5}}",
            "{\"up\":{\"cirBps\":1000,\"marker\":\"pam\",\"probability\":0}}",
            "{\"up\":{\"cirBps\":1000,\"marker\":\"tsw2cm\",\"averagingMillis\":49}}",
            "{\"up\":{\"cirBps\":1000,\"marker\":\"pam\",\"inDscp\":12}}",
            "{\"up\":{\"cirBps\":1000,\"marker\":\"pam\",\"inDscp\":64}}",
            weighted("{\"dscp\":1,\"weight\":2},{\"dscp\":1,\"weight\":3}"),
            weighted("{\"dscp\":1,\"weight\":2},{\"dscp\":64,\"weight\":0.99},7"),
            weighted("{\"dscp\":2,\"weight\":1000.1},{\"dscp\":3,\"weight\":1e400}"),
            weighted(
                IntStream.range(0, 17)
                    .mapToObj(dscp -> "{\"dscp\":" + dscp + ",\"weight\":2}")
                    .collect(Collectors.joining(","))))) {
      refused(subscriber, "{\"aggregate\":" + contract + rest);
    }
    Golden.check("contract-bodies.txt", transcript.toString());
  }

  private static String weighted(String weights) {
    return "{\"down\":{\"cirBps\":1000,\"marker\":\"f-sam\",\"weights\":[" + weights + "]}}";
  }

  @Test
  void everyProblemOfARateLimitIsNamed() throws IOException {
    Reading rateLimit = reading(Kind.RATE_LIMIT);
    refused(rateLimit, "{}");
    refused(rateLimit, "{\"scope\":{},\"downBps\":1}");
    refused(rateLimit, "{\"scope\":\"alice\",\"downBps\":1}");
    refused(rateLimit, "{\"scope\":{\"subscriber\":\"alice\",\"port\":0},\"downBps\":1}");
    refused(rateLimit, "{\"scope\":{\"tree\":0},\"downBps\":1}");
    refused(rateLimit, "{\"scope\":{\"subscriber\":\"-\"},\"downBps\":1}");
    refused(rateLimit, "{\"scope\":{\"subscriber\":5},\"downBps\":1}");
    refused(rateLimit, "{\"scope\":{\"port\":9,\"tree\":64},\"downBps\":1}");
    refused(rateLimit, "{\"scope\":{\"port\":0},\"downBps\":0,\"upBps\":-5,\"burstBytes\":0}");
    refused(
        rateLimit,
        "{\"scope\":{\"port\":0},\"downBps\":1e9,\"upBps\":1000000000000000000,"
            + "\"burstBytes\":2147483648}");
    refused(rateLimit, "{\"scope\":{\"port\":0},\"downBps\":\"50M\",\"upBps\":{}}");
    String limited = "{\"scope\":{\"port\":0},\"downBps\":9,";
    for (String field :
        List.of(
            "\"suspended\":\"yes\"}",
            "\"schedule\":[{\"until\":\"2026-12-01T20:00:00Z\"}]}",
            "\"schedule\":[{\"until\":\"2026-12-01T20:00:00Z\",\"suspended\":false}]}",
            "\"schedule\":[{\"until\":\"2026-12-01T20:00:00Z\",\"suspended\":true,\"upBps\":1}]}",
            "\"schedule\":[{\"until\":\"2026-12-01T20:00:00Z\",\"upBps\":0,\"gate\":\"open\"}]}",
            "\"aqm\":{\"kind\":\"codel\"}}",
            "\"maxDelayMillis\":50}",
            "\"aqm\":{\"kind\":\"pie\"},\"maxDelayMillis\":1001}")) {
      refused(rateLimit, limited + field);
    }
    Golden.check("rate-limit-bodies.txt", transcript.toString());
  }

  @Test
  void everyProblemOfAPolicyIsNamed() throws IOException {
    Reading policy = reading(Kind.POLICY);
    refused(policy, "{}");
    refused(policy, "{\"throughputValue\":{}}");
    refused(policy, "{\"throughputValue\":{\"builtIn\":\"gold\",\"points\":[]}}");
    refused(policy, "{\"throughputValue\":{\"builtIn\":\"Gold\"}}");
    refused(policy, "{\"throughputValue\":{\"builtIn\":1}}");
    refused(policy, "{\"throughputValue\":{\"points\":{}}}");
    refused(policy, "{\"throughputValue\":{\"points\":[{\"rateBps\":1,\"value\":10}]}}");
    refused(
        policy,
        "{\"throughputValue\":{\"points\":[{\"rateBps\":0,\"value\":0.5},{\"rateBps\":1.5,"
            + "\"value\":\"1\"},7,{\"rateBps\":5,\"value\":1e400,\"x\":1}]}}");
    refused(
        policy,
        "{\"throughputValue\":{\"points\":[{\"rateBps\":10,\"value\":10},"
            + "{\"rateBps\":10,\"value\":9}]}}");
    refused(
        policy,
        "{\"throughputValue\":{\"points\":[{\"rateBps\":10,\"value\":10},"
            + "{\"rateBps\":20,\"value\":10}]}}");
    refused(policy, "{\"throughputValue\":{\"points\":" + many("{}", 1025) + "}}");
    for (String aqm :
        List.of(
            "null",
            "\"codel-act\"",
            "{}",
            "{\"kind\":\"pie\",\"targetMicros\":5000}",
            "{\"kind\":\"none\",\"targetMicros\":5000}",
            "{\"kind\":\"codel-act\",\"targetMicros\":0,\"intervalMicros\":100000}",
            "{\"kind\":\"codel-act\",\"targetMicros\":100001,\"intervalMicros\":100000}",
            "{\"kind\":\"rfc8289\",\"targetMicros\":5000,\"intervalMicros\":4294967296}",
            "{\"kind\":\"p4-codel\",\"targetMicros\":5000,\"intervalMicros\":50000}",
            "{\"kind\":\"rfc8289\",\"targetMicros\":5.5,\"intervalMicros\":\"1\",\"ecn\":1}")) {
      refused(policy, "{\"throughputValue\":{\"builtIn\":\"gold\"},\"aqm\":" + aqm + "}");
    }
    for (String aqm :
        List.of(
            "{\"kind\":\"codel\",\"targetMicros\":2147483648}",
            "{\"kind\":\"codel\",\"intervalMicros\":2147483648}",
            "{\"kind\":\"codel\",\"targetMicros\":5001,\"intervalMicros\":5000}",
            "{\"kind\":\"none\",\"l4s\":true}")) {
      refused(policy, "{\"throughputValue\":{\"builtIn\":\"gold\"},\"limitAqm\":" + aqm + "}");
    }
    for (String rio :
        List.of(
            "[]",
            "{\"targetMicros\":5000,\"inDscp\":64,\"limitPackets\":0,\"in\":{}}",
            "{\"out\":{\"minPackets\":9,\"maxPackets\":9,\"maxProbability\":1}}",
            "{},\"aqm\":{\"kind\":\"none\"}")) {
      refused(policy, "{\"throughputValue\":{\"builtIn\":\"gold\"},\"rio\":" + rio + "}");
    }
    for (String classes :
        List.of(
            "{}",
            "[]",
            "[{\"dscp\":[64,\"EF\"],\"priority\":0,\"weight\":2},7]",
            "[{\"name\":\"rest\",\"dscp\":[]}]",
            "[{\"name\":\"rest\"}]",
            "[{\"name\":\"rest\",\"share\":1,\"priority\":1}]",
            "[{\"name\":\"a\",\"share\":1},{\"name\":\"b\",\"share\":15}]",
            "[{\"name\":\"a\",\"share\":1},{\"name\":\"b\",\"share\":1}]",
            "[{\"name\":\"a\",\"share\":1},{\"name\":\"b\",\"share\":1,\"dscp\":[3,3]}]",
            "[" + "{\"name\":\"a\",\"share\":1},".repeat(8) + "{\"name\":\"b\",\"share\":1}]")) {
      refused(policy, "{\"throughputValue\":{\"builtIn\":\"gold\"},\"classes\":" + classes + "}");
    }
    Golden.check("policy-bodies.txt", transcript.toString());
  }

  @Test
  void whatIsNotJsonIsToldWithItsPlace() throws IOException {
    Reading subscriber = reading(Kind.SUBSCRIBER);
    refused(subscriber, "");
    refused(subscriber, "  \n ");
    refused(subscriber, "{");
    refused(subscriber, "{\"policy\":\"gold\",}");
    refused(subscriber, "{\"policy\":\"gold\",\n \"attachment\":{\"port\":01}}");
    refused(subscriber, "{'policy':1}");
    refused(subscriber, "{\"policy\":gold}");
    refused(subscriber, "{\"policy\":NaN}");
    refused(subscriber, "{\"policy\":\"a\nb\"}");
    refused(subscriber, "{\"policy\":\"\\x\"}");
    refused(subscriber, "{} {}");
    refused(subscriber, "{}]");
    refused(subscriber, "{\"prefixes\":[1}");
    refused(subscriber, "{} trailing");
    refused(subscriber, "// comment\n{}");
    refused(subscriber, "[".repeat(17) + "]".repeat(17));
    refused(subscriber, "{\"prefixes\":[1,2,{\"a\":" + "1".repeat(101) + "}]}");
    refused(subscriber, "{\"policy\":\"gold\u00ff\"}".getBytes(StandardCharsets.ISO_8859_1));
    Golden.check("not-json.txt", transcript.toString());
  }

  @Test
  void aBadIdIsRefusedWithTheRestOfTheProblems() {
    assertThat(problems(reading(Kind.POLICY), "a b", "{}".getBytes(StandardCharsets.UTF_8)))
        .extracting(Problem::field)
        .containsExactly("id", "throughputValue");
  }

  @Property(tries = 300, seed = "1")
  void aSubscriberReadsBackAsWritten(@ForAll("subscribers") Subscriber subscriber)
      throws IOException, Refusal {
    byte[] json = json(g -> DeclarationForm.write(g, subscriber, Optional.empty()));
    assertThat(DeclarationForm.read(Kind.SUBSCRIBER, subscriber.id(), json))
        .isEqualTo(new Change.Put(subscriber));
  }

  @Property(tries = 300, seed = "1")
  void aRateLimitReadsBackAsWritten(@ForAll("rateLimits") RateLimit limit)
      throws IOException, Refusal {
    byte[] json = json(g -> DeclarationForm.write(g, limit, Optional.empty()));
    assertThat(DeclarationForm.read(Kind.RATE_LIMIT, limit.id(), json))
        .isEqualTo(new Change.Put(limit));
  }

  @Property(tries = 100, seed = "1")
  void aPolicyReadsBackAsWritten(@ForAll("policies") Policy policy) throws IOException, Refusal {
    byte[] json = json(g -> DeclarationForm.write(g, policy, Optional.empty()));
    assertThat(DeclarationForm.read(Kind.POLICY, policy.id(), json))
        .isEqualTo(new Change.Put(policy));
  }

  /** Cutting or changing a byte is either refused or read; it is never another kind of failure. */
  @Property(tries = 2000, seed = "1")
  void damagedTextIsRefusedOrRead(
      @ForAll("subscribers") Subscriber subscriber, @ForAll("damage") List<Integer> damage)
      throws IOException {
    byte[] json = json(g -> DeclarationForm.write(g, subscriber, Optional.empty()));
    for (int i = 0; i + 1 < damage.size(); i += 2) {
      json[Math.floorMod(damage.get(i), json.length)] = (byte) (int) damage.get(i + 1);
    }
    List<Problem> problems = problems(reading(Kind.SUBSCRIBER), subscriber.id(), json);
    assertThat(problems).allSatisfy(problem -> assertThat(problem.detail()).matches("(?s).*[.?]"));
  }

  @Provide
  Arbitrary<List<Integer>> damage() {
    return Arbitraries.integers().list().ofMinSize(2).ofMaxSize(6);
  }

  @Provide
  Arbitrary<Subscriber> subscribers() {
    return Declared.subscribersWithParts();
  }

  @Provide
  Arbitrary<RateLimit> rateLimits() {
    return Arbitraries.oneOf(Declared.rateLimits(), Declared.timedRateLimits());
  }

  @Provide
  Arbitrary<Policy> policies() {
    return Declared.policies();
  }

  private static byte[] json(JsonContent content) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (JsonGenerator generator = JsonContent.generator(out)) {
      content.write(generator);
    }
    return out.toByteArray();
  }

  private void refused(Reading reading, String body) {
    refused(reading, body.getBytes(StandardCharsets.UTF_8));
  }

  private void refused(Reading reading, byte[] body) {
    List<Problem> problems = problems(reading, "a", body);
    assertThat(problems).as(new String(body, StandardCharsets.UTF_8)).isNotEmpty();
    String shown = new String(body, StandardCharsets.UTF_8);
    transcript.append(shown.length() > 300 ? shown.substring(0, 297) + "..." : shown).append('\n');
    for (Problem problem : problems) {
      transcript.append("  ").append(problem.code()).append(' ').append(problem.field());
      transcript.append(" | ").append(problem.value()).append(" | ").append(problem.allowed());
      transcript.append("\n    ").append(problem.detail()).append('\n');
    }
    transcript.append('\n');
  }

  private static List<Problem> problems(Reading reading, String id, byte[] body) {
    try {
      Object declared = reading.read(id, body);
      assertThat(declared).isNotNull();
      return List.of();
    } catch (Refusal e) {
      return e.problems();
    }
  }

  private static String many(String item, int count) {
    String[] items = new String[count];
    Arrays.fill(items, item);
    return "[" + String.join(",", items) + "]";
  }
}
