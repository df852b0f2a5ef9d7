package net.sluice.emulator.server.p4runtime.fuzz;

import com.google.protobuf.ByteString;
import com.google.rpc.Code;
import java.math.BigInteger;
import java.util.EnumSet;
import java.util.Set;
import p4.config.v1.P4InfoOuterClass.MatchField;
import p4.config.v1.P4Types.P4DataTypeSpec;
import p4.config.v1.P4Types.P4TypeInfo;
import p4.v1.P4DataOuterClass.P4Data;
import p4.v1.P4RuntimeOuterClass.FieldMatch;

/** Values in messages, as the specification has them: checked, and brought into their one form. */
final class ModelValues {

  private ModelValues() {}

  /** Everything that is wrong with an update; the server may name any of it. */
  static final class Faults {
    final Set<Code> codes = EnumSet.noneOf(Code.class);

    void add(Code code) {
      codes.add(code);
    }

    boolean when(boolean wrong, Code code) {
      if (wrong) {
        codes.add(code);
      }
      return wrong;
    }
  }

  /** A register cell as it is read; null if it is wrong. */
  static P4Data canonical(P4TypeInfo types, P4DataTypeSpec spec, P4Data data, Faults faults) {
    switch (spec.getTypeSpecCase()) {
      case NEW_TYPE:
        return canonical(
            types,
            types.getNewTypesMap().get(spec.getNewType().getName()).getOriginalType(),
            data,
            faults);
      case SERIALIZABLE_ENUM:
        int width =
            types
                .getSerializableEnumsMap()
                .get(spec.getSerializableEnum().getName())
                .getUnderlyingType()
                .getBitwidth();
        if (faults.when(data.getDataCase() != P4Data.DataCase.ENUM_VALUE, Code.INVALID_ARGUMENT)) {
          return null;
        }
        BigInteger number = number(data.getEnumValue(), width, faults);
        return number == null ? null : P4Data.newBuilder().setEnumValue(bytes(number)).build();
      default:
        if (faults.when(data.getDataCase() != P4Data.DataCase.BITSTRING, Code.INVALID_ARGUMENT)) {
          return null;
        }
        if (!spec.getBitstring().hasInt()) {
          BigInteger value =
              number(data.getBitstring(), spec.getBitstring().getBit().getBitwidth(), faults);
          return value == null ? null : P4Data.newBuilder().setBitstring(bytes(value)).build();
        }
        if (faults.when(data.getBitstring().isEmpty(), Code.OUT_OF_RANGE)) {
          return null;
        }
        BigInteger signed = new BigInteger(data.getBitstring().toByteArray());
        int bits = spec.getBitstring().getInt().getBitwidth();
        BigInteger limit = BigInteger.ONE.shiftLeft(bits - 1);
        faults.when(
            signed.compareTo(limit) >= 0 || signed.compareTo(limit.negate()) < 0,
            Code.OUT_OF_RANGE);
        return P4Data.newBuilder().setBitstring(ByteString.copyFrom(signed.toByteArray())).build();
    }
  }

  /** A match as it is read; null if it is wrong. */
  static FieldMatch canonical(MatchField field, FieldMatch match, Faults faults) {
    if (faults.when(
        !match.getFieldMatchTypeCase().name().equals(field.getMatchType().name()),
        Code.INVALID_ARGUMENT)) {
      return null;
    }
    int width = field.getBitwidth();
    FieldMatch.Builder canonical = FieldMatch.newBuilder().setFieldId(field.getId());
    BigInteger all = BigInteger.ONE.shiftLeft(width).subtract(BigInteger.ONE);
    BigInteger first;
    BigInteger second;
    switch (match.getFieldMatchTypeCase()) {
      case EXACT:
        first = number(match.getExact().getValue(), width, faults);
        return first == null
            ? null
            : canonical.setExact(FieldMatch.Exact.newBuilder().setValue(bytes(first))).build();
      case OPTIONAL:
        first = number(match.getOptional().getValue(), width, faults);
        return first == null
            ? null
            : canonical
                .setOptional(FieldMatch.Optional.newBuilder().setValue(bytes(first)))
                .build();
      case LPM:
        first = number(match.getLpm().getValue(), width, faults);
        int length = match.getLpm().getPrefixLen();
        if (faults.when(length <= 0 || length > width, Code.INVALID_ARGUMENT) || first == null) {
          return null;
        }
        int rest = width - length;
        if (faults.when(
            first.signum() != 0 && first.getLowestSetBit() < rest, Code.INVALID_ARGUMENT)) {
          return null;
        }
        return canonical
            .setLpm(FieldMatch.LPM.newBuilder().setValue(bytes(first)).setPrefixLen(length))
            .build();
      case TERNARY:
        first = number(match.getTernary().getValue(), width, faults);
        second = number(match.getTernary().getMask(), width, faults);
        if (first == null || second == null) {
          return null;
        }
        boolean wrong =
            faults.when(
                second.signum() == 0 || first.andNot(second).signum() != 0, Code.INVALID_ARGUMENT);
        return wrong
            ? null
            : canonical
                .setTernary(
                    FieldMatch.Ternary.newBuilder().setValue(bytes(first)).setMask(bytes(second)))
                .build();
      case RANGE:
        first = number(match.getRange().getLow(), width, faults);
        second = number(match.getRange().getHigh(), width, faults);
        if (first == null || second == null) {
          return null;
        }
        boolean empty =
            faults.when(
                first.compareTo(second) > 0 || first.signum() == 0 && second.equals(all),
                Code.INVALID_ARGUMENT);
        return empty
            ? null
            : canonical
                .setRange(FieldMatch.Range.newBuilder().setLow(bytes(first)).setHigh(bytes(second)))
                .build();
      default:
        return null;
    }
  }

  /** The number that bytes mean; null if they do not fit. */
  static BigInteger number(ByteString bytes, int widthBits, Faults faults) {
    BigInteger value = bytes.isEmpty() ? null : new BigInteger(1, bytes.toByteArray());
    if (faults.when(value == null || value.bitLength() > widthBits, Code.OUT_OF_RANGE)) {
      return null;
    }
    return value;
  }

  /** The shortest bytes that mean a number. */
  static ByteString bytes(BigInteger value) {
    byte[] bytes = value.toByteArray();
    int from = bytes.length > 1 && bytes[0] == 0 ? 1 : 0;
    return ByteString.copyFrom(bytes, from, bytes.length - from);
  }
}
