package net.sluice.emulator.v1model.codegen.source;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LongMethodsTest {

  private static final int MOST = 2_000;

  private static Code variables(int count) {
    Code method = new Code();
    method.line("private void f(Packet p) {");
    for (int i = 0; i < count; i++) {
      method.line(i % 2 == 0 ? "long x" + i + " = 1L;" : "final BigInteger x" + i + " = null;");
      method.line("p.m" + i + " = 1L;");
    }
    return method.line("}");
  }

  private static boolean isLong(Code... methods) {
    Code source = new Code().line("import java.math.BigInteger;").line("class C {");
    for (Code method : methods) {
      source.add(method);
    }
    return LongMethods.in(source.line("}").toString());
  }

  @Test
  void oneMethodMayHaveSoManyVariablesAndNoMore() {
    assertThat(isLong(variables(MOST))).isFalse();
    assertThat(isLong(variables(1), variables(MOST + 1), variables(1))).isTrue();
  }

  @Test
  void variablesOfDifferentMethodsDoNotCountTogether() {
    assertThat(isLong(variables(MOST), variables(MOST))).isFalse();
  }
}
