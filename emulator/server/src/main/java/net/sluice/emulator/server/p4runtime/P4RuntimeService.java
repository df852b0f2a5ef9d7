package net.sluice.emulator.server.p4runtime;

import com.google.rpc.Code;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import net.sluice.emulator.server.p4runtime.program.Binding;
import net.sluice.emulator.server.p4runtime.request.PipelineConfigs;
import net.sluice.emulator.server.p4runtime.request.Reader;
import net.sluice.emulator.server.p4runtime.request.RoleConfig;
import net.sluice.emulator.server.p4runtime.request.RoleKey;
import net.sluice.emulator.server.p4runtime.request.Writer;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.server.p4runtime.status.RpcStatus;
import net.sluice.emulator.server.p4runtime.stream.Arbitration;
import net.sluice.emulator.server.p4runtime.stream.ControllerStream;
import net.sluice.emulator.server.p4runtime.stream.DigestNotifier;
import net.sluice.emulator.server.p4runtime.stream.IdleNotifier;
import net.sluice.emulator.server.p4runtime.stream.Notifier;
import net.sluice.emulator.server.p4runtime.stream.PacketIo;
import net.sluice.emulator.server.p4runtime.stream.StreamRequests;
import net.sluice.emulator.server.p4runtime.variant.ServerVariant;
import net.sluice.emulator.v1model.V1modelSwitch;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeOuterClass.CapabilitiesRequest;
import p4.v1.P4RuntimeOuterClass.CapabilitiesResponse;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.GetForwardingPipelineConfigRequest;
import p4.v1.P4RuntimeOuterClass.GetForwardingPipelineConfigResponse;
import p4.v1.P4RuntimeOuterClass.ReadRequest;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigRequest;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigResponse;
import p4.v1.P4RuntimeOuterClass.StreamMessageRequest;
import p4.v1.P4RuntimeOuterClass.StreamMessageRequest.UpdateCase;
import p4.v1.P4RuntimeOuterClass.StreamMessageResponse;
import p4.v1.P4RuntimeOuterClass.Uint128;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.WriteRequest;
import p4.v1.P4RuntimeOuterClass.WriteResponse;

/**
 * The P4Runtime service of one switch. Writes, configs and arbitration go one at a time; reads go
 * together, and never beside a write, so that a read sees every write request completely or not at
 * all, reads of counters alone excepted.
 */
final class P4RuntimeService extends P4RuntimeGrpc.P4RuntimeImplBase {

  /** The version of P4Runtime that this service speaks. */
  private static final String API_VERSION = "1.5.0";

  private final V1modelSwitch device;
  private final ServerVariant kind;
  private final Executor readers;
  private final ReentrantReadWriteLock state = new ReentrantReadWriteLock(true);
  private final Arbitration arbitration;
  private final PipelineConfigs configs;
  private final Notifier notifier;
  private final StreamRequests requests;
  private final IdleNotifier idle;
  private volatile boolean stopping;
  private Binding writerBinding;
  private Writer writer;

  P4RuntimeService(V1modelSwitch device, ServerVariant kind, Executor readers) {
    this.device = device;
    this.kind = kind;
    this.readers = readers;
    this.arbitration = new Arbitration(device.deviceId(), kind);
    this.configs = new PipelineConfigs(device, kind);
    this.notifier = new Notifier(arbitration);
    this.requests = new StreamRequests(configs);
    this.idle = new IdleNotifier(device, notifier);
    device.addTimer(idle);
    configs.onCommit(idle::follow);
    DigestNotifier digests = new DigestNotifier(device, notifier);
    device.addTimer(digests);
    configs.onCommit(digests::follow);
    requests.on(UpdateCase.DIGEST_ACK, digests);
    PacketIo packets = new PacketIo(device, notifier);
    device.onPacketIn(packets::deliver);
    configs.onCommit(packets::follow);
    requests.on(UpdateCase.PACKET, packets);
  }

  /** Puts a config in force without a controller. */
  void install(ForwardingPipelineConfig config) throws RpcException {
    Binding binding = configs.verify(config);
    state.writeLock().lock();
    try {
      configs.commit(binding);
    } finally {
      state.writeLock().unlock();
    }
  }

  /** Applies updates without a controller; answers as {@link Writer#apply(List)} does. */
  RpcException[] write(List<Update> updates) throws RpcException {
    state.writeLock().lock();
    try {
      return writer(configs.current()).apply(updates);
    } finally {
      state.writeLock().unlock();
    }
  }

