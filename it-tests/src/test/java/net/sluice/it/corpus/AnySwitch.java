package net.sluice.it.corpus;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import net.sluice.emulator.v1model.V1modelSwitch;
import net.sluice.it.p4.FramesThrough;
import net.sluice.it.p4.PortFrame;
import net.sluice.it.p4.SimpleSwitchProcess;
import net.sluice.testing.Patience;
import org.awaitility.core.ConditionTimeoutException;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.PacketOut;

/** A switch with some program, reached over P4Runtime on one side and frames on the other. */
interface AnySwitch extends AutoCloseable {

  /** Where packets to the controller leave, and packets from it come in, by default. */
  int CPU_PORT = 5;

  AnyProgramClient control();

  /** For each frame given, what left the switch because of it. */
  List<List<PortFrame>> pass(List<PortFrame> frames);

  /** What left the switch by ports because of a packet from the controller. */
  List<PortFrame> packetOut(PacketOut packet);

  @Override
  void close();

  /** bmv2, in a process of its own. */
  final class Reference implements AnySwitch {
    private static final int START_ATTEMPTS = 3;
    private static final int END_SECONDS = 60;
    private static final Set<Status.Code> NO_ANSWER =
        EnumSet.of(Status.Code.UNAVAILABLE, Status.Code.DEADLINE_EXCEEDED, Status.Code.CANCELLED);

    /** bmv2 does not take the program: it says so, or ends over it each time. */
    static final class Refused extends IllegalStateException {
      private static final long serialVersionUID = 1;

      Refused(String why, Throwable cause) {
        super(why, cause);
      }
    }

    /** bmv2 ended by itself. */
    private static final class Ended extends IllegalStateException {
      private static final long serialVersionUID = 1;

      Ended(String why, Throwable cause) {
        super(why, cause);
      }
    }

    private final SimpleSwitchProcess process;
    private final AnyProgramClient control;

    private Reference(ForwardingPipelineConfig config, int cpuPort) throws IOException {
      process =
          SimpleSwitchProcess.start(
              List.of(
                  "--cpu-port",
                  Integer.toString(cpuPort),
                  // With the one queue that it has otherwise it drops packets of any priority.
                  "--priority-queues",
                  "8"));
      try {
        control = new AnyProgramClient(process.control(), SimpleSwitchProcess.DEVICE_ID, config);
      } catch (RuntimeException e) {
        RuntimeException why = e;
        if (answered(e)) {
          why = new Refused(e.getMessage(), e);
        } else if (hasEnded()) {
          why = new Ended("bmv2 ended when it was given the program: " + process.output(), e);
        }
        process.close();
        throw why;
      }
    }

    /** It has said why it does not take the program. */
    private static boolean answered(RuntimeException e) {
      return e instanceof StatusRuntimeException
          && !NO_ANSWER.contains(Status.fromThrowable(e).getCode());
    }

    /**
     * Starts one.
     *
     * @param config with a program of {@link RegisterProbe}
     * @throws Refused if it does not take the program
     * @throws IllegalStateException if it does not come up for another reason
     */
    static Reference start(ForwardingPipelineConfig config, int cpuPort) {
      RuntimeException last = null;
      int ended = 0;
      // Another process may take a free port before the switch does.
      for (int attempt = 0; attempt < START_ATTEMPTS; attempt++) {
        try {
          return new Reference(config, cpuPort).ready();
        } catch (Refused e) {
          throw e;
        } catch (Ended e) {
          ended++;
          last = e;
        } catch (RuntimeException e) {
          last = e;
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
      if (ended == START_ATTEMPTS) {
        throw new Refused(last.getMessage(), last);
      }
      throw new IllegalStateException("bmv2 did not come up", last);
    }

    @Override
    public AnyProgramClient control() {
      return control;
    }

    /** Whether the process is gone, a moment after something went wrong. */
    boolean hasEnded() {
      return process.endsWithin(END_SECONDS);
    }

    @Override
    public List<List<PortFrame>> pass(List<PortFrame> frames) {
      return watched(() -> process.dataPlane().pass(frames));
    }

    @Override
    public List<PortFrame> packetOut(PacketOut packet) {
      return watched(
          () -> process.dataPlane().during(RegisterProbe.echoed(), () -> control.send(packet)));
    }

    /** Does something with packets, and says so if bmv2 ends over it. */
    private <T> T watched(Supplier<T> packets) {
      try {
        return packets.get();
      } catch (IllegalStateException e) {
        if (Status.fromThrowable(e).getCode() != Status.Code.DEADLINE_EXCEEDED && hasEnded()) {
          throw new Ended("bmv2 ended over a packet: " + process.output(), e);
        }
        throw e;
      }
    }

    /** For a program with a {@link RegisterProbe}: waits until packets come through. */
    private Reference ready() {
      try {
        Patience.await("bmv2 passes packets", () -> RegisterProbe.answers(this));
      } catch (ConditionTimeoutException e) {
        close();
        throw e;
      }
      return this;
    }

    @Override
    public void close() {
      control.close();
      process.close();
    }
  }

  /** The emulated switch with all ports there can be, in virtual time. */
  final class Emulated implements AnySwitch {
    final V1modelSwitch device;
    private final FramesThrough node;
    private final AnyProgramClient control;

    Emulated(ForwardingPipelineConfig config, int cpuPort) {
      node = new FramesThrough(cpuPort);
      device = node.embedded().device();
      device.onMessage(message -> {});
      ManagedChannel channel = node.channel();
      try {
        control = new AnyProgramClient(channel, FramesThrough.DEVICE_ID, config);
      } catch (RuntimeException e) {
        // It does not take the program.
        channel.shutdownNow();
        node.close();
        throw e;
      }
    }

    @Override
    public AnyProgramClient control() {
      return control;
    }

    @Override
    public List<List<PortFrame>> pass(List<PortFrame> frames) {
      return node.pass(frames);
    }

    @Override
    public List<PortFrame> packetOut(PacketOut packet) {
      control.send(packet);
      return node.pass();
    }

    @Override
    public void close() {
      control.close();
      node.close();
    }
  }
}
