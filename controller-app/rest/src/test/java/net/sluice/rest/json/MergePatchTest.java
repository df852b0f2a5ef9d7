package net.sluice.rest.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import net.sluice.intents.validate.Refusal;
import net.sluice.northbound.json.JsonContent;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples of RFC 7396 appendix A, and members that are there twice. */
final class MergePatchTest {
  private static JsonValue read(String text) throws Refusal {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return JsonTree.read(bytes, 0, bytes.length);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"a\":\"b\"} | {\"a\":\"c\"} | {\"a\":\"c\"}",
        "{\"a\":\"b\"} | {\"b\":\"c\"} | {\"a\":\"b\",\"b\":\"c\"}",
        "{\"a\":\"b\"} | {\"a\":null} | {}",
        "{\"a\":\"b\",\"b\":\"c\"} | {\"a\":null} | {\"b\":\"c\"}",
        "{\"a\":[\"b\"]} | {\"a\":\"c\"} | {\"a\":\"c\"}",
        "{\"a\":\"c\"} | {\"a\":[\"b\"]} | {\"a\":[\"b\"]}",
        "{\"a\":{\"b\":\"c\"}} | {\"a\":{\"b\":\"d\",\"c\":null}} | {\"a\":{\"b\":\"d\"}}",
        "{\"a\":[{\"b\":\"c\"}]} | {\"a\":[1]} | {\"a\":[1]}",
        "[\"a\",\"b\"] | [\"c\",\"d\"] | [\"c\",\"d\"]",
        "{\"a\":\"b\"} | [\"c\"] | [\"c\"]",
        "{\"a\":\"foo\"} | null | null",
        "{\"a\":\"foo\"} | \"bar\" | \"bar\"",
        "{\"e\":null} | {\"a\":1} | {\"e\":null,\"a\":1}",
        "[1,2] | {\"a\":\"b\",\"c\":null} | {\"a\":\"b\"}",
        "{} | {\"a\":{\"bb\":{\"ccc\":null}}} | {\"a\":{\"bb\":{}}}",
        "{} | {\"a\":null,\"a\":-1.5e3} | {\"a\":-1.5e3,\"a\":-1.5e3}",
        "{\"a\":1} | {\"a\":true,\"a\":null} | {\"a\":true,\"a\":null,\"a\":null}"
      })
  void membersAreSetOrTakenAway(String target, String patch, String merged) throws Refusal {
    JsonValue result = MergePatch.apply(read(target), read(patch));
    assertThat(new String(JsonContent.bytes(result::write), StandardCharsets.UTF_8))
        .isEqualTo(merged);
  }
}
