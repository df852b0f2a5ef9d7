package net.sluice.emulator.server.p4runtime;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;

/** A field of a later version of P4Runtime, which the messages in use do not know. */
final class LaterField {

  private LaterField() {}

  /** A number or a truth value. */
  static UnknownFieldSet of(int number, long value) {
    return UnknownFieldSet.newBuilder()
        .addField(number, UnknownFieldSet.Field.newBuilder().addVarint(value).build())
        .build();
  }

  /** Bytes, a string or a message. */
  static UnknownFieldSet of(int number, ByteString value) {
    return UnknownFieldSet.newBuilder()
        .addField(number, UnknownFieldSet.Field.newBuilder().addLengthDelimited(value).build())
        .build();
  }
}
