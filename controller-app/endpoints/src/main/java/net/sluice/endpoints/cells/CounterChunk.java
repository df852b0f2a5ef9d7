package net.sluice.endpoints.cells;

import com.google.protobuf.WireFormat;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeOuterClass.CounterData;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Index;
import p4.v1.P4RuntimeOuterClass.ReadRequest;
import p4.v1.P4RuntimeOuterClass.ReadResponse;

/**
 * The counter cells of one read response, as its bytes. As messages each cell is four objects,
 * which of a million subscribers takes longer than all the rest.
 */
public final class CounterChunk {
  private static final int ENTITIES = tag(ReadResponse.ENTITIES_FIELD_NUMBER);
  private static final int COUNTER_ENTRY = tag(Entity.COUNTER_ENTRY_FIELD_NUMBER);
  private static final int INDEX = tag(CounterEntry.INDEX_FIELD_NUMBER);
  private static final int DATA = tag(CounterEntry.DATA_FIELD_NUMBER);
  private static final int COUNTER_ID = number(CounterEntry.COUNTER_ID_FIELD_NUMBER);
  private static final int INDEX_NUMBER = number(Index.INDEX_FIELD_NUMBER);
  private static final int BYTES = number(CounterData.BYTE_COUNT_FIELD_NUMBER);
  private static final int PACKETS = number(CounterData.PACKET_COUNT_FIELD_NUMBER);

  private final Decoder decoder;
  private final byte[] bytes;
  private final int end;

  private CounterChunk(Decoder decoder, byte[] bytes, int end) {
    this.decoder = decoder;
    this.bytes = bytes;
    this.end = end;
  }

  /**
   * The Read method with answers in this form, for one call: their bytes are read into the same
   * memory again and again.
   */
  public static MethodDescriptor<ReadRequest, CounterChunk> read() {
    return P4RuntimeGrpc.getReadMethod().toBuilder(
            P4RuntimeGrpc.getReadMethod().getRequestMarshaller(), new Decoder())
        .build();
  }

  /** Takes the cells one after the other. */
  @FunctionalInterface
  public interface Visitor {
    /** Takes a cell. */
    void cell(int counterId, long index, long packets, long bytes);
  }

  /**
   * Passes on the cells, once.
   *
   * @return their number
   */
  public int visit(Visitor visitor) {
    Reader reader = new Reader(visitor);
    try {
      reader.read(end);
    } catch (IOException e) {
      throw unreadable(e);
    }
    decoder.spare = bytes;
    return reader.cells;
  }

  private static StatusRuntimeException unreadable(IOException e) {
    return Status.INTERNAL
        .withDescription("an answer cannot be read: " + e.getMessage())
        .withCause(e)
        .asRuntimeException();
  }

  private static int tag(int field) {
    return field << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;
  }

  private static int number(int field) {
    return field << 3 | WireFormat.WIRETYPE_VARINT;
  }

  /** Decodes one message; by hand, since a million subscribers have 27 million cells. */
  private final class Reader {
    private final Visitor visitor;
    private int at;
    private int cells;

    // Of the cell that is read.
    private int counterId;
    private long index;
    private long packets;
    private long byteCount;

    Reader(Visitor visitor) {
      this.visitor = visitor;
    }

    /** Reads the fields of a message up to its end. */
    void read(int length) throws IOException {
      while (at < length) {
        int tag = (int) number();
        if (tag == ENTITIES) {
          entity(inner());
        } else {
          skip(tag);
        }
      }
      requireEnd(length);
    }

    private int inner() throws IOException {
      int length = (int) number();
      if (length < 0 || length > end - at) {
        throw new IOException("a part is longer than the whole");
      }
      return at + length;
    }

    private void requireEnd(int length) throws IOException {
      if (at != length) {
        throw new IOException("a field ends behind its message");
      }
    }

    private void entity(int length) throws IOException {
      while (at < length) {
        int tag = (int) number();
        if (tag == COUNTER_ENTRY) {
          counterId = 0;
          index = 0;
          packets = 0;
          byteCount = 0;
          entry(inner());
          cells++;
          visitor.cell(counterId, index, packets, byteCount);
        } else {
          skip(tag);
        }
      }
      requireEnd(length);
    }

    private void entry(int length) throws IOException {
      while (at < length) {
        int tag = (int) number();
        if (tag == COUNTER_ID) {
          counterId = (int) number();
        } else if (tag == INDEX || tag == DATA) {
          numbers(inner(), tag);
        } else {
          skip(tag);
        }
      }
      requireEnd(length);
    }

    private void numbers(int length, int of) throws IOException {
      while (at < length) {
        int tag = (int) number();
        if (of == INDEX && tag == INDEX_NUMBER) {
          index = number();
        } else if (of == DATA && tag == PACKETS) {
          packets = number();
        } else if (of == DATA && tag == BYTES) {
          byteCount = number();
        } else {
          skip(tag);
        }
      }
      requireEnd(length);
    }

    private long number() throws IOException {
      long number = 0;
      for (int shift = 0; shift < Long.SIZE; shift += 7) {
        if (at == end) {
          throw new IOException("a number is cut off");
        }
        byte next = bytes[at++];
        number |= (long) (next & 0x7f) << shift;
        if (next >= 0) {
          return number;
        }
      }
      throw new IOException("a number is longer than any");
    }

    private void skip(int tag) throws IOException {
      switch (tag & 7) {
        case WireFormat.WIRETYPE_VARINT -> {
          var unused = number();
        }
        case WireFormat.WIRETYPE_FIXED64 -> at += Long.BYTES;
        case WireFormat.WIRETYPE_LENGTH_DELIMITED -> at = inner();
        case WireFormat.WIRETYPE_FIXED32 -> at += Integer.BYTES;
        default -> throw new IOException("a field is of no kind");
      }
    }
  }

  /** Decodes answers of one call. */
  private static final class Decoder implements Marshaller<CounterChunk> {
    private byte[] spare = new byte[1 << 16];

    @Override
    public InputStream stream(CounterChunk answer) {
      throw new UnsupportedOperationException("a client sends no answers");
    }

    @Override
    public CounterChunk parse(InputStream message) {
      byte[] bytes = spare;
      spare = new byte[0];
      try {
        int end = 0;
        int read = 0;
        while (read >= 0) {
          end += read;
          if (end == bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * end, 1 << 16));
          }
          read = message.read(bytes, end, bytes.length - end);
        }
        return new CounterChunk(this, bytes, end);
      } catch (IOException e) {
        throw unreadable(e);
      }
    }
  }
}
