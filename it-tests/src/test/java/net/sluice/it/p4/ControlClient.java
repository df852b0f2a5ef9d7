package net.sluice.it.p4;

import static java.util.concurrent.TimeUnit.SECONDS;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.pipeconf.SwitchPipeline;
import net.sluice.testing.Patience;
import p4.config.v1.P4InfoOuterClass.Register;
import p4.v1.P4DataOuterClass.P4Data;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.Index;
import p4.v1.P4RuntimeOuterClass.ReadRequest;
import p4.v1.P4RuntimeOuterClass.ReadResponse;
import p4.v1.P4RuntimeOuterClass.RegisterEntry;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigRequest;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigRequest.Action;
import p4.v1.P4RuntimeOuterClass.StreamMessageRequest;
import p4.v1.P4RuntimeOuterClass.StreamMessageResponse;
import p4.v1.P4RuntimeOuterClass.Uint128;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.WriteRequest;

/**
 * The least P4Runtime client (specification 1.3) a test needs: becomes primary, loads the program,
 * writes entries and remembers them, reads. Every call waits for its answer, at most {@value
 * #TIMEOUT_SECONDS} seconds; a refusal is a {@link io.grpc.StatusRuntimeException}.
 */
final class ControlClient implements AutoCloseable {
  static final long TIMEOUT_SECONDS = Patience.SECONDS;

  private static final int BATCH = 500;
  private static final Uint128 ELECTION_ID = Uint128.newBuilder().setLow(1).build();

  private final ManagedChannel channel;
  private final long deviceId;
  private final ProgramUnderTest program;
  private final P4RuntimeGrpc.P4RuntimeBlockingStub stub;
  private final MessageStream stream;
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
    this.channel = channel;
    this.deviceId = deviceId;
    this.program = program;
    this.stub = P4RuntimeGrpc.newBlockingStub(channel).withWaitForReady();
    this.stream = new MessageStream(channel, deviceId);
    stream.becomePrimary(ELECTION_ID, TIMEOUT_SECONDS);
    limited()
        .setForwardingPipelineConfig(
            SetForwardingPipelineConfigRequest.newBuilder()
                .setDeviceId(deviceId)
                .setElectionId(ELECTION_ID)
                .setAction(Action.VERIFY_AND_COMMIT)
                .setConfig(config)
                .build());
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

  /** Sends a message on the stream. */
  void send(StreamMessageRequest message) {
    stream.send(message);
  }

  /** Returns when the switch has taken what was sent on the stream so far. */
  void settle() {
    // Messages of a stream are taken in order; a claim is answered.
    stream.claim(ELECTION_ID);
    if (!next().hasArbitration()) {
      throw new IllegalStateException("another message came before the answer to a claim");
    }
  }

  /** The next message on the stream. */
  StreamMessageResponse next() {
    StreamMessageResponse message = stream.next(TIMEOUT_SECONDS);
    if (message == null) {
      throw new IllegalStateException("no message in " + TIMEOUT_SECONDS + " s");
    }
    return message;
  }

  /** Reads entities that match any of those given. */
  List<Entity> read(Iterable<Entity> wanted) {
    Iterator<ReadResponse> parts =
        limited()
            .read(ReadRequest.newBuilder().setDeviceId(deviceId).addAllEntities(wanted).build());
    List<Entity> entities = new ArrayList<>();
    parts.forEachRemaining(part -> entities.addAll(part.getEntitiesList()));
    return entities;
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

  @Override
  public void close() {
    stream.complete();
    // The switch answers with the end of its side; only then is nothing under way any more.
    stream.awaitEnd(TIMEOUT_SECONDS);
    try {
      channel.shutdownNow();
      if (!channel.awaitTermination(TIMEOUT_SECONDS, SECONDS)) {
        throw new IllegalStateException("the channel did not close in " + TIMEOUT_SECONDS + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while closing the channel", e);
    }
  }

  /** Writes updates; what they change stays. */
  void write(List<Update> updates) {
    for (int from = 0; from < updates.size(); from += BATCH) {
      limited()
          .write(
              WriteRequest.newBuilder()
                  .setDeviceId(deviceId)
                  .setElectionId(ELECTION_ID)
                  .addAllUpdates(updates.subList(from, Math.min(updates.size(), from + BATCH)))
                  .build());
    }
  }

  private P4RuntimeGrpc.P4RuntimeBlockingStub limited() {
    return stub.withDeadlineAfter(TIMEOUT_SECONDS, SECONDS);
  }
}
