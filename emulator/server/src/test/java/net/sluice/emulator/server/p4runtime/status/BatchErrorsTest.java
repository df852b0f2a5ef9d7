package net.sluice.emulator.server.p4runtime.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.rpc.Code;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.stream.IntStream;
import net.sluice.emulator.server.p4runtime.Controller;
import net.sluice.emulator.server.p4runtime.ServedTest;
import net.sluice.emulator.server.p4runtime.TestInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Error;
import p4.v1.P4RuntimeOuterClass.Index;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Update;

/**
 * Errors of large batches as a client hears them that takes no more than gRPC clients do by
 * default.
 */
class BatchErrorsTest extends ServedTest {

  private ManagedChannel channel;

  BatchErrorsTest() {
    super(TestInfo.CONFIG, 1);
  }

  @BeforeEach
  void start() throws Exception {
    channel = ManagedChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build();
  }

  @AfterEach
  void stop() {
    channel.shutdownNow();
  }

  private static Update bad(int id) {
    return Update.newBuilder()
        .setType(Update.Type.DELETE)
        .setEntity(
            Entity.newBuilder().setTableEntry(TableEntry.newBuilder().setTableId(id).build()))
        .build();
  }

  private static Update good() {
    return Update.newBuilder()
        .setType(Update.Type.MODIFY)
        .setEntity(
            Entity.newBuilder()
                .setCounterEntry(
                    CounterEntry.newBuilder()
                        .setCounterId(
                            TestInfo.CONFIG.getP4Info().getCounters(0).getPreamble().getId())
                        .setIndex(Index.getDefaultInstance())))
        .build();
  }

  /** The error that such a client hears of a batch of updates that fail. */
  private StatusRuntimeException refusal(Update... updates) {
    return catchThrowableOfType(
        StatusRuntimeException.class,
        () ->
            P4RuntimeGrpc.newBlockingStub(channel).write(controller.writeRequest(updates).build()));
  }

  private StatusRuntimeException refusalOf(int size) {
    return refusal(
        IntStream.range(0, size).mapToObj(i -> bad(40_000_000 + i)).toArray(Update[]::new));
  }

  /** The error of the i-th update. */
  private static String text(int i) {
    return "there is no table with id " + (40_000_000 + i);
  }

  @Test
  void smallBatchesAreToldInFull() {
    StatusRuntimeException refusal = refusalOf(16);
    assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.UNKNOWN);
    assertThat(refusal.getStatus().getDescription()).isEqualTo("16 of 16 failed");
    List<Error> details = Controller.details(refusal);
    assertThat(details).hasSize(16);
    for (int i = 0; i < 16; i++) {
      assertThat(details.get(i).getCanonicalCode()).isEqualTo(Code.INVALID_ARGUMENT_VALUE);
      assertThat(details.get(i).getMessage()).isEqualTo(text(i));
    }
  }

  @Test
  void ofLargerOnesEveryCodeIsToldAndTheFirstMessageInFull() {
    for (int size : new int[] {100, 150, 270}) {
      StatusRuntimeException refusal = refusalOf(size);
      assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.UNKNOWN);
      List<Error> details = Controller.details(refusal);
      assertThat(details).hasSize(size);
      assertThat(details)
          .extracting(Error::getCanonicalCode)
          .containsOnly(Code.INVALID_ARGUMENT_VALUE);
      String last = details.get(size - 1).getMessage();
      if (size == 100) {
        // There is just room enough.
        assertThat(last).isEqualTo(text(99));
      } else {
        assertThat(refusal.getStatus().getDescription())
            .isEqualTo(size + " of " + size + " failed, the first: element 1: " + text(0));
        String begin = last.replace("...", "");
        assertThat(text(size - 1)).startsWith(begin);
        assertThat(begin.length()).isGreaterThanOrEqualTo(size == 150 ? 12 : 0);
      }
    }
  }

  @Test
  void oneFailureAmongManyIsToldInFull() {
    Update[] updates =
        IntStream.range(0, 200).mapToObj(i -> i == 123 ? bad(7) : good()).toArray(Update[]::new);
    StatusRuntimeException refusal = refusal(updates);
    assertThat(refusal.getStatus().getDescription()).isEqualTo("1 of 200 failed");
    List<Error> details = Controller.details(refusal);
    assertThat(details).hasSize(200);
    assertThat(details.get(123).getMessage()).isEqualTo("there is no table with id 7");
    assertThat(details.get(122)).isEqualTo(Error.getDefaultInstance());
  }

  @Test
  void whoTakesLongTrailersIsToldEverythingOfEvenLargerBatches() {
    Update[] updates =
        IntStream.range(0, 1000).mapToObj(i -> bad(40_000_000 + i)).toArray(Update[]::new);
    StatusRuntimeException refusal =
        catchThrowableOfType(StatusRuntimeException.class, () -> controller.write(updates));
    List<Error> details = Controller.details(refusal);
    assertThat(details).hasSize(1000);
    assertThat(details.get(999).getMessage()).isEqualTo(text(999));
  }

  @Test
  void messagesAreCutBetweenCharacters() {
    String strange = "\ud83d\ude00".repeat(300);
    RpcException[] errors = new RpcException[200];
    for (int i = 0; i < errors.length; i++) {
      errors[i] = RpcException.invalid("x".repeat(i % 2) + strange);
    }
    com.google.rpc.Status status = BatchErrors.status(errors);
    assertThat(status.getMessage()).contains("\ud83d\ude00").doesNotContain("?");
    assertThat(status.getDetailsCount()).isEqualTo(200);
    assertThat(status.getSerializedSize()).isLessThan(6144);
  }
}
