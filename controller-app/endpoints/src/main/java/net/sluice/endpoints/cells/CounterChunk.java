package net.sluice.endpoints.cells;

import com.google.protobuf.WireFormat;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.Status;
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
 * The counter cells of one read response, in arrays. As messages each cell is four objects, which
 * of a million subscribers takes longer than all the rest.
 */
public final class CounterChunk {
  /** The Read method with answers in this form. */
  public static final MethodDescriptor<ReadRequest, CounterChunk> READ =
      P4RuntimeGrpc.getReadMethod().toBuilder(
              P4RuntimeGrpc.getReadMethod().getRequestMarshaller(), new Decoder())
          .build();

  private static final int ENTITIES = tag(ReadResponse.ENTITIES_FIELD_NUMBER);
  private static final int COUNTER_ENTRY = tag(Entity.COUNTER_ENTRY_FIELD_NUMBER);
  private static final int INDEX = tag(CounterEntry.INDEX_FIELD_NUMBER);
  private static final int DATA = tag(CounterEntry.DATA_FIELD_NUMBER);
  private static final int COUNTER_ID = number(CounterEntry.COUNTER_ID_FIELD_NUMBER);
  private static final int INDEX_NUMBER = number(Index.INDEX_FIELD_NUMBER);
  private static final int BYTES = number(CounterData.BYTE_COUNT_FIELD_NUMBER);
  private static final int PACKETS = number(CounterData.PACKET_COUNT_FIELD_NUMBER);

  /** Numbers of a cell: counter, index, packets, bytes. */
  private static final int WIDTH = 4;

  private long[] cells = new long[WIDTH * 512];
  private int end;

  private CounterChunk() {}

  /** Takes the cells one after the other. */
  @FunctionalInterface
  public interface Visitor {
    /** Takes a cell. */
    void cell(int counterId, long index, long packets, long bytes);
  }

  /** Passes on the cells. */
  public void visit(Visitor visitor) {
    for (int i = 0; i < end; i += WIDTH) {
      visitor.cell((int) cells[i], cells[i + 1], cells[i + 2], cells[i + 3]);
    }
  }

  private static int tag(int field) {
    return field << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;
  }

  private static int number(int field) {
    return field << 3 | WireFormat.WIRETYPE_VARINT;
  }

  /** Decodes one message; by hand, since a million subscribers have 27 million cells. */
  private final class Reader {
    private final byte[] bytes;
    private int at;

    Reader(byte[] bytes) {
      this.bytes = bytes;
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
      if (length < 0 || length > bytes.length - at) {
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
          begin();
          entry(inner());
          end += WIDTH;
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
          cells[end] = number();
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
          cells[end + 1] = number();
        } else if (of == DATA && tag == PACKETS) {
          cells[end + 2] = number();
        } else if (of == DATA && tag == BYTES) {
          cells[end + 3] = number();
        } else {
          skip(tag);
        }
      }
      requireEnd(length);
    }

    private long number() throws IOException {
      long number = 0;
      for (int shift = 0; shift < Long.SIZE; shift += 7) {
        if (at == bytes.length) {
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

  private void begin() {
    if (end == cells.length) {
      cells = Arrays.copyOf(cells, 2 * end);
    }
  }

  /** Decodes answers. */
  private static final class Decoder implements Marshaller<CounterChunk> {
    @Override
    public InputStream stream(CounterChunk answer) {
      throw new UnsupportedOperationException("a client sends no answers");
    }

    @Override
    public CounterChunk parse(InputStream message) {
      CounterChunk chunk = new CounterChunk();
      try {
        byte[] bytes = message.readAllBytes();
        chunk.new Reader(bytes).read(bytes.length);
      } catch (IOException e) {
        throw Status.INTERNAL
            .withDescription("an answer cannot be read: " + e.getMessage())
            .withCause(e)
            .asRuntimeException();
      }
      return chunk;
    }
  }
}
