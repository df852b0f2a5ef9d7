package net.sluice.pipeconf.profile;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import net.sluice.intents.model.policy.AqmKind;
import net.sluice.intents.plan.Table;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.intents.profile.PrefixLengths;
import net.sluice.pipeconf.profile.SwitchTargetProfile.Chassis;

/** A profile for people and for programs: both say the same. */
public final class ProfileReport {
  private ProfileReport() {}

  /** As JSON, ends with a line feed. */
  public static String json(TargetProfile profile) {
    return JsonWriter.write(tree(profile));
  }

  /** As text: the fields of {@link #json}, a line each, lists of ports one port a line. */
  public static String text(TargetProfile profile) {
    StringBuilder text = new StringBuilder();
    lines("", tree(profile), text);
    return text.toString();
  }

  private static void lines(String indent, Map<?, ?> map, StringBuilder text) {
    int width = map.keySet().stream().mapToInt(key -> key.toString().length()).max().orElse(0);
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      String key = entry.getKey().toString();
      if (entry.getValue() instanceof Map<?, ?> inner) {
        text.append(indent).append(key).append('\n');
        lines(indent + "  ", inner, text);
      } else if (entry.getValue() instanceof List<?> list) {
        text.append(indent).append(key).append(list.isEmpty() ? "  none\n" : "\n");
        for (Object item : list) {
          text.append(indent).append("  ").append(item(item)).append('\n');
        }
      } else {
        text.append(indent)
            .append(key)
            .append(" ".repeat(width - key.length() + 2))
            .append(scalar(key, entry.getValue()))
            .append('\n');
      }
    }
  }

  private static String item(Object item) {
    if (!(item instanceof Map<?, ?> map)) {
      return scalar("", item);
    }
    List<String> words = new ArrayList<>();
    map.forEach((key, value) -> words.add(key + " " + scalar(key.toString(), value)));
    return String.join("  ", words);
  }

  private static String scalar(String key, Object value) {
    if (value == null) {
      return "none";
    }
    if (value instanceof Boolean truth) {
      return truth ? "yes" : "no";
    }
    boolean counts = !key.endsWith("Port") && !key.endsWith("Id");
    return counts && value instanceof Number number && number.longValue() >= 10_000
        ? String.format(Locale.ROOT, "%,d", number.longValue())
        : value.toString();
  }

  private static Map<String, Object> tree(TargetProfile profile) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("name", profile.name());
    tree.put("title", profile.title());
    if (profile instanceof SwitchTargetProfile ofSwitch) {
      addSwitch(ofSwitch, tree);
    } else if (profile instanceof FpgaTargetProfile ofFpga) {
      addFpga(ofFpga.fpga(), tree);
    }
    tree.put("notes", profile.notes());
    return tree;
  }

  private static void addSwitch(SwitchTargetProfile profile, Map<String, Object> tree) {
    tree.put("kind", "switch");
    tree.put("architecture", profile.architecture());
    tree.put("program", profile.program().orElse(null));
    Management management = profile.management();
    Map<String, Object> reached = new LinkedHashMap<>();
    reached.put("p4RuntimePort", management.p4RuntimePort());
    reached.put("deviceId", management.deviceId());
    reached.put(
        "gnmiPort", management.gnmiPort().isPresent() ? management.gnmiPort().getAsInt() : null);
    reached.put("gnmiPortSpeed", management.gnmiPortSpeed());
    reached.put("gnmiQueueSettings", management.gnmiQueueSettings());
    reached.put("onosDriver", management.onosDriver());
    reached.put("onosPipeconf", management.onosPipeconf());
    tree.put("management", reached);
    Map<String, Object> chassis = new LinkedHashMap<>();
    chassis.put("platform", profile.chassis().map(Chassis::platform).orElse(null));
    chassis.put("name", profile.chassis().map(Chassis::name).orElse(null));
    tree.put("chassis", chassis);
    Map<String, Object> capacities = new LinkedHashMap<>();
    MarkerLayout markers = profile.countedMarkers();
    capacities.put("subscribers", markers.capacity());
    capacities.put("policies", profile.policySlots() - 1);
    for (Table table : Table.values()) {
      capacities.put(table.text(), profile.tables().get(table));
    }
    tree.put("capacities", capacities);
    if (markers.isDivided()) {
      Map<String, Object> divided = new LinkedHashMap<>();
      divided.put("pipes", markers.pipes());
      divided.put("instances", markers.instances());
      divided.put("subscribersPerInstance", markers.subscribersPerInstance());
      markers
          .v4PrefixesPerInstance()
          .ifPresent(size -> divided.put("ipv4PrefixesPerInstance", size));
      markers
          .v6PrefixesPerInstance()
          .ifPresent(size -> divided.put("ipv6PrefixesPerInstance", size));
      PrefixLengths lengths = profile.prefixLengths();
      lengths.v4().ifPresent(length -> divided.put("ipv4PrefixLength", length));
      lengths.v6().ifPresent(length -> divided.put("ipv6PrefixLength", length));
      tree.put("marker", divided);
    }
    tree.put("maxSubscriberRateBps", profile.maxSubscriberRateBps());
    CounterBehaviour counters = profile.counters();
    Map<String, Object> counting = new LinkedHashMap<>();
    counting.put("cells", counters.cells());
    counting.put("ageMillis", counters.ageMillis());
    counting.put("writable", counters.writable());
    tree.put("counters", counting);
    Map<String, Object> metering = new LinkedHashMap<>();
    metering.put("update", word(profile.meters().update()));
    metering.put("rateTolerancePermille", profile.meters().rateTolerancePermille());
    tree.put("meters", metering);
    tree.put("shapingBufferBytes", profile.shapingBufferBytes());
    Map<String, Object> queueing = new LinkedHashMap<>();
    queueing.put("perPort", profile.queues().perPort());
    queueing.put("settings", word(profile.queues().settings()));
    queueing.put("aqmKinds", profile.aqmKinds().stream().sorted().map(AqmKind::text).toList());
    tree.put("queues", queueing);
    tree.put("portSplits", profile.layout().splits().stream().map(PortSplit::toString).toList());
    tree.put("ports", profile.layout().ports().stream().map(ProfileReport::port).toList());
  }

  private static Map<String, Object> port(ProfilePort port) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("id", port.id());
    map.put("name", port.name());
    map.put("number", port.number().isPresent() ? port.number().getAsInt() : null);
    map.put("speedBps", port.speedBps());
    return map;
  }

  private static void addFpga(FpgaProfile fpga, Map<String, Object> tree) {
    tree.put("kind", "fpga");
    tree.put("clockHz", Math.round(fpga.clockHz()));
    Map<String, Object> queues = new LinkedHashMap<>();
    queues.put("ports", fpga.ports());
    queues.put("treesPerPort", fpga.treesPerPort());
    queues.put("customersPerTree", fpga.customersPerTree());
    queues.put("classes", fpga.classes());
    queues.put("depthBytes", fpga.queueDepthBytes());
    tree.put("queues", queues);
    Map<String, Object> rates = new LinkedHashMap<>();
    rates.put("stepBps", Math.round(fpga.rateStepBps()));
    rates.put("largestKeptBps", fpga.rateBps(fpga.maxLimitWord()));
    rates.put("largestAcceptedBps", fpga.maxRateBps());
    rates.put("unlimitedBps", fpga.unlimitedBps());
    tree.put("rates", rates);
    Map<String, Object> bursts = new LinkedHashMap<>();
    bursts.put("minBytes", fpga.minBurstBytes());
    bursts.put("maxBytes", fpga.maxBurstBytes());
    bursts.put("resetBytes", fpga.resetBurstBytes());
    tree.put("bursts", bursts);
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
