package net.sluice.emulator.ports;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.FutureTask;
import net.sluice.emulator.netsim.LineClock;
import net.sluice.emulator.netsim.TestDevice;
import net.sluice.testing.Patience;

/** A switch on two real ports that sends to the one what comes in on the other, running. */
final class RunningSwitch implements AutoCloseable {
  private final TestDevice device = new TestDevice();
  private final RealTimeSwitch real = new RealTimeSwitch(device, 1);
  private final List<String> ingress = Collections.synchronizedList(new ArrayList<>());
  private final List<Long> ingressMicros = Collections.synchronizedList(new ArrayList<>());
  private List<Byte> expected;
  private FutureTask<Void> running;

  private RunningSwitch() {}

  /** First bytes of the frames that the program was told to expect. */
  List<Byte> expected() {
    return expected;
  }

  static RunningSwitch of(NetworkPort first, NetworkPort second) {
    return of(first, second, LineClock.UNLIMITED_BPS, Long.MAX_VALUE);
  }

  /** With a rate and a queue limit of the second port. */
  static RunningSwitch of(NetworkPort first, NetworkPort second, long rateBps, long queueBytes) {
    return of(first, second, rateBps, queueBytes, 0);
  }

  /** With a delay of the second port's line, too. */
  static RunningSwitch of(
      NetworkPort first, NetworkPort second, long rateBps, long queueBytes, long delayNanos) {
    return of(first, second, rateBps, queueBytes, delayNanos, null);
  }

  /** With captures of what passes the second port, too. */
  static RunningSwitch of(
      NetworkPort first,
      NetworkPort second,
      long rateBps,
      long queueBytes,
      long delayNanos,
      PortRecording recording) {
    RunningSwitch running = new RunningSwitch();
    TestDevice.TestPipeline pipeline =
        running.device.load(
            packet -> {
              packet.egressPort = 3 - packet.ingressPort;
              running.ingress.add(
                  packet.ingressPort + ":" + HexFormat.of().formatHex(packet.toByteArray()));
              running.ingressMicros.add(packet.ingressMicros);
            },
            packet -> {});
    running.expected = pipeline.expected;
    running.real.addPort(1, first, LineClock.UNLIMITED_BPS, Long.MAX_VALUE);
    running.real.addPort(2, second, rateBps, queueBytes, delayNanos, recording);
    running.running =
        LinuxNetwork.start(
            () -> {
              running.real.run();
              return null;
            });
    return running;
  }

  /** The packets that the program has received so far, port and bytes. */
  List<String> ingress() {
    synchronized (ingress) {
      return List.copyOf(ingress);
    }
  }

  /** When it got them, microseconds since the switch ran. */
  List<Long> ingressMicros() {
    synchronized (ingressMicros) {
      return List.copyOf(ingressMicros);
    }
  }

  RealTimeSwitch real() {
    return real;
  }

  /** Returns when it has come to rest: a frame is on the line before it is counted. */
  void stop() throws Exception {
    real.stop();
    running.get(Patience.SECONDS, SECONDS);
  }

  @Override
  public void close() throws Exception {
    stop();
    real.close();
  }
}
