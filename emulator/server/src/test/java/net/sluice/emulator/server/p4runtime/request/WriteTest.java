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
import static net.sluice.emulator.server.p4runtime.TestInfo.raw;
import static net.sluice.emulator.server.p4runtime.TestInfo.ternary;
import static net.sluice.emulator.server.p4runtime.TestInfo.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.sluice.emulator.server.p4runtime.Controller;
import net.sluice.emulator.server.p4runtime.ServedTest;
import net.sluice.emulator.server.p4runtime.TestInfo;
import net.sluice.emulator.switching.SwitchPacket;
import net.sluice.emulator.v1model.Probe;
import net.sluice.emulator.v1model.TestProgram;
import net.sluice.testing.Patience;
import org.junit.jupiter.api.Test;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.CounterData;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.DirectCounterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Error;
import p4.v1.P4RuntimeOuterClass.FieldMatch;
import p4.v1.P4RuntimeOuterClass.Index;
import p4.v1.P4RuntimeOuterClass.MeterConfig;
import p4.v1.P4RuntimeOuterClass.MeterEntry;
import p4.v1.P4RuntimeOuterClass.TableAction;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.WriteRequest;

/** The Write RPC: what is taken, what is refused and how, and that packets see it. */
class WriteTest extends ServedTest {

  WriteTest() {
    super(TestInfo.CONFIG, 1);
  }

  private long result(Probe probe) {
    byte[] bytes = probe.bytes();
    device.lock().lock();
    try {
      SwitchPacket packet = device.pipeline().acquire();
      packet.setBytes(bytes, 0, bytes.length);
      device.pipeline().ingress(packet, 1, 0);
      device.pipeline().egress(packet, 0);
      return Probe.get(packet.toByteArray(), "result").longValue();
    } finally {
      device.lock().unlock();
    }
  }

  @Test
  void entriesOfEveryKindReachThePackets() {
    ByteString address =
        ByteString.copyFrom(
            new java.math.BigInteger("20010db8000000000000000000000000", 16).toByteArray());
    controller.write(
        insert(
            entry("In.exact_table", exact(1, 7), exact(2, 300))
                .setAction(call("In.answer", 0x1122334455667788L))
                .build()),
        insert(host(0x0a000001, 2)),
        insert(
            entry("In.lpm_wide", lpm(1, address, 32), exact(2, 1))
                .setAction(call("In.answer", 3))
                .build()),
        insert(
            entry("In.ternary_table", ternary(1, 0x10, 0xf0), exact(3, 0))
                .setPriority(4)
                .setAction(call("In.answer", 4))
                .build()),
        insert(
            entry("In.optional_table", optional(2, 9))
                .setPriority(4)
                .setAction(call("In.answer", 5))
                .build()),
        insert(
            entry("In.range_table", range(1, 10, 20))
                .setPriority(4)
                .setAction(call("In.answer", 6))
                .build()),
        insert(
            entry("In.range_mixed", exact(2, 1))
                .setPriority(4)
                .setAction(call("In.answer", 7))
                .build()));
    assertThat(result(Probe.op(1).with("small", 7).with("medium", 300)))
        .isEqualTo(0x1122334455667788L);
    assertThat(result(Probe.op(3).with("word", 0x0a000001))).isEqualTo(2);
    java.math.BigInteger wide = new java.math.BigInteger("20010db8ffffffffffffffffffffffff", 16);
    assertThat(result(Probe.op(4).with("wide", wide).with("small", 1))).isEqualTo(3);
    assertThat(result(Probe.op(5).with("word", 0x1f))).isEqualTo(4);
    assertThat(result(Probe.op(6).with("word", 1234).with("small", 9))).isEqualTo(5);
    assertThat(result(Probe.op(7).with("word", 20))).isEqualTo(6);
    assertThat(result(Probe.op(8).with("word", 99).with("small", 1))).isEqualTo(7);
  }

