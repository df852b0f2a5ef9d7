package net.sluice.emulator.server.p4runtime.entity;

import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import net.sluice.emulator.server.p4runtime.status.RpcException;
import net.sluice.emulator.v1model.table.MatchTable;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.ReadResponse;

/**
 * The entities that answer a read, in chunks, which a {@link Sink} takes as fast as the client
 * does. The switch's lock is held only while a chunk is put together.
 */
public final class ReadAnswer {

  /** Where chunks go. */
  public interface Sink {
    /**
     * Sends a message, waiting for the client to be ready for it.
     *
     * @throws RpcException if the client is gone or does not read
     */
    void send(ReadResponse response) throws RpcException;

    /** The same of a message that is bytes already. */
    default void send(EncodedEntities response) throws RpcException {
      send(response.message());
    }
  }

  /** Adds a cell to a message, by its index. */
  public interface CellEncoder {
    /** With the switch's lock held. */
    void encode(int index, EncodedEntities to);
  }

  /** Cells of a message that is put together as bytes. */
  private static final int ENCODED = 4 * 512;

  /** Entities looked at per hold of the switch's lock. */
  private static final int SLICE = 512;

  private final Lock packets;
  private final Predicate<Entity> seen;
  private final Sink sink;
  private final int chunk;
  private ReadResponse.Builder message = ReadResponse.newBuilder();

  /**
   * @param packets the switch's lock
   * @param seen whether the reader may see an entity; others are left out
   * @param chunk entities per response message
   */
  public ReadAnswer(Lock packets, Predicate<Entity> seen, int chunk, Sink sink) {
    this.packets = packets;
    this.seen = seen;
    this.sink = sink;
    this.chunk = chunk;
  }

  /** Adds an entity; with the switch's lock held if packets change what is read. */
  public void add(Entity entity) {
    if (seen.test(entity)) {
      message.addEntities(entity);
    }
  }

  /** Adds entities that only writes change, beside which no read goes. */
  public void addAll(List<Entity> entities) throws RpcException {
    for (Entity entity : entities) {
      add(entity);
      flushIfFull();
    }
  }

  /** Runs something that adds little, under the switch's lock. */
  public void locked(Runnable adding) throws RpcException {
    packets.lock();
    try {
      adding.run();
    } finally {
      packets.unlock();
    }
    flushIfFull();
  }

  /** Adds cells of an array, from one to before another, in slices under the switch's lock. */
  public void addCells(int from, int to, IntFunction<Entity> cell) throws RpcException {
    for (int start = from; start < to; start += SLICE) {
      int first = start;
      locked(
          () -> {
            for (int i = first; i < Math.min(to, first + SLICE); i++) {
              add(cell.apply(i));
            }
          });
    }
  }

  /**
   * Adds all cells of an array as {@link #addCells} does, encoded.
   *
   * @param cell one of them as a message
   */
  public void addEncoded(int size, IntFunction<Entity> cell, CellEncoder encoder)
      throws RpcException {
    if (chunk > ENCODED || size == 0) {
      addCells(0, size, cell);
      return;
    }
    if (!seen.test(cell.apply(0))) {
      return;
    }
    flush();
    for (int start = 0; start < size; start += ENCODED) {
      EncodedEntities cells = new EncodedEntities();
      for (int first = start; first < Math.min(size, start + ENCODED); first += SLICE) {
        packets.lock();
        try {
          for (int i = first; i < Math.min(size, first + SLICE); i++) {
            encoder.encode(i, cells);
          }
        } finally {
          packets.unlock();
        }
      }
      sink.send(cells);
    }
  }

  /** Visits the entries of a table, in slices under the switch's lock. */
  public void visit(MatchTable entries, IntConsumer slot) throws RpcException {
    int at = 1;
    boolean more = true;
    while (more) {
      packets.lock();
      try {
        int end = Math.min(entries.slotEnd(), at + SLICE);
        for (; at < end; at++) {
          if (entries.isUsed(at)) {
            slot.accept(at);
          }
        }
        more = at < entries.slotEnd();
      } finally {
        packets.unlock();
      }
      flushIfFull();
    }
  }

  private void flushIfFull() throws RpcException {
    if (message.getEntitiesCount() >= chunk) {
      flush();
    }
  }

  /** Sends what has not been sent yet. */
  public void flush() throws RpcException {
    if (message.getEntitiesCount() > 0) {
      ReadResponse full = message.build();
      message = ReadResponse.newBuilder();
      sink.send(full);
    }
  }
}
