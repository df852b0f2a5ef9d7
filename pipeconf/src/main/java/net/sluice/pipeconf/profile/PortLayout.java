package net.sluice.pipeconf.profile;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import net.sluice.intents.value.InvalidValueException;

/**
 * The ports of a switch and how they can be divided.
 *
 * <p>Stratum's numbering: a port that is not divided has its front panel number, a channel has the
 * front panel number times 100 plus the channel. A part of several lanes has the channel of its
 * first. On Tofino a lane's number in packets is that of the port's first lane plus the lane.
 *
 * @param ports undivided, in the order of their ids
 * @param lanes lanes of each; 1 if they cannot be divided
 * @param splits the ways to divide one; empty if there is none
 */
public record PortLayout(List<ProfilePort> ports, int lanes, List<PortSplit> splits) {
  private static final Pattern ASSIGNMENT = Pattern.compile("([1-9][0-9]{0,2})=(.*)");

  public PortLayout {
    ports = List.copyOf(ports);
    splits = List.copyOf(splits);
  }

  /**
   * The ports with some divided.
   *
   * @param assignments each a front panel port and how it is divided, such as {@code 3=4x25G}
   * @throws InvalidValueException if one is malformed, of no port, or not possible
   */
  public List<ProfilePort> divided(List<String> assignments) {
    Map<Integer, PortSplit> byPanel = new LinkedHashMap<>();
    for (String assignment : assignments) {
      Matcher matcher = ASSIGNMENT.matcher(assignment);
      if (!matcher.matches()) {
        throw new InvalidValueException(
            "split", assignment, "a front panel port and its parts, written like 3=4x25G");
      }
      int panel = Integer.parseInt(matcher.group(1));
      if (ports.stream().noneMatch(port -> port.panel() == panel)) {
        throw new InvalidValueException("split", assignment, "a port of " + idText());
      }
      PortSplit split = PortSplit.parse("split", matcher.group(2));
      if (!splits.contains(split)) {
        throw new InvalidValueException("split", assignment, splitText());
      }
      if (byPanel.put(panel, split) != null) {
        throw new InvalidValueException("split", assignment, "each port once");
      }
    }
    List<ProfilePort> result = new ArrayList<>();
    for (ProfilePort port : ports) {
      PortSplit split = byPanel.get(port.panel());
      if (split == null) {
        result.add(port);
      } else {
        addParts(port, split, result);
      }
    }
    return result;
  }

  private void addParts(ProfilePort port, PortSplit split, List<ProfilePort> into) {
    if (split.parts() == 1) {
      into.add(
          new ProfilePort(
              port.id(), port.name(), port.panel(), 0, port.number(), split.speedBps()));
      return;
    }
    int lanesOfPart = lanes / split.parts();
    for (int part = 0; part < split.parts(); part++) {
      int lane = part * lanesOfPart;
      into.add(
          new ProfilePort(
              port.panel() * 100 + lane + 1,
              port.panel() + "/" + lane,
              port.panel(),
              lane + 1,
              port.number().isEmpty()
                  ? OptionalInt.empty()
                  : OptionalInt.of(port.number().getAsInt() + lane),
              split.speedBps()));
    }
  }

  /** The ids as text, with runs shortened, e.g. {@code 1 to 64, 509, 510}. */
  public String idText() {
    return runs(ports.stream().map(ProfilePort::id).toList());
  }

  /** The numbers in table entries as text; empty if only the switch can tell them. */
  public String numberText() {
    return runs(
        ports.stream()
            .filter(port -> port.number().isPresent())
            .map(port -> port.number().getAsInt())
            .sorted()
            .toList());
  }

  private String splitText() {
    return splits.isEmpty()
        ? "none: the ports of this switch cannot be divided"
        : splits.stream().map(PortSplit::toString).collect(Collectors.joining(", "));
  }

  private static String runs(List<Integer> numbers) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < numbers.size(); ) {
      int end = i;
      while (end + 1 < numbers.size() && numbers.get(end + 1) == numbers.get(end) + 1) {
        end++;
      }
      text.append(text.isEmpty() ? "" : ", ").append(numbers.get(i));
      if (end > i) {
        text.append(end == i + 1 ? ", " : " to ").append(numbers.get(end));
      }
      i = end + 1;
    }
    return text.toString();
  }
}
