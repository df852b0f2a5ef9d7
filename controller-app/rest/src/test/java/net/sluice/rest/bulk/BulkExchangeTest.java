package net.sluice.rest.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import net.sluice.rest.problem.Incidents;
import net.sluice.rest.testing.MemoryController;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class BulkExchangeTest {
  private static final String LINE =
      "{\"op\":\"put\",\"kind\":\"policy\",\"id\":\"%s\","
          + "\"value\":{\"throughputValue\":{\"builtIn\":\"gold\"}}}\n";

  private final MemoryController controller = new MemoryController(10);

  private BulkExchange exchange(InputStream input) {
    return new BulkExchange(controller, new Incidents("test"), input, false);
  }

  private static InputStream bytes(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** Fails as soon as it is read. */
  private static InputStream failing(Throwable failure) {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        if (failure instanceof IOException io) {
          throw io;
        }
        throw (Error) failure;
      }
    };
  }

  @Test
  void whatCameBeforeTheInputFailedIsDoneAndAnswered() {
    for (Throwable failure : new Throwable[] {new IOException("reset"), new StackOverflowError()}) {
      String id = failure.getClass().getSimpleName();
      InputStream input =
          new SequenceInputStream(
              bytes(String.format(LINE, id) + String.format(LINE, "cut").substring(0, 50)),
              failing(failure));
      ByteArrayOutputStream output = new ByteArrayOutputStream();
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> exchange(input).write(output))
          .withMessage("the lines could not be read to their end")
          .withCause(failure);
      assertThat(output.toString(StandardCharsets.UTF_8).lines())
          .singleElement()
          .asString()
          .startsWith("{\"line\":1,\"id\":\"" + id + "\",\"status\":200,");
      assertThat(controller.policy(id)).isPresent();
      assertThat(controller.policy("cut")).isEmpty();
    }
  }

  /** Nobody takes what the reader reads once the results cannot be written; it must not linger. */
  @Test
  void theReaderEndsWhenTheResultsCannotBeWritten() throws InterruptedException {
    AtomicReference<Thread> reader = new AtomicReference<>();
    InputStream endless =
        new InputStream() {
          @Override
          public int read() {
            throw new AssertionError("lines are read in pieces");
          }

          @Override
          public int read(byte[] buffer, int offset, int length) {
            reader.set(Thread.currentThread());
            buffer[offset] = '\n';
            return 1;
          }
        };
    OutputStream broken =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("broken pipe");
          }
        };
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> exchange(endless).write(broken))
        .withMessage("broken pipe");
    reader.get().join(20_000);
    assertThat(reader.get().isAlive()).isFalse();
  }
}
