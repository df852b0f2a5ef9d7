package net.sluice.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import java.nio.channels.ClosedChannelException;
import net.sluice.core.target.Target.WriteHandler;
import net.sluice.core.target.WriteResults;
import org.junit.jupiter.api.Test;

class P4RuntimeErrorsTest {
  private static String answer(Status status) {
    String[] answer = new String[1];
    P4RuntimeErrors.answer(
        status.asRuntimeException(),
        1,
        new WriteHandler() {
          @Override
          public void done(WriteResults results) {
            answer[0] = results.code(0) + " " + results.message(0);
          }

          @Override
          public void lost(String reason) {
            answer[0] = "lost: " + reason;
          }
        });
    return answer[0];
  }

  @Test
  void aConnectionThatClosesInACallLeavesOpenWhatBecameOfIt() {
    Status closed = Status.UNKNOWN.withDescription("channel closed");
    assertThat(answer(closed.withCause(new ClosedChannelException())))
        .isEqualTo("lost: the other end closed the connection");
    assertThat(answer(closed)).isEqualTo("REFUSED UNKNOWN: channel closed");
  }

  @Test
  void whatTheSwitchRefusesAsAWholeEachUpdateIsTold() {
    assertThat(answer(Status.INVALID_ARGUMENT.withDescription("no such device")))
        .isEqualTo("REFUSED INVALID_ARGUMENT: no such device");
    assertThat(answer(Status.UNAVAILABLE.withDescription("io exception")))
        .isEqualTo("lost: UNAVAILABLE: io exception");
  }
}
