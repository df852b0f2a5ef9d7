package net.sluice.it.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Optional;
import net.sluice.it.p4.SimpleSwitchProcess;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The same members, groups with weights, action sets and entries lead the same packets to the same
 * members as in bmv2.
 */
class SelectorsTest {

  private static final Path PROGRAMS =
      Path.of("..", "emulator", "v1model", "src", "test", "resources", "stf");

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void theSameMemberIsPicked(long seed) {
    SimpleSwitchProcess.assumeInstalled("selectors are not compared");
    Corpus.Compiled program =
        new Corpus.Compiled(
            "profiles",
            PROGRAMS.resolve("profiles.json"),
            PROGRAMS.resolve("profiles.p4info.txtpb"),
            Optional.empty());
    Differential.Result result = Differential.run(program.deviceConfig(), program.info(), seed);
    assertThat(result.detail()).isEmpty();
    assertThat(result.outcome()).isEqualTo(Differential.Outcome.SAME);
    assertThat(result.left()).isPositive();
  }
}
