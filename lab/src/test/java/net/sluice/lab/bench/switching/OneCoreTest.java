package net.sluice.lab.bench.switching;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class OneCoreTest {
  @Test
  void coresAreReadFromTheKernelsList() {
    assertThat(OneCore.cores("0")).containsExactly(0);
    assertThat(OneCore.cores("0-3")).containsExactly(0, 1, 2, 3);
    assertThat(OneCore.cores("2,5-6,9")).containsExactly(2, 5, 6, 9);
  }

  @Test
  void aCommandIsKeptToACoreThatThisProcessMayUse() throws Exception {
    for (List<String> command :
        List.of(OneCore.pinned(List.of("true")), OneCore.beside(List.of("true")))) {
      assertThat(new ProcessBuilder(command).start().waitFor()).as("%s", command).isZero();
    }
  }
}
