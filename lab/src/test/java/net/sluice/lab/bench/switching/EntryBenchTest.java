package net.sluice.lab.bench.switching;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.sluice.lab.report.Row;
import org.junit.jupiter.api.Test;

/** The entry benchmark, with few entries. */
class EntryBenchTest {

  @Test
  void writesAndReadsAreMeasured() throws Exception {
    List<Row> rows = EntryBench.run(100, 5);
    assertThat(rows)
        .extracting(Row::name)
        .containsExactly("write.entriesPerSecond", "read.entriesPerSecond");
    assertThat(rows).allSatisfy(row -> assertThat(row.measured()).isPositive());
  }

  @Test
  void aRoundIsToldByALine() {
    EntryLoadProcess.Round round = new EntryLoadProcess.Round(100, 50_000, 1_200, 400_000);
    assertThat(EntryLoadProcess.Round.parse(round.text())).isEqualTo(round);
    assertThat(round.writtenPerSecond()).isEqualTo(2_000_000);
    assertThat(round.readPerSecond()).isEqualTo(3_000_000);
  }
}
