package net.sluice.emulator.server.p4runtime.request;

import static net.sluice.emulator.server.p4runtime.TestInfo.bytes;
import static net.sluice.emulator.server.p4runtime.TestInfo.call;
import static net.sluice.emulator.server.p4runtime.TestInfo.entry;
import static net.sluice.emulator.server.p4runtime.TestInfo.exact;
import static net.sluice.emulator.server.p4runtime.TestInfo.host;
import static net.sluice.emulator.server.p4runtime.TestInfo.insert;
import static net.sluice.emulator.server.p4runtime.TestInfo.lpm;
import static net.sluice.emulator.server.p4runtime.TestInfo.optional;
import static net.sluice.emulator.server.p4runtime.TestInfo.range;
import static net.sluice.emulator.server.p4runtime.TestInfo.ternary;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import net.sluice.emulator.server.p4runtime.Controller;
import net.sluice.emulator.server.p4runtime.ServedTest;
import net.sluice.emulator.server.p4runtime.TestInfo;
import org.junit.jupiter.api.Test;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.DirectCounterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Error;
import p4.v1.P4RuntimeOuterClass.ExternEntry;
import p4.v1.P4RuntimeOuterClass.FieldMatch;
import p4.v1.P4RuntimeOuterClass.Index;
import p4.v1.P4RuntimeOuterClass.ReadRequest;
import p4.v1.P4RuntimeOuterClass.ReadResponse;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/**
 * The Read RPC: what was written comes back as it was written, alone or by the wildcards of the
 * specification.
 */
class ReadTest extends ServedTest {
  ReadTest() {
    super(TestInfo.CONFIG, 1);
  }

  @Test
  void entriesComeBackAsTheyWereWritten() {
    List<TableEntry> written =
        List.of(
            entry("In.exact_table", exact(1, 7), exact(2, 300))
                .setAction(call("In.answer", -1L >>> 1))
                .setControllerMetadata(-5)
                .build(),
            entry("In.exact_table", exact(1, 0), exact(2, 0))
                .setAction(call("In.answer_wide", 0, 0x7f))
                .setMetadata(bytes(99))
                .build(),
            entry("In.exact_wide", exact(1, 0x1234567890L), exact(2, 1))
                .setAction(call("In.answer", 0))
                .build(),
            entry("In.lpm_table", lpm(1, bytes(0x0a000000), 8)).setAction(call("NoAction")).build(),
            entry("In.lpm_table").setAction(call("In.drop")).build(),
            entry("In.lpm_wide", lpm(1, bytes(0x4000000000000000L), 128), exact(2, 200))
                .setAction(call("In.answer", 9))
                .build(),
            entry("In.ternary_table", ternary(1, 0x10, 0xf0), exact(3, 1))
                .setPriority(7)
                .setAction(call("In.answer", 1))
                .build(),
            entry("In.ternary_table", ternary(2, 0, 1), exact(3, 0))
                .setPriority(Integer.MAX_VALUE)
                .setAction(call("In.answer", 1))
                .build(),
            entry("In.optional_table", optional(2, 0))
                .setPriority(7)
                .setAction(call("In.answer", 1))
                .build(),
            entry("In.range_table", range(1, 0, 5))
                .setPriority(7)
                .setAction(call("In.answer", 1))
                .build(),
            entry("In.range_mixed", range(1, 9, 9), exact(2, 3), ternary(3, 1, 1))
                .setPriority(2)
                .setAction(call("In.answer", 1))
                .build());
    for (TableEntry entry : written) {
      controller.write(insert(entry));
    }
    List<TableEntry> all = new ArrayList<>();
    for (String table :
        List.of(
            "In.exact_table",
            "In.exact_wide",
            "In.lpm_table",
            "In.lpm_wide",
            "In.ternary_table",
            "In.optional_table",
            "In.range_table",
            "In.range_mixed")) {
      all.addAll(controller.readEntries(entry(table).build()));
    }
    assertThat(all).containsExactlyInAnyOrderElementsOf(written);
    List<TableEntry> wildcard = controller.readEntries(TableEntry.getDefaultInstance());
    // Besides: three entries in each of the two constant tables.
    assertThat(wildcard).containsAll(written).hasSize(written.size() + 6);
    for (TableEntry entry : written) {
      if (entry.getMatchCount() > 0) {
        assertThat(controller.readEntries(entry.toBuilder().clearAction().build()))
            .containsExactly(entry);
      }
    }
  }

