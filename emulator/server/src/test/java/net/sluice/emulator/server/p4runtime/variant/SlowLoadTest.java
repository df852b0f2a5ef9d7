package net.sluice.emulator.server.p4runtime.variant;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.rpc.Code;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import net.sluice.emulator.server.p4runtime.TestInfo;
import net.sluice.emulator.server.p4runtime.program.Binding;
import net.sluice.emulator.server.p4runtime.request.PipelineConfigs;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.testing.Patience;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.MasterArbitrationUpdate;
import p4.v1.P4RuntimeOuterClass.SetForwardingPipelineConfigRequest;
import p4.v1.P4RuntimeOuterClass.WriteRequest;

/** Configs whose compiling takes longer than their clients wait. */
class SlowLoadTest {
  private static final ForwardingPipelineConfig CONFIG = TestInfo.CONFIG;

  /** Compiles when it is let to, and counts. */
  private static final class SlowServer extends ServerVariant {
    private final AtomicInteger begun = new AtomicInteger();
    private final CountDownLatch mayEnd = new CountDownLatch(1);

    @Override
    public Binding bind(ForwardingPipelineConfig config, V1modelSwitch device) throws RpcException {
      begun.incrementAndGet();
      try {
        assertThat(mayEnd.await(Patience.SECONDS, SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      return ServerVariant.specified().bind(config, device);
    }

    @Override
    public void check(MasterArbitrationUpdate claim, int streams) {}

    @Override
    public void check(WriteRequest request) {}

    @Override
    public void check(SetForwardingPipelineConfigRequest.Action action) {}

    @Override
    public boolean refusesToTellNoConfig() {
      return false;
    }
  }

  private final SlowServer server = new SlowServer();
  private final PipelineConfigs configs = new PipelineConfigs(new V1modelSwitch(1, 1), server);

  private static void assertCancelled(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            RpcException.class, e -> assertThat(e.code()).isEqualTo(Code.CANCELLED));
  }

  @Test
  void aClientThatIsGoneBeforeItsTurnCostsNothing() throws Exception {
    FutureTask<Binding> first = new FutureTask<>(() -> configs.verify(CONFIG, () -> false));
    AtomicBoolean isGone = new AtomicBoolean();
    FutureTask<Binding> second = new FutureTask<>(() -> configs.verify(CONFIG, isGone::get));
    Thread waiting = new Thread(second, "second");
    new Thread(first, "first").start();
    Patience.await("the first is compiled", () -> server.begun.get() == 1);
    waiting.start();
    Patience.await("the second waits", () -> waiting.getState() == Thread.State.WAITING);
    isGone.set(true);
    assertThat(server.begun).hasValue(1);
    server.mayEnd.countDown();
    assertThat(first.get(Patience.SECONDS, SECONDS).config()).isEqualTo(CONFIG);
    assertCancelled(
        () -> {
          try {
            second.get(Patience.SECONDS, SECONDS);
          } catch (ExecutionException e) {
            throw e.getCause();
          }
        });
    assertThat(server.begun).hasValue(1);
  }

  @Test
  void whatAClientDidNotWaitForIsThereWhenItAsksAgain() throws Exception {
    server.mayEnd.countDown();
    AtomicInteger asked = new AtomicInteger();
    assertCancelled(() -> configs.verify(CONFIG, () -> asked.incrementAndGet() > 1));
    assertThat(server.begun).hasValue(1);
    Binding again = configs.verify(CONFIG);
    assertThat(server.begun).hasValue(1);
    // It is one client's: the next has one of its own.
    assertThat(configs.verify(CONFIG)).isNotSameAs(again);
    assertThat(server.begun).hasValue(2);
  }

  @Test
  void anotherConfigIsCompiled() throws Exception {
    server.mayEnd.countDown();
    AtomicInteger asked = new AtomicInteger();
    assertCancelled(() -> configs.verify(CONFIG, () -> asked.incrementAndGet() > 1));
    ForwardingPipelineConfig other =
        CONFIG.toBuilder().setCookie(CONFIG.getCookie().toBuilder().setCookie(77)).build();
    assertThat(configs.verify(other).config()).isEqualTo(other);
    assertThat(server.begun).hasValue(2);
  }
}
