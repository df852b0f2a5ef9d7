package net.sluice.onos.southbound;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import net.sluice.core.ControllerException;
import net.sluice.core.target.RpcErrors;
import org.onosproject.cluster.NodeId;
import org.onosproject.net.DeviceId;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;

/** A session with a switch that another instance is master of, by messages of the cluster. */
final class RemoteSwitchClient implements SwitchClient {
  private final ClusterCommunicationService cluster;
  private final NodeId master;
  private final DeviceId device;
  private final long epoch;

  /** Number that the master gave it; asked for with the first check. */
  private volatile CompletableFuture<Long> session;

  /**
   * A session that begins with the first check.
   *
   * @param epoch number of the takeover that it is of
   */
  RemoteSwitchClient(
      ClusterCommunicationService cluster, NodeId master, DeviceId device, long epoch) {
    this.cluster = cluster;
    this.master = master;
    this.device = device;
    this.epoch = epoch;
  }

  private <T> CompletableFuture<T> ask(SwitchCall call, Function<byte[], T> answer) {
    return cluster
        .<byte[], byte[]>sendAndReceive(
            call.encode(),
            SwitchCall.SUBJECT,
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

  @Override
  public CompletableFuture<Void> check() {
    if (session == null) {
      session = ask(new SwitchCall.Begin(device, epoch), SwitchCall.Answers::begun);
    }
    return inSession(SwitchCall.Check::new, SwitchCall.Answers::checked);
  }

  @Override
  public CompletableFuture<List<PiAnswer>> write(List<PiUpdate> updates) {
    return inSession(number -> new SwitchCall.Write(number, updates), SwitchCall.Answers::written);
  }

  @Override
  public CompletableFuture<PiReading> read(PiReadRequest question) {
    return inSession(number -> new SwitchCall.Read(number, question), SwitchCall.Answers::read);
  }

  private <T> CompletableFuture<T> inSession(
      Function<Long, SwitchCall> call, Function<byte[], T> answer) {
    return session.thenCompose(number -> ask(call.apply(number), answer));
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
