package net.sluice.lab.demo;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * A line that groups pass. The names of the components are the names in the JSON report.
 *
 * @param switchId the switch it leaves
 * @param port the switch's port
 * @param rateBps its rate, bit/s
 * @param predicted what it is predicted to carry, as a share of what it can
 * @param utilization share of the measured time during which it was sending
 * @param groups names of the groups that pass it
 */
public record LinkLoad(
    @JsonProperty("switch") String switchId,
    int port,
    long rateBps,
    double predicted,
    double utilization,
    List<String> groups) {
  public LinkLoad {
    groups = List.copyOf(groups);
  }
}
