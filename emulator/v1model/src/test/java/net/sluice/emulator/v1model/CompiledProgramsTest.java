package net.sluice.emulator.v1model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

class CompiledProgramsTest {
  private static byte[] json(String name) throws IOException {
    try (InputStream in = CompiledProgramsTest.class.getResourceAsStream("/stf/" + name)) {
      return in.readAllBytes();
    }
  }

  @Test
  void theSameProgramIsCompiledOnce() throws IOException {
    LoadedProgram first = LoadedProgram.load(json("copies.json"), 1);
    LoadedProgram second = LoadedProgram.load(json("copies.json"), 2);
    assertThat(second.pipeline().getClass()).isSameAs(first.pipeline().getClass());
    assertThat(LoadedProgram.load(json("meters.json"), 1).pipeline().getClass())
        .isNotSameAs(first.pipeline().getClass());
  }

  @Test
  void stateIsNotShared() throws IOException {
    LoadedProgram first = LoadedProgram.load(json("copies.json"), 1);
    LoadedProgram second = LoadedProgram.load(json("copies.json"), 1);
    assertThat(second.pipeline()).isNotSameAs(first.pipeline());
    assertThat(second.state()).isNotSameAs(first.state());
    assertThat(second.state().tables())
        .isNotEmpty()
        .doesNotContainAnyElementsOf(first.state().tables());
  }
}
