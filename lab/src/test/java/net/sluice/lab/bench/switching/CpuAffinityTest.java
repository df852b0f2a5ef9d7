package net.sluice.lab.bench.switching;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CpuAffinityTest {
  @Test
  void coresAreReadFromTheKernelsList() {
    assertThat(CpuAffinity.cores("0")).containsExactly(0);
    assertThat(CpuAffinity.cores("0-3")).containsExactly(0, 1, 2, 3);
    assertThat(CpuAffinity.cores("2,5-6,9")).containsExactly(2, 5, 6, 9);
  }

  @Test
  void aCommandIsKeptToACoreThatThisProcessMayUse() throws Exception {
    List<String> command = CpuAffinity.pinned(List.of("true"));
    assertThat(new ProcessBuilder(command).start().waitFor()).as("%s", command).isZero();
  }
}