  /** Ends all news to controllers; the server is about to stop. */
  void stop() {
    stopping = true;
    device.removeTimer(idle);
  }

  // ---- streams ----

  @Override
  public StreamObserver<StreamMessageRequest> streamChannel(
      StreamObserver<StreamMessageResponse> responses) {
    return new ControllerStream(
        (ServerCallStreamObserver<StreamMessageResponse>) responses,
        state,
        arbitration,
        requests,
        () -> stopping);
  }

  // ---- configs ----

  @Override
  public void setForwardingPipelineConfig(
      SetForwardingPipelineConfigRequest request,
      StreamObserver<SetForwardingPipelineConfigResponse> responses) {
    try {
      Binding verified = null;
      state.readLock().lock();
      try {
        checkPrimary(request);
        checkAction(request);
      } finally {
        state.readLock().unlock();
      }
      if (request.getAction() != SetForwardingPipelineConfigRequest.Action.COMMIT) {
        // Compiling takes long and changes nothing: it needs no lock.
        verified =
            configs.verify(
                request.getConfig(), ((ServerCallStreamObserver<?>) responses)::isCancelled);
      }
      state.writeLock().lock();
      try {
        checkPrimary(request);
        apply(request.getAction(), verified);
      } finally {
        state.writeLock().unlock();
      }
      responses.onNext(SetForwardingPipelineConfigResponse.getDefaultInstance());
      responses.onCompleted();
    } catch (RpcException e) {
      responses.onError(RpcStatus.of(e));
    }
  }

  private void checkAction(SetForwardingPipelineConfigRequest request) throws RpcException {
    kind.check(request.getAction());
    switch (request.getAction()) {
      case VERIFY, VERIFY_AND_SAVE, VERIFY_AND_COMMIT, RECONCILE_AND_COMMIT -> {
        if (!request.hasConfig()) {
          throw RpcException.invalid("config is missing; " + request.getAction() + " needs one");
        }
        return;
      }
      case COMMIT -> {
        if (request.hasConfig()) {
          throw RpcException.invalid("config is set; COMMIT takes the saved one");
        }
        return;
      }
      default ->
          throw RpcException.invalid(
              "action is " + request.getAction() + "; it must be one of the specification's");
    }
  }

  private void apply(SetForwardingPipelineConfigRequest.Action action, Binding verified)
      throws RpcException {
    switch (action) {
      case VERIFY_AND_SAVE:
        configs.save(verified);
        return;
      case VERIFY_AND_COMMIT:
        configs.commit(verified);
        return;
      case RECONCILE_AND_COMMIT:
        configs.reconcile(verified);
        return;
      case COMMIT:
        configs.commitSaved();
        return;
      default:
        // VERIFY has nothing to apply.
    }
  }

  @Override
  public void getForwardingPipelineConfig(
      GetForwardingPipelineConfigRequest request,
      StreamObserver<GetForwardingPipelineConfigResponse> responses) {
    state.readLock().lock();
    try {
      checkDevice(request.getDeviceId());
      responses.onNext(configs.get(request.getResponseType()));
      responses.onCompleted();
    } catch (RpcException e) {
      responses.onError(RpcStatus.of(e));
    } finally {
      state.readLock().unlock();
    }
  }

  // ---- entities ----

  @Override
  public void write(WriteRequest request, StreamObserver<WriteResponse> responses) {
    RpcException[] errors;
    state.writeLock().lock();
    try {
      checkPrimary(request);
      Binding binding = configs.current();
      kind.check(request);
      errors =
          writer(binding)
              .as(arbitration.config(roleOf(request)))
              .apply(request.getUpdatesList(), request.getAtomicity());
    } catch (RpcException e) {
      responses.onError(RpcStatus.of(e));
      return;
    } finally {
      state.writeLock().unlock();
    }
    if (errors == null) {
      responses.onNext(WriteResponse.getDefaultInstance());
      responses.onCompleted();
    } else {
      responses.onError(RpcStatus.ofBatch(errors));
    }
  }

  private Writer writer(Binding binding) {
    if (writerBinding != binding) {
      writerBinding = binding;
      writer = new Writer(binding, device.lock(), device::clock);
    }
    return writer;
  }

  /** The service as it is served. */
  ServerServiceDefinition definition() {
    return ReadMethod.in(bindService(), this::startRead);
  }

