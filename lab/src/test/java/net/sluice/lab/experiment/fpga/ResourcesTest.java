package net.sluice.lab.experiment.fpga;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.sluice.lab.report.Row;
import org.junit.jupiter.api.Test;

class ResourcesTest {
  @Test
  void allFiveConfigurationsOfTableOneAreKeptBesideThePapersFigures() throws Exception {
    List<Row> rows = Resources.rows(CorePrograms.sources().resolve("synthesis/resources.csv"));
    assertThat(rows).hasSize(5 * 4);
    assertThat(rows)
        .filteredOn(row -> row.name().endsWith(".uram"))
        .extracting(Row::paper)
        .containsExactly(6.0, 8.0, 9.0, 73.0, 416.0);
    assertThat(rows).allMatch(row -> row.measured() > 0);
  }
}