  @Test
  void modifyReplacesTheActionAndKeepsItIfThereIsNone() {
    controller.write(insert(host(1, 10)));
    controller.write(update(Update.Type.MODIFY, host(1, 20)));
    assertThat(result(Probe.op(3).with("word", 1))).isEqualTo(20);
    controller.write(update(Update.Type.MODIFY, host(1, 0).toBuilder().clearAction().build()));
    assertThat(result(Probe.op(3).with("word", 1))).isEqualTo(20);
  }

  @Test
  void deleteLooksAtTheKeyOnly() {
    controller.write(insert(host(1, 10)));
    TableEntry nonsense =
        host(1, 0).toBuilder()
            .setAction(TableAction.newBuilder().setActionProfileMemberId(7))
            .setIdleTimeoutNs(9)
            .build();
    controller.write(update(Update.Type.DELETE, nonsense));
    assertThat(result(Probe.op(3).with("word", 1).with("result", 55))).isEqualTo(55);
  }

  @Test
  void defaultEntriesAreModifiedAndReset() {
    TableEntry.Builder defaultEntry = entry("In.keyless").setIsDefaultAction(true);
    controller.write(
        update(Update.Type.MODIFY, defaultEntry.setAction(call("In.answer", 77)).build()));
    assertThat(result(Probe.op(14))).isEqualTo(77);
    controller.write(update(Update.Type.MODIFY, defaultEntry.clearAction().build()));
    assertThat(result(Probe.op(14))).isEqualTo(11);
  }

  @Test
  void leadingZerosAreAccepted() {
    controller.write(
        insert(
            entry("In.lpm_table", lpm(1, raw(0, 0, 0x0a, 0, 0, 1), 32))
                .setAction(call("In.answer", 5))
                .build()));
    assertThat(result(Probe.op(3).with("word", 0x0a000001))).isEqualTo(5);
    assertThat(controller.writeError(insert(host(0x0a000001, 6)))).startsWith("ALREADY_EXISTS");
  }

