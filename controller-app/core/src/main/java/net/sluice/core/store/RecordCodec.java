package net.sluice.core.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import net.sluice.core.declaration.Component;
import net.sluice.core.declaration.Component.Part;
import net.sluice.core.declaration.Shape;
import net.sluice.core.declaration.ValueType;
import net.sluice.intents.field.OrTrue;
import net.sluice.intents.model.IpPrefix;
import net.sluice.intents.value.InvalidValueException;

/**
 * Records of described fields in protobuf's wire format, by the numbers of the fields. A number
 * that is needed is left out if it is 0, and one that has a default if it is that.
 */
final class RecordCodec {
  private static final int USUAL_BYTES = 96;
  private static final int MOST_LENGTH_BYTES = 5;
  private static final int KEY = 1;
  private static final int VALUE = 2;

  private RecordCodec() {}

  /** The bytes of a record behind a first byte. */
  static byte[] encode(byte first, Object record) {
    for (int size = USUAL_BYTES; ; size *= 4) {
      byte[] bytes = new byte[size];
      Writer writer = new Writer(bytes, 0);
      try {
        writer.to.write(first);
        writer.record(record);
        return Arrays.copyOf(bytes, writer.written());
      } catch (CodedOutputStream.OutOfSpaceException e) {
        // Once more, with more room.
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Writes to an array from a place on. */
  private static final class Writer {
    private final byte[] bytes;
    private final int from;
    private final CodedOutputStream to;

    Writer(byte[] bytes, int from) {
      this.bytes = bytes;
      this.from = Math.min(from, bytes.length);
      to = CodedOutputStream.newInstance(bytes, this.from, bytes.length - this.from);
    }

    int written() {
      return to.getTotalBytesWritten();
    }

    void record(Object record) throws IOException {
      Shape<?> shape = Shape.of(record.getClass());
      for (int i = 0; i < shape.size(); i++) {
        Component component = shape.component(i);
        Object value = component.get(record);
        Object implied = component.implied();
        // A record takes a while to say that it is not null.
        if (value == null || implied != null && value.equals(implied)) {
          continue;
        }
        int number = component.number();
        if (component.type() == ValueType.LIST) {
          for (Object item : (List<?>) value) {
            value(number, component.part().item(), item);
          }
        } else if (component.type() == ValueType.MAP) {
          for (Map.Entry<?, ?> each : ((Map<?, ?>) value).entrySet()) {
            nested(number, entry -> entry.entry((String) each.getKey(), (String) each.getValue()));
          }
        } else {
          value(number, component.part(), value);
        }
      }
    }

    private void entry(String key, String value) throws IOException {
      to.writeString(KEY, key);
      to.writeString(VALUE, value);
    }

    private void value(int number, Part part, Object value) throws IOException {
      switch (part.type()) {
        case INT -> to.writeInt32(number, (int) value);
        case LONG -> to.writeInt64(number, (long) value);
        case DOUBLE -> to.writeDouble(number, (double) value);
        case FLAG -> to.writeBool(number, (boolean) value);
        case TEXT -> to.writeString(number, (String) value);
        case SCALAR -> {
          if (value instanceof IpPrefix prefix) {
            to.writeByteArray(number, PrefixBytes.write(prefix));
          } else {
            to.writeString(number, part.scalar().write(value));
          }
        }
        case RECORD -> nested(number, within -> within.record(value));
        case RECORD_OR_TRUE -> {
          Optional<?> of = ((OrTrue<?>) value).value();
          nested(
              number,
              within -> {
                if (of.isPresent()) {
                  within.record(of.get());
                }
              });
        }
        default -> throw new IllegalStateException("an item cannot be " + part.type());
      }
    }

    private interface Content {
      void write(Writer to) throws IOException;
    }

    /** Content behind its length, written a few bytes further on before that is known. */
    private void nested(int number, Content content) throws IOException {
      to.writeTag(number, WireFormat.WIRETYPE_LENGTH_DELIMITED);
      Writer within = new Writer(bytes, from + written() + MOST_LENGTH_BYTES);
      content.write(within);
      to.writeUInt32NoTag(within.written());
      to.write(bytes, within.from, within.written());
    }
  }

  /**
   * The record that is left of a stream.
   *
   * @throws MalformedRecord if it is none, or has a field that this release does not know
   * @throws InvalidValueException if the record refuses its values
   * @throws IOException if it is cut short
   */
  static <T> T read(Shape<T> shape, CodedInputStream in) throws IOException {
    Object[] values = new Object[shape.size()];
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      int number = WireFormat.getTagFieldNumber(tag);
      int place = shape.numbered(number);
      if (place < 0) {
        throw new MalformedRecord(
            "it has field %d of %s, of a later release".formatted(number, shape.name()));
      }
      Component component = shape.component(place);
      boolean isList = component.type() == ValueType.LIST;
      Part part = isList ? component.part().item() : component.part();
      if (WireFormat.getTagWireType(tag) != wireType(part.type())
          || !isList && component.type() != ValueType.MAP && values[place] != null) {
        throw new MalformedRecord("it has no such " + component.name());
      }
      if (isList) {
        list(values, place).add(value(part, in));
      } else if (component.type() == ValueType.MAP) {
        entry(map(values, place), in);
      } else {
        values[place] = value(part, in);
        if (values[place] instanceof String text && !component.isText(text)) {
          throw laterThan(text);
        }
      }
    }
    for (int at = shape.missing(values, 0); at >= 0; at = shape.missing(values, at + 1)) {
      values[at] = shape.component(at).implied();
      if (values[at] == null) {
        throw new MalformedRecord("it has no " + shape.component(at).name());
      }
    }
    return shape.make(values);
  }

  @SuppressWarnings("unchecked")
  private static List<Object> list(Object[] values, int place) {
    if (values[place] == null) {
      values[place] = new ArrayList<>(2);
    }
    return (List<Object>) values[place];
  }

  @SuppressWarnings("unchecked")
  private static SortedMap<String, String> map(Object[] values, int place) {
    if (values[place] == null) {
      values[place] = new TreeMap<String, String>();
    }
    return (SortedMap<String, String>) values[place];
  }

  private static void entry(SortedMap<String, String> map, CodedInputStream in) throws IOException {
    int end = in.pushLimit(in.readRawVarint32());
    String key = "";
    String value = "";
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) == KEY) {
        key = in.readString();
      } else {
        value = in.readString();
      }
    }
    in.popLimit(end);
    map.put(key, value);
  }

  private static int wireType(ValueType type) {
    return switch (type) {
      case INT, LONG, FLAG -> WireFormat.WIRETYPE_VARINT;
      case DOUBLE -> WireFormat.WIRETYPE_FIXED64;
      default -> WireFormat.WIRETYPE_LENGTH_DELIMITED;
    };
  }

  private static Object value(Part part, CodedInputStream in) throws IOException {
    return switch (part.type()) {
      case INT -> (Object) in.readInt32();
      case LONG -> (Object) in.readInt64();
      case DOUBLE -> (Object) in.readDouble();
      case FLAG -> (Object) in.readBool();
      case TEXT -> in.readString();
      case SCALAR ->
          part.scalar().type() == IpPrefix.class
              ? PrefixBytes.read(in.readByteArray())
              : scalar(part, in.readString());
      case RECORD -> nested(part.shape(), in);
      case RECORD_OR_TRUE -> {
        Optional<Object> of = Optional.ofNullable(nestedOrNone(part.shape(), in));
        yield new OrTrue<>(of);
      }
      default -> throw new IllegalStateException("an item cannot be " + part.type());
    };
  }

  private static Object scalar(Part part, String text) {
    if (part.scalar().type() == ZoneId.class) {
      // The database of zones may be another one than when it was declared.
      try {
        return ZoneId.of(text);
      } catch (DateTimeException e) {
        throw laterThan(text);
      }
    }
    return part.scalar().read(text).orElseThrow(() -> laterThan(text));
  }

  private static MalformedRecord laterThan(String text) {
    return new MalformedRecord("it has '" + text + "', of a later release");
  }

  private static Object nested(Shape<?> shape, CodedInputStream in) throws IOException {
    int end = in.pushLimit(in.readRawVarint32());
    Object read = read(shape, in);
    in.popLimit(end);
    return read;
  }

  private static Object nestedOrNone(Shape<?> shape, CodedInputStream in) throws IOException {
    int length = in.readRawVarint32();
    int end = in.pushLimit(length);
    Object read = length == 0 ? null : read(shape, in);
    in.popLimit(end);
    return read;
  }
}
