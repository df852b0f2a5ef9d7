package net.sluice.it.p4;

import static java.util.concurrent.TimeUnit.SECONDS;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.sluice.emulator.server.p4runtime.P4RuntimeClient;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.testing.Patience;
import p4.config.v1.P4InfoOuterClass.Register;
import p4.v1.P4DataOuterClass.P4Data;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.Index;
import p4.v1.P4RuntimeOuterClass.RegisterEntry;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigRequest.Action;
import p4.v1.P4RuntimeOuterClass.Update;

/** The primary controller of a switch with one program; remembers the entries that it wrote. */
final class ControlClient extends P4RuntimeClient {
  private static final int BATCH = 500;
  private static final long ELECTION_ID = 1;

  private final ProgramUnderTest program;
  private final Map<SwitchEntry.Key, SwitchEntry> installed = new LinkedHashMap<>();

  /** Becomes primary of the device as soon as the server answers, and loads the program. */
  ControlClient(ManagedChannel channel, long deviceId, SwitchPipeline program) {
    this(channel, deviceId, ProgramUnderTest.of(program));
  }

  /** The same with a program that the product may not have. */
  ControlClient(ManagedChannel channel, long deviceId, ProgramUnderTest program) {
    this(channel, deviceId, program, program.config());
  }

  /** The same with any program; entries are written as updates. */
  ControlClient(ManagedChannel channel, long deviceId, ForwardingPipelineConfig config) {
    this(channel, deviceId, null, config);
  }

  private ControlClient(
      ManagedChannel channel,
      long deviceId,
      ProgramUnderTest program,
      ForwardingPipelineConfig config) {
    super(channel, deviceId);
    this.program = program;
    requirePrimary(ELECTION_ID);
    setPipeline(Action.VERIFY_AND_COMMIT, config);
  }

  ProgramUnderTest program() {
    return program;
  }

  /** Inserts entries; the last of them is in force when this returns. */
  void insert(Iterable<? extends SwitchEntry> entries) {
    List<Update> updates = new ArrayList<>();
    for (SwitchEntry entry : entries) {
      updates.addAll(program.updates(Op.INSERT, entry));
      installed.put(entry.key(), entry);
    }
    write(updates);
  }

  /** Gives an entry that {@link #insert} put there other data. */
  void modify(SwitchEntry entry) {
    write(program.updates(Op.MODIFY, entry));
    installed.put(entry.key(), entry);
  }

  /** Deletes all entries that are there through this client. */
  void deleteAll() {
    List<Update> updates = new ArrayList<>();
    for (SwitchEntry entry : installed.values()) {
      updates.addAll(program.updates(Op.DELETE, entry));
    }
    write(updates);
    installed.clear();
  }

  /** Returns when the switch has taken what was sent on the stream so far. */
  void settle() {
    // Messages of a stream are taken in order; a claim is answered.
    requirePrimary(ELECTION_ID);
  }

  /** What a cell of a register holds. */
  long register(String name, int cell) {
    ByteString bits =
        read(List.of(registerCell(name, cell).build()))
            .get(0)
            .getRegisterEntry()
            .getData()
            .getBitstring();
    return new BigInteger(1, bits.toByteArray()).longValueExact();
  }

  /** Gives a cell of a register a value of at most 63 bits. */
  void setRegister(String name, int cell, long value) {
    Entity.Builder entity = registerCell(name, cell);
    entity
        .getRegisterEntryBuilder()
        .setData(
            P4Data.newBuilder()
                .setBitstring(ByteString.copyFrom(BigInteger.valueOf(value).toByteArray())));
    write(List.of(Update.newBuilder().setType(Update.Type.MODIFY).setEntity(entity).build()));
  }

  private Entity.Builder registerCell(String name, int cell) {
    int id =
        program.config().getP4Info().getRegistersList().stream()
            .map(Register::getPreamble)
            .filter(preamble -> preamble.getName().equals(name))
            .findAny()
            .orElseThrow(() -> new IllegalStateException("P4Info has no register " + name))
            .getId();
    return Entity.newBuilder()
        .setRegisterEntry(
            RegisterEntry.newBuilder()
                .setRegisterId(id)
                .setIndex(Index.newBuilder().setIndex(cell)));
  }

  /** Writes updates; what they change stays. */
  @Override
  public void write(List<Update> updates) {
    for (int from = 0; from < updates.size(); from += BATCH) {
      super.write(updates.subList(from, Math.min(updates.size(), from + BATCH)));
    }
  }

  @Override
  public void close() {
    complete();
    super.close();
    try {
      if (!channel.awaitTermination(Patience.SECONDS, SECONDS)) {
        throw new IllegalStateException("the channel did not close in " + Patience.SECONDS + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while closing the channel", e);
    }
  }
}
