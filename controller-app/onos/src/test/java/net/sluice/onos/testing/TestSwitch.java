package net.sluice.onos.testing;

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
import net.sluice.onos.southbound.call.SwitchCalls;
import net.sluice.onos.southbound.driver.Pipeconfs;
import net.sluice.onos.southbound.leader.OnosSwitchTarget;
import net.sluice.onos.southbound.master.EpochLeases;
import net.sluice.onos.southbound.master.MasterCalls;
import net.sluice.onos.southbound.master.Readiness;
import net.sluice.pipeconf.TnaPipeline;
import net.sluice.pipeconf.V1ModelPipeline;
import org.onosproject.net.DeviceId;
import org.onosproject.net.pi.model.PiPipeconf;
import org.onosproject.net.pi.model.PiPipeconfId;
import p4.config.v1.P4InfoOuterClass.P4Info;

/** A target through ONOS's client to a switch in memory, all in virtual time. */
public final class TestSwitch {
  public static final V1ModelPipeline PIPELINE = V1ModelPipeline.load();
  public static final PiPipeconf PIPECONF = Pipeconfs.all(TnaPipeline.withoutDeviceConfig()).get(0);

  /** In which the switch in memory answers anything small. */
  public static final Duration ANSWER = Duration.ofMillis(100);

  public static final DeviceId DEVICE = DeviceId.deviceId("device:switch1");

  public final VirtualTime time = new VirtualTime();
  public final MemorySwitch memory;
  public WireClient client;
  public NotReadyException notReady;
  public Consumer<String> lost;
  public final Readiness readiness =
      new Readiness() {
        @Override
        public DeviceId deviceId() {
          return DEVICE;
        }

        @Override
        public PiPipeconfId pipeconf() {
          return pipeconf.id();
        }

        @Override
        public Ready ready() throws NotReadyException {
          if (notReady != null) {
            throw notReady;
          }
          return new Ready(client, 1, pipeconf);
        }

        @Override
        public Runnable listen(Consumer<String> listener) {
          lost = listener;
          return () -> lost = lost == listener ? null : lost;
        }
      };
  public final EpochLeases leases = new EpochLeases();
  public final OnosSwitchTarget target;

  private final PiPipeconf pipeconf;

  /** A switch that this instance is master of. */
  public TestSwitch() {
    this(PIPECONF, PIPELINE.p4Info());
  }

  /** The same with another program. */
  public TestSwitch(PiPipeconf pipeconf, P4Info info) {
    this.pipeconf = pipeconf;
    memory = new MemorySwitch(info, time.scheduler());
    client = new WireClient(DEVICE, info, memory, 1);
    target = target(() -> new MasterCalls(readiness, leases, 1, time.scheduler()));
  }

  public OnosSwitchTarget target(SwitchCalls.Opener route) {
    return new OnosSwitchTarget(
        "switch", route, Pipeconfs.program(pipeconf.id()), time.scheduler());
  }

  /** What the session was told: {@code up} or {@code down: reason}. */
  public final List<String> session = new ArrayList<>();

  public TestSwitch connect() {
    target.connect(new SessionNews(session));
    time.pass(ANSWER);
    return this;
  }

  /** What became of a batch: a line for each write that was not done, or why it is not known. */
  public static final class Answer implements WriteHandler {
    public final List<String> lines = new ArrayList<>();
    private final int size;
    public int calls;

    public Answer(int size) {
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
  public List<String> write(Op op, SwitchEntry... entries) {
    Answer answer = send(op, entries);
    time.pass(ANSWER);
    return answer.lines;
  }

  /** Writes; the answer comes as time passes. */
  public Answer send(Op op, SwitchEntry... entries) {
    WriteBatch<SwitchEntry> batch = new WriteBatch<>();
    for (SwitchEntry entry : entries) {
      batch.add(op, entry);
    }
    Answer answer = new Answer(batch.size());
    target.write(batch, answer);
    return answer;
  }

  public List<String> write(WriteBatch<SwitchEntry> batch) {
    Answer answer = new Answer(batch.size());
    target.write(batch, answer);
    time.pass(ANSWER);
    return answer.lines;
  }

  public ReadBack<SwitchEntry> read(ExpectedEntries<SwitchEntry> known) {
    ReadBack<SwitchEntry> read = new ReadBack<>();
    target.read(known, read);
    for (int i = 0; i < 100 && read.end.isEmpty(); i++) {
      time.pass(Duration.ofSeconds(1));
    }
    return read;
  }

  public ReadBack<SwitchEntry> read() {
    return read(ExpectedEntries.none());
  }
}
