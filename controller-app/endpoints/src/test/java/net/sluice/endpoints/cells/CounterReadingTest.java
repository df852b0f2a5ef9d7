package net.sluice.endpoints.cells;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.stub.ClientCallStreamObserver;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import net.sluice.core.testing.VirtualTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Index;
import p4.v1.P4RuntimeOuterClass.ReadRequest;
import p4.v1.P4RuntimeOuterClass.ReadResponse;

class CounterReadingTest {
  private static final int CELLS = 100;
  private static final Duration MESSAGE = Duration.ofMillis(100);

  private final VirtualTime time = new VirtualTime();
  private final Call call = new Call();
  private long visited;
  private boolean isBusy;
  private CounterReading reading;

  /** Counts the messages that are asked for. */
  private static final class Call extends ClientCallStreamObserver<ReadRequest> {
    private int asked;

    @Override
    public void request(int count) {
      asked += count;
    }

    @Override
    public void disableAutoRequestWithInitial(int request) {
      asked = request;
    }

    @Override
    public void cancel(String message, Throwable cause) {}

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setOnReadyHandler(Runnable handler) {}

    @Override
    public void disableAutoInboundFlowControl() {}

    @Override
    public void setMessageCompression(boolean enable) {}

    @Override
    public void onNext(ReadRequest request) {}

    @Override
    public void onError(Throwable failure) {}

    @Override
    public void onCompleted() {}
  }

  @BeforeEach
  void begin() {
    reading = reading(MESSAGE.toNanos() / CELLS);
  }

  private CounterReading reading(long nanosPerCell) {
    CounterReading begun =
        new CounterReading(
            (id, index, packets, bytes) -> visited++,
            nanosPerCell,
            time.scheduler(),
            () -> time.instant().toEpochMilli() * 1_000_000,
            () -> isBusy);
    begun.beforeStart(call);
    return begun;
  }

  private void message() {
    ReadResponse.Builder message = ReadResponse.newBuilder();
    for (int i = 0; i < CELLS; i++) {
      message.addEntities(
          Entity.newBuilder()
              .setCounterEntry(
                  CounterEntry.newBuilder().setCounterId(7).setIndex(Index.newBuilder())));
    }
    reading.onNext(
        CounterChunk.read()
            .getResponseMarshaller()
            .parse(new ByteArrayInputStream(message.build().toByteArray())));
  }

  @Test
  void messagesAreAskedForEvenlyOverTheTime() {
    for (int i = 1; i <= 10; i++) {
      assertThat(call.asked).isEqualTo(i);
      message();
      time.pass(MESSAGE.minusMillis(1));
      assertThat(call.asked).isEqualTo(i);
      time.pass(Duration.ofMillis(1));
    }
    reading.onCompleted();
    assertThat(reading.end()).isCompleted();
    assertThat(visited).isEqualTo(10 * CELLS);
  }

  @Test
  void aChangeGoesFirstUnlessTheReadingIsLate() {
    isBusy = true;
    message();
    time.pass(MESSAGE.plusMillis(20));
    assertThat(call.asked).isEqualTo(1);
    isBusy = false;
    time.pass(Duration.ofMillis(1));
    assertThat(call.asked).isEqualTo(2);
    isBusy = true;
    message();
    time.pass(Duration.ofSeconds(1));
    assertThat(call.asked).isEqualTo(3);
  }

  @Test
  void fewCellsAreTakenAsTheyCome() {
    reading = reading(0);
    isBusy = true;
    message();
    assertThat(call.asked).isEqualTo(2);
  }
}
