package net.sluice.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import net.sluice.cli.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunReportTest {
  private static final RunReport REPORT =
      new RunReport(
          "csaqm",
          7,
          List.of(
              Row.reproduces("a.gold", "bit/s", 21.8e6, 21.5e6, 0.05),
              Row.within("a.probe.loss", "1", 0.58, 0.571, 0.02),
              Row.plain("write.rate", "1/s", 25_000.0, 91_234.5)));

  @Test
  void readsBackWhatItWrote() throws Exception {
    assertThat(new ObjectMapper().readValue(Json.write(REPORT), RunReport.class)).isEqualTo(REPORT);
  }

  @Test
  void writesTheSchemaAndNullWhereThereIsNothing(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("report.json");
    Json.write(REPORT, file);
    assertThat(Files.readString(file))
        .isEqualTo(
            """
            {
              "name" : "csaqm",
              "seed" : 7,
              "ok" : true,
              "rows" : [ {
                "name" : "a.gold",
                "unit" : "bit/s",
                "paper" : 2.18E7,
                "baseline" : null,
                "measured" : 2.15E7,
                "bound" : 1090000.0,
                "rule" : "WITHIN",
                "claimed" : true,
                "fitted" : false,
                "verdict" : "REPRODUCED"
              }, {
                "name" : "a.probe.loss",
                "unit" : "1",
                "paper" : 0.58,
                "baseline" : null,
                "measured" : 0.571,
                "bound" : 0.02,
                "rule" : "WITHIN",
                "claimed" : true,
                "fitted" : false,
                "verdict" : "REPRODUCED"
              }, {
                "name" : "write.rate",
                "unit" : "1/s",
                "paper" : null,
                "baseline" : 25000.0,
                "measured" : 91234.5,
                "bound" : null,
                "rule" : "NONE",
                "claimed" : false,
                "fitted" : false,
                "verdict" : "NONE"
              } ]
            }
            """);
  }

  @Test
  void isOkExactlyWhenEveryRowIs() {
    Row good = Row.atMost("x", "s", null, 14.9, 15);
    Row bad = Row.atMost("x", "s", null, 15.1, 15);
    assertThat(good.ok()).isTrue();
    assertThat(bad.ok()).isFalse();
    assertThat(new RunReport("r", 1, List.of(good, good)).ok()).isTrue();
    assertThat(new RunReport("r", 1, List.of(good, bad)).ok()).isFalse();
    assertThat(new RunReport("r", 1, List.of()).ok()).isFalse();
  }

  @Test
  void boundsAreKeptIncludingTheirEnds() {
    assertThat(Row.within("x", "1", 100, 105, 5).ok()).isTrue();
    assertThat(Row.within("x", "1", 100, 95, 5).ok()).isTrue();
    assertThat(Row.within("x", "1", 100, 105.1, 5).ok()).isFalse();
    assertThat(Row.within("x", "1", 100, 94.9, 5).ok()).isFalse();
    assertThat(Row.reproduces("x", "1", 200, 210, 0.05).ok()).isTrue();
    assertThat(Row.reproduces("x", "1", 200, 211, 0.05).ok()).isFalse();
    assertThat(Row.atLeast("x", "1", null, 3, 3).ok()).isTrue();
    assertThat(Row.atLeast("x", "1", null, 2.9, 3).ok()).isFalse();
  }

  @Test
  void whatWasNotMeasuredIsNullAndNotOk() {
    Row row = Row.reproduces("x", "1", 1, Double.NaN, 0.05);
    assertThat(row.measured()).isNull();
    assertThat(row.ok()).isFalse();
    assertThat(Row.plain("x", "1", null, Double.POSITIVE_INFINITY).ok()).isFalse();
  }

  private static String word(Row row) {
    return row.verdict().word();
  }

  @Test
  void aFigureOfThePaperHasOneOfThreeWords() {
    Row over = Row.reproduces("x", "1", 1.157, 1.12, 0.05).besideBaseline(1);
    assertThat(word(over)).isEqualTo("reproduced");
    assertThat(word(Row.reproduces("x", "1", 1.157, 1.01, 0.05).besideBaseline(1)))
        .isEqualTo("direction");
    assertThat(word(Row.reproduces("x", "1", 1.157, 1.4, 0.05).besideBaseline(1)))
        .isEqualTo("direction");
    assertThat(word(Row.reproduces("x", "1", 1.157, 1, 0.05).besideBaseline(1)))
        .isEqualTo("missed");
    assertThat(word(Row.reproduces("x", "1", 1.157, 1.01, 0.05))).isEqualTo("missed");
    assertThat(word(Row.reproduces("x", "1", 0.5, 0.9, 0.05).besideBaseline(1)))
        .isEqualTo("direction");
    assertThat(word(Row.atMost("x", "1", 1.0, 0.5, 0.5).asClaimed())).isEqualTo("reproduced");
    assertThat(word(Row.atMost("x", "1", 1.0, 0.9, 0.5).asClaimed())).isEqualTo("direction");
    assertThat(word(Row.atMost("x", "1", 1.0, 1.1, 0.5).asClaimed())).isEqualTo("missed");
    assertThat(word(Row.atLeast("x", "1", 0.57, 0.8, 0.99).asClaimed())).isEqualTo("direction");
    assertThat(word(Row.atLeast("x", "1", 0.57, 0.5, 0.99).asClaimed())).isEqualTo("missed");
  }

  @Test
  void aBoundThatIsTheBaselineShowsTheDirectionOnly() {
    assertThat(word(Row.notBelow("x", "1", 5, 9))).isEqualTo("direction");
    assertThat(word(Row.notBelow("x", "1", 5, 5))).isEqualTo("direction");
    assertThat(word(Row.notBelow("x", "1", 5, 4.9))).isEqualTo("missed");
    assertThat(word(Row.notAbove("x", "1", 5, 4.9))).isEqualTo("direction");
    assertThat(word(Row.notAbove("x", "1", 5, 5.1))).isEqualTo("missed");
  }

  @Test
  void aBoundOfSluicesOwnIsKeptAndNoBoundHasNoWord() {
    assertThat(word(Row.atMost("x", "s", null, 1, 2))).isEqualTo("kept");
    assertThat(word(Row.atMost("x", "s", null, 1, 2).besidePaper(1.5))).isEqualTo("kept");
    assertThat(word(Row.atMost("x", "s", 9.0, 3, 2))).isEqualTo("missed");
    assertThat(word(Row.plain("x", "1", null, 1))).isEqualTo("-");
    assertThat(word(Row.plain("x", "1", null, 1).besidePaper(1))).isEqualTo("-");
    assertThatThrownBy(() -> Row.plain("x", "1", null, 1).asClaimed())
        .hasMessage("x: a claim of the paper without a bound");
    assertThatThrownBy(
            () -> new Row("x", "1", null, null, 1.0, null, Row.Rule.AT_MOST, false, false))
        .hasMessage("x: bound null with the rule AT_MOST");
  }

  @Test
  void whatInputsWereFittedToIsNotReproduced() {
    Row fitted = Row.reproduces("a.gold", "bit/s", 21.8e6, 21.5e6, 0.05).asFitted();
    Row missed = Row.reproduces("a.silver", "bit/s", 6.4e6, 7e6, 0.05).asFitted();
    assertThat(word(fitted)).isEqualTo("fitted");
    assertThat(word(missed)).isEqualTo("missed");
    List<Row> rows = List.of(fitted, missed);
    assertThat(VerdictText.of(List.of(), rows))
        .isEqualTo(
            "Figures of the paper: 0 reproduced, 0 direction, 1 missed; 1 fitted: inputs were derived"
                + " from them. Missed: a silver.");
    assertThat(RunPage.page("t", new RunReport("t", 1, rows), List.of()).text())
        .contains(">fitted</td>", ">missed</td>", "<details>");
    assertThatThrownBy(() -> Row.plain("x", "1", null, 1).asFitted())
        .hasMessage("x: fitted to a paper's value, and there is none");
  }

  @Test
  void tableAlignsItsColumns() {
    String text =
        new TextTable("row", "paper", "measured")
            .line("a.gold", "21.8 M", "21.61 M")
            .line("b", "-", "3.1")
            .text();
    assertThat(text)
        .isEqualTo(
            """
            row      paper  measured
            a.gold  21.8 M   21.61 M
            b            -       3.1
            """);
    assertThatThrownBy(() -> new TextTable("a", "b").line("1"))
        .hasMessage("a line of 1 cells in a table of 2");
  }
}
