package net.sluice.onos.southbound;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import net.sluice.core.target.ExpectedEntries;
import net.sluice.core.target.NotReadyException;
import net.sluice.core.target.Target.WriteHandler;
import net.sluice.core.target.WriteBatch;
import net.sluice.core.target.WriteResults;
import net.sluice.core.testing.ReadBack;
import net.sluice.core.testing.SessionNews;
import net.sluice.core.testing.VirtualTime;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.onos.testing.MemorySwitch;
import net.sluice.onos.testing.WireClient;
import net.sluice.pipeconf.V1ModelPipeline;
import org.onosproject.net.DeviceId;
import org.onosproject.net.pi.model.PiPipeconf;

/** A target through ONOS's client to a switch in memory, all in virtual time. */
final class TestSwitch {
  static final V1ModelPipeline PIPELINE = V1ModelPipeline.load();
  static final PiPipeconf PIPECONF = Pipeconfs.all().get(0);

  /** In which the switch in memory answers anything small. */
  static final Duration ANSWER = Duration.ofMillis(100);

  static final DeviceId DEVICE = DeviceId.deviceId("device:switch1");

  final VirtualTime time = new VirtualTime();
  final MemorySwitch memory = new MemorySwitch(PIPELINE.p4Info(), time.scheduler());
  WireClient client = new WireClient(DEVICE, PIPELINE.p4Info(), memory, 1);
  NotReadyException notReady;
  Consumer<String> lost;
  final SwitchAccess access =
      new SwitchAccess() {
        @Override
        public DeviceId deviceId() {
          return DEVICE;
        }

        @Override
        public Ready ready() throws NotReadyException {
          if (notReady != null) {
            throw notReady;
          }
          return new Ready(client, 1, PIPECONF);
        }

        @Override
        public Runnable listen(Consumer<String> listener) {
          lost = listener;
          return () -> lost = lost == listener ? null : lost;
        }
      };
  final EpochLeases turns = new EpochLeases();
  final OnosSwitchTarget target;

  /** A switch that this instance is master of. */
  TestSwitch() {
    target = target(way(() -> new LocalSwitchClient(access, turns, 1, time.scheduler())));
  }

  /** Sessions that are begun some other way. */
  interface Begun {
    SwitchClient client() throws NotReadyException;
  }

  static SwitchConnector way(Begun begun) {
    return new SwitchConnector() {
      @Override
      public DeviceId deviceId() {
        return DEVICE;
      }

      @Override
      public SwitchClient open() throws NotReadyException {
        return begun.client();
      }
    };
  }

  OnosSwitchTarget target(SwitchConnector way) {
    return new OnosSwitchTarget("switch", way, PIPELINE, time.scheduler());
  }

  /** What the session was told: {@code up} or {@code down: reason}. */
  final List<String> session = new ArrayList<>();

  TestSwitch connect() {
    target.connect(new SessionNews(session));
    time.pass(ANSWER);
    return this;
  }

  /** What became of a batch: a line for each write that was not done, or why it is not known. */
  static final class Answer implements WriteHandler {
    final List<String> lines = new ArrayList<>();
    private final int size;
    int calls;

    Answer(int size) {
      this.size = size;
    }

    @Override
    public void done(WriteResults results) {
      calls++;
      for (int i = 0; i < size; i++) {
        lines.add(results.code(i) + (results.message(i).isEmpty() ? "" : " " + results.message(i)));
      }
    }

    @Override
    public void lost(String reason) {
      calls++;
      lines.add("lost: " + reason);
    }
  }

  /** Writes and waits for the answer. */
  List<String> write(Op op, SwitchEntry... entries) {
    Answer answer = send(op, entries);
    time.pass(ANSWER);
    return answer.lines;
  }

  /** Writes; the answer comes as time passes. */
  Answer send(Op op, SwitchEntry... entries) {
    WriteBatch<SwitchEntry> batch = new WriteBatch<>();
    for (SwitchEntry entry : entries) {
      batch.add(op, entry);
    }
    Answer answer = new Answer(batch.size());
    target.write(batch, answer);
    return answer;
  }

  List<String> write(WriteBatch<SwitchEntry> batch) {
    Answer answer = new Answer(batch.size());
    target.write(batch, answer);
    time.pass(ANSWER);
    return answer.lines;
  }

  ReadBack<SwitchEntry> read(ExpectedEntries<SwitchEntry> known) {
    ReadBack<SwitchEntry> read = new ReadBack<>();
    target.read(known, read);
    for (int i = 0; i < 100 && read.end.isEmpty(); i++) {
      time.pass(Duration.ofSeconds(1));
    }
    return read;
  }

  ReadBack<SwitchEntry> read() {
    return read(ExpectedEntries.none());
  }
}
