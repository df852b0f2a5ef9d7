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
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import net.sluice.core.Controller;
import net.sluice.core.ControllerException;
import net.sluice.core.store.InMemoryJournal;
import net.sluice.core.time.ThreadScheduler;
import net.sluice.intents.model.Kind;
import net.sluice.northbound.audit.AuditLog;
import net.sluice.rest.guard.Auditing;
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

  /**
   * Three requests' worth of lines: one, as many as are made together, and some more, which have
   * been read when those before them are made.
   */
  private static final class Pieces extends InputStream {
    private static final int LINES = 690;
    private static final int WHOLE = 16;

    private final CountDownLatch applying = new CountDownLatch(1);
    private final CountDownLatch read = new CountDownLatch(1);
    private final String last;
    private int next;

    /** {@code last}: the line that ends the last piece. */
    Pieces(String last) {
      this.last = last;
    }

    @Override
    public int read() {
      throw new AssertionError("lines are read in pieces");
    }

    @Override
    public int read(byte[] buffer, int offset, int length) {
      if (next == 1) {
        Patience.await(applying);
      }
      if (next > WHOLE) {
        read.countDown();
        return -1;
      }
      StringBuilder piece = new StringBuilder();
      for (int i = 0; i < (next == 0 ? 1 : LINES); i++) {
        piece.append(String.format(LINE, "p" + next + "-" + i));
      }
      piece.append(next == WHOLE ? last : "");
      next++;
      byte[] bytes = piece.toString().getBytes(StandardCharsets.US_ASCII);
      System.arraycopy(bytes, 0, buffer, offset, bytes.length);
      return bytes.length;
    }
  }

  private final InMemoryJournal journal = new InMemoryJournal(Clock.systemUTC());

  private void serveNoted(Controller by, Pieces pieces, OutputStream output) throws IOException {
    try (AuditLog log =
        new AuditLog(
            journal, 1 << 30, new ThreadScheduler("test"), why -> {}, (json, asked) -> {})) {
      BulkExchange exchange = new BulkExchange(by, new Incidents("test"), pieces, false, false);
      exchange.audited(new Auditing(log, json -> json.writeStringField("who", "test")));
      exchange.write(output);
    }
  }

  /** {@code during}: run before the second changes are made. */
  private Controller with(Pieces pieces, Consumer<Object[]> found, Runnable during) {
    return (Controller)
        Proxy.newProxyInstance(
            Controller.class.getClassLoader(),
            new Class<?>[] {Controller.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("find")) {
                found.accept(arguments);
              } else if (method.getName().equals("applyAll")) {
                if (pieces.applying.getCount() > 0) {
                  pieces.applying.countDown();
                  Patience.await(pieces.read);
                } else {
                  during.run();
                }
              }
              return method.invoke(controller, arguments);
            });
  }

  private List<String> noted() {
    return journal.read(1, Integer.MAX_VALUE).stream()
        .map(entry -> new String(entry.bytes(), StandardCharsets.UTF_8))
        .toList();
  }

  @Test
  void changesAreNotedWhileThoseBeforeThemAreMade() throws IOException {
    CountDownLatch noting = new CountDownLatch(1);
    Pieces pieces = new Pieces(String.format(LINE, "last"));
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    serveNoted(
        with(
            pieces,
            asked -> {
              if (asked[1].equals("last")) {
                noting.countDown();
              }
            },
            () -> Patience.await(noting)),
        pieces,
        output);
    int lines = 1 + Pieces.WHOLE * Pieces.LINES + 1;
    assertThat(controller.applyAllSizes()).hasSize(3);
    assertThat(output.toString(StandardCharsets.UTF_8).lines()).hasSize(lines);
    assertThat(noted()).filteredOn(line -> line.contains("\"ended\"")).hasSize(noted().size() / 2);
  }

  /** Otherwise the log would have it as it was before the changes in front of its own. */
  @Test
  void aChangeOfOneThatIsBeingChangedIsNotedAfterThat() throws IOException {
    Pieces pieces = new Pieces(String.format(LINE, "p1-0").replace("\"gold\"", "\"silver\""));
    serveNoted(with(pieces, asked -> {}, () -> {}), pieces, new ByteArrayOutputStream());
    assertThat(controller.applyAllSizes()).hasSize(3);
    assertThat(noted())
        .filteredOn(line -> line.contains("\"silver\""))
        .singleElement(InstanceOfAssertFactories.STRING)
        .contains("\"id\":\"p1-0\",\"before\":{\"throughputValue\":{\"builtIn\":\"gold\"}},");
  }

  /** The next start would look for what became of them. */
  @Test
  void changesThatWereNotedAndAreNotMadeHaveAnOutcome() {
    CountDownLatch noting = new CountDownLatch(1);
    Pieces pieces = new Pieces(String.format(LINE, "last"));
    OutputStream broken =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            if (noting.getCount() == 0) {
              throw new IOException("broken pipe");
            }
          }
        };
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(
            () ->
                serveNoted(
                    with(
                        pieces,
                        asked -> {
                          if (asked[1].equals("last")) {
                            noting.countDown();
                          }
                        },
                        () -> Patience.await(noting)),
                    pieces,
                    broken));
    assertThat(controller.find(Kind.POLICY, "last")).isEmpty();
    String asked =
        noted().stream().filter(line -> line.contains("\"last\"")).findFirst().orElseThrow();
    long number =
        journal.read(1, Integer.MAX_VALUE).stream()
            .filter(e -> new String(e.bytes(), StandardCharsets.UTF_8).equals(asked))
            .findFirst()
            .orElseThrow()
            .number();
    assertThat(noted())
        .filteredOn(line -> line.startsWith("{\"of\":" + number + ","))
        .singleElement(InstanceOfAssertFactories.STRING)
        .contains("\"status\":503");
  }
}