  @Test
  void aBatchGoesOnBehindAnErrorAndSaysWhatBecameOfEveryUpdate() {
    assertThatThrownBy(
            () ->
                controller.write(
                    insert(host(1, 1)),
                    insert(host(1, 2)),
                    insert(
                        entry("In.lpm_table", lpm(1, raw(1, 2, 3, 4, 5), 32))
                            .setAction(call("In.answer", 5))
                            .build()),
                    insert(host(2, 2)),
                    update(Update.Type.DELETE, host(3, 0))))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> {
              assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNKNOWN);
              assertThat(e.getStatus().getDescription()).isEqualTo("3 of 5 failed");
              List<Error> details = Controller.details(e);
              assertThat(details)
                  .extracting(Error::getCanonicalCode)
                  .containsExactly(0, 6, 11, 0, 5);
              assertThat(details.get(0)).isEqualTo(Error.getDefaultInstance());
            });
    assertThat(result(Probe.op(3).with("word", 2))).isEqualTo(2);
    assertThat(result(Probe.op(3).with("word", 1))).isEqualTo(1);
  }

  @Test
  void onlyTheProgramDeclaresConstantEntries() {
    controller.write(insert(host(1, 1)));
    for (Update.Type type :
        new Update.Type[] {Update.Type.INSERT, Update.Type.MODIFY, Update.Type.DELETE}) {
      TableEntry entry = host(type == Update.Type.INSERT ? 2 : 1, 5);
      assertThat(controller.writeError(update(type, entry.toBuilder().setIsConst(true).build())))
          .isEqualTo(
              "INVALID_ARGUMENT is_const is set in an entry of table 'In.lpm_table'; only the"
                  + " program declares constant entries");
    }
    assertThat(result(Probe.op(3).with("word", 1))).isEqualTo(1);
  }

  @Test
  void aFullTableRefusesWithoutLosingAnything() {
    for (int i = 0; i < 64; i++) {
      controller.write(insert(host(i, i)));
    }
    assertThat(controller.writeError(insert(host(64, 1))))
        .isEqualTo("RESOURCE_EXHAUSTED table 'In.lpm_table' is full: it takes 64 entries");
    assertThat(result(Probe.op(3).with("word", 63))).isEqualTo(63);
    controller.write(update(Update.Type.DELETE, host(5, 0)));
    controller.write(insert(host(64, 99)));
    assertThat(result(Probe.op(3).with("word", 64))).isEqualTo(99);
  }

  @Test
  void countersCanBeSet() {
    controller.write(
        insert(
            entry("In.exact_table", exact(1, 7), exact(2, 300))
                .setAction(call("In.answer", 1))
                .build()),
        update(Update.Type.MODIFY, cell(3, 10, 1000)),
        update(
            Update.Type.MODIFY,
            Entity.newBuilder()
                .setDirectCounterEntry(
                    DirectCounterEntry.newBuilder()
                        .setTableEntry(entry("In.exact_table", exact(1, 7), exact(2, 300)))
                        .setData(data(5, 500)))
                .build()));
    byte[] probe = Probe.op(1).with("small", 7).with("medium", 300).bytes();
    result(Probe.op(1).with("small", 7).with("medium", 300));
    TableEntry read =
        controller
            .readEntries(
                entry("In.exact_table").setCounterData(CounterData.getDefaultInstance()).build())
            .get(0);
    assertThat(read.getCounterData()).isEqualTo(data(6, 500 + probe.length));
    assertThat(controller.read(cell(3, 0, 0)).get(0).getCounterEntry().getData())
        .isEqualTo(data(10, 1000));
    controller.write(
        update(
            Update.Type.MODIFY,
            Entity.newBuilder()
                .setCounterEntry(
                    CounterEntry.newBuilder().setCounterId(TestInfo.counter()).setData(data(0, 0)))
                .build()));
    assertThat(controller.read(cell(3, 0, 0)).get(0).getCounterEntry().getData())
        .isEqualTo(data(0, 0));
  }

  private static CounterData data(long packets, long bytes) {
    return CounterData.newBuilder().setPacketCount(packets).setByteCount(bytes).build();
  }

  private static Entity cell(long index, long packets, long bytes) {
    return Entity.newBuilder()
        .setCounterEntry(
            CounterEntry.newBuilder()
                .setCounterId(TestInfo.counter())
                .setIndex(Index.newBuilder().setIndex(index))
                .setData(data(packets, bytes)))
        .build();
  }

  @Test
  void refusalsNameWhatIsWrong() {
    controller.write(insert(host(1, 1)));
    int lpmTable = TestInfo.table("In.lpm_table");
    TableAction answer = call("In.answer", 1);
    List<String> lines = new ArrayList<>();
    for (Update bad :
        List.of(
            Update.getDefaultInstance(),
            update(Update.Type.INSERT, Entity.getDefaultInstance()),
            update(
                Update.Type.INSERT,
                Entity.newBuilder().setMeterEntry(MeterEntry.getDefaultInstance()).build()),
            insert(TableEntry.newBuilder().setTableId(12345).build()),
            insert(host(1, 1)),
            update(Update.Type.MODIFY, host(2, 1)),
            update(Update.Type.DELETE, host(2, 1)),
            insert(host(3, 1).toBuilder().clearAction().build()),
            insert(entry("In.lpm_table", exact(1, 5)).setAction(answer).build()),
            insert(entry("In.lpm_table", lpm(9, bytes(5), 32)).setAction(answer).build()),
            insert(
                entry("In.lpm_table", lpm(1, bytes(5), 32), lpm(1, bytes(5), 32))
                    .setAction(answer)
                    .build()),
            insert(entry("In.lpm_table", lpm(1, bytes(5), 0)).setAction(answer).build()),
            insert(entry("In.lpm_table", lpm(1, bytes(5), 33)).setAction(answer).build()),
            insert(entry("In.lpm_table", lpm(1, bytes(5), 31)).setAction(answer).build()),
            insert(entry("In.lpm_table", lpm(1, ByteString.EMPTY, 31)).setAction(answer).build()),
            insert(entry("In.lpm_table", lpm(1, raw(1, 0, 0, 0, 0), 32)).setAction(answer).build()),
            insert(host(4, 1).toBuilder().setPriority(1).build()),
            insert(host(4, 1).toBuilder().setIdleTimeoutNs(5).build()),
            insert(host(4, 1).toBuilder().setCounterData(data(1, 1)).build()),
            insert(host(4, 1).toBuilder().setMeterConfig(MeterConfig.getDefaultInstance()).build()),
            insert(entry("In.exact_table", exact(1, 5)).setAction(answer).build()),
            insert(entry("In.exact_table", exact(1, 256), exact(2, 1)).setAction(answer).build()),
            insert(entry("In.ternary_table", exact(3, 0)).setAction(answer).build()),
            insert(
                entry("In.ternary_table", ternary(1, 0x1f, 0xf0), exact(3, 0))
                    .setPriority(1)
                    .setAction(answer)
                    .build()),
            insert(
                entry("In.ternary_table", ternary(1, 0, 0), exact(3, 0))
                    .setPriority(1)
                    .setAction(answer)
                    .build()),
            insert(
                entry("In.range_table", range(1, 9, 8)).setPriority(1).setAction(answer).build()),
            insert(
                entry("In.range_table", range(1, 0, 0xffffffffL))
                    .setPriority(1)
                    .setAction(answer)
                    .build()),
            insert(
                entry("In.range_table", range(1, 1, 2)).setPriority(-1).setAction(answer).build()),
            insert(
                entry("In.optional_table", ternary(1, 1, 1))
                    .setPriority(1)
                    .setAction(answer)
                    .build()),
            insert(
                host(4, 1).toBuilder()
                    .setAction(TableAction.newBuilder().setActionProfileMemberId(1))
                    .build()),
            insert(
                host(4, 1).toBuilder()
                    .setAction(
                        TableAction.newBuilder().setAction(Action.newBuilder().setActionId(3)))
                    .build()),
            insert(host(4, 1).toBuilder().setAction(call("In.answer")).build()),
            insert(host(4, 1).toBuilder().setAction(call("In.answer", 1, 2)).build()),
            insert(host(4, 1).toBuilder().setAction(twice()).build()),
            insert(host(4, 1).toBuilder().setAction(param(raw(1, 0, 0, 0, 0, 0, 0, 0, 0))).build()),
            insert(host(4, 1).toBuilder().setAction(param(ByteString.EMPTY)).build()),
            insert(
                entry("In.exact_table", exact(1, 1), exact(2, 1))
                    .setAction(call("NoAction"))
                    .build()),
            insert(
                entry("In.constant_table", ternary(1, 1, 1))
                    .setPriority(9)
                    .setAction(answer)
                    .build()),
            update(
                Update.Type.DELETE,
                entry("In.constant_table", ternary(1, 0x10, 0xf0)).setPriority(3).build()),
            update(
                Update.Type.MODIFY,
                entry("In.constant_table", ternary(1, 0x10, 0xf0))
                    .setPriority(3)
                    .setAction(answer)
                    .build()),
            insert(entry("In.keyless").setAction(answer).build()),
            update(
                Update.Type.INSERT,
                entry("In.keyless").setIsDefaultAction(true).setAction(answer).build()),
            update(Update.Type.DELETE, entry("In.keyless").setIsDefaultAction(true).build()),
            update(Update.Type.MODIFY, host(1, 1).toBuilder().setIsDefaultAction(true).build()),
            update(
                Update.Type.MODIFY,
                entry("In.exact_table").setIsDefaultAction(true).setAction(answer).build()),
            update(Update.Type.INSERT, cell(0, 1, 1)),
            update(Update.Type.MODIFY, cell(-1, 1, 1)),
            update(Update.Type.MODIFY, cell(128, 1, 1)),
            update(
                Update.Type.MODIFY,
                Entity.newBuilder()
                    .setCounterEntry(CounterEntry.newBuilder().setCounterId(1))
                    .build()),
            update(
                Update.Type.MODIFY,
                direct(entry("In.exact_table", exact(1, 1), exact(2, 2)).build())),
            update(
                Update.Type.DELETE,
                direct(entry("In.exact_table", exact(1, 1), exact(2, 2)).build())),
            update(Update.Type.MODIFY, direct(host(1, 1))))) {
      lines.add(controller.writeError(bad));
    }
    assertThat(String.join("\n", lines) + "\n")
        .isEqualTo(
            new String(TestProgram.resource("write-errors.golden.txt"), StandardCharsets.UTF_8));
    assertThat(controller.readEntries(TableEntry.newBuilder().setTableId(lpmTable).build()))
        .hasSize(1);
  }

  private static TableAction twice() {
    Action.Param param = Action.Param.newBuilder().setParamId(1).setValue(bytes(1)).build();
    return TableAction.newBuilder()
        .setAction(
            Action.newBuilder()
                .setActionId(TestInfo.action("In.answer"))
                .addParams(param)
                .addParams(param))
        .build();
  }

  private static TableAction param(ByteString value) {
    return TableAction.newBuilder()
        .setAction(
            Action.newBuilder()
                .setActionId(TestInfo.action("In.answer"))
                .addParams(Action.Param.newBuilder().setParamId(1).setValue(value)))
        .build();
  }

  private static Entity direct(TableEntry entry) {
    return Entity.newBuilder()
        .setDirectCounterEntry(
            DirectCounterEntry.newBuilder().setTableEntry(entry).setData(data(1, 1)))
        .build();
  }

  @Test
  void requestsThatAreWrongAsAWholeChangeNothing() {
    Update good = insert(host(1, 1));
    assertStatus(controller.writeRequest(good).setDeviceId(6).build(), Status.Code.NOT_FOUND);
    assertStatus(controller.writeRequest(good).setRoleId(6).build(), Status.Code.NOT_FOUND);
    assertStatus(
        controller.writeRequest(good).setElectionId(Controller.id(2)).build(),
        Status.Code.PERMISSION_DENIED);
    assertStatus(
        controller.writeRequest(good).setAtomicityValue(7).build(), Status.Code.INVALID_ARGUMENT);
    assertThat(controller.readEntries(TableEntry.getDefaultInstance()))
        .allMatch(e -> e.getTableId() != TestInfo.table("In.lpm_table"));
  }

  private void assertStatus(WriteRequest request, Status.Code code) {
    assertThatThrownBy(() -> controller.stub.write(request))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class, e -> assertThat(e.getStatus().getCode()).isEqualTo(code));
  }

  @Test
  void aControllerThatDisconnectsMidBatchLeavesWholeEntriesAndAnotherTakesOver() throws Exception {
    Update[] batch = new Update[64];
    for (int i = 0; i < batch.length; i++) {
      batch[i] = insert(host(i, i + 100));
    }
    // The switch's lock is held, as by a simulation: the batch waits on the server while its
    // controller goes away.
    device.lock().lock();
    try (Controller next = new Controller(server.port())) {
      p4.v1.P4RuntimeGrpc.newFutureStub(controller.channel)
          .write(controller.writeRequest(batch).build());
      Patience.await("the batch waits", () -> device.lock().hasQueuedThreads());
      controller.close();
      device.lock().unlock();
      next.claim(2);
      assertThat(next.news()).isEqualTo("OK 2");
      List<TableEntry> entries = next.readEntries(entry("In.lpm_table").build());
      assertThat(entries).hasSize(64).contains(host(63, 163));
      next.write(update(Update.Type.DELETE, host(0, 0)));
      assertThat(next.readEntries(entry("In.lpm_table").build())).hasSize(63);
    }
  }

  @Test
  void writesAndPacketsInterleave() {
    FieldMatch key = lpm(1, bytes(7), 32);
    controller.write(insert(entry("In.lpm_table", key).setAction(call("In.answer", 0)).build()));
    for (int i = 1; i < 50; i++) {
      controller.write(
          update(
              Update.Type.MODIFY,
              entry("In.lpm_table", key).setAction(call("In.answer", i)).build()));
      assertThat(result(Probe.op(3).with("word", 7))).isEqualTo(i);
    }
  }
}
