package net.sluice.it.p4;

import com.google.protobuf.ByteString;
import com.google.protobuf.TextFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import net.sluice.intents.model.Direction;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.SwitchEntry.CongestionThresholdEntry;
import net.sluice.intents.plan.SwitchEntry.EgressPortEntry;
import net.sluice.intents.plan.SwitchEntry.EncapsulationEntry;
import net.sluice.intents.plan.SwitchEntry.PolicyValueEntry;
import net.sluice.intents.plan.SwitchEntry.PortRoleEntry;
import net.sluice.intents.plan.SwitchEntry.RandomRateEntry;
import net.sluice.intents.plan.SwitchEntry.RateBinEntry;
import net.sluice.intents.plan.SwitchEntry.RouteEntry;
import net.sluice.intents.plan.SwitchEntry.SidecarEntry;
import net.sluice.intents.plan.SwitchEntry.SubscriberData;
import net.sluice.intents.plan.SwitchEntry.SubscriberPrefixEntry;
import net.sluice.intents.plan.SwitchEntry.SubscriberVlanEntry;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.pipeconf.CounterCodec.Point;
import net.sluice.pipeconf.CounterCodec.Reading;
import net.sluice.pipeconf.CounterCodec.Reading.OfDrops;
import net.sluice.pipeconf.CounterCodec.Reading.OfSubscriber;
import net.sluice.pipeconf.DropReason;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.Index;
import p4.v1.P4RuntimeOuterClass.RegisterEntry;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Update;

/**
 * The program for Tofino in its frame of v1model, {@code p4/tna/model}, with two marker instances.
 * A subscriber's index is that of {@link MarkerLayout}.
 */
final class TofinoModel implements ProgramUnderTest {
  /** Where a mirrored report must go: the recirculation port. */
  static final int RECIRCULATION_PORT = 68;

  /** Unit of the rate that a filter gives, bit/s: 8 bits in a time constant of 94,503 us. */
  static final double RATE_UNIT_BPS = 8 / 0.094502912;

  static final int RATE_KEY_BITS = 32;

  /** Subscribers of an instance. */
  static final int INSTANCE_SUBSCRIBERS = 17_920;

  private static final Path OUTPUT = Path.of("..", "p4", "p4c-out", "tna", "model");
  private static final MarkerLayout LAYOUT =
      new MarkerLayout(1, 512, 2, INSTANCE_SUBSCRIBERS, OptionalInt.of(INSTANCE_SUBSCRIBERS));

  /** Bits that an edge of a rate bin keeps: RateIndex has no room for all blocks of exact edges. */
  private static final int EDGE_BITS = 10;

  private static final long TOP_PRIORITY = 1;

  private final P4Info info;
  private final ByteString deviceConfig;
  private final Map<Integer, CounterName> counters = new LinkedHashMap<>();

  /** What an array of counters counts; no instance for drops. */
  private record CounterName(int id, int instance, Direction direction) {}

  private TofinoModel() {
    try {
      P4Info.Builder builder = P4Info.newBuilder();
      TextFormat.Parser.newBuilder()
          .setAllowUnknownFields(true)
          .build()
          .merge(
              Files.readString(OUTPUT.resolve("sluice.p4info.txtpb"), StandardCharsets.UTF_8),
              builder);
      info = builder.build();
      deviceConfig = ByteString.copyFrom(Files.readAllBytes(OUTPUT.resolve("sluice.json")));
    } catch (IOException e) {
      throw new UncheckedIOException("the model of a Tofino is not compiled", e);
    }
    counter("SluiceIngress.verdict.dropped", 0, null);
    for (int instance = 1; instance <= LAYOUT.instances(); instance++) {
      counter("SluiceEgress.down" + instance, instance, Direction.DOWN);
      counter("SluiceEgress.up" + instance, instance, Direction.UP);
    }
  }

  static TofinoModel load() {
    return new TofinoModel();
  }

  P4Info p4Info() {
    return info;
  }

  private void counter(String name, int instance, Direction direction) {
    int id =
        info.getCountersList().stream()
            .filter(counter -> counter.getPreamble().getName().equals(name))
            .findAny()
            .orElseThrow(() -> new IllegalStateException("P4Info has no counter " + name))
            .getPreamble()
            .getId();
    counters.put(id, new CounterName(id, instance, direction));
  }

  /** What a cell of a register of a switch that runs the program holds. */
  static long register(ControlClient control, String name, int cell) {
    TofinoModel program = (TofinoModel) control.program();
    int id =
        program.info.getRegistersList().stream()
            .filter(register -> register.getPreamble().getName().equals(name))
            .findAny()
            .orElseThrow(() -> new IllegalStateException("P4Info has no register " + name))
            .getPreamble()
            .getId();
    Entity wanted =
        Entity.newBuilder()
            .setRegisterEntry(
                RegisterEntry.newBuilder()
                    .setRegisterId(id)
                    .setIndex(Index.newBuilder().setIndex(cell)))
            .build();
    ByteString bits =
        control.read(List.of(wanted)).get(0).getRegisterEntry().getData().getBitstring();
    return new BigInteger(1, bits.toByteArray()).longValueExact();
  }

