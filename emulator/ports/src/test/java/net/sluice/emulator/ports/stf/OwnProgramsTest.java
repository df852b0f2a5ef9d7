package net.sluice.emulator.ports.stf;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import net.sluice.emulator.v1model.LoadedProgram;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs for one group of constructs each, with a test in STF beside them. Those without P4 hold
 * what compilers of P4_14 wrote, or none, and simple_switch runs.
 */
class OwnProgramsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "stacks",
        "whichvalid",
        "elements",
        "older",
        "parsing",
        "amounts",
        "loops",
        "casts",
        "signs",
        "numbers",
        "lists",
        "early",
        "meters",
        "unions",
        "varbits",
        "wide",
        "language"
      })
  void everyPacketComesOutAsExpected(String name) {
    LoadedProgram program = LoadedProgram.load(StfFiles.bytes(name + ".json"), 1);
    String test = new String(StfFiles.bytes(name + ".stf"), StandardCharsets.UTF_8);
    assertThat(StfRunner.run(program, test)).isEmpty();
  }
}
