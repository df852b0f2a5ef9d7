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
      RunReport.of(
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
                "fitted" : false,
                "ok" : true
              }, {
                "name" : "a.probe.loss",
                "unit" : "1",
                "paper" : 0.58,
                "baseline" : null,
                "measured" : 0.571,
                "bound" : 0.02,
                "rule" : "WITHIN",
                "fitted" : false,
                "ok" : true
              }, {
                "name" : "write.rate",
                "unit" : "1/s",
                "paper" : null,
                "baseline" : 25000.0,
                "measured" : 91234.5,
                "bound" : null,
                "rule" : "NONE",
                "fitted" : false,
                "ok" : true
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
    assertThat(RunReport.of("r", 1, List.of(good, good)).ok()).isTrue();
    assertThat(RunReport.of("r", 1, List.of(good, bad)).ok()).isFalse();
    assertThat(RunReport.of("r", 1, List.of()).ok()).isFalse();
    assertThatThrownBy(() -> new RunReport("r", 1, true, List.of(good, bad)))
        .hasMessage("r: ok must be true exactly when there are rows and every one of them is ok");
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
    assertThatThrownBy(() -> new Row("x", "1", null, null, null, null, Row.Rule.NONE, false, true))
        .hasMessage("x: a row without a measured value cannot be ok");
  }

  @Test
  void whatInputsWereFittedToIsNotReproduced() {
    Row independent = Row.within("a.probe.loss", "1", 0, 0, 0.001);
    Row fitted = Row.reproduces("a.gold", "bit/s", 21.8e6, 21.5e6, 0.05).asFitted();
    Row missed = Row.reproduces("a.silver", "bit/s", 6.4e6, 7e6, 0.05).asFitted();
    assertThat(independent.reproduced()).isTrue();
    assertThat(fitted.reproduced()).isFalse();
    List<Row> rows = List.of(independent, fitted, missed, Row.plain("x", "1", null, 1));
    assertThat(RowText.lines(rows))
        .extracting(line -> line.get(line.size() - 1))
        .containsExactly("ok", "fitted", "MISSED", "ok");
    assertThat(RowText.reproduced(rows).orElseThrow())
        .startsWith(
            "Of 3 rows that are held against a value of the paper 1 reproduce it independently of it, of 1 that"
                + " inputs were not derived from. 2 rows are fitted:");
    assertThat(RunPage.page("t", RunReport.of("t", 1, rows), List.of()).text())
        .contains(">fitted</td>", "2 rows are fitted", "<details>");
    assertThat(RowText.reproduced(List.of(Row.plain("x", "1", null, 1)))).isEmpty();
    assertThatThrownBy(() -> Row.plain("x", "1", null, 1).asFitted())
        .hasMessage("x: fitted to a paper's value, and there is none");
  }

  /** Only what has to come near a published value can reproduce it. */
  @Test
  void aPublishedValueCanStandBesideAnyBound() {
    Row most = Row.atMost("x", "ms", null, 3, 5).besidePaper(4);
    Row least = Row.atLeast("x", "ms", 2.0, 1, 2).besidePaper(2.5);
    Row shown = Row.plain("x", "ms", null, 3).besidePaper(4);
    List<Row> rows = List.of(most, least, shown);
    assertThat(rows).extracting(Row::paper).containsExactly(4.0, 2.5, 4.0);
    assertThat(rows).extracting(Row::reproduced).containsOnly(false);
    assertThat(RowText.lines(rows))
        .extracting(line -> line.get(5))
        .containsExactly("<= 5", ">= 2", "-");
    assertThat(RowText.reproduced(rows)).isEmpty();
    assertThatThrownBy(
            () -> new Row("x", "1", null, null, 1.0, null, Row.Rule.AT_MOST, false, true))
        .hasMessage("x: bound null with the rule AT_MOST");
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
