package net.sluice.lab.demo;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import net.sluice.cli.OptionException;
import net.sluice.cli.OptionValues;
import net.sluice.cli.StartFailure;
import net.sluice.emulator.netsim.traffic.FrameBuilder;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.model.Enforcement;
import net.sluice.intents.model.policy.BuiltInFunction;
import net.sluice.intents.profile.ShapeProfile;
import net.sluice.intents.value.InvalidValueException;

/**
 * Options of the demo.
 *
 * @param groups the subscribers, at least one group
 * @param policies by id; every group's policy is among them
 * @param network what the traffic goes through; every group's switch is in it, with lines
 * @param seconds measured virtual seconds; empty to let the demo choose
 * @param packetBytes length of every frame
 * @param seed seed of everything random
 * @param report where the JSON report goes, if anywhere
 * @param page where the page goes
 * @param enforcement what rate limits ask to be enforced by; empty to leave that to the controller
 * @param bloat whether the household is shown without what keeps delay low, too
 */
public record DemoOptions(
    List<GroupSpec> groups,
    Map<String, PolicySpec> policies,
    DemoNetwork network,
    OptionalDouble seconds,
    int packetBytes,
    long seed,
    Optional<Path> report,
    Path page,
    Optional<Enforcement> enforcement,
    boolean bloat) {
  /** Lowest and highest bottleneck rate, bit/s. */
  public static final long MIN_BOTTLENECK_BPS = 1_000_000;

  /** Highest bottleneck rate, bit/s. */
  public static final long MAX_BOTTLENECK_BPS = 100_000_000_000L;

  /** Shortest frame: an Ethernet frame with an IPv4 and a UDP header is well below it. */
  public static final int MIN_PACKET_BYTES = 64;

  /** Longest frame: a usual jumbo frame. */
  public static final int MAX_PACKET_BYTES = 9000;

  /** Longest frame with a rate limit: the FPGA's MTU. */
  public static final int MAX_LIMITED_PACKET_BYTES = 1600;

  private static final String DEFAULT_BOTTLENECK = "1G";
  private static final double MIN_SECONDS = 0.1;
  private static final double MAX_SECONDS = 3600;

  /**
   * The groups of a demo without {@code --group}: two classes far above their shares, one Gold
   * subscriber below its own, and one whose rate limit is below it. They offer twice the default
   * bottleneck.
   */
  static final List<String> DEFAULT_GROUPS =
      List.of(
          "gold:gold:20:40M",
          "silver:silver:80:14.5M",
          "light:gold:1:15M",
          "capped:gold:1:25M:10M");

  public DemoOptions {
    groups = List.copyOf(groups);
    policies = Map.copyOf(policies);
  }

  /** The command line's values; null and empty lists for options not given. */
  record Raw(
      List<String> groups,
      List<String> policies,
      String bottleneck,
      String seconds,
      String packet,
      String seed,
      String report,
      String page,
      String network,
      String enforcement,
      boolean bloat) {}

  /**
   * Reads the options.
   *
   * @throws OptionException for the first that cannot be used
   * @throws StartFailure for a network's file, with all that is wrong with it
   */
  static DemoOptions parse(Raw raw) throws StartFailure {
    Map<String, PolicySpec> policies = new LinkedHashMap<>();
    for (BuiltInFunction function : BuiltInFunction.values()) {
      policies.put(function.text(), PolicySpec.builtIn(function));
    }
    for (String text : raw.policies()) {
      PolicySpec policy = PolicySpec.parse(text);
      if (policies.put(policy.policy().id(), policy) != null) {
        throw new OptionException(
            PolicySpec.OPTION, text, "NAME", policy.policy().id(), "each name once");
      }
    }
    int packetBytes =
        (int)
            OptionValues.wholeNumber("--packet", raw.packet(), MIN_PACKET_BYTES, MAX_PACKET_BYTES);
    DemoNetwork network;
    List<GroupSpec> groups;
    if (raw.network() == null) {
      network =
          DemoNetwork.single(
              OptionValues.rate(
                  "--bottleneck",
                  raw.bottleneck() == null ? DEFAULT_BOTTLENECK : raw.bottleneck(),
                  MIN_BOTTLENECK_BPS,
                  MAX_BOTTLENECK_BPS));
      groups = groups(raw.groups().isEmpty() ? DEFAULT_GROUPS : raw.groups(), policies, network);
    } else {
      if (raw.bottleneck() != null) {
        throw new OptionException(
            "--bottleneck",
            raw.bottleneck(),
            "nothing together with --network: the network says its lines' rates");
      }
      NetworkDocument document = NetworkDocument.read(raw.network(), policies.keySet());
      network = document.network();
      groups = raw.groups().isEmpty() ? document.groups() : groups(raw.groups(), policies, network);
    }
    if (packetBytes > MAX_LIMITED_PACKET_BYTES && hasLimits(groups)) {
      throw new OptionException(
          "--packet",
          raw.packet(),
          MIN_PACKET_BYTES
              + " to "
              + MAX_LIMITED_PACKET_BYTES
              + " while a group has a LIMIT: the FPGA charges longer packets too little, and meters may"
              + " hold no longer one");
    }
    if (raw.bloat() && (raw.network() != null || !hasLimits(groups))) {
      throw new OptionException(
          "--bloat",
          "given",
          "where a group has a LIMIT, and without --network: elsewhere no household is shown");
    }
    long seed = OptionValues.wholeNumber("--seed", raw.seed(), Long.MIN_VALUE, Long.MAX_VALUE);
    requireWays(raw.network(), network, groups, packetBytes, seed);
    return new DemoOptions(
        groups,
        policies,
        network,
        raw.seconds() == null
            ? OptionalDouble.empty()
            : OptionalDouble.of(
                OptionValues.decimal("--seconds", raw.seconds(), MIN_SECONDS, MAX_SECONDS)),
        packetBytes,
        seed,
        raw.report() == null
            ? Optional.empty()
            : Optional.of(OptionValues.outputFile("--report", raw.report())),
        OptionValues.outputFile("--page", raw.page()),
        raw.enforcement() == null
            ? byDefault(network, groups)
            : Optional.of(enforcement(raw.enforcement())),
        raw.bloat());
  }

  /** The switch shapes where it can; otherwise the controller chooses. */
  private static Optional<Enforcement> byDefault(DemoNetwork network, List<GroupSpec> groups) {
    boolean shapes =
        network.switches().stream().noneMatch(each -> each.topology().loopPorts().isEmpty())
            && groups.stream()
                .flatMapToLong(group -> group.limitBps().stream())
                .allMatch(ShapeProfile::canRepresent);
    return shapes ? Optional.of(Enforcement.SHAPE) : Optional.empty();
  }

  /** True if a group has a limit. */
  boolean hasLimits() {
    return hasLimits(groups);
  }

  private static boolean hasLimits(List<GroupSpec> groups) {
    return groups.stream().anyMatch(group -> group.limitBps().isPresent());
  }

  private static Enforcement enforcement(String text) {
    return Enforcement.of(text)
        .orElseThrow(() -> new OptionException("--enforcement", text, Enforcement.texts()));
  }

  private static void requireWays(
      String name, DemoNetwork network, List<GroupSpec> groups, int packetBytes, long seed) {
    try {
      network.ways(new Population(groups, seed, withV6(packetBytes)));
    } catch (InvalidValueException e) {
      throw new OptionException(
          NetworkDocument.OPTION,
          name,
          "the switch of group " + e.field(),
          "" + e.value(),
          e.allowed());
    }
  }

  private static boolean withV6(int packetBytes) {
    return packetBytes >= FrameBuilder.MIN_IPV6_BYTES;
  }

  private static List<GroupSpec> groups(
      List<String> texts, Map<String, PolicySpec> policies, DemoNetwork network) {
    List<GroupSpec> groups = new ArrayList<>();
    long subscribers = 0;
    for (String text : texts) {
      GroupSpec group = GroupSpec.parse(text);
      if (groups.stream().anyMatch(other -> other.name().equals(group.name()))) {
        throw new OptionException(GroupSpec.OPTION, text, "NAME", group.name(), "each name once");
      }
      if (!policies.containsKey(group.policy())) {
        throw new OptionException(
            GroupSpec.OPTION,
            text,
            "POLICY",
            group.policy(),
            String.join(", ", policies.keySet()) + ", or a name given with --policy NAME=FILE");
      }
      if (!network.switchesWithLines().contains(group.switchId())) {
        throw new OptionException(
            GroupSpec.OPTION,
            text,
            "SWITCH",
            group.switchId(),
            network.switches().size() == 1
                ? "none without --network"
                : "NAME@SWITCH with one of " + String.join(", ", network.switchesWithLines()));
      }
      subscribers += group.subscribers();
      if (subscribers > GroupSpec.MAX_SUBSCRIBERS) {
        throw new OptionException(
            GroupSpec.OPTION,
            text,
            "at most " + GroupSpec.MAX_SUBSCRIBERS + " subscribers in all groups together");
      }
      groups.add(group);
    }
    return groups;
  }

  /** Offered load of all subscribers together, bit/s. */
  double offeredBps() {
    return groups.stream().mapToDouble(g -> (double) g.offeredBps() * g.subscribers()).sum();
  }

  /** R_max of the marker: the smallest of 1, 10 and 100 Gbit/s that covers every subscriber. */
  long maxSubscriberRateBps() {
    long largest = groups.stream().mapToLong(GroupSpec::offeredBps).max().orElseThrow();
    long maxRateBps = 1_000_000_000L;
    while (maxRateBps < largest) {
      maxRateBps *= 10;
    }
    return maxRateBps;
  }

  /** The run these options ask for. Frames have the lines to themselves: no line overhead. */
  RunSpec runSpec() {
    return new RunSpec(
        groups,
        policies,
        network,
        0,
        packetBytes,
        maxSubscriberRateBps(),
        RandomRates.BITS_16,
        seconds,
        withV6(packetBytes),
        seed,
        Optional.empty(),
        enforcement);
  }
}
