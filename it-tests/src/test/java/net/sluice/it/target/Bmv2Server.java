package net.sluice.it.target;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import net.sluice.it.p4.SimpleSwitchProcess;
import net.sluice.testing.Patience;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeOuterClass.CapabilitiesRequest;

/** bmv2's simple_switch_grpc, from PATH. */
public final class Bmv2Server implements SwitchServer {
  private static final int START_ATTEMPTS = 3;

  private final SimpleSwitchProcess process;

  /** Skips the test, and says so, where there is no bmv2. */
  public static void assumeInstalled() {
    SimpleSwitchProcess.assumeInstalled("targets are not tested against bmv2");
  }

  /** Starts it without a program, at a free port. */
  public Bmv2Server() {
    process = start();
  }

  private static SimpleSwitchProcess start() {
    IllegalStateException last = null;
    // Another process may take a free port before the switch does.
    for (int attempt = 0; attempt < START_ATTEMPTS; attempt++) {
      try {
        SimpleSwitchProcess started = SimpleSwitchProcess.start(List.of());
        awaitServing(started);
        return started;
      } catch (IllegalStateException e) {
        last = e;
      } catch (IOException e) {
        throw new UncheckedIOException("cannot start simple_switch_grpc", e);
      }
    }
    throw last;
  }

  /** Whatever it answers, it then serves. */
  private static void awaitServing(SimpleSwitchProcess process) {
    try {
      P4RuntimeGrpc.newBlockingStub(process.control())
          .withWaitForReady()
          .withDeadlineAfter(Patience.SECONDS, TimeUnit.SECONDS)
          .capabilities(CapabilitiesRequest.getDefaultInstance());
    } catch (StatusRuntimeException e) {
      Status.Code code = e.getStatus().getCode();
      if (code == Status.Code.DEADLINE_EXCEEDED || !process.isAlive()) {
        String output = process.output();
        process.close();
        throw new IllegalStateException("simple_switch_grpc does not serve; it said: " + output, e);
      }
    }
  }

  @Override
  public int port() {
    return process.controlPort();
  }

  @Override
  public long deviceId() {
    return SimpleSwitchProcess.DEVICE_ID;
  }

  @Override
  public void close() {
    process.close();
  }
}
