package net.sluice.intents.compile;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.sluice.intents.marker.RandomRates;
import net.sluice.intents.marker.RateBins;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.plan.Expected;
import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.FpgaSetting.BucketSize;
import net.sluice.intents.plan.FpgaSetting.QueueDepth;
import net.sluice.intents.plan.FpgaSetting.RateWord;
import net.sluice.intents.plan.OwnerIds;
import net.sluice.intents.plan.QueueId;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.SwitchEntry.EgressPortEntry;
import net.sluice.intents.plan.SwitchEntry.MirrorEntry;
import net.sluice.intents.plan.SwitchEntry.PortRoleEntry;
import net.sluice.intents.plan.SwitchEntry.RouteEntry;
import net.sluice.intents.plan.SwitchEntry.SidecarEntry;
import net.sluice.intents.profile.FpgaProfile;
import net.sluice.intents.profile.Topology;
import net.sluice.intents.profile.Topology.SwitchPort;
import net.sluice.intents.state.SlaState;
import net.sluice.intents.state.SubscriberState;

/** What the targets hold whatever is declared, and the whole of an FPGA's settings. */
final class StaticEntries {
  private final Topology topology;
  private final RateBins bins;
  private final RandomRates randomRates;
  private final FpgaProfile fpga;
  private final BucketSizes buckets;
  private volatile Map<SwitchEntry.Key, SwitchEntry> byKey;

  StaticEntries(
      Topology topology,
      RateBins bins,
      RandomRates randomRates,
      FpgaProfile fpga,
      BucketSizes buckets) {
    this.topology = topology;
    this.bins = bins;
    this.randomRates = randomRates;
    this.fpga = fpga;
    this.buckets = buckets;
  }

  List<String> notes() {
    long empty = IntStream.range(0, RateBins.BINS).filter(bins::isEmpty).count();
    if (empty == 0) {
      return List.of();
    }
    return List.of(
        String.format(
            Locale.ROOT,
            "%d of %d rate bins contain no rate the switch can measure and have no entry; the"
                + " lowest resolved rate is %.0f bit/s",
            empty,
            RateBins.BINS,
            bins.upperBps(0)));
  }

  /** Port roles come last: a port without a role forwards nothing, so nothing passes unmarked. */
  Stream<SwitchEntry> entries() {
    return Stream.of(
            bins.entries(),
            randomRates.entries(),
            topology.routes().stream().map(route -> new RouteEntry(route.prefix(), route.port())),
            Arrays.stream(Direction.values())
                .filter(direction -> topology.sidecar(direction).isPresent())
                .map(
                    direction ->
                        new SidecarEntry(direction, topology.sidecar(direction).getAsInt())),
            topology.ports().stream()
                .filter(SwitchPort::valueDropping)
                .map(port -> AqmTuning.forPort(port.number(), port.rateBps())),
            topology.mirrorPort().stream().mapToObj(MirrorEntry::new),
            topology.ports().stream()
                .map(
                    port ->
                        new EgressPortEntry(
                            port.number(),
                            port.sourceMac(),
                            port.destinationMac(),
                            port.keepPacketValue())),
            topology.ports().stream()
                .map(port -> new PortRoleEntry(port.number(), port.role(), port.direction())))
        .flatMap(entries -> entries);
  }

  /** The entry with the key of {@code actual}; null if there is none. */
  SwitchEntry find(SwitchEntry actual) {
    Map<SwitchEntry.Key, SwitchEntry> known = byKey;
    if (known == null) {
      known = entries().collect(Collectors.toMap(SwitchEntry::key, entry -> entry));
      byKey = known;
    }
    return known.get(actual.key());
  }

  Stream<Expected<FpgaSetting>> settings(SlaState state, Direction direction) {
    if (topology.sidecar(direction).isEmpty()) {
      return Stream.empty();
    }
    Stream<Expected<FpgaSetting>> bucketSizes =
        Arrays.stream(FpgaLevel.values())
            .map(level -> new BucketSize(direction, level, buckets.bytes(state, level, direction)))
            .map(size -> new Expected<>(size, OwnerIds.NONE));
    Stream<Expected<FpgaSetting>> queueDepths =
        IntStream.range(0, fpga.classes())
            .mapToObj(queueClass -> new QueueDepth(direction, queueClass, fpga.queueDepthBytes()))
            .map(depth -> new Expected<>(depth, OwnerIds.NONE));
    Stream<Expected<FpgaSetting>> ports =
        IntStream.range(0, fpga.ports())
            .mapToObj(
                port ->
                    word(
                        state,
                        direction,
                        FpgaLevel.PORT,
                        port,
                        state.rateLimitOf(new Scope.OfPort(port))));
    Stream<Expected<FpgaSetting>> trees =
        eachTree()
            .mapToObj(
                index ->
                    word(
                        state,
                        direction,
                        FpgaLevel.TREE,
                        index,
                        state.rateLimitOf(new Scope.OfTree(index >>> 6, index & 63))));
    Stream<Expected<FpgaSetting>> customers =
        eachTree().boxed().flatMap(index -> customers(state, direction, index >>> 6, index & 63));
    return Stream.of(bucketSizes, queueDepths, ports, trees, customers).flatMap(s -> s);
  }

  private IntStream eachTree() {
    return IntStream.range(0, fpga.ports())
        .flatMap(
            port ->
                IntStream.range(0, fpga.treesPerPort()).map(tree -> QueueId.treeIndex(port, tree)));
  }

  private Stream<Expected<FpgaSetting>> customers(
      SlaState state, Direction direction, int port, int tree) {
    return IntStream.range(0, fpga.customersPerTree())
        .mapToObj(
            customer -> {
              int queueId = QueueId.of(port, tree, customer);
              Optional<RateLimit> limit =
                  state
                      .subscriberOfQueue(queueId)
                      .flatMap(s -> state.rateLimitOf(new Scope.OfSubscriber(s.subscriber().id())));
              return word(
                  state, direction, FpgaLevel.CUSTOMER, QueueId.customerIndex(queueId), limit);
            });
  }

  private Expected<FpgaSetting> word(
      SlaState state, Direction direction, FpgaLevel level, int index, Optional<RateLimit> limit) {
    RateWord word = new RateWord(direction, level, index, EntryDiff.word(fpga, limit, direction));
    return new Expected<>(word, EntryDiff.owner(state, limit));
  }

  /** The settings of one direction that hold a limit, those that others share included. */
  Stream<FpgaSetting> settingsOf(SlaState state, RateLimit limit, Direction direction) {
    if (limit.rateBps(direction).isEmpty()) {
      return Stream.empty();
    }
    FpgaLevel level = FpgaLevel.of(limit.scope());
    int word = EntryDiff.word(fpga, Optional.of(limit), direction);
    int index = bucketOf(state, limit.scope());
    Stream<FpgaSetting> size =
        Stream.of(new BucketSize(direction, level, buckets.bytes(state, level, direction)));
    return index < 0
        ? size
        : Stream.concat(Stream.of(new RateWord(direction, level, index, word)), size);
  }

  private static int bucketOf(SlaState state, Scope scope) {
    if (scope instanceof Scope.OfPort of) {
      return of.port();
    } else if (scope instanceof Scope.OfTree of) {
      return QueueId.treeIndex(of.port(), of.tree());
    }
    return state
        .subscriber(((Scope.OfSubscriber) scope).subscriberId())
        .filter(SubscriberState::hasQueue)
        .map(subscriber -> QueueId.customerIndex(subscriber.queueId()))
        .orElse(-1);
  }
}