  private void startRead(ReadRequest request, ServerCallStreamObserver<Object> responses) {
    // Not on the call's own thread: waiting there for the client would keep the news that it is
    // ready from arriving.
    PacedSink sink = new PacedSink(responses);
    readers.execute(() -> read(request, sink));
  }

  private void read(ReadRequest request, PacedSink sink) {
    state.readLock().lock();
    try {
      checkDevice(request.getDeviceId());
      RoleKey role = RoleKey.of(0, request.getRole());
      checkRole(role);
      List<Entity> entities = request.getEntitiesList();
      Binding binding = configs.current();
      if (entities.stream().allMatch(Entity::hasCounterEntry)) {
        sink.pause(new BetweenCounters(binding));
      }
      RpcException[] errors =
          new Reader(binding, device.lock(), device::clock, sink)
              .as(arbitration.config(role))
              .read(entities);
      if (errors == null) {
        sink.complete();
      } else {
        sink.fail(RpcStatus.ofBatch(errors));
      }
    } catch (RpcException e) {
      sink.fail(RpcStatus.of(e));
    } catch (RuntimeException e) {
      // Outside of the call's own thread nobody else would end the call.
      sink.fail(RpcStatus.of(Code.INTERNAL, e.toString()));
      throw e;
    } finally {
      state.readLock().unlock();
    }
  }

  /**
   * Lets writes in between two messages of a read of counters: packets change these at any time, so
   * that a read of all of them is of no one moment anyway, and takes seconds.
   */
  private final class BetweenCounters implements PacedSink.Pause {
    private final Binding binding;

    BetweenCounters(Binding binding) {
      this.binding = binding;
    }

    @Override
    public void begin() {
      state.readLock().unlock();
    }

    @Override
    public void end() throws RpcException {
      state.readLock().lock();
      if (configs.current() != binding) {
        throw new RpcException(Code.ABORTED, "another program was loaded meanwhile");
      }
    }
  }

  @Override
  public void capabilities(
      CapabilitiesRequest request, StreamObserver<CapabilitiesResponse> responses) {
    try {
      // 0 asks for what all devices of the server have in common (section 17).
      if (request.getDeviceId() != 0) {
        checkDevice(request.getDeviceId());
      }
      responses.onNext(
          CapabilitiesResponse.newBuilder().setP4RuntimeApiVersion(API_VERSION).build());
      responses.onCompleted();
    } catch (RpcException e) {
      responses.onError(RpcStatus.of(e));
    }
  }

  // ---- checks ----

  private void checkDevice(long deviceId) throws RpcException {
    if (deviceId != device.deviceId()) {
      throw new RpcException(
          Code.NOT_FOUND,
          "device_id is "
              + Long.toUnsignedString(deviceId)
              + "; this is device "
              + Long.toUnsignedString(device.deviceId()));
    }
  }

  private void checkRole(RoleKey role) throws RpcException {
    if (!arbitration.hasRole(role)) {
      throw new RpcException(
          Code.NOT_FOUND, "the device does not know " + role + ": no controller has claimed it");
    }
  }

  /** Checks what every request that changes something has, in the specification's order. */
  private void checkPrimary(long deviceId, RoleKey role, boolean hasElectionId, Uint128 electionId)
      throws RpcException {
    checkDevice(deviceId);
    checkRole(role);
    if (!hasElectionId) {
      throw new RpcException(
          Code.PERMISSION_DENIED, "election_id is missing; only a primary may change the switch");
    }
    if (!arbitration.isPrimary(role, electionId)) {
      throw new RpcException(
          Code.PERMISSION_DENIED, "the controller with this election_id is not primary in " + role);
    }
  }

  private static RoleKey roleOf(WriteRequest request) {
    return RoleKey.of(request.getRoleId(), request.getRole());
  }

  private void checkPrimary(WriteRequest request) throws RpcException {
    checkPrimary(
        request.getDeviceId(), roleOf(request), request.hasElectionId(), request.getElectionId());
  }

  private void checkPrimary(SetForwardingPipelineConfigRequest request) throws RpcException {
    RoleKey role = RoleKey.of(request.getRoleId(), request.getRole());
    checkPrimary(request.getDeviceId(), role, request.hasElectionId(), request.getElectionId());
    RoleConfig config = arbitration.config(role);
    if (config != null && !config.pushesPipelines()) {
      throw new RpcException(
          Code.PERMISSION_DENIED,
          role + " may not set a pipeline: can_push_pipeline is not set in its role.config");
    }
  }
}
