package net.sluice.gnmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import java.math.BigInteger;
import java.util.List;
import net.sluice.gnmi.wire.ScalarArray;
import net.sluice.gnmi.wire.TypedValue;
import org.junit.jupiter.api.Test;

class GnmiValuesTest {

  @Test
  void valuesComeBackAsTheyWent() {
    assertThat(GnmiValues.toJava(GnmiValues.of("x"))).isEqualTo("x");
    assertThat(GnmiValues.toJava(TypedValue.newBuilder().setIntVal(-1).build())).isEqualTo(-1L);
    assertThat(GnmiValues.toJava(GnmiValues.ofUnsigned(7))).isEqualTo(7L);
    assertThat(GnmiValues.toJava(GnmiValues.ofUnsigned(-1)))
        .isEqualTo(BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE));
    assertThat(GnmiValues.toJava(GnmiValues.of(true))).isEqualTo(true);
    assertThat(GnmiValues.toJava(TypedValue.newBuilder().setDoubleVal(0.5).build())).isEqualTo(0.5);
    ByteString octets = ByteString.copyFrom(new byte[] {1});
    assertThat(GnmiValues.toJava(TypedValue.newBuilder().setBytesVal(octets).build()))
        .isEqualTo(octets);
    ScalarArray list =
        ScalarArray.newBuilder()
            .addElement(GnmiValues.of("a"))
            .addElement(GnmiValues.ofUnsigned(1))
            .build();
    assertThat(GnmiValues.toJava(TypedValue.newBuilder().setLeaflistVal(list).build()))
        .isEqualTo(List.of("a", 1L));
    for (boolean ietf : new boolean[] {false, true}) {
      GnmiValues.Json json = new GnmiValues.Json("{\"ü\":1}", ietf);
      assertThat(GnmiValues.toJava(GnmiValues.of(json))).isEqualTo(json);
    }
  }

  @Test
  void aValueThatIsAbsentOrNotUnderstoodIsRefused() {
    assertThatThrownBy(() -> GnmiValues.toJava(TypedValue.getDefaultInstance()))
        .hasMessage("a value is missing, or of an obsolete type");
    assertThatThrownBy(
            () ->
                GnmiValues.toJava(
                    TypedValue.newBuilder().setAnyVal(Any.getDefaultInstance()).build()))
        .hasMessage("a value of type any_val: is not understood");
  }
}
