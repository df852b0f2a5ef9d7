package net.sluice.intents.profile;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import net.sluice.intents.plan.entry.subscriber.PortRole;
import net.sluice.intents.profile.Topology.SwitchPort;
import net.sluice.intents.profile.Topology.Trunk;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.value.InvalidValueException;

/**
 * The trunks of a network, by what the topologies of its switches say: which port is joined with
 * which. A trunk is declared at one of its ends; at both it is the same trunk, if they agree.
 */
public final class Trunks {
  /** A port of a switch. */
  public record End(String switchName, int port) {
    @Override
    public String toString() {
      return switchName + " port " + port;
    }
  }

  /**
   * A trunk that joins two ports.
   *
   * @param near where it is declared
   * @param far where it ends
   */
  public record Joint(End near, End far) {}

  /**
   * A trunk that cannot be.
   *
   * @param switchName the switch that declares it
   * @param code what kind of reason
   * @param field where its topology says so, e.g. {@code trunks[0].toPort}
   * @param value the refused value
   * @param allowed what would be accepted
   */
  public record Misfit(String switchName, Code code, String field, String value, String allowed) {
    /**
     * The problem of the document that has the switch's topology at {@code path}, which is empty if
     * it is the topology itself.
     */
    public Problem problem(String path) {
      return Problem.of(code, path.isEmpty() ? field : path + "." + field, value, allowed);
    }
  }

  private final Map<String, Topology> switches;
  private final List<Joint> joints = new ArrayList<>();
  private final Map<End, End> far = new HashMap<>();
  private final List<Misfit> misfits = new ArrayList<>();

  /** Of the switches that trunks join, one that stands for them all. */
  private final Map<String, String> joined = new HashMap<>();

  private Trunks(Map<String, Topology> switches) {
    this.switches = new LinkedHashMap<>(switches);
  }

  /**
   * The trunks between these switches. Of two that cannot be together the one that comes later is
   * the misfit.
   *
   * @param switches topologies by the names of the switches
   */
  public static Trunks of(Map<String, Topology> switches) {
    Trunks trunks = new Trunks(switches);
    switches.forEach(
        (name, topology) -> {
          for (int i = 0; i < topology.trunks().size(); i++) {
            trunks.add(name, i, topology.trunks().get(i));
          }
        });
    return trunks;
  }

  /**
   * Checks the trunks between these switches.
   *
   * @throws InvalidValueException for the first that cannot be; the field begins with the switch
   */
  public static void requireFitting(Map<String, Topology> switches) {
    of(switches).misfits.stream()
        .findFirst()
        .ifPresent(
            first -> {
              throw new InvalidValueException(
                  first.switchName() + " topology." + first.field(),
                  first.value(),
                  first.allowed());
            });
  }

  /** All that cannot be, in the order of the switches; the network is sound if there is none. */
  public List<Misfit> misfits() {
    return List.copyOf(misfits);
  }

  /** Those that can be, each once. */
  public List<Joint> joints() {
    return List.copyOf(joints);
  }

  /** The port at the other end of a port's trunk. */
  public Optional<End> far(End near) {
    return Optional.ofNullable(far.get(near));
  }

  /** The trunks of a switch as they are seen from there, wherever declared, by port. */
  public List<Trunk> of(String switchName) {
    return far.entrySet().stream()
        .filter(each -> each.getKey().switchName().equals(switchName))
        .map(
            each ->
                new Trunk(
                    each.getKey().port(), each.getValue().switchName(), each.getValue().port()))
        .sorted((one, other) -> Integer.compare(one.port(), other.port()))
        .toList();
  }

