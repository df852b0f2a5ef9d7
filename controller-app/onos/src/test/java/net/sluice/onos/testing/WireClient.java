package net.sluice.onos.testing;

import com.google.common.collect.ImmutableList;
import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import net.sluice.onos.testing.WireCodec.CodecException;
import org.onosproject.net.DeviceId;
import org.onosproject.net.pi.model.PiActionProfileId;
import org.onosproject.net.pi.model.PiCounterId;
import org.onosproject.net.pi.model.PiMeterId;
import org.onosproject.net.pi.model.PiPipeconf;
import org.onosproject.net.pi.model.PiTableId;
import org.onosproject.net.pi.runtime.PiEntity;
import org.onosproject.net.pi.runtime.PiEntityType;
import org.onosproject.net.pi.runtime.PiHandle;
import org.onosproject.net.pi.runtime.PiPacketOperation;
import org.onosproject.p4runtime.api.P4RuntimeClient;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.v1.P4RuntimeOuterClass;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Uint128;
import p4.v1.P4RuntimeOuterClass.Update;

/**
 * Stands for ONOS's own P4Runtime client, which no repository offers: the same interface, the same
 * rules of encoding and the same way to tell of failures, over any {@link SwitchWire}.
 */
public final class WireClient implements P4RuntimeClient {
  private static final Metadata.Key<byte[]> DETAILS =
      Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);

  private final DeviceId deviceId;
  private final WireCodec codec;
  private final SwitchWire wire;
  private final long electionId;

  public volatile boolean sessionOpen = true;
  public volatile boolean master = true;
  public volatile CompletableFuture<Boolean> programSet = CompletableFuture.completedFuture(true);
  public volatile boolean anyProgramSet = true;

  /** What comes of loading a program. */
  public volatile Function<PiPipeconf, CompletableFuture<Boolean>> loads =
      pipeconf -> {
        throw new UnsupportedOperationException("ONOS does that");
      };

  /** A client of one switch, primary with {@code electionId}. */
  public WireClient(DeviceId deviceId, P4Info info, SwitchWire wire, long electionId) {
    this.deviceId = deviceId;
    this.codec = new WireCodec(info);
    this.wire = wire;
    this.electionId = electionId;
  }

  /** What was sent to the switch's lines. */
  public final List<PiPacketOperation> packetsOut = new ArrayList<>();

  // ---------------------------------------------------------------- session and program

  @Override
  public boolean isServerReachable() {
    return sessionOpen;
  }

  @Override
  public CompletableFuture<Boolean> probeService() {
    return CompletableFuture.completedFuture(sessionOpen);
  }

  @Override
  public void shutdown() {
    sessionOpen = false;
  }

  @Override
  public boolean isSessionOpen(long p4DeviceId) {
    return sessionOpen;
  }

  @Override
  public boolean isMaster(long p4DeviceId) {
    return master;
  }

  @Override
  public void closeSession(long p4DeviceId) {
    sessionOpen = false;
  }

  @Override
  public void setMastership(long p4DeviceId, boolean wanted, BigInteger newElectionId) {
    throw new UnsupportedOperationException("ONOS does that");
  }

  @Override
  public void packetOut(long p4DeviceId, PiPacketOperation packet, PiPipeconf pipeconf) {
    packetsOut.add(packet);
  }

  @Override
  public CompletableFuture<Boolean> setPipelineConfig(
      long p4DeviceId, PiPipeconf pipeconf, ByteBuffer deviceData) {
    return loads.apply(pipeconf);
  }

  @Override
  public CompletableFuture<Boolean> isPipelineConfigSet(long p4DeviceId, PiPipeconf pipeconf) {
    return programSet;
  }

  @Override
  public CompletableFuture<Boolean> isAnyPipelineConfigSet(long p4DeviceId) {
    return CompletableFuture.completedFuture(anyProgramSet);
  }

  // ---------------------------------------------------------------- writing

  @Override
  public WriteRequest write(long p4DeviceId, PiPipeconf pipeconf) {
    return new Writing(p4DeviceId);
  }

  private final class Writing implements WriteRequest {
    private final P4RuntimeOuterClass.WriteRequest.Builder message =
        P4RuntimeOuterClass.WriteRequest.newBuilder();
    private final List<Answer> answers = new ArrayList<>();
    private final List<Answer> sent = new ArrayList<>();

    Writing(long p4DeviceId) {
      message.setDeviceId(p4DeviceId).setElectionId(Uint128.newBuilder().setLow(electionId));
    }

    @Override
    public WriteRequest withAtomicity(Atomicity atomicity) {
      if (atomicity != Atomicity.CONTINUE_ON_ERROR) {
        throw new UnsupportedOperationException("Atomicity mode " + atomicity + " not supported");
      }
      return this;
    }

    private WriteRequest add(UpdateType type, PiEntity entity, PiHandle handle) {
      Answer answer = new Answer(type, entity, handle);
      answers.add(answer);
      try {
        message.addUpdates(
            Update.newBuilder()
                .setType(Update.Type.valueOf(type.name()))
                .setEntity(entity == null ? codec.encode(handle) : codec.encode(entity)));
        sent.add(answer);
      } catch (CodecException e) {
        answer.set(EntityUpdateStatus.CODEC_ERROR, e.getMessage(), null);
      }
      return this;
    }

    @Override
    public WriteRequest insert(PiEntity entity) {
      return add(UpdateType.INSERT, entity, entity.handle(deviceId));
    }

    @Override
    public WriteRequest insert(Iterable<? extends PiEntity> entities) {
      entities.forEach(this::insert);
      return this;
    }

    @Override
    public WriteRequest modify(PiEntity entity) {
      return add(UpdateType.MODIFY, entity, entity.handle(deviceId));
    }

    @Override
    public WriteRequest modify(Iterable<? extends PiEntity> entities) {
      entities.forEach(this::modify);
      return this;
    }

    @Override
    public WriteRequest delete(PiHandle handle) {
      return add(UpdateType.DELETE, null, handle);
    }

    @Override
    public WriteRequest delete(Iterable<? extends PiHandle> handles) {
      handles.forEach(this::delete);
      return this;
    }

    @Override
    public WriteRequest entity(PiEntity entity, UpdateType type) {
      return type == UpdateType.DELETE
          ? delete(entity.handle(deviceId))
          : add(type, entity, entity.handle(deviceId));
    }

    @Override
    public WriteRequest entities(Iterable<? extends PiEntity> entities, UpdateType type) {
      entities.forEach(entity -> entity(entity, type));
      return this;
    }

    @Override
    public CompletableFuture<WriteResponse> submit() {
      if (sent.isEmpty()) {
        return CompletableFuture.completedFuture(new Written(answers));
      }
      return wire.write(message.build())
          .thenApply(
              failure -> {
                settle(failure);
                return new Written(answers);
              });
    }

    private void settle(Throwable failure) {
      if (failure == null) {
        sent.forEach(answer -> answer.set(EntityUpdateStatus.OK, null, null));
        return;
      }
      com.google.rpc.Status details = details(failure);
      if (details == null) {
        sent.forEach(
            answer -> answer.set(EntityUpdateStatus.OTHER_ERROR, failure.toString(), failure));
        return;
      }
      if (details.getDetailsCount() != sent.size()) {
        // ONOS leaves them pending.
        return;
      }
      for (int i = 0; i < sent.size(); i++) {
        settle(sent.get(i), details.getDetails(i));
      }
    }

    private void settle(Answer answer, Any detail) {
      P4RuntimeOuterClass.Error error;
      try {
        error = detail.unpack(P4RuntimeOuterClass.Error.class);
      } catch (InvalidProtocolBufferException e) {
        answer.set(EntityUpdateStatus.OTHER_ERROR, "format not recognized", null);
        return;
      }
      Status.Code code = Status.fromCodeValue(error.getCanonicalCode()).getCode();
      if (code == Status.Code.OK) {
        answer.set(EntityUpdateStatus.OK, null, null);
        return;
      }
      EntityUpdateStatus status =
          code == Status.Code.NOT_FOUND
              ? EntityUpdateStatus.NOT_FOUND
              : code == Status.Code.ALREADY_EXISTS
                  ? EntityUpdateStatus.ALREADY_EXIST
                  : EntityUpdateStatus.OTHER_ERROR;
      String front = status == EntityUpdateStatus.OTHER_ERROR ? code.name() + " " : "";
      answer.set(
          status,
          front + error.getMessage() + " (" + error.getSpace() + ":" + error.getCode() + ")",
          null);
    }

    private com.google.rpc.Status details(Throwable failure) {
      if (!(failure instanceof StatusRuntimeException of)
          || of.getStatus().getCode() != Status.Code.UNKNOWN
          || of.getTrailers() == null
          || !of.getTrailers().containsKey(DETAILS)) {
        return null;
      }
      try {
        return com.google.rpc.Status.parseFrom(of.getTrailers().get(DETAILS));
      } catch (InvalidProtocolBufferException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public WriteResponse submitSync() {
      return submit().join();
    }

    @Override
    public Collection<EntityUpdateRequest> pendingUpdates() {
      return ImmutableList.copyOf(sent);
    }
  }

  /** What became of one update. */
  private static final class Answer implements EntityUpdateResponse {
    private final UpdateType type;
    private final PiEntity entity;
    private final PiHandle handle;
    private EntityUpdateStatus status = EntityUpdateStatus.PENDING;
    private String explanation;
    private Throwable throwable;

    Answer(UpdateType type, PiEntity entity, PiHandle handle) {
      this.type = type;
      this.entity = entity;
      this.handle = handle;
    }

    void set(EntityUpdateStatus became, String words, Throwable failure) {
      status = became;
      explanation = words;
      throwable = failure;
    }

    @Override
    public PiHandle handle() {
      return handle;
    }

    @Override
    public PiEntity entity() {
      return entity;
    }

    @Override
    public UpdateType updateType() {
      return type;
    }

    @Override
    public PiEntityType entityType() {
      return handle.entityType();
    }

    @Override
    public boolean isSuccess() {
      return status == EntityUpdateStatus.OK;
    }

    @Override
    public EntityUpdateStatus status() {
      return status;
    }

    @Override
    public String explanation() {
      return explanation;
    }

    @Override
    public Throwable throwable() {
      return throwable;
    }
  }

  private record Written(List<Answer> answers) implements WriteResponse {
    @Override
    public boolean isSuccess() {
      return answers.stream().allMatch(Answer::isSuccess);
    }

    @Override
    public Collection<EntityUpdateResponse> all() {
      return ImmutableList.copyOf(answers);
    }

    @Override
    public Collection<EntityUpdateResponse> success() {
      return status(EntityUpdateStatus.OK);
    }

    @Override
    public Collection<EntityUpdateResponse> failed() {
      return ImmutableList.copyOf(answers.stream().filter(a -> !a.isSuccess()).toList());
    }

    @Override
    public Collection<EntityUpdateResponse> status(EntityUpdateStatus status) {
      return ImmutableList.copyOf(answers.stream().filter(a -> a.status == status).toList());
    }
  }

  // ---------------------------------------------------------------- reading

  @Override
  public ReadRequest read(long p4DeviceId, PiPipeconf pipeconf) {
    return new Reading(p4DeviceId);
  }

  private final class Reading implements ReadRequest {
    private final P4RuntimeOuterClass.ReadRequest.Builder message =
        P4RuntimeOuterClass.ReadRequest.newBuilder();

    Reading(long p4DeviceId) {
      message.setDeviceId(p4DeviceId);
    }

    @Override
    public ReadRequest handle(PiHandle handle) {
      try {
        message.addEntities(codec.encode(handle));
      } catch (CodecException e) {
        throw new AssertionError("ONOS would leave this out: " + e.getMessage());
      }
      return this;
    }

    @Override
    public ReadRequest handles(Iterable<? extends PiHandle> handles) {
      handles.forEach(this::handle);
      return this;
    }

    @Override
    public ReadRequest tableEntries(PiTableId tableId) {
      try {
        message
            .addEntitiesBuilder()
            .setTableEntry(TableEntry.newBuilder().setTableId(codec.tableId(tableId)));
      } catch (CodecException e) {
        throw new AssertionError("ONOS would leave this out: " + e.getMessage());
      }
      return this;
    }

    @Override
    public ReadRequest tableEntries(Iterable<PiTableId> tableIds) {
      tableIds.forEach(this::tableEntries);
      return this;
    }

    @Override
    public CompletableFuture<ReadResponse> submit() {
      return wire.read(message.build())
          .thenApply(
              read -> {
                List<PiEntity> entities = new ArrayList<>();
                for (P4RuntimeOuterClass.Entity entity : read.entities()) {
                  try {
                    entities.add(codec.decode(entity));
                  } catch (CodecException e) {
                    throw new AssertionError("ONOS would leave this out: " + e.getMessage());
                  }
                }
                return new ReadBack(entities, read.failure());
              });
    }

    @Override
    public ReadResponse submitSync() {
      return submit().join();
    }

    private static ReadRequest unused() {
      throw new UnsupportedOperationException("nothing here reads that");
    }

    @Override
    public ReadRequest defaultTableEntry(PiTableId tableId) {
      return unused();
    }

    @Override
    public ReadRequest defaultTableEntry(Iterable<PiTableId> tableIds) {
      return unused();
    }

    @Override
    public ReadRequest allTableEntries() {
      return unused();
    }

    @Override
    public ReadRequest allDefaultTableEntries() {
      return unused();
    }

    @Override
    public ReadRequest actionProfileGroups(PiActionProfileId id) {
      return unused();
    }

    @Override
    public ReadRequest actionProfileGroups(Iterable<PiActionProfileId> ids) {
      return unused();
    }

    @Override
    public ReadRequest actionProfileMembers(PiActionProfileId id) {
      return unused();
    }

    @Override
    public ReadRequest actionProfileMembers(Iterable<PiActionProfileId> ids) {
      return unused();
    }

    @Override
    public ReadRequest counterCells(PiCounterId id) {
      return unused();
    }

    @Override
    public ReadRequest counterCells(Iterable<PiCounterId> ids) {
      return unused();
    }

    @Override
    public ReadRequest directCounterCells(PiTableId id) {
      return unused();
    }

    @Override
    public ReadRequest directCounterCells(Iterable<PiTableId> ids) {
      return unused();
    }

    @Override
    public ReadRequest meterCells(PiMeterId id) {
      return unused();
    }

    @Override
    public ReadRequest meterCells(Iterable<PiMeterId> ids) {
      return unused();
    }

    @Override
    public ReadRequest directMeterCells(PiTableId id) {
      try {
        message
            .addEntitiesBuilder()
            .getDirectMeterEntryBuilder()
            .getTableEntryBuilder()
            .setTableId(codec.tableId(id));
      } catch (CodecException e) {
        throw new AssertionError("ONOS would leave this out: " + e.getMessage());
      }
      return this;
    }

    @Override
    public ReadRequest directMeterCells(Iterable<PiTableId> ids) {
      return unused();
    }
  }

  private record ReadBack(List<PiEntity> entities, Throwable failure) implements ReadResponse {
    @Override
    public boolean isSuccess() {
      return failure == null;
    }

    @Override
    public Collection<PiEntity> all() {
      return entities;
    }

    @Override
    public <E extends PiEntity> Collection<E> all(Class<E> type) {
      return entities.stream().filter(type::isInstance).map(type::cast).toList();
    }

    @Override
    public String explanation() {
      return failure == null ? null : failure.getMessage();
    }

    @Override
    public Throwable throwable() {
      return failure;
    }
  }
}
