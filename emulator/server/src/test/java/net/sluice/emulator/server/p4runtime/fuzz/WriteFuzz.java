package net.sluice.emulator.server.p4runtime.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.google.protobuf.ByteString;
import com.google.protobuf.TextFormat;
import com.google.rpc.Code;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.sluice.emulator.server.p4runtime.P4Text;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.WriteRequest.Atomicity;

/**
 * Random writes, right and wrong, to a switch and to a {@link WriteModel} of it: what the model
 * takes the switch takes, what it refuses the switch refuses for one of the model's reasons and in
 * words, and afterwards both hold the same.
 */
public final class WriteFuzz {

  /** A switch, however it is reached. */
  public interface Target {

    /** The errors by update, or null if there are none. */
    RpcException[] write(List<Update> updates, Atomicity atomicity) throws RpcException;

    List<Entity> read(Entity filter);
  }

  private final Target target;
  private final P4Info info;
  private final Random random;
  private final Map<Code, Integer> met = new EnumMap<>(Code.class);
  private WriteModel model;
  private WriteGenerator generator;

  /** A run from what there is now, which must be what the program declares. */
  public WriteFuzz(P4Info info, long seed, Target target) {
    this.info = info;
    this.target = target;
    random = new Random(~seed);
    List<TableEntry> defaults = new ArrayList<>();
    for (var table : info.getTablesList()) {
      defaults.addAll(tableEntries(defaultOf(table.getPreamble().getId())));
    }
    model = new WriteModel(info, tableEntries(everyEntry()), defaults);
    generator = new WriteGenerator(info, model, new Random(seed));
  }

  /** A compiled program among the tests', or the controller's own. */
  public static ForwardingPipelineConfig config(String program) throws IOException {
    if (!program.equals("sluice")) {
      return P4Text.config(program);
    }
    Path folder = Path.of("..", "..", "p4", "p4c-out", "v1model");
    P4Info.Builder info = P4Info.newBuilder();
    TextFormat.Parser.newBuilder()
        .setAllowUnknownFields(true)
        .build()
        .merge(
            Files.readString(folder.resolve("sluice.p4info.txtpb"), StandardCharsets.UTF_8), info);
    return ForwardingPipelineConfig.newBuilder()
        .setP4Info(info)
        .setP4DeviceConfig(ByteString.copyFrom(Files.readAllBytes(folder.resolve("sluice.json"))))
        .build();
  }

  /** The next updates, which nobody has written yet. */
  public List<Update> updates(int most) {
    List<Update> updates = new ArrayList<>();
    for (int i = random.nextInt(most); i >= 0; i--) {
      updates.add(generator.next());
    }
    return updates;
  }

  /** Writes batches. */
  public WriteFuzz run(int batches, int batchesPerComparison) throws RpcException {
    for (int batch = 0; batch < batches; batch++) {
      write(updates(8), Atomicity.forNumber(Math.max(0, random.nextInt(5) - 2)));
      if (batch % batchesPerComparison == 0 || batch == batches - 1) {
        compareState();
      }
    }
    return this;
  }

  /** Checks that there was success, and refusals of several kinds: else runs prove little. */
  public void assertAllKindsMet() {
    assertThat(met.keySet()).contains(Code.OK, Code.INVALID_ARGUMENT);
    assertThat(met.keySet())
        .contains(info.getTablesCount() > 0 ? Code.OUT_OF_RANGE : Code.NOT_FOUND);
  }

  /** Writes a batch to both, and compares what they say. */
  void write(List<Update> updates, Atomicity atomicity) throws RpcException {
    RpcException[] errors = target.write(updates, atomicity);
    if (atomicity == Atomicity.CONTINUE_ON_ERROR) {
      for (int i = 0; i < updates.size(); i++) {
        compare(updates.get(i), model.apply(updates.get(i)), errors == null ? null : errors[i]);
        count(met, errors == null ? null : errors[i]);
      }
    } else {
      model = whole(model, updates, errors);
      generator = new WriteGenerator(info, model, new Random(random.nextLong()));
    }
  }

  private static void count(Map<Code, Integer> met, RpcException error) {
    met.merge(error == null ? Code.OK : error.code(), 1, Integer::sum);
  }

  /** A batch that is applied as a whole, or leaves everything as it was. */
  private static WriteModel whole(WriteModel model, List<Update> updates, RpcException[] errors) {
    WriteModel after = model.copy();
    for (int i = 0; i < updates.size(); i++) {
      Set<Code> reasons = after.apply(updates.get(i));
      boolean refused = !reasons.isEmpty();
      compare(updates.get(i), reasons, errors == null || !refused ? null : errors[i]);
      if (refused) {
        for (int other = 0; other < updates.size(); other++) {
          if (other != i) {
            assertThat(errors[other].code()).isEqualTo(Code.ABORTED);
            assertThat(errors[other].getMessage()).contains("update " + (i + 1));
          }
        }
        return model;
      }
    }
    assertThat(errors).isNull();
    return after;
  }