  @Override
  public ForwardingPipelineConfig config() {
    return ForwardingPipelineConfig.newBuilder()
        .setP4Info(info)
        .setP4DeviceConfig(deviceConfig)
        .build();
  }

  @Override
  public List<Update> updates(Op op, SwitchEntry entry) {
    return entries(entry).stream()
        .map(
            encoded ->
                Update.newBuilder()
                    .setType(
                        switch (op) {
                          case INSERT -> Update.Type.INSERT;
                          case MODIFY -> Update.Type.MODIFY;
                          case DELETE -> Update.Type.DELETE;
                        })
                    .setEntity(Entity.newBuilder().setTableEntry(encoded))
                    .build())
        .toList();
  }

  private List<TableEntry> entries(SwitchEntry entry) {
    return switch (entry.table()) {
      case IPV4_PREFIX, IPV6_PREFIX -> List.of(prefix((SubscriberPrefixEntry) entry));
      case VLAN -> List.of(line((SubscriberVlanEntry) entry));
      case ENCAPSULATION -> List.of(tags((EncapsulationEntry) entry));
      case POLICY_VALUE -> {
        PolicyValueEntry value = (PolicyValueEntry) entry;
        yield List.of(
            in("SluiceIngress.marker.PolicyFunction")
                .exact("policy", value.policySlot())
                .exact("bin", value.bin())
                .does("SluiceIngress.marker.set_packet_value", value.packetValue()));
      }
      case RATE_BIN -> bin((RateBinEntry) entry);
      case RANDOM_RATE -> {
        RandomRateEntry random = (RandomRateEntry) entry;
        yield List.of(
            in("SluiceIngress.random_fraction.RandomRateEstim")
                .range("rnd", random.low(), random.high())
                .does("SluiceIngress.random_fraction.set_offset", random.offset()));
      }
      case PORT_ROLE -> {
        PortRoleEntry role = (PortRoleEntry) entry;
        yield List.of(
            in("SluiceIngress.ports.PortRole")
                .exact("ingress_port", role.port())
                .does(
                    "SluiceIngress.ports.set_role_" + role.direction().text(), role.role().code()));
      }
      case SIDECAR -> {
        SidecarEntry sidecar = (SidecarEntry) entry;
        yield List.of(
            in("SluiceIngress.shaping.ShapingSidecar")
                .exact("direction", sidecar.direction().code())
                .does("SluiceIngress.shaping.to_sidecar", sidecar.port()));
      }
      case IPV4_ROUTE, IPV6_ROUTE -> {
        RouteEntry route = (RouteEntry) entry;
        IpPrefix prefix = route.prefix();
        boolean v4 = prefix.family() == IpPrefix.Family.V4;
        yield List.of(
            in("SluiceIngress.routes.Routing" + (v4 ? "4" : "6"))
                .lpm("dst", prefix.addressBytes(), prefix.length())
                .does("SluiceIngress.routes.route", route.port()));
      }
      case CONGESTION_THRESHOLD -> {
        CongestionThresholdEntry steer = (CongestionThresholdEntry) entry;
        yield List.of(
            in("SluiceIngress.steering.CongestionThreshold")
                .exact("egress_port", steer.port())
                .does(
                    "SluiceIngress.steering.steer",
                    steer.gain().ordinal() + 1,
                    steer.targetMicros(),
                    steer.overloadMicros(),
                    steer.periodMicros(),
                    steer.idleMicros(),
                    steer.ecnDropMicros()));
      }
      case EGRESS_PORT -> {
        EgressPortEntry port = (EgressPortEntry) entry;
        yield List.of(
            in("SluiceEgress.egress_rewrite.EgressPort")
                .exact("egress_port", port.port())
                .does(
                    "SluiceEgress.egress_rewrite.rewrite",
                    port.sourceMac(),
                    port.destinationMac(),
                    port.keepPacketValue() ? 1 : 0));
      }
      case QUEUE_AQM -> throw new IllegalArgumentException("the program manages no queue's delay");
    };
  }

  private TableEntry prefix(SubscriberPrefixEntry entry) {
    IpPrefix prefix = entry.prefix();
    boolean v4 = prefix.family() == IpPrefix.Family.V4;
    int length = v4 ? 32 : 56;
    if (prefix.length() != length) {
      throw new IllegalArgumentException(prefix + ": the program knows prefixes of " + length);
    }
    String instance = "SluiceIngress.instance" + instance(entry.data().index());
    SubscriberData data = entry.data();
    return in(instance + ".SubscriberRate" + (v4 ? "4" : "6"))
        .exact("addr", v4 ? prefix.lo() & 0xffff_ffffL : prefix.hi() >>> 8)
        .does(
            instance + ".subscriber",
            cell(data.index()),
            data.policySlot(),
            data.egressPort(),
            data.queueId(),
            data.shapeDown() ? 1 : 0,
            data.shapeUp() ? 1 : 0);
  }

