package net.sluice.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class DemoTextTest {
  private static DemoReport.Group group(String name, double shareBps, String notJudged) {
    return new DemoReport.Group(
        name,
        "switch",
        name,
        10,
        1_000_000,
        null,
        null,
        shareBps,
        shareBps,
        0.6 * shareBps,
        1.4 * shareBps,
        0.5,
        null,
        null,
        0.5,
        true,
        name + "-3",
        0.02,
        0.4,
        notJudged,
        null);
  }

  private static DemoReport report(DemoReport.Group... groups) {
    return new DemoReport(
        true, 1, 5, 1, 10_000_000, 1, List.of(groups), 3, 1500, List.of(), List.of());
  }

  @Test
  void equalSharesOfDifferentPoliciesAreExplained() {
    assertThat(DemoText.notes(report(group("gold", 200e3, null), group("silver", 200e3, null))))
        .contains(
            "gold and silver have equal shares although their policies differ: at 200.0 kbit/s"
                + " gold and silver value a packet alike, as the built-in curves do up to 234"
                + " kbit/s.");
    assertThat(DemoText.notes(report(group("gold", 400e3, null), group("silver", 350e3, null))))
        .noneMatch(note -> note.contains("equal shares"));
  }

  @Test
  void whatIsNotJudgedIsSaidInTheTableTheNotesAndTheVerdict() {
    DemoReport report = report(group("gold", 400e3, "gold is not judged."), group("x", 1e6, null));
    String text = DemoText.text(report);
    assertThat(text.lines().toList().get(1)).endsWith("not judged");
    assertThat(text)
        .contains("gold is not judged.\n")
        .endsWith(
            "ok: every group that could be judged got its predicted share within 5 %, and nobody"
                + " below its share lost packets. Not judged: gold.\n");
  }

  @Test
  void theWorstSubscriberIsNamedWithHowMuchThatSays() {
    String text = DemoText.text(report(group("gold", 400e3, null)));
    assertThat(text)
        .contains("gold-3 240.0 kbit/s")
        .contains("gold: in this time a single subscriber's rate is known to +-40 % only");
  }
}
