package net.sluice.emulator.p4runtime;

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
import java.util.concurrent.locks.ReentrantLock;
import net.sluice.emulator.bmv2.LoadedProgram;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.WriteRequest.Atomicity;

/**
 * Random writes, right and wrong, against a {@link WriteModel}: what the model takes the switch
 * takes, what it refuses the switch refuses for one of the model's reasons and in words, and
 * afterwards both hold the same. {@code -Dsluice.fuzz.batches} says how many batches (1,500),
 * {@code -Dsluice.fuzz.seed} which ones.
 */
class WriteFuzzTest {

  private static final int BATCHES = Integer.getInteger("sluice.fuzz.batches", 1_500);
  private static final long SEED = Long.getLong("sluice.fuzz.seed", 1);
  private static final int BATCHES_PER_COMPARISON = 50;

  private Binding binding;
  private Writer writer;
  private final ReentrantLock lock = new ReentrantLock();

  private static ForwardingPipelineConfig config(String program) throws IOException {
    if (!program.equals("sluice")) {
      return P4Text.config(program);
    }
    Path folder = Path.of("..", "p4", "p4c-out", "v1model");
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

  @ParameterizedTest
  @ValueSource(strings = {"entities", "meters", "valuesets", "commands", "sluice"})
  void theSwitchDoesWhatTheSpecificationSays(String program) throws Exception {
    ForwardingPipelineConfig config = config(program);
    P4Info info = config.getP4Info();
    binding = Binding.of(config, LoadedProgram.load(config.getP4DeviceConfig().toByteArray(), 1));
    writer = new Writer(binding, lock);
    List<TableEntry> defaults = new ArrayList<>();
    for (var table : info.getTablesList()) {
      defaults.addAll(tableEntries(defaultOf(table.getPreamble().getId())));
    }
    WriteModel model = new WriteModel(info, tableEntries(everyEntry()), defaults);
    WriteGenerator generator = new WriteGenerator(info, model, new Random(SEED));
    Random random = new Random(~SEED);
    Map<Code, Integer> met = new EnumMap<>(Code.class);
    for (int batch = 0; batch < BATCHES; batch++) {
      List<Update> updates = new ArrayList<>();
      for (int i = random.nextInt(8); i >= 0; i--) {
        updates.add(generator.next());
      }
      Atomicity atomicity = Atomicity.forNumber(Math.max(0, random.nextInt(5) - 2));
      RpcException[] errors = writer.apply(updates, atomicity);
      if (atomicity == Atomicity.CONTINUE_ON_ERROR) {
        for (int i = 0; i < updates.size(); i++) {
          compare(updates.get(i), model.apply(updates.get(i)), errors == null ? null : errors[i]);
          count(met, errors == null ? null : errors[i]);
        }
      } else {
        model = whole(model, updates, errors);
        generator = new WriteGenerator(info, model, new Random(random.nextLong()));
      }
      if (batch % BATCHES_PER_COMPARISON == 0 || batch == BATCHES - 1) {
        compareState(model, info);
      }
    }
    // The run is worth something only if it meets with success and with refusals of many kinds.
    assertThat(met.keySet()).contains(Code.OK, Code.INVALID_ARGUMENT, Code.OUT_OF_RANGE);
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
    List<Entity> found = new ArrayList<>();
    try {
      Reader reader = new Reader(binding, lock, r -> found.addAll(r.getEntitiesList()));
      RpcException[] errors = reader.read(List.of(filter));
      if (errors != null) {
        throw new IllegalStateException(errors[0].getMessage());
      }
    } catch (RpcException e) {
      throw new IllegalStateException(e);
    }
    return found;
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

  private void compareState(WriteModel model, P4Info info) {
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
