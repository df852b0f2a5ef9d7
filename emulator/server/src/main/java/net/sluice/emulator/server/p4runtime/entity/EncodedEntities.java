package net.sluice.emulator.server.p4runtime.entity;

import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.KnownLength;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Arrays;
import p4.v1.P4RuntimeOuterClass.ReadResponse;

/**
 * A read response as its bytes. Cells of counters come by the million: as messages each of them
 * would be four objects.
 */
public final class EncodedEntities {

  /** Longest cell of a counter. */
  private static final int MAX_CELL_BYTES = 64;

  private static final int VARINT = 0x80;

  private byte[] bytes = new byte[1 << 15];
  private int length;

  /**
   * Adds a cell of a counter (section 9.3.2) with numbers that are no less than 0. Numbers that are
   * 0 are left out, as proto3 has it.
   */
  public void addCounter(int counterId, int index, long packets, long byteCount) {
    if (bytes.length - length < MAX_CELL_BYTES) {
      bytes = Arrays.copyOf(bytes, 2 * bytes.length);
    }
    // ReadResponse.entities and Entity.counter_entry; their lengths are put in at the end.
    bytes[length] = 1 << 3 | 2;
    bytes[length + 2] = 7 << 3 | 2;
    int entry = length + 4;
    length = entry;
    number(1, counterId);
    int part = begin(2);
    number(1, index);
    end(part);
    part = begin(3);
    number(1, byteCount);
    number(2, packets);
    end(part);
    bytes[entry - 1] = (byte) (length - entry);
    bytes[entry - 3] = (byte) (length - entry + 2);
  }

  private int begin(int field) {
    bytes[length] = (byte) (field << 3 | 2);
    length += 2;
    return length;
  }

  private void end(int part) {
    bytes[part - 1] = (byte) (length - part);
  }

  private void number(int field, long value) {
    if (value == 0) {
      return;
    }
    bytes[length++] = (byte) (field << 3);
    long rest = value;
    while ((rest & -VARINT) != 0) {
      bytes[length++] = (byte) (rest | VARINT);
      rest >>>= 7;
    }
    bytes[length++] = (byte) rest;
  }

  /** The bytes as a stream. */
  public InputStream stream() {
    return new Whole(bytes, length);
  }

  /** The same as a message. */
  public ReadResponse message() {
    try {
      return ReadResponse.parser().parseFrom(bytes, 0, length);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("cells were encoded wrongly", e);
    }
  }

  /** Tells gRPC that it is all there. */
  private static final class Whole extends ByteArrayInputStream implements KnownLength {
    Whole(byte[] bytes, int length) {
      super(bytes, 0, length);
    }
  }
}
