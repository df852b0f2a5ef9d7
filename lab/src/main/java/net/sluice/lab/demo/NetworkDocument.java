package net.sluice.lab.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import net.sluice.cli.StartFailure;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Topology.SwitchPort;
import net.sluice.intents.profile.Trunks;
import net.sluice.intents.profile.Trunks.End;
import net.sluice.intents.validate.Problem;
import net.sluice.intents.validate.Problem.Code;
import net.sluice.intents.validate.Refusal;
import net.sluice.intents.value.Direction;
import net.sluice.intents.value.Ids;
import net.sluice.lab.demo.DemoNetwork.Member;
import net.sluice.northbound.json.JsonText;
import net.sluice.rest.json.JsonTree;
import net.sluice.rest.json.JsonValue;
import net.sluice.rest.json.ObjectReader;
import net.sluice.rest.switches.TopologyForm;
import net.sluice.standalone.network.TopologyFile;

/**
 * A network and the groups in it, as a JSON document says them (docs/measuring.md describes the
 * fields). Read as strictly as the API's bodies: all problems are found together, and each names
 * its field.
 *
 * @param network the network
 * @param groups its groups, at least one
 */
record NetworkDocument(DemoNetwork network, List<GroupSpec> groups) {
  static final String OPTION = "--network";

  /** Networks that come with the demo, by name; their documents are beside this class. */
  static final List<String> BUILT_IN = List.of("two-bng", "two-bng-down");

  NetworkDocument {
    groups = List.copyOf(groups);
  }

