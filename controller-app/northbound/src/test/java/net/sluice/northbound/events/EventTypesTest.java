package net.sluice.northbound.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import net.sluice.intents.validate.Refusal;
import org.junit.jupiter.api.Test;

class EventTypesTest {
  private static final Path DOCUMENT = Path.of("..", "..", "docs", "rest-api.md");

  @Test
  void thePageHasEachType() throws Exception {
    String table =
        Pattern.compile("\\| `type` after `net.sluice.` \\|.*?\\n\\n", Pattern.DOTALL)
            .matcher(Files.readString(DOCUMENT))
            .results()
            .map(MatchResult::group)
            .findFirst()
            .orElseThrow();
    assertThat(
            table
                .lines()
                .skip(2)
                .filter(line -> line.startsWith("|"))
                .flatMap(
                    line -> Pattern.compile("`([^`]*)`").matcher(line.split("\\|")[1]).results())
                .map(found -> found.group(1)))
        .containsExactlyInAnyOrderElementsOf(EventTypes.ALL);
  }

  @Test
  void aBeginningThatNoTypeHasIsRefusedByName() throws Exception {
    EventTypes.require(List.of("net.sluice.", "net.sluice.declaration.installed", "net.sluice.t"));
    assertThatThrownBy(() -> EventTypes.require(List.of("net.sluice.", "declaration")))
        .isInstanceOf(Refusal.class)
        .hasMessageStartingWith(
            "INVALID: types[1] is \"declaration\"; allowed: the beginning of one of"
                + " net.sluice.declaration.put, net.sluice.declaration.deleted, ");
  }
}