  private static void compare(Update update, Set<Code> reasons, RpcException error) {
    if (reasons.isEmpty() ? error != null : error == null || !reasons.contains(error.code())) {
      fail(
          "expected "
              + (reasons.isEmpty() ? EnumSet.of(Code.OK) : reasons)
              + ", got "
              + (error == null ? "OK" : error.code() + ": " + error.getMessage())
              + " for\n"
              + update);
    }
    if (error != null) {
      assertThat(error.getMessage()).as("the reason for %s", update).hasSizeGreaterThan(15);
    }
  }

  // ---- what there is ----

  private List<Entity> read(Entity filter) {
    return target.read(filter);
  }

  private static TableEntry everyEntry() {
    TableEntry.Builder filter = TableEntry.newBuilder();
    filter.getCounterDataBuilder();
    filter.getMeterConfigBuilder();
    return filter.build();
  }

  private static TableEntry defaultOf(int table) {
    return everyEntry().toBuilder().setTableId(table).setIsDefaultAction(true).build();
  }

  private List<TableEntry> tableEntries(TableEntry filter) {
    List<TableEntry> entries = new ArrayList<>();
    read(Entity.newBuilder().setTableEntry(filter).build())
        .forEach(e -> entries.add(e.getTableEntry()));
    return entries;
  }

  /** Reads everything and compares it. */
  public void compareState() {
    same(tableEntries(everyEntry()), model.entries.values());
    for (var table : info.getTablesList()) {
      int id = table.getPreamble().getId();
      same(tableEntries(defaultOf(id)), List.of(model.defaults.get(id)));
    }
    model.counters.forEach(
        (id, cells) ->
            cells.forEach(
                (index, data) -> {
                  Entity.Builder cell = Entity.newBuilder();
                  cell.getCounterEntryBuilder().setCounterId(id).getIndexBuilder().setIndex(index);
                  assertThat(read(cell.build()).get(0).getCounterEntry().getData()).isEqualTo(data);
                }));
    model.meters.forEach(
        (id, cells) -> {
          for (var meter : info.getMetersList()) {
            if (meter.getPreamble().getId() == id) {
              Entity.Builder all = Entity.newBuilder();
              all.getMeterEntryBuilder().setMeterId(id);
              Map<Long, Object> configured = new TreeMap<>();
              for (Entity entity : read(all.build())) {
                if (entity.getMeterEntry().hasConfig()) {
                  configured.put(
                      entity.getMeterEntry().getIndex().getIndex(),
                      entity.getMeterEntry().getConfig());
                }
              }
              assertThat(configured).isEqualTo(cells);
            }
          }
        });
    model.registers.forEach(
        (id, cells) ->
            cells.forEach(
                (index, data) -> {
                  Entity.Builder cell = Entity.newBuilder();
                  cell.getRegisterEntryBuilder()
                      .setRegisterId(id)
                      .getIndexBuilder()
                      .setIndex(index);
                  assertThat(read(cell.build()).get(0).getRegisterEntry().getData())
                      .isEqualTo(data);
                }));
    Entity.Builder sets = Entity.newBuilder();
    sets.getValueSetEntryBuilder();
    List<Entity> expected = new ArrayList<>();
    model
        .valueSets
        .values()
        .forEach(v -> expected.add(Entity.newBuilder().setValueSetEntry(v).build()));
    same(read(sets.build()), expected);
    List<Entity> others = new ArrayList<>();
    Entity.Builder filter = Entity.newBuilder();
    filter.getActionProfileMemberBuilder();
    others.addAll(read(filter.build()));
    filter.getActionProfileGroupBuilder();
    others.addAll(read(filter.build()));
    filter.getPacketReplicationEngineEntryBuilder();
    others.addAll(read(filter.build()));
    filter.getDigestEntryBuilder();
    others.addAll(read(filter.build()));
    same(others, model.others.all());
  }

  private static <T> void same(Collection<T> actual, Collection<T> expected) {
    assertThat(actual).hasSameSizeAs(expected);
    Set<T> missing = new HashSet<>(expected);
    missing.removeAll(actual);
    Set<T> surplus = new HashSet<>(actual);
    surplus.removeAll(expected);
    assertThat(surplus).as("read, with %s missing", missing).isEmpty();
  }
}
