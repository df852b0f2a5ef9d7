package net.sluice.intents.compile;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.sluice.intents.marker.RandomRates;
import net.sluice.intents.marker.RateBins;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.RateLimit;
import net.sluice.intents.model.Scope;
import net.sluice.intents.plan.FpgaLevel;
import net.sluice.intents.plan.FpgaSetting;
import net.sluice.intents.plan.FpgaSetting.BucketSize;
import net.sluice.intents.plan.FpgaSetting.QueueDepth;
import net.sluice.intents.plan.FpgaSetting.RateWord;
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

/** What the targets hold whatever is declared, and the whole of an FPGA's settings. */
final class Infrastructure {
  private final Topology topology;
  private final RateBins bins;
  private final RandomRates randomRates;
  private final FpgaProfile fpga;
  private final BucketSizes buckets;

  Infrastructure(
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

  Stream<FpgaSetting> settings(SlaState state, Direction direction) {
    if (topology.sidecar(direction).isEmpty()) {
      return Stream.empty();
    }
    Stream<FpgaSetting> bucketSizes =
        Arrays.stream(FpgaLevel.values())
            .map(level -> new BucketSize(direction, level, buckets.bytes(state, level, direction)));
    Stream<FpgaSetting> queueDepths =
        IntStream.range(0, fpga.classes())
            .mapToObj(queueClass -> new QueueDepth(direction, queueClass, fpga.queueDepthBytes()));
    Stream<FpgaSetting> ports =
        IntStream.range(0, fpga.ports())
            .mapToObj(
                port ->
                    new RateWord(
                        direction,
                        FpgaLevel.PORT,
                        port,
                        word(state.rateLimitOf(new Scope.OfPort(port)), direction)));
    Stream<FpgaSetting> trees =
        eachTree()
            .mapToObj(
                index ->
                    new RateWord(
                        direction,
                        FpgaLevel.TREE,
                        index,
                        word(
                            state.rateLimitOf(new Scope.OfTree(index >>> 6, index & 63)),
                            direction)));
    Stream<FpgaSetting> customers =
        eachTree().boxed().flatMap(index -> customers(state, direction, index >>> 6, index & 63));
    return Stream.of(bucketSizes, queueDepths, ports, trees, customers).flatMap(s -> s);
  }

  private IntStream eachTree() {
    return IntStream.range(0, fpga.ports())
        .flatMap(
            port ->
                IntStream.range(0, fpga.treesPerPort()).map(tree -> QueueId.treeIndex(port, tree)));
  }

  private Stream<FpgaSetting> customers(SlaState state, Direction direction, int port, int tree) {
    return IntStream.range(0, fpga.customersPerTree())
        .mapToObj(
            customer -> {
              int queueId = QueueId.of(port, tree, customer);
              Optional<RateLimit> limit =
                  state
                      .subscriberOfQueue(queueId)
                      .flatMap(s -> state.rateLimitOf(new Scope.OfSubscriber(s.subscriber().id())));
              return new RateWord(
                  direction,
                  FpgaLevel.CUSTOMER,
                  QueueId.customerIndex(queueId),
                  word(limit, direction));
            });
  }

  private int word(Optional<RateLimit> limit, Direction direction) {
    return Transition.word(fpga, limit, direction);
  }
}
