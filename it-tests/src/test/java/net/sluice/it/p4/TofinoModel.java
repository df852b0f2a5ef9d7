package net.sluice.it.p4;

import com.google.protobuf.ByteString;
import com.google.protobuf.TextFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;
import net.sluice.intents.marker.csaqm.tables.RateBins;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.entry.queue.QueueAqmEntry;
import net.sluice.intents.plan.entry.subscriber.SubscriberPrefixEntry;
import net.sluice.intents.plan.entry.wire.WireEntry;
import net.sluice.intents.profile.MarkerLayout;
import net.sluice.intents.profile.SwitchProfile;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.CompiledProgram;
import net.sluice.pipeconf.CounterCodec.Point;
import net.sluice.pipeconf.CounterCodec.Reading;
import net.sluice.pipeconf.CounterCodec.Reading.OfSubscriber;
import p4.config.v1.P4InfoOuterClass.Counter;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.config.v1.P4InfoOuterClass.Preamble;
import p4.config.v1.P4InfoOuterClass.Table;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.Index;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Update;

/**
 * The program for Tofino in its frame of v1model, {@code p4/tna/model}, with two marker instances,
 * or that for wires. Its entries are those that the controller writes to a chip; no controller
 * writes ends of wires yet.
 */
final class TofinoModel implements ProgramUnderTest {
  /** Where a mirrored report must go: the recirculation port. */
  static final int RECIRCULATION_PORT = 68;

  /** Unit of the rate that a filter gives, bit/s: 8 bits in a time constant of 94,503 us. */
  static final double RATE_UNIT_BPS = 8 / 0.094502912;

  private static final CompiledProgram DRIVEN = CompiledProgram.TNA;
  private static final MarkerLayout LAYOUT = DRIVEN.profile().markers();

  /** Subscribers of an instance. */
  static final int INSTANCE_SUBSCRIBERS = LAYOUT.subscribersPerInstance();

  private static final int INSTANCES = 2;
  private static final Path COMPILED = Path.of("..", "p4", "p4c-out", "tna");

  private final boolean isWire;
  private final P4Info info;
  private final ByteString deviceConfig;

  /** The model's numbers of tables and counters by the chip's: p4c has counted the pipe's name. */
  private final Map<Integer, Integer> numbers = new HashMap<>();

  private TofinoModel(String model, boolean isWire) {
    this.isWire = isWire;
    info = p4Info(model);
    try {
      deviceConfig =
          ByteString.copyFrom(Files.readAllBytes(COMPILED.resolve(model).resolve("sluice.json")));
    } catch (IOException e) {
      throw new UncheckedIOException("the model of a Tofino is not compiled", e);
    }
    Map<String, Integer> byName = new HashMap<>();
    named(info).forEach(each -> byName.put(each.getName(), each.getId()));
    named(p4Info("tofino"))
        .filter(each -> byName.containsKey(each.getName()))
        .forEach(each -> numbers.put(each.getId(), byName.get(each.getName())));
  }

  /** The P4Info of a build, without the externs that only its maker knows. */
  static P4Info p4Info(String build) {
    try {
      P4Info.Builder builder = P4Info.newBuilder();
      String text = Files.readString(COMPILED.resolve(build).resolve("sluice.p4info.txtpb"));
      TextFormat.Parser.newBuilder()
          .setAllowUnknownFields(true)
          .build()
          .merge(text.replaceAll("(?s)\nexterns \\{.*", "\n"), builder);
      return builder.build();
    } catch (IOException e) {
      throw new UncheckedIOException("build " + build + " for Tofino is not compiled", e);
    }
  }

  private static Stream<Preamble> named(P4Info info) {
    return Stream.concat(
        info.getTablesList().stream().map(Table::getPreamble),
        info.getCountersList().stream().map(Counter::getPreamble));
  }

  static TofinoModel load() {
    return new TofinoModel("model", false);
  }

  /** The program for wires. */
  static TofinoModel loadWire() {
    return new TofinoModel("model/wire", true);
  }

  P4Info p4Info() {
    return info;
  }

  /** Rate bins of what the model's filters read, up to a rate. */
  static RateBins bins(double maxRateBps) {
    SwitchProfile profile = DRIVEN.profile();
    return new RateBins(maxRateBps, RATE_UNIT_BPS, profile.rateKeyBits(), profile.rateEdgeBits());
  }

