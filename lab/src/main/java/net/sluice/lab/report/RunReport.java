package net.sluice.lab.report;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;

/**
 * The report of an experiment or benchmark; all share this schema.
 *
 * @param name name of the run, e.g. {@code csaqm}
 * @param seed seed of everything random in it
 * @param rows the measured quantities, in order
 */
@JsonPropertyOrder({"name", "seed", "ok", "rows"})
@JsonIgnoreProperties(value = "ok", allowGetters = true)
public record RunReport(String name, long seed, List<Row> rows) {
  public RunReport {
    rows = List.copyOf(rows);
  }

  /** Whether there are rows and none is missed. */
  @JsonProperty
  public boolean ok() {
    return !rows.isEmpty() && rows.stream().allMatch(Row::ok);
  }
}
