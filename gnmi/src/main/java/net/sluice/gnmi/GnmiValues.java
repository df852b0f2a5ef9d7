package net.sluice.gnmi;

import com.google.protobuf.ByteString;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import net.sluice.gnmi.wire.TypedValue;

/** Typed values from Java's and back. */
public final class GnmiValues {

  private GnmiValues() {}

  /**
   * JSON in a value.
   *
   * @param text the JSON
   * @param ietf whether by RFC 7951
   */
  public record Json(String text, boolean ietf) {}

  /** A text. */
  public static TypedValue of(String text) {
    return TypedValue.newBuilder().setStringVal(text).build();
  }

  /** An integer of 64 bits without sign. */
  public static TypedValue ofUnsigned(long number) {
    return TypedValue.newBuilder().setUintVal(number).build();
  }

  /** A truth value. */
  public static TypedValue of(boolean truth) {
    return TypedValue.newBuilder().setBoolVal(truth).build();
  }

  /** JSON. */
  public static TypedValue of(Json json) {
    ByteString text = ByteString.copyFrom(json.text(), StandardCharsets.UTF_8);
    return json.ietf()
        ? TypedValue.newBuilder().setJsonIetfVal(text).build()
        : TypedValue.newBuilder().setJsonVal(text).build();
  }

  /**
   * A value as Java's: String, Long (BigInteger where an unsigned one needs it), Boolean, Double,
   * ByteString, {@link Json}, List of these.
   *
   * @throws IllegalArgumentException for a value that is absent or of another kind
   */
  public static Object toJava(TypedValue value) {
    return switch (value.getValueCase()) {
      case STRING_VAL -> value.getStringVal();
      case ASCII_VAL -> value.getAsciiVal();
      case INT_VAL -> value.getIntVal();
      case UINT_VAL -> {
        long bits = value.getUintVal();
        yield bits >= 0
            ? (Object) bits
            : BigInteger.valueOf(bits).add(BigInteger.ONE.shiftLeft(Long.SIZE));
      }
      case BOOL_VAL -> value.getBoolVal();
      case DOUBLE_VAL -> value.getDoubleVal();
      case BYTES_VAL -> value.getBytesVal();
      case PROTO_BYTES -> value.getProtoBytes();
      case JSON_VAL -> new Json(value.getJsonVal().toStringUtf8(), false);
      case JSON_IETF_VAL -> new Json(value.getJsonIetfVal().toStringUtf8(), true);
      case LEAFLIST_VAL ->
          value.getLeaflistVal().getElementList().stream().map(GnmiValues::toJava).toList();
      case ANY_VAL ->
          throw new IllegalArgumentException("a value of type any_val: is not understood");
      case VALUE_NOT_SET ->
          throw new IllegalArgumentException("a value is missing, or of an obsolete type");
      default -> throw new IllegalArgumentException("a value of unknown type");
    };
  }
}