  /** Trunks between the same switches, cabled alike. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Trunks trunks && trunks.switches.equals(switches);
  }

  @Override
  public int hashCode() {
    return switches.hashCode();
  }

  private void add(String name, int index, Trunk trunk) {
    String path = "trunks[" + index + "].";
    int before = misfits.size();
    boolean known = switches.containsKey(trunk.toSwitch()) && !trunk.toSwitch().equals(name);
    if (!known) {
      misfit(name, Code.INVALID, path + "toSwitch", trunk.toSwitch(), others(name));
    }
    Optional<SwitchPort> here = port(name, path + "port", name, trunk.port());
    Optional<SwitchPort> there =
        known ? port(name, path + "toPort", trunk.toSwitch(), trunk.toPort()) : Optional.empty();
    if (misfits.size() > before) {
      return;
    }
    Joint joint = new Joint(new End(name, trunk.port()), new End(trunk.toSwitch(), trunk.toPort()));
    if (joints.contains(new Joint(/* near= */ joint.far(), /* far= */ joint.near()))) {
      return;
    }
    requireFit(name, path, here.orElseThrow(), there.orElseThrow());
    requireFree(name, path + "port", joint.near());
    requireFree(name, path + "toPort", joint.far());
    if (misfits.size() == before && root(name).equals(root(trunk.toSwitch()))) {
      misfit(
          name,
          Code.CONFLICT,
          path + "toSwitch",
          trunk.toSwitch(),
          "a switch that no other trunks join with " + name + " already: trunks have no loop");
    }
    if (misfits.size() == before) {
      joined.put(root(name), root(trunk.toSwitch()));
      joints.add(joint);
      far.put(joint.near(), joint.far());
      far.put(joint.far(), joint.near());
    }
  }

  /** A port that a trunk can end at; empty if it is none, which is a misfit. */
  private Optional<SwitchPort> port(String name, String field, String at, int number) {
    Topology topology = switches.get(at);
    Optional<SwitchPort> port = topology.port(number).filter(Trunks::isTrunk);
    if (port.isEmpty()) {
      String known =
          topology.ports().stream()
              .filter(Trunks::isTrunk)
              .map(each -> Integer.toString(each.number()))
              .collect(Collectors.joining(", "));
      misfit(
          name,
          Code.INVALID,
          field,
          number,
          "a port of role trunk of " + at + ": " + (known.isEmpty() ? "there is none" : known));
    } else if (!port.get().keepPacketValue()) {
      misfit(
          name,
          Code.INVALID,
          field,
          number + " with keepPacketValue false",
          "a port with keepPacketValue true: a packet keeps its value over a trunk");
    }
    return port;
  }

  /** True if the port is one that a trunk is to end at. */
  public static boolean isTrunk(SwitchPort port) {
    return port.role() == PortRole.TRUNK;
  }

  /** Refuses a line unless packets that go up at one end go down at the other, at the same rate. */
  private void requireFit(String name, String path, SwitchPort here, SwitchPort there) {
    if (here.direction() == there.direction()) {
      misfit(
          name,
          Code.INVALID,
          path + "toPort",
          there.number() + " of direction " + there.direction().text(),
          "a port of the other direction than that of port " + here.number());
    }
    if (here.rateBps() != there.rateBps()) {
      misfit(
          name,
          Code.INVALID,
          path + "toPort",
          there.number() + " of " + there.rateBps() + " bit/s",
          "a port of the rate of port " + here.number() + ", " + here.rateBps() + " bit/s");
    }
  }

  private void requireFree(String name, String field, End end) {
    End other = far.get(end);
    if (other != null) {
      misfit(
          name,
          Code.CONFLICT,
          field,
          end.port(),
          "a port that no other trunk ends at; " + end + " is joined with " + other);
    }
  }

  private String root(String name) {
    String other = joined.get(name);
    return other == null || other.equals(name) ? name : root(other);
  }

  private String others(String name) {
    String others =
        switches.keySet().stream()
            .filter(each -> !each.equals(name))
            .collect(Collectors.joining(", "));
    return "another switch of the network: " + (others.isEmpty() ? "there is none" : others);
  }

  private void misfit(String name, Code code, String field, Object value, String allowed) {
    misfits.add(new Misfit(name, code, field, String.valueOf(value), allowed));
  }
}
