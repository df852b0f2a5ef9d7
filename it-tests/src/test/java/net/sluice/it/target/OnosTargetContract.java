package net.sluice.it.target;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import net.sluice.core.target.ExpectedEntries;
import net.sluice.core.target.Target;
import net.sluice.core.testing.ReadBack;
import net.sluice.intents.plan.Op;
import net.sluice.intents.plan.SwitchEntry;
import net.sluice.intents.plan.Table;
import net.sluice.onos.southbound.driver.Pipeconfs;
import net.sluice.pipeconf.TnaPipeline;
import net.sluice.pipeconf.testing.SampleEntries;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Through a P4Runtime client that encodes, answers and gives up as ONOS's does. */
abstract class OnosTargetContract extends SwitchTargetContract {
  private OnosStandIn onos;

  @Override
  Target<SwitchEntry> createTarget(SwitchServer of) throws Exception {
    onos = new OnosStandIn(of, PIPELINE, ELECTION_ID);
    return onos.target(Pipeconfs.all(TnaPipeline.withoutDeviceConfig()).get(0));
  }

  @AfterEach
  void closeOnos() {
    if (onos != null) {
      onos.close();
    }
  }

  @Test
  void aTableTooLargeToListIsReadByItsKeys() throws Exception {
    List<SwitchEntry> there =
        IntStream.range(0, 1_500).mapToObj(i -> SampleEntries.v4(i, SampleEntries.BOB)).toList();
    write(Op.INSERT, there.subList(0, 1_000));
    write(Op.INSERT, there.subList(1_000, 1_500));
    // What should be there differs: two are missing, one has other data.
    List<SwitchEntry> expected =
        IntStream.range(1, 1_502).mapToObj(i -> SampleEntries.v4(i, SampleEntries.ALICE)).toList();
    ReadBack<SwitchEntry> read =
        read(
            new ExpectedEntries<>() {
              @Override
              public long count(Table table) {
                return table == Table.IPV4_PREFIX ? 1_000_000 : 0;
              }

              @Override
              public Cursor<SwitchEntry> entries(Table table) {
                int[] next = new int[1];
                return max -> {
                  int from = next[0];
                  next[0] = Math.min(expected.size(), from + max);
                  return expected.subList(from, next[0]);
                };
              }
            });
    assertThat(read.entries).containsExactlyInAnyOrderElementsOf(there.subList(1, 1_500));
  }
}