  @Test
  void filtersSelect() {
    controller.write(
        insert(host(1, 1).toBuilder().setControllerMetadata(8).build()),
        insert(host(2, 1).toBuilder().setMetadata(bytes(9)).build()),
        insert(host(3, 1).toBuilder().setAction(call("In.drop")).build()),
        insert(
            entry("In.range_table", range(1, 1, 1))
                .setPriority(5)
                .setAction(call("In.answer", 1))
                .build()),
        insert(
            entry("In.range_table", range(1, 2, 2))
                .setPriority(6)
                .setAction(call("In.answer", 1))
                .build()));
    assertThat(controller.readEntries(entry("In.lpm_table").setControllerMetadata(8).build()))
        .hasSize(1);
    assertThat(controller.readEntries(entry("In.lpm_table").setMetadata(bytes(9)).build()))
        .hasSize(1);
    assertThat(controller.readEntries(entry("In.lpm_table").setAction(call("In.answer")).build()))
        .hasSize(2);
    assertThat(controller.readEntries(entry("In.range_table").setPriority(6).build())).hasSize(1);
    assertThat(controller.readEntries(entry("In.lpm_table", lpm(1, bytes(77), 32)).build()))
        .isEmpty();
  }

  @Test
  void constantEntriesHaveTheirPriorities() {
    List<TableEntry> entries = controller.readEntries(entry("In.constant_table").build());
    assertThat(entries)
        .containsExactlyInAnyOrder(
            constant(3, 1, ternary(1, 0x10, 0xf0)),
            constant(2, 2, ternary(1, 0x12, 0xffffffffL)),
            constant(1, 3));
  }

  /** An entry with {@code is_const}. */
  private static TableEntry constant(int priority, long answer, FieldMatch... matches) {
    return entry("In.constant_table", matches)
        .setPriority(priority)
        .setAction(call("In.answer", answer))
        .setIsConst(true)
        .build();
  }

  @Test
  void defaultEntriesAreReadOnRequest() {
    assertThat(controller.readEntries(entry("In.keyless").setIsDefaultAction(true).build()))
        .containsExactly(
            entry("In.keyless").setIsDefaultAction(true).setAction(call("In.answer", 11)).build());
    assertThat(controller.readEntries(TableEntry.newBuilder().setIsDefaultAction(true).build()))
        .hasSize(TestInfo.INFO.getTablesCount());
  }

  @Test
  void countersAreReadOneByOneAndAllTogether() {
    assertThat(controller.read(counter(0, null))).hasSize(128);
    assertThat(controller.read(counter(TestInfo.counter(), null))).hasSize(128);
    assertThat(controller.read(counter(TestInfo.counter(), 127L)))
        .containsExactly(
            counter(TestInfo.counter(), 127L).toBuilder()
                .setCounterEntry(
                    counter(TestInfo.counter(), 127L).getCounterEntry().toBuilder()
                        .setData(p4.v1.P4RuntimeOuterClass.CounterData.getDefaultInstance()))
                .build());
  }

  private static Entity counter(int id, Long index) {
    CounterEntry.Builder entry = CounterEntry.newBuilder().setCounterId(id);
    if (index != null) {
      entry.setIndex(Index.newBuilder().setIndex(index));
    }
    return Entity.newBuilder().setCounterEntry(entry).build();
  }

