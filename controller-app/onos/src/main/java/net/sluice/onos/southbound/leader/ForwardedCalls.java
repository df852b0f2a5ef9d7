package net.sluice.onos.southbound.leader;

import java.io.DataInputStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import net.sluice.core.ControllerException;
import net.sluice.core.target.RpcErrors;
import net.sluice.core.target.WriteResults;
import net.sluice.onos.southbound.call.CallMessage;
import net.sluice.onos.southbound.call.SwitchCalls;
import org.onosproject.cluster.NodeId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.pi.model.PiPipeconfId;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Update;

/** A session with a switch that another instance is master of, by messages of the cluster. */
public final class ForwardedCalls implements SwitchCalls {
  private final ClusterCommunicationService cluster;
  private final NodeId master;
  private final DeviceId device;
  private final CallMessage begin;

  /** Number that the master gave it; asked for with the first check. */
  private volatile CompletableFuture<Long> session;

  /**
   * A session that begins with the first check.
   *
   * @param pipeconf what the switch has to run
   * @param epoch number of the takeover that it is of
   */
  public ForwardedCalls(
      ClusterCommunicationService cluster,
      NodeId master,
      DeviceId device,
      PiPipeconfId pipeconf,
      long epoch) {
    this.cluster = cluster;
    this.master = master;
    this.device = device;
    this.begin = CallMessage.begin(device, pipeconf, epoch);
  }

  private <T> CompletableFuture<T> ask(CallMessage call, Function<byte[], T> answer) {
    return cluster
        .<byte[], byte[]>sendAndReceive(
            call.encode(),
            CallMessage.SUBJECT,
            UnaryOperator.identity(),
            UnaryOperator.identity(),
            master,
            OnosSession.ANSWER_DEADLINE)
        .handle(
            (message, failure) -> {
              if (failure != null) {
                throw new CompletionException(
                    new ControllerException(
                        "instance "
                            + master
                            + ", which is master of "
                            + device
                            + ", does not answer: "
                            + RpcErrors.text(failure),
                        failure));
              }
              return answer.apply(message);
            });
  }

  private <T> CompletableFuture<T> inSession(
      Function<Long, CallMessage> call, Function<byte[], T> answer) {
    return session.thenCompose(number -> ask(call.apply(number), answer));
  }

  @Override
  public CompletableFuture<Void> check() {
    if (session == null) {
      session = ask(begin, answer -> CallMessage.answer(answer, DataInputStream::readLong));
    }
    return inSession(CallMessage::check, answer -> CallMessage.answer(answer, in -> null));
  }

  @Override
  public CompletableFuture<WriteResults> write(List<Update> updates) {
    return inSession(number -> CallMessage.write(number, updates), CallMessage::written);
  }

  @Override
  public CompletableFuture<Reading> read(List<Entity> wanted, boolean isTables) {
    return inSession(number -> CallMessage.read(number, wanted, isTables), CallMessage::read);
  }

  @Override
  public void listen(Consumer<String> lost) {
    // The master tells nothing unasked; the next check finds it out.
  }

  @Override
  public void close() {
    // The master forgets the session with the next one.
  }
}
