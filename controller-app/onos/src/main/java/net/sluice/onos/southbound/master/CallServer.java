package net.sluice.onos.southbound.master;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import net.sluice.core.ControllerException;
import net.sluice.core.target.NotReadyException;
import net.sluice.core.target.RpcErrors;
import net.sluice.core.time.Scheduler;
import net.sluice.onos.southbound.call.CallMessage;
import net.sluice.onos.southbound.call.SwitchCalls;
import org.onosproject.net.DeviceId;
import org.onosproject.net.pi.model.PiPipeconfId;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;
import p4.v1.P4RuntimeOuterClass.Update;

/** Answers calls for the switches that this instance is master of; see {@link CallMessage}. */
public final class CallServer implements AutoCloseable {
  private final ClusterCommunicationService cluster;
  private final BiFunction<DeviceId, PiPipeconfId, Readiness> readiness;
  private final EpochLeases leases;
  private final Scheduler scheduler;

  /** The last session of each switch. */
  private final Map<DeviceId, Session> sessions = new HashMap<>();

  private long lastNumber;

  private record Session(long number, SwitchCalls calls) {}

  /**
   * Answers from now on.
   *
   * @param readiness whether this instance can drive a switch with a pipeconf
   * @param firstNumber number of the first session, which no session before a restart had
   * @param scheduler calls are dealt with on it; closed with this
   */
  public CallServer(
      ClusterCommunicationService cluster,
      BiFunction<DeviceId, PiPipeconfId, Readiness> readiness,
      EpochLeases leases,
      long firstNumber,
      Scheduler scheduler) {
    this.cluster = cluster;
    this.readiness = readiness;
    this.leases = leases;
    this.lastNumber = firstNumber - 1;
    this.scheduler = scheduler;
    cluster.<byte[], byte[]>addSubscriber(
        CallMessage.SUBJECT, UnaryOperator.identity(), this::later, UnaryOperator.identity());
  }

  /** The thread that a message comes on has other messages to deliver. */
  private CompletableFuture<byte[]> later(byte[] message) {
    CompletableFuture<byte[]> answer = new CompletableFuture<>();
    scheduler.execute(
        () ->
            answered(message)
                .whenComplete(
                    (done, failure) ->
                        answer.complete(
                            failure == null ? done : CallMessage.failed(RpcErrors.text(failure)))));
    return answer;
  }

  private CompletableFuture<byte[]> answered(byte[] message) {
    try {
      CallMessage call = CallMessage.decode(message);
      return switch (call.kind()) {
        case BEGIN -> {
          long number = begin(call);
          yield CompletableFuture.completedFuture(CallMessage.done(out -> out.writeLong(number)));
        }
        case CHECK -> calls(call).check().thenApply(unused -> CallMessage.done(out -> {}));
        case WRITE -> {
          List<Update> updates = call.updates();
          yield calls(call)
              .write(updates)
              .thenApply(results -> CallMessage.written(updates.size(), results));
        }
        case READ_TABLES -> calls(call).read(call.wanted(), true).thenApply(CallMessage::read);
        case READ_KEYS -> calls(call).read(call.wanted(), false).thenApply(CallMessage::read);
      };
    } catch (NotReadyException | RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private synchronized long begin(CallMessage begin) throws NotReadyException {
    CallMessage.Begun asked = begin.begun();
    SwitchCalls calls =
        new MasterCalls(
            readiness.apply(asked.device(), asked.pipeconf()), leases, begin.number(), scheduler);
    Session before = sessions.put(asked.device(), new Session(++lastNumber, calls));
    if (before != null) {
      // It writes nothing any more, also what it would have tried again.
      before.calls().close();
    }
    return lastNumber;
  }

  private synchronized SwitchCalls calls(CallMessage call) {
    return sessions.values().stream()
        .filter(session -> session.number() == call.number())
        .map(Session::calls)
        .findFirst()
        .orElseThrow(() -> new ControllerException("the session has ended"));
  }

  private synchronized void endSessions() {
    sessions.values().forEach(session -> session.calls().close());
    sessions.clear();
  }

  @Override
  public void close() {
    cluster.removeSubscriber(CallMessage.SUBJECT);
    scheduler.close();
    endSessions();
  }
}
