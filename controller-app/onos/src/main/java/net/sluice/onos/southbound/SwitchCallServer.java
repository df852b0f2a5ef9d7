package net.sluice.onos.southbound;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import net.sluice.core.ControllerException;
import net.sluice.core.target.NotReadyException;
import net.sluice.core.target.RpcErrors;
import net.sluice.core.time.Scheduler;
import net.sluice.onos.southbound.SwitchCall.Answers;
import org.onosproject.net.DeviceId;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;

/** Answers calls for the switches that this instance is master of; see {@link SwitchCall}. */
final class SwitchCallServer implements AutoCloseable {
  private final ClusterCommunicationService cluster;
  private final Function<DeviceId, SwitchAccess> accesses;
  private final EpochLeases turns;
  private final Scheduler scheduler;

  /** The last session of each switch. */
  private final Map<DeviceId, Session> sessions = new HashMap<>();

  private long lastNumber;

  private record Session(long number, SwitchClient client) {}

  /**
   * Answers from now on.
   *
   * @param accesses this instance's own way to a switch
   * @param firstNumber number of the first session, which no session before a restart had
   * @param scheduler calls are dealt with on it; closed with this
   */
  SwitchCallServer(
      ClusterCommunicationService cluster,
      Function<DeviceId, SwitchAccess> accesses,
      EpochLeases turns,
      long firstNumber,
      Scheduler scheduler) {
    this.cluster = cluster;
    this.accesses = accesses;
    this.turns = turns;
    this.lastNumber = firstNumber - 1;
    this.scheduler = scheduler;
    cluster.<byte[], byte[]>addSubscriber(
        SwitchCall.SUBJECT, UnaryOperator.identity(), this::later, UnaryOperator.identity());
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
                            failure == null ? done : Answers.failed(RpcErrors.text(failure)))));
    return answer;
  }

  private CompletableFuture<byte[]> answered(byte[] message) {
    try {
      SwitchCall call = SwitchCall.decode(message);
      if (call instanceof SwitchCall.Begin begin) {
        return CompletableFuture.completedFuture(Answers.begun(begin(begin)));
      } else if (call instanceof SwitchCall.Check check) {
        return client(check.session()).check().thenApply(unused -> Answers.checked());
      } else if (call instanceof SwitchCall.Write write) {
        return client(write.session()).write(write.updates()).thenApply(Answers::written);
      } else if (call instanceof SwitchCall.Read read) {
        return client(read.session()).read(read.question()).thenApply(Answers::read);
      }
      throw new IllegalStateException("not a call: " + call);
    } catch (NotReadyException | RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private synchronized long begin(SwitchCall.Begin begin) throws NotReadyException {
    SwitchClient client =
        new LocalSwitchClient(accesses.apply(begin.device()), turns, begin.epoch(), scheduler);
    Session before = sessions.put(begin.device(), new Session(++lastNumber, client));
    if (before != null) {
      // It writes nothing any more, also what it would have tried again.
      before.client().close();
    }
    return lastNumber;
  }

  private synchronized SwitchClient client(long number) {
    return sessions.values().stream()
        .filter(session -> session.number() == number)
        .map(Session::client)
        .findFirst()
        .orElseThrow(() -> new ControllerException("the session has ended"));
  }

  private synchronized void endSessions() {
    sessions.values().forEach(session -> session.client().close());
    sessions.clear();
  }

  @Override
  public void close() {
    cluster.removeSubscriber(SwitchCall.SUBJECT);
    scheduler.close();
    endSessions();
  }
}
