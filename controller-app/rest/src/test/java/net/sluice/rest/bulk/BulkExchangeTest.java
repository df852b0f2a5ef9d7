package net.sluice.rest.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.SequenceInputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import net.sluice.core.Controller;
import net.sluice.core.ControllerException;
import net.sluice.intents.model.Kind;
import net.sluice.rest.problem.Incidents;
import net.sluice.rest.testing.MemoryController;
import net.sluice.testing.Patience;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

final class BulkExchangeTest {
  private static final String LINE =
      "{\"op\":\"put\",\"kind\":\"policy\",\"id\":\"%s\","
          + "\"value\":{\"throughputValue\":{\"builtIn\":\"gold\"}}}\n";

  private final MemoryController controller = new MemoryController(10);

  private BulkExchange exchange(InputStream input) {
    return new BulkExchange(controller, new Incidents("test"), input, false, false);
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
      assertThat(controller.find(Kind.POLICY, id)).isPresent();
      assertThat(controller.find(Kind.POLICY, "cut")).isEmpty();
    }
  }

  @Test
  void aLineForWhichThereIsNoRoomLeavesTheOthersTheirs() throws IOException {
    controller.noRoomFor("b");
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    exchange(bytes(String.format(LINE, "a") + String.format(LINE, "b") + String.format(LINE, "c")))
        .write(output);
    assertThat(output.toString(StandardCharsets.UTF_8).lines().toList())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("{\"line\":1,\"id\":\"a\",\"status\":200"),
            line ->
                assertThat(line)
                    .isEqualTo(
                        "{\"line\":2,\"id\":\"b\",\"status\":503,\"problem\":{"
                            + "\"type\":\"urn:sluice:problem:unavailable\","
                            + "\"title\":\"Unavailable\",\"status\":503,"
                            + "\"detail\":\"the queue of bng2 is full\",\"errors\":[]}}"),
            line -> assertThat(line).startsWith("{\"line\":3,\"id\":\"c\",\"status\":200"));
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
    reader.get().join();
    assertThat(reader.get().isAlive()).isFalse();
  }

  /** What has come while changes were applied is applied together, however it came. */
  @Test
  void linesThatCameMeanwhileAreOneCommit() throws IOException {
    int ahead = BulkExchange.MAX_BATCHES_WAITING;
    CountDownLatch applying = new CountDownLatch(1);
    CountDownLatch allRead = new CountDownLatch(1);
    InputStream pieces =
        new InputStream() {
          private int next;

          @Override
          public int read() {
            throw new AssertionError("lines are read in pieces");
          }

          @Override
          public int read(byte[] buffer, int offset, int length) {
            if (next == 1) {
              Patience.await(applying);
            }
            if (next > ahead) {
              // Those before this one are all on their way.
              allRead.countDown();
              return -1;
            }
            byte[] line = String.format(LINE, "p" + next++).getBytes(StandardCharsets.US_ASCII);
            System.arraycopy(line, 0, buffer, offset, line.length);
            return line.length;
          }
        };
    Controller waiting =
        (Controller)
            Proxy.newProxyInstance(
                Controller.class.getClassLoader(),
                new Class<?>[] {Controller.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("applyAll")) {
                    applying.countDown();
                    Patience.await(allRead);
                  }
                  return method.invoke(controller, arguments);
                });
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    new BulkExchange(waiting, new Incidents("test"), pieces, false, false).write(output);
    assertThat(controller.applyAllSizes()).containsExactly(1, ahead);
    assertThat(output.toString(StandardCharsets.UTF_8).lines()).hasSize(1 + ahead);
  }

  /** Of a store that does not answer the log tells once a request, however many lines it has. */
  @Test
  void theLogTellsOnceOfAllThatWasNotApplied() throws IOException {
    Controller failing =
        (Controller)
            Proxy.newProxyInstance(
                Controller.class.getClassLoader(),
                new Class<?>[] {Controller.class},
                (proxy, method, arguments) -> {
                  throw new ControllerException("the store does not answer");
                });
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 25_000; i++) {
      lines.append(String.format(LINE, "p" + i));
    }
    PrintStream err = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    try {
      new BulkExchange(failing, new Incidents("test"), bytes(lines.toString()), false, false)
          .write(output);
    } finally {
      System.setErr(err);
    }
    assertThat(output.toString(StandardCharsets.UTF_8).lines())
        .hasSize(25_000)
        .allMatch(line -> line.contains("\"status\":503"));
    assertThat(log.toString(StandardCharsets.UTF_8).lines())
        .filteredOn(line -> line.contains("WARN"))
        .hasSize(1)
        .first(InstanceOfAssertFactories.STRING)
        .endsWith("25000 bulk changes were not applied: the store does not answer");
  }
}
