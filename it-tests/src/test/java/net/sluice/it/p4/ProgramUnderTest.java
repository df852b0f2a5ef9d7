package net.sluice.it.p4;

import java.util.ArrayList;
import java.util.List;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.value.Direction;
import net.sluice.pipeconf.CounterCodec.Point;
import net.sluice.pipeconf.CounterCodec.Reading;
import net.sluice.pipeconf.SwitchPipeline;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.ForwardingPipelineConfig;
import p4.v1.P4RuntimeOuterClass.Update;

/**
 * A program as tests drive it, whatever its tables look like: what a switch loads, its entries and
 * counters in domain words, and how far its numbers go.
 */
interface ProgramUnderTest {
  /** The message that puts it on a switch. */
  ForwardingPipelineConfig config();

  /** The updates that do {@code op} to an entry: one, or several where it takes several. */
  List<Update> updates(Op op, SwitchEntry entry);

  /** What to read for the drops and for what is counted of some subscribers. */
  List<Entity> readCounters(Iterable<Integer> subscriberIndices);

  /** What a counter's cell is. */
  Reading decode(CounterEntry cell);

  /** Whether what the v1model program would count is counted. */
  boolean counts(Reading reading);

  /** Whether it can drop the packets of a subscriber as suspended. */
  boolean stopsTraffic();

  /** Whether its ports can put priorities into tags of VLAN 0. */
  boolean tagsPriorities();

  /** The highest index of a subscriber. */
  int highestIndex();

  /** A period of the threshold loop after which no test waits for the next step, us. */
  long endlessMicros();

  /** A time without packets that no test waits for, us. */
  long neverIdleMicros();

  /** A program of the product. */
  static ProgramUnderTest of(SwitchPipeline program) {
    return new OfPipeline(program);
  }

  /**
   * A program of the product.
   *
   * @param program it
   */
  record OfPipeline(SwitchPipeline program) implements ProgramUnderTest {
    private static final int HIGHEST_INDEX = (1 << 20) - 1;
    private static final long MAX_MICROS = 0xffff_ffffL;

    @Override
    public boolean stopsTraffic() {
      return program.profile().stopsTraffic();
    }

    @Override
    public boolean tagsPriorities() {
      return program.profile().tagsPriorities();
    }

    @Override
    public ForwardingPipelineConfig config() {
      return program.forwardingPipelineConfig();
    }

    @Override
    public List<Update> updates(Op op, SwitchEntry entry) {
      return List.of(program.entries().update(op, entry));
    }

    @Override
    public List<Entity> readCounters(Iterable<Integer> subscriberIndices) {
      List<Entity> wanted = new ArrayList<>();
      wanted.add(program.counters().readDrops());
      for (int index : subscriberIndices) {
        for (Direction direction : Direction.values()) {
          for (Point point : program.counters().points()) {
            wanted.add(program.counters().read(point, index, direction));
          }
        }
      }
      return wanted;
    }

    @Override
    public Reading decode(CounterEntry cell) {
      return program.counters().decode(cell);
    }

    @Override
    public boolean counts(Reading reading) {
      return true;
    }

    @Override
    public int highestIndex() {
      return HIGHEST_INDEX;
    }

    @Override
    public long endlessMicros() {
      return MAX_MICROS;
    }

    @Override
    public long neverIdleMicros() {
      return MAX_MICROS;
    }
  }
}