  /** Packets that a cell of a counter of a switch that runs the program has counted. */
  static long counted(ControlClient control, String name, int cell) {
    int id =
        named(((TofinoModel) control.program()).info)
            .filter(each -> each.getName().equals(name))
            .findAny()
            .orElseThrow(() -> new IllegalStateException("P4Info has no counter " + name))
            .getId();
    Entity wanted =
        Entity.newBuilder()
            .setCounterEntry(
                CounterEntry.newBuilder()
                    .setCounterId(id)
                    .setIndex(Index.newBuilder().setIndex(cell)))
            .build();
    return control.read(List.of(wanted)).get(0).getCounterEntry().getData().getPacketCount();
  }

  @Override
  public boolean stopsTraffic() {
    return false;
  }

  @Override
  public boolean tagsPriorities() {
    return false;
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
    if (entry instanceof QueueAqmEntry queue) {
      return List.of(updateOf(op, queue));
    }
    if (entry instanceof WireEntry wire) {
      return List.of(updateOf(op, wire));
    }
    Update.Builder update = DRIVEN.entries().update(op, placed(entry)).toBuilder();
    if (update.getEntity().hasTableEntry()) {
      TableEntry.Builder of = update.getEntityBuilder().getTableEntryBuilder();
      of.setTableId(numbers.get(of.getTableId()));
    }
    return List.of(update.build());
  }

  private Update updateOf(Op op, WireEntry wire) {
    String control = "SluiceIngress.wire_end.";
    TableEntry entry =
        new P4Entry(info, control + "Wire")
            .exact("ingress_port", wire.port())
            .does(
                control + (wire.direction() == Direction.DOWN ? "wire_down" : "wire_up"),
                wire.partner());
    return Update.newBuilder()
        .setType(Update.Type.valueOf(op.name()))
        .setEntity(Entity.newBuilder().setTableEntry(entry))
        .build();
  }

  /** The build that a controller drives manages no queue. */
  private Update updateOf(Op op, QueueAqmEntry queue) {
    double weight = Math.pow((1 << 22) / (double) queue.intervalMicros(), 2);
    TableEntry entry =
        new P4Entry(info, "SluiceEgress.queue_settings.QueueAqm")
            .exact("egress_port", queue.port())
            .exact("queue", queue.queue())
            .does(
                "SluiceEgress.queue_settings.manage",
                queue.kind().ordinal() + 1,
                queue.targetMicros(),
                queue.intervalMicros(),
                Math.round(weight),
                queue.ecn() ? 1 : 0);
    return Update.newBuilder()
        .setType(Update.Type.valueOf(op.name()))
        .setEntity(Entity.newBuilder().setTableEntry(entry))
        .build();
  }

  /** Prefixes are in the tables of their subscriber's instance, lines in one table. */
  private static SwitchEntry placed(SwitchEntry entry) {
    return entry instanceof SubscriberPrefixEntry of
        ? new SubscriberPrefixEntry(
            of.prefix(), OptionalInt.of(LAYOUT.instanceOf(of.data().index())), of.data())
        : entry;
  }

  @Override
  public List<Entity> readCounters(Iterable<Integer> subscriberIndices) {
    List<Entity> wanted = new ArrayList<>();
    wanted.add(DRIVEN.counters().readDrops());
    for (int index : subscriberIndices) {
      if (index != 0) {
        wanted.addAll(DRIVEN.counters().read(index));
      }
    }
    return wanted.stream().map(this::renumbered).toList();
  }

  private Entity renumbered(Entity counter) {
    Entity.Builder entity = counter.toBuilder();
    CounterEntry.Builder of = entity.getCounterEntryBuilder();
    of.setCounterId(numbers.get(of.getCounterId()));
    return entity.build();
  }

  @Override
  public Reading decode(CounterEntry cell) {
    int driven =
        numbers.entrySet().stream()
            .filter(number -> number.getValue() == cell.getCounterId())
            .map(Map.Entry::getKey)
            .findAny()
            .orElse(0);
    return DRIVEN.counters().decode(cell.toBuilder().setCounterId(driven).build());
  }

  /** Only what leaves, and only of subscribers. */
  @Override
  public boolean counts(Reading reading) {
    return !(reading instanceof OfSubscriber count)
        || count.point() == Point.OUT
            && count.subscriberIndex() != 0
            && (!isWire || count.subscriberIndex() != WirePassageContract.NOBODY);
  }

  @Override
  public int highestIndex() {
    return INSTANCES * INSTANCE_SUBSCRIBERS;
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