  @Test
  void directCountersAreReadOneByOneAndAllTogether() {
    TableEntry a =
        entry("In.exact_table", exact(1, 1), exact(2, 1)).setAction(call("In.answer", 1)).build();
    TableEntry b =
        entry("In.exact_table", exact(1, 2), exact(2, 1)).setAction(call("In.answer", 1)).build();
    controller.write(insert(a), insert(b));
    assertThat(controller.read(direct(TableEntry.getDefaultInstance()))).hasSize(2);
    assertThat(controller.read(direct(entry("In.exact_table").build()))).hasSize(2);
    assertThat(controller.read(direct(b)).get(0).getDirectCounterEntry().getTableEntry())
        .isEqualTo(b);
  }

  private static Entity direct(TableEntry entry) {
    return Entity.newBuilder()
        .setDirectCounterEntry(DirectCounterEntry.newBuilder().setTableEntry(entry))
        .build();
  }

  @Test
  void goodElementsAreAnsweredBesideBadOnes() {
    controller.write(insert(host(1, 1)));
    Entity good = Entity.newBuilder().setTableEntry(entry("In.lpm_table")).build();
    ReadRequest request =
        ReadRequest.newBuilder()
            .setDeviceId(Controller.DEVICE)
            .addEntities(good)
            .addEntities(Entity.getDefaultInstance())
            .addEntities(
                Entity.newBuilder().setExternEntry(ExternEntry.newBuilder().setExternTypeId(130)))
            .addEntities(direct(entry("In.exact_table", exact(1, 9), exact(2, 9)).build()))
            .addEntities(counter(TestInfo.counter(), 128L))
            .addEntities(Entity.newBuilder().setTableEntry(TableEntry.newBuilder().setPriority(4)))
            .build();
    List<Entity> read = new ArrayList<>();
    Iterator<ReadResponse> responses = controller.stub.read(request);
    assertThatThrownBy(() -> responses.forEachRemaining(r -> read.addAll(r.getEntitiesList())))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> {
              assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNKNOWN);
              assertThat(Controller.details(e).stream().map(Controller::text))
                  .containsExactly(
                      "OK",
                      "INVALID_ARGUMENT the request has no entity",
                      "UNIMPLEMENTED there is no extern of type 130 (extern_id 0): v1model has no"
                          + " externs with entries of their own",
                      "NOT_FOUND table 'In.exact_table' has no such entry",
                      "OUT_OF_RANGE index 128 of counter 'In.packets_by_op' must be from 0 to 127",
                      "INVALID_ARGUMENT table_id is 0, which means every table; no match, action or"
                          + " priority can go with it");
              assertThat(Controller.details(e).get(0)).isEqualTo(Error.getDefaultInstance());
            });
    assertThat(read).containsExactly(Entity.newBuilder().setTableEntry(host(1, 1)).build());
  }

  @Test
  void anUnknownDeviceIsNotFound() {
    assertThatThrownBy(
            () -> controller.stub.read(ReadRequest.newBuilder().setDeviceId(6).build()).hasNext())
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND));
  }

  @Test
  void longAnswersComeInPieces() {
    ReadRequest request = ReadRequest.newBuilder().setDeviceId(Controller.DEVICE).build();
    ReadRequest.Builder many = request.toBuilder();
    for (int i = 0; i < 20; i++) {
      many.addEntities(counter(TestInfo.counter(), null));
    }
    List<Integer> sizes = new ArrayList<>();
    controller.stub.read(many.build()).forEachRemaining(r -> sizes.add(r.getEntitiesCount()));
    assertThat(sizes.stream().mapToInt(i -> i).sum()).isEqualTo(20 * 128);
    assertThat(sizes).hasSizeGreaterThan(3).allMatch(n -> n <= 1024);
  }

  @Test
  void aReaderThatGoesAwayDoesNotHoldUpWriters() {
    try (Controller slow = new Controller(server.port())) {
      ReadRequest.Builder many = ReadRequest.newBuilder().setDeviceId(Controller.DEVICE);
      for (int i = 0; i < 2000; i++) {
        many.addEntities(counter(0, null));
      }
      Iterator<ReadResponse> responses = slow.stub.read(many.build());
      assertThat(responses.next().getEntitiesCount()).isPositive();
    }
    controller.write(insert(host(1, 1)));
    assertThat(controller.readEntries(entry("In.lpm_table").build())).hasSize(1);
  }
}
