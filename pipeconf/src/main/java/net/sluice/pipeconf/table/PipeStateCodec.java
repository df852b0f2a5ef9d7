package net.sluice.pipeconf.table;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.config.v1.P4InfoOuterClass.Preamble;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.RegisterEntry;
import p4.v1.P4RuntimeOuterClass.Update;

/**
 * The readings of the agent that moves the windows of a gate table: bytes that went into each pipe,
 * the earliest start and the latest finish that wait, and the switch's clock. Times are 32 bits of
 * nanoseconds, which go round. Immutable.
 */
public final class PipeStateCodec {
  /** Pipes that packets wait in; 0 is the front one. */
  public static final int PIPES = 4;

  /** The beginning of the names of what the program keeps of each pipe. */
  private static final String OF_PIPE = "pipe_";

  private static final int EVENTS = 4;
  private static final int ENTERED = 0;
  private static final int CIRCULATED = 1;

  private final int eventsId;
  private final int earliestId;
  private final int latestId;
  private final int clockId;
  private final int holdsId;

  private PipeStateCodec(P4Info info) {
    eventsId = id(info.getCountersList(), c -> c.getPreamble(), OF_PIPE + "events");
    earliestId = id(info.getRegistersList(), r -> r.getPreamble(), "earliest_start");
    latestId = id(info.getRegistersList(), r -> r.getPreamble(), "latest_finish");
    clockId = id(info.getRegistersList(), r -> r.getPreamble(), "shape_clock");
    holdsId = id(info.getRegistersList(), r -> r.getPreamble(), OF_PIPE + "holds");
  }

  private interface Named<T> {
    Preamble preamble(T of);
  }

  private static <T> int id(List<T> all, Named<T> named, String name) {
    Predicate<T> is =
        each -> {
          String full = named.preamble(each).getName();
          return full.equals(name) || full.endsWith("." + name);
        };
    return all.stream()
        .filter(is)
        .findFirst()
        .map(each -> named.preamble(each).getId())
        .orElseThrow(() -> new IllegalArgumentException("the program has no " + name));
  }

  /**
   * The codec of a program.
   *
   * @throws IllegalArgumentException if it does not shape
   */
  public static PipeStateCodec of(P4Info program) {
    return new PipeStateCodec(program);
  }

  /**
   * The counts of the switch, and its times.
   *
   * @param pipeBytes bytes that went into each pipe since the program was loaded
   * @param earliestStart by pipe: low 32 bits of the earliest virtual start time that waits, ns
   * @param latestFinish low 32 bits of the latest virtual finish time that was let in, ns
   * @param clock low 32 bits of the switch's clock at the last limited packet, ns
   */
  public record State(long[] pipeBytes, int[] earliestStart, int latestFinish, int clock) {}

  /** The entities to read for {@link #state}. */
  public List<Entity> reads() {
    List<Entity> wanted = new ArrayList<>();
    wanted.add(
        Entity.newBuilder()
            .setCounterEntry(CounterEntry.newBuilder().setCounterId(eventsId))
            .build());
    for (int id : new int[] {earliestId, latestId, clockId}) {
      wanted.add(register(id));
    }
    return wanted;
  }

  /**
   * The entities to read for the clock alone, which stands still as long as no limited packet
   * comes.
   */
  public List<Entity> clockReads() {
    return List.of(register(clockId));
  }

  private static Entity register(int id) {
    return Entity.newBuilder()
        .setRegisterEntry(RegisterEntry.newBuilder().setRegisterId(id))
        .build();
  }

  /**
   * An update after which packets of a pipe wait there though they are due. As the paper has it,
   * they leave by the front pipe alone: the others are held.
   *
   * @param pipe 0..3
   */
  public Update hold(int pipe) {
    RegisterEntry.Builder cell = RegisterEntry.newBuilder().setRegisterId(holdsId);
    cell.getIndexBuilder().setIndex(pipe);
    cell.getDataBuilder().setBitstring(ByteString.copyFrom(new byte[] {1}));
    return Update.newBuilder()
        .setType(Update.Type.MODIFY)
        .setEntity(Entity.newBuilder().setRegisterEntry(cell))
        .build();
  }

  /** The state that was read. */
  public State state(List<Entity> found) {
    long[] pipeBytes = new long[PIPES];
    int[] earliest = new int[PIPES];
    int latest = 0;
    int clock = 0;
    for (Entity entity : found) {
      if (entity.hasCounterEntry()) {
        int cell = (int) entity.getCounterEntry().getIndex().getIndex();
        if (cell % EVENTS == ENTERED || cell % EVENTS == CIRCULATED) {
          pipeBytes[cell / EVENTS] += entity.getCounterEntry().getData().getByteCount();
        }
      } else if (entity.hasRegisterEntry()) {
        RegisterEntry cell = entity.getRegisterEntry();
        int value = (int) CanonicalBytes.low(cell.getData().getBitstring());
        if (cell.getRegisterId() == earliestId) {
          earliest[(int) cell.getIndex().getIndex()] = value;
        } else if (cell.getRegisterId() == latestId) {
          latest = value;
        } else {
          clock = value;
        }
      }
    }
    return new State(pipeBytes, earliest, latest, clock);
  }
}
