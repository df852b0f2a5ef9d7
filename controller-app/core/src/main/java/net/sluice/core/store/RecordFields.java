package net.sluice.core.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.Optional;
import net.sluice.core.declaration.Component;
import net.sluice.core.declaration.Component.Part;
import net.sluice.core.declaration.RecordSink;
import net.sluice.core.declaration.Shape;
import net.sluice.core.declaration.ValueType;

/**
 * Passes on the fields of a record that {@link RecordCodec} wrote, in the order of the record's
 * components, without making the record: that takes as long as writing it as JSON does.
 */
final class RecordFields {
  private final CodedInputStream in;
  private final Optional<String> switchName;
  private final RecordSink to;

  /**
   * The fields that are left of a stream.
   *
   * @param switchName of the ports in the record; empty if that is not said
   */
  RecordFields(CodedInputStream in, Optional<String> switchName, RecordSink to) {
    this.in = in;
    this.switchName = switchName;
    this.to = to;
  }

  /**
   * The numbers of the fields that a record has, as bits. Their content is not looked at.
   *
   * @throws MalformedRecord as {@link RecordCodec#read}
   */
  static long numbers(Shape<?> shape, CodedInputStream in) throws IOException {
    long numbers = 0;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      Component component = shape.component(RecordCodec.place(shape, tag));
      if ((numbers & 1L << component.number()) != 0) {
        throw RecordCodec.noSuch(component);
      }
      numbers |= 1L << component.number();
      boolean unused = in.skipField(tag);
    }
    for (int i = 0; i < shape.size(); i++) {
      Component component = shape.component(i);
      if ((numbers & 1L << component.number()) == 0
          && component.implied() == null
          && !component.mayBeAbsent()) {
        throw RecordCodec.without(component);
      }
    }
    return numbers;
  }

  /** Goes to the content of the field of a number, which is there. */
  static void enter(CodedInputStream in, int number) throws IOException {
    int tag = in.readTag();
    while (tag != 0 && WireFormat.getTagFieldNumber(tag) != number) {
      boolean unused = in.skipField(tag);
      tag = in.readTag();
    }
    int unused = in.pushLimit(in.readRawVarint32());
  }

  /**
   * Passes on a record.
   *
   * @throws MalformedRecord as {@link RecordCodec#read}; what only the record's constructor refuses
   *     is passed on
   */
  void write(Shape<?> shape) throws IOException {
    to.beginObject();
    int tag = in.readTag();
    for (int i = 0; i < shape.size(); i++) {
      Component component = shape.component(i);
      if (WireFormat.getTagFieldNumber(tag) == component.number()) {
        tag = given(shape, i, tag);
      } else {
        leftOut(shape, i);
      }
    }
    if (tag != 0) {
      // It is none of them, or there twice.
      throw RecordCodec.noSuch(shape.component(RecordCodec.place(shape, tag)));
    }
    to.endObject();
  }

  private void leftOut(Shape<?> shape, int place) throws IOException {
    Component component = shape.component(place);
    if (component.implied() != null) {
      field(shape, place);
      implied(component.implied());
    } else if (component.isAlways()) {
      field(shape, place);
      to.beginList();
      to.endList();
    } else if (!component.mayBeAbsent()) {
      throw RecordCodec.without(component);
    }
  }

  private void implied(Object implied) throws IOException {
    if (implied instanceof Boolean flag) {
      to.flag(flag);
    } else if (implied instanceof Double number) {
      to.number(number.doubleValue());
    } else {
      to.number(((Number) implied).longValue());
    }
  }

  /** Passes on a field that begins with a tag; the tag behind it. */
  private int given(Shape<?> shape, int place, int tag) throws IOException {
    Component component = shape.component(place);
    ValueType type = component.type();
    Part part = type == ValueType.LIST ? component.part().item() : component.part();
    RecordCodec.requireType(component, tag);
    field(shape, place);
    if (type == ValueType.LIST) {
      to.beginList();
      int next = tag;
      for (; next == tag; next = in.readTag()) {
        value(component, part);
      }
      to.endList();
      return next;
    } else if (type == ValueType.MAP) {
      to.beginObject();
      int next = tag;
      for (; next == tag; next = in.readTag()) {
        entry();
      }
      to.endObject();
      return next;
    }
    value(component, part);
    return in.readTag();
  }

  private void field(Shape<?> shape, int place) throws IOException {
    if (switchName.isPresent() && place > 0 && shape.component(place - 1).isSwitchOfNext()) {
      to.field(shape, place - 1);
      to.text(switchName.get());
    }
    to.field(shape, place);
  }

  private void entry() throws IOException {
    RecordCodec.Entry entry = RecordCodec.entry(in);
    to.key(entry.key());
    to.text(entry.value());
  }

  private void value(Component component, Part part) throws IOException {
    switch (part.type()) {
      case INT -> to.number(in.readInt32());
      case LONG -> to.number(in.readInt64());
      case DOUBLE -> to.number(in.readDouble());
      case FLAG -> to.flag(in.readBool());
      case TEXT -> to.text(RecordCodec.text(component, in));
      case SCALAR -> to.text(part.scalar().write(RecordCodec.scalar(part, in)));
      case RECORD -> nested(part.shape());
      case RECORD_OR_TRUE -> {
        int length = in.readRawVarint32();
        if (length == 0) {
          to.flag(true);
        } else {
          int end = in.pushLimit(length);
          write(part.shape());
          in.popLimit(end);
        }
      }
      default -> throw new IllegalStateException("an item cannot be " + part.type());
    }
  }

  private void nested(Shape<?> shape) throws IOException {
    int end = in.pushLimit(in.readRawVarint32());
    write(shape);
    in.popLimit(end);
  }
}