  private TableEntry line(SubscriberVlanEntry entry) {
    SubscriberData data = entry.data();
    return in("SluiceIngress.lines.SubscriberVlan")
        .exact("ingress_port", entry.ingressPort())
        .exact("s_vid", entry.vlans().sVlan())
        .exact("c_vid", entry.vlans().cVlan())
        .does(
            "SluiceIngress.lines.subscriber",
            instance(data.index()),
            cell(data.index()),
            data.policySlot(),
            data.egressPort(),
            data.queueId(),
            data.shapeDown() ? 1 : 0,
            data.shapeUp() ? 1 : 0);
  }

  private TableEntry tags(EncapsulationEntry entry) {
    P4Entry key =
        in("SluiceIngress.encapsulation.SubscriberEncap")
            .exact("instance", instance(entry.index()))
            .exact("index", cell(entry.index()));
    return entry.vlans().isPair()
        ? key.does(
            "SluiceIngress.encapsulation.push_double", entry.vlans().sVlan(), entry.vlans().cVlan())
        : key.does("SluiceIngress.encapsulation.push_single", entry.vlans().sVlan());
  }

  /** A range of rates as blocks of powers of two, its edges rounded so that there are few. */
  private List<TableEntry> bin(RateBinEntry entry) {
    List<TableEntry> blocks = new ArrayList<>();
    long low = edge(entry.low());
    long end = edge(entry.high() + 1);
    while (low < end) {
      long size = low == 0 ? Long.highestOneBit(end) : Long.lowestOneBit(low);
      while (low + size > end) {
        size >>= 1;
      }
      blocks.add(
          in("SluiceIngress.marker.RateIndex")
              .ternary("rate", low, 0xffff_ffffL & -size)
              .priority(TOP_PRIORITY)
              .does("SluiceIngress.marker.set_bin", entry.bin()));
      low += size;
    }
    return blocks;
  }

  private static long edge(long key) {
    int dropped = Math.max(0, 64 - Long.numberOfLeadingZeros(key) - EDGE_BITS);
    return key + (1L << dropped >> 1) >> dropped << dropped;
  }

  private P4Entry in(String table) {
    return new P4Entry(info, table);
  }

  private static int instance(int index) {
    return index == 0 ? 0 : 1 + LAYOUT.instanceOf(index);
  }

  private static int cell(int index) {
    return index - LAYOUT.firstIndex(LAYOUT.instanceOf(index));
  }

  @Override
  public List<Entity> readCounters(Iterable<Integer> subscriberIndices) {
    List<Entity> wanted = new ArrayList<>();
    for (CounterName counter : counters.values()) {
      CounterEntry.Builder entry = CounterEntry.newBuilder().setCounterId(counter.id());
      if (counter.instance() == 0) {
        wanted.add(Entity.newBuilder().setCounterEntry(entry).build());
        continue;
      }
      for (int index : subscriberIndices) {
        if (instance(index) == counter.instance()) {
          wanted.add(
              Entity.newBuilder()
                  .setCounterEntry(entry.setIndex(Index.newBuilder().setIndex(cell(index))))
                  .build());
        }
      }
    }
    return wanted;
  }

  @Override
  public Reading decode(CounterEntry cell) {
    CounterName counter = counters.get(cell.getCounterId());
    long index = cell.getIndex().getIndex();
    long packets = cell.getData().getPacketCount();
    long bytes = cell.getData().getByteCount();
    if (counter.instance() == 0) {
      for (DropReason reason : DropReason.values()) {
        if (reason.code() == index) {
          return new OfDrops(reason, packets, bytes);
        }
      }
      return new Reading.Other(counter.id(), index);
    }
    int subscriber = LAYOUT.firstIndex(counter.instance() - 1) + (int) index;
    return new OfSubscriber(Point.OUT, subscriber, counter.direction(), packets, bytes);
  }

  /** Only what leaves, and only of subscribers. */
  @Override
  public boolean counts(Reading reading) {
    if (reading instanceof OfSubscriber) {
      OfSubscriber count = (OfSubscriber) reading;
      return count.point() == Point.OUT && count.subscriberIndex() != 0;
    }
    return true;
  }

  @Override
  public int highestIndex() {
    return LAYOUT.capacity();
  }

  /** A tenth of what the clock counts before it wraps. */
  @Override
  public long endlessMicros() {
    return 100_000_000;
  }

  /** Just less than what the program's clock looks ahead. */
  @Override
  public long neverIdleMicros() {
    return 33_000_000;
  }
}
