package net.sluice.emulator.server.p4runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.InsecureServerCredentials;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import net.sluice.emulator.v1model.V1modelSwitch;
import org.junit.jupiter.api.Test;
import p4.v1.P4RuntimeOuterClass.MasterArbitrationUpdate;

/** The server as a whole: its start and its end. */
class P4RuntimeServerTest {

  /** Keeps what gRPC complains about. */
  private static final class Complaints extends Handler {
    private final Queue<String> heard = new ConcurrentLinkedQueue<>();

    @Override
    public void publish(LogRecord message) {
      // Channels that other tests have left are noticed here, whenever they are collected.
      boolean foreign = message.getLoggerName().endsWith("ManagedChannelOrphanWrapper");
      if (message.getThrown() != null && !foreign) {
        heard.add(message.getMessage() + ": " + message.getThrown());
      }
    }

    @Override
    public void flush() {
      // Nothing is held back.
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }

  @Test
  void closingWhileControllersGoIsQuiet() throws Exception {
    Complaints complaints = new Complaints();
    Logger grpc = Logger.getLogger("io.grpc");
    grpc.addHandler(complaints);
    Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, e) -> uncaught.add(e));
    try {
      for (int round = 0; round < 15; round++) {
        P4RuntimeServer server =
            P4RuntimeServer.start(
                new V1modelSwitch(Controller.DEVICE, 1), new InetSocketAddress("127.0.0.1", 0));
        List<Controller> controllers = new ArrayList<>();
        for (int i = 1; i <= 5; i++) {
          controllers.add(Controller.primary(server.port(), i));
        }
        Thread leaving = new Thread(() -> controllers.forEach(Controller::close));
        leaving.start();
        server.close();
        leaving.join();
      }
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
      grpc.removeHandler(complaints);
    }
    assertThat(complaints.heard).isEmpty();
    assertThat(uncaught).isEmpty();
  }

  /**
   * More often than there may be controllers: each is gone, and nobody has ever claimed anything.
   */
  @Test
  void theFirstStreamOfAProcessIsTheServersOwnAndLeavesNothingBehind() throws Exception {
    InetSocketAddress anywhere = new InetSocketAddress("127.0.0.1", 0);
    try (P4RuntimeServer server =
        P4RuntimeServer.start(new V1modelSwitch(Controller.DEVICE, 1), anywhere)) {
      assertThat(WarmUp.isDone()).isTrue();
      for (int run = 0; run <= 64; run++) {
        MasterArbitrationUpdate answer =
            WarmUp.run(
                    Controller.DEVICE,
                    new InetSocketAddress("127.0.0.1", server.port()),
                    InsecureServerCredentials.create())
                .getArbitration();
        assertThat(answer.getStatus().getMessage()).isEqualTo("there is no primary");
        assertThat(answer.hasElectionId()).isFalse();
      }
    }
  }
}