  /**
   * Reads a built-in network or a file.
   *
   * @param policies the policies that groups may have
   * @throws StartFailure if it cannot be read, or says what cannot be; one line for each problem
   */
  static NetworkDocument read(String nameOrFile, Set<String> policies) throws StartFailure {
    if (!BUILT_IN.contains(nameOrFile)) {
      return TopologyFile.read(OPTION, nameOrFile, json -> parse(json, policies));
    }
    try (InputStream json =
        NetworkDocument.class.getResourceAsStream("networks/" + nameOrFile + ".json")) {
      return parse(json.readAllBytes(), policies);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (Refusal e) {
      throw new IllegalStateException(nameOrFile + ": " + e.getMessage(), e);
    }
  }

  private static NetworkDocument parse(byte[] json, Set<String> policies) throws Refusal {
    List<Problem> problems = new ArrayList<>();
    ObjectReader body = new ObjectReader(JsonTree.read(json, 0, json.length), "", problems);
    NetworkDocument document = new Reading(policies, problems).all(body);
    body.finish();
    if (!problems.isEmpty()) {
      throw new Refusal(problems);
    }
    return document;
  }

  /** The parts read so far. */
  private static final class Reading {
    private static final String SWITCHES = "an array of at least one switch";
    private static final String GROUPS = "an array of at least one group";
    private static final String NO_SWITCH = "an id: " + Ids.ALLOWED;

    private final Set<String> policies;
    private final List<Problem> problems;

    /** By id; empty for those whose topology cannot be read. */
    private final Map<String, Optional<Topology>> switches = new LinkedHashMap<>();

    private final Map<String, ObjectReader> readers = new HashMap<>();
    private final Map<String, String> names = new HashMap<>();

    Reading(Set<String> policies, List<Problem> problems) {
      this.policies = policies;
      this.problems = problems;
    }

    NetworkDocument all(ObjectReader body) {
      Direction direction = direction(body);
      items(body, "switches", SWITCHES).forEach(this::member);
      List<Member> members = new ArrayList<>();
      switches.forEach(
          (id, topology) -> topology.ifPresent(cabled -> members.add(new Member(id, cabled))));
      DemoNetwork network = new DemoNetwork(direction, members);
      if (problems.isEmpty()) {
        requireTrunks(network);
      }
      List<GroupSpec> groups = new ArrayList<>();
      for (ObjectReader item : items(body, "groups", GROUPS)) {
        group(item).ifPresent(groups::add);
      }
      long subscribers = groups.stream().mapToLong(GroupSpec::subscribers).sum();
      if (subscribers > GroupSpec.MAX_SUBSCRIBERS) {
        body.problem(
            Code.INVALID,
            "groups",
            subscribers + " subscribers",
            "at most " + GroupSpec.MAX_SUBSCRIBERS + " in all groups together");
      }
      return new NetworkDocument(network, groups);
    }

    private static Direction direction(ObjectReader body) {
      String allowed =
          Arrays.stream(Direction.values())
              .map(each -> JsonText.quoted(each.text()))
              .collect(Collectors.joining(", "));
      String given = body.string("direction", allowed);
      for (Direction direction : Direction.values()) {
        if (direction.text().equals(given)) {
          return direction;
        }
      }
      if (given != null) {
        body.problem(Code.INVALID, "direction", JsonText.quoted(given), allowed);
      }
      return Direction.UP;
    }

    /** Readers of the items of an array that has at least one. */
    private List<ObjectReader> items(ObjectReader body, String name, String allowed) {
      int before = problems.size();
      List<JsonValue> values = body.optionalArray(name, allowed);
      if (values.isEmpty() && body.isObject() && problems.size() == before) {
        body.problem(Code.INVALID, name, body.has(name) ? "[]" : "absent", allowed);
      }
      List<ObjectReader> items = new ArrayList<>();
      for (int i = 0; i < values.size(); i++) {
        items.add(body.item(name, i, values.get(i)));
      }
      return items;
    }

    private void member(ObjectReader item) {
      String id = item.string("id", NO_SWITCH);
      ObjectReader cabled = item.object("topology");
      Optional<Topology> topology =
          cabled == null || !cabled.isObject() ? Optional.empty() : TopologyForm.read(cabled);
      item.finish();
      if (id == null) {
        return;
      }
      if (!Ids.isValid(id)) {
        item.problem(Code.INVALID, "id", id, Ids.ALLOWED);
      } else if (readers.containsKey(id)) {
        conflict(item, "id", id, "an id that no other switch has", readers.get(id).at("id"));
      } else {
        switches.put(id, topology);
        readers.put(id, item);
      }
    }

    /** The switch that a part of the document names; null if there is none of that name. */
    private String switchId(ObjectReader item) {
      String id = item.string("switch", NO_SWITCH);
      if (id == null || switches.containsKey(id)) {
        return id;
      }
      String known = String.join(", ", switches.keySet());
      item.problem(
          Code.INVALID,
          "switch",
          id,
          "a switch of this document" + (known.isEmpty() ? "" : ": " + known));
      return null;
    }

    /** Trunks that cannot be, and ports without one, which would be trunks that end nowhere. */
    private void requireTrunks(DemoNetwork network) {
      List<String> ids = network.switches().stream().map(Member::id).toList();
      for (Trunks.Misfit misfit : network.trunks().misfits()) {
        problems.add(misfit.problem("switches[" + ids.indexOf(misfit.switchName()) + "].topology"));
      }
      if (!problems.isEmpty()) {
        return;
      }
      for (Member member : network.switches()) {
        List<SwitchPort> ports = member.topology().ports();
        for (SwitchPort port : ports) {
          if (Trunks.isTrunk(port)
              && network.trunks().far(new End(member.id(), port.number())).isEmpty()) {
            readers
                .get(member.id())
                .problem(
                    Code.INVALID,
                    "topology.ports[" + ports.indexOf(port) + "]",
                    "trunk port " + port.number(),
                    "a port at which one of the trunks ends: this one ends nowhere");
          }
        }
      }
    }

    private Optional<GroupSpec> group(ObjectReader item) {
      String name = item.string("name", GroupSpec.NAMES);
      if (name != null && !GroupSpec.isName(name)) {
        item.problem(Code.INVALID, "name", JsonText.quoted(name), GroupSpec.NAMES);
      } else if (name != null) {
        String other = names.putIfAbsent(name, item.at("name"));
        if (other != null) {
          conflict(item, "name", name, "a name that no other group has", other);
        }
      }
      String id = switchId(item);
      Optional<Topology> topology = id == null ? Optional.empty() : switches.get(id);
      if (topology.isPresent() && topology.get().bngPorts().isEmpty()) {
        item.problem(
            Code.INVALID,
            "switch",
            id,
            "a switch whose topology has bngPorts, for the subscribers' lines");
      }
      String policy = item.string("policy", "the name of a policy");
      if (policy != null && !policies.contains(policy)) {
        item.problem(
            Code.INVALID,
            "policy",
            JsonText.quoted(policy),
            policies.stream().sorted().collect(Collectors.joining(", "))
                + ", or a name given with --policy");
      }
      OptionalInt subscribers = item.integer("subscribers", 1, GroupSpec.MAX_SUBSCRIBERS);
      OptionalLong offeredBps =
          inRange(
              item,
              "offeredBps",
              item.whole("offeredBps"),
              GroupSpec.MIN_OFFERED_BPS,
              GroupSpec.MAX_OFFERED_BPS);
      OptionalLong limitBps =
          inRange(item, "limitBps", item.optionalWhole("limitBps"), 1, GroupSpec.MAX_LIMIT_BPS);
      item.finish();
      return item.sound()
          ? Optional.of(
              new GroupSpec(
                  name, id, policy, subscribers.getAsInt(), offeredBps.getAsLong(), limitBps))
          : Optional.empty();
    }

    private static OptionalLong inRange(
        ObjectReader item, String field, OptionalLong given, long low, long high) {
      if (given.isPresent() && (given.getAsLong() < low || given.getAsLong() > high)) {
        item.problem(Code.INVALID, field, given.getAsLong(), low + " to " + high);
      }
      return given;
    }

    private static void conflict(
        ObjectReader item, String field, Object value, String allowed, String other) {
      item.problem(Code.CONFLICT, field, value, allowed + "; " + other + " is the same");
    }
  }
}
