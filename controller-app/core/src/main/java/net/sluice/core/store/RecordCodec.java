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
  private static final int KEY = 1;
  private static final int VALUE = 2;

  private RecordCodec() {}

  /** The bytes of a record behind a first byte. */
  static byte[] encode(byte first, Object record) {
    for (int size = USUAL_BYTES; ; size *= 4) {
      Writer writer = new Writer(size);
      try {
        writer.to.write(first);
        writer.record(Shape.of(record.getClass()), record);
        return Arrays.copyOf(writer.bytes, writer.written());
      } catch (CodedOutputStream.OutOfSpaceException e) {
        // Once more, with more room.
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Writes to an array. */
  private static final class Writer {
    private final byte[] bytes;
    private final CodedOutputStream to;

    Writer(int size) {
      bytes = new byte[size];
      to = CodedOutputStream.newInstance(bytes);
    }

    int written() {
      return to.getTotalBytesWritten();
    }

    void record(Shape<?> shape, Object record) throws IOException {
      for (int i = 0; i < shape.size(); i++) {
        Component component = shape.component(i);
        Object value = component.get(record);
        if (value == null) {
          continue;
        }
        Object implied = component.implied();
        // A record takes a while to say that it is not null.
        if (implied != null && value.equals(implied)) {
          continue;
        }
        int number = component.number();
        switch (component.type()) {
          case LIST -> {
            List<?> items = (List<?>) value;
            for (int item = 0; item < items.size(); item++) {
              value(number, component.part().item(), items.get(item));
            }
          }
          case MAP -> {
            for (Map.Entry<?, ?> each : ((Map<?, ?>) value).entrySet()) {
              int from = begin(number);
              to.writeString(KEY, (String) each.getKey());
              to.writeString(VALUE, (String) each.getValue());
              end(from);
            }
          }
          default -> value(number, component.part(), value);
        }
      }
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
        case RECORD -> {
          int from = begin(number);
          record(part.shape(), value);
          end(from);
        }
        case RECORD_OR_TRUE -> {
          int from = begin(number);
          Optional<?> of = ((OrTrue<?>) value).value();
          if (of.isPresent()) {
            record(part.shape(), of.get());
          }
          end(from);
        }
        default -> throw new IllegalStateException("an item cannot be " + part.type());
      }
    }

    /** Begins content that has its length before it, with a byte for that; tells where it is. */
    private int begin(int number) throws IOException {
      to.writeTag(number, WireFormat.WIRETYPE_LENGTH_DELIMITED);
      to.write((byte) 0);
      return written();
    }

    /** Writes the length of the content from there on, which moves if that takes more bytes. */
    private void end(int from) throws IOException {
      int length = written() - from;
      int more = CodedOutputStream.computeUInt32SizeNoTag(length) - 1;
      if (more == 0) {
        bytes[from - 1] = (byte) length;
        return;
      }
      for (int i = 0; i < more; i++) {
        to.write((byte) 0);
      }
      System.arraycopy(bytes, from, bytes, from + more, length);
      CodedOutputStream.newInstance(bytes, from - 1, more + 1).writeUInt32NoTag(length);
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
      int place = place(shape, tag);
      Component component = shape.component(place);
      boolean isList = component.type() == ValueType.LIST;
      Part part = isList ? component.part().item() : component.part();
      if (!isList && component.type() != ValueType.MAP && values[place] != null) {
        throw noSuch(component);
      }
      if (isList) {
        list(values, place).add(value(component, part, in));
      } else if (component.type() == ValueType.MAP) {
        Entry entry = entry(in);
        map(values, place).put(entry.key(), entry.value());
      } else {
        values[place] = value(component, part, in);
      }
    }
    for (int at = shape.missing(values, 0); at >= 0; at = shape.missing(values, at + 1)) {
      values[at] = shape.component(at).implied();
      if (values[at] == null) {
        throw without(shape.component(at));
      }
    }
    return shape.make(values);
  }

  /**
   * The place of the field that begins with a tag.
   *
   * @throws MalformedRecord if there is none of that number, or it is of another type
   */
  static int place(Shape<?> shape, int tag) {
    int number = WireFormat.getTagFieldNumber(tag);
    int place = shape.numbered(number);
    if (place < 0) {
      throw new MalformedRecord(
          "it has field %d of %s, of a later release".formatted(number, shape.name()));
    }
    requireType(shape.component(place), tag);
    return place;
  }

  /** Refuses a field that begins with a tag of another type than its own. */
  static void requireType(Component of, int tag) {
    Part part = of.type() == ValueType.LIST ? of.part().item() : of.part();
    if (WireFormat.getTagWireType(tag) != wireType(part.type())) {
      throw noSuch(of);
    }
  }

  /** The refusal of a field that is of another type, or there twice. */
  static MalformedRecord noSuch(Component of) {
    return new MalformedRecord("it has no such " + of.name());
  }

  /** The refusal of a record without a field that it needs. */
  static MalformedRecord without(Component of) {
    return new MalformedRecord("it has no " + of.name());
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

  /** A text of a map. */
  record Entry(String key, String value) {}

  /** The entry that comes next. */
  static Entry entry(CodedInputStream in) throws IOException {
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
    return new Entry(key, value);
  }

  private static int wireType(ValueType type) {
    return switch (type) {
      case INT, LONG, FLAG -> WireFormat.WIRETYPE_VARINT;
      case DOUBLE -> WireFormat.WIRETYPE_FIXED64;
      default -> WireFormat.WIRETYPE_LENGTH_DELIMITED;
    };
  }

  private static Object value(Component of, Part part, CodedInputStream in) throws IOException {
    return switch (part.type()) {
      case INT -> (Object) in.readInt32();
      case LONG -> (Object) in.readInt64();
      case DOUBLE -> (Object) in.readDouble();
      case FLAG -> (Object) in.readBool();
      case TEXT -> text(of, in);
      case SCALAR -> scalar(part, in);
      case RECORD -> nested(part.shape(), in);
      case RECORD_OR_TRUE -> {
        Optional<Object> record = Optional.ofNullable(nestedOrNone(part.shape(), in));
        yield new OrTrue<>(record);
      }
      default -> throw new IllegalStateException("an item cannot be " + part.type());
    };
  }

  /** The text that comes next. */
  static String text(Component of, CodedInputStream in) throws IOException {
    String text = in.readString();
    if (!of.isListed(text)) {
      throw laterThan(text);
    }
    return text;
  }

  /** The value of a scalar that comes next. */
  static Object scalar(Part part, CodedInputStream in) throws IOException {
    return part.scalar().type() == IpPrefix.class
        ? PrefixBytes.read(in.readByteArray())
        : scalar(part, in.readString());
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
