package net.sluice.emulator.ports.stf;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import net.sluice.emulator.v1model.LoadedProgram;
import org.junit.jupiter.api.Test;

/** Commands, failures, and errors of tests that do not fit the program. */
class StfRunnerTest {

  private static final String COPY = " 55 00 01 03";

  private static LoadedProgram program() {
    return LoadedProgram.load(StfFiles.bytes("commands.json"), 1);
  }

  private static List<String> run(String... lines) {
    return StfRunner.run(program(), String.join("\n", lines));
  }

  private static String refusal(String line) {
    try {
      return "passed: " + StfRunner.run(program(), "\n" + line);
    } catch (StfException e) {
      assertThat(e.line()).isEqualTo(2);
      return e.getMessage();
    }
  }

  @Test
  void entriesAreAddedSetAndRemoved() {
    assertThat(
            run(
                "# a comment",
                "add exacts h.h.a:0x55 go(port:2) = first",
                "packet 0" + COPY,
                "expect 2" + COPY + " $",
                "CHECK_COUNTER exacts(first) packets == 1",
                "check_counter exacts(first) bytes >= 4",
                "check_counter exacts($first) packets < 2",
                "check_counter exacts(first) packets != 0",
                "check_counter exacts(first) packets <= 1",
                "check_counter exacts(first) bytes > 3",
                "check_counter exacts(first)",
                "remove all",
                "packet 0" + COPY,
                "setdefault In.exacts go(port:0b11)",
                "packet 0" + COPY,
                "expect 3 550*0103",
                "expect 3",
                "packet 0" + COPY,
                "wait",
                "no_packet"))
        .isEmpty();
  }

  @Test
  void keysAreGivenAsBmv2sDriverTakesThem() {
    assertThat(
            run(
                "add prefixes h.b:0x0102/12 go(port:4)",
                "add prefixes b:0x03** go(port:5)",
                "add masks 5 a:0x5* go(port:6)",
                "add masks 9 a:0b01010111 go(port:7)",
                "packet 0 90 010f 01",
                "expect 4 90 010f 01",
                "packet 0 91 0399 01",
                "expect 5 91 0399 01",
                "packet 0 56 9999 02",
                "expect 6 56 9999 02",
                "packet 0 57 9999 02",
                "expect 7 57 9999 02"))
        .isEmpty();
  }

  @Test
  void registersAndCountersAreWritten() {
    assertThat(
            run(
                "register_write In.cells 1 0x77",
                "packet 0 01 0000 04",
                "expect 1 77 0000 04",
                "register_read In.cells 1",
                "register_reset In.cells",
                "packet 0 01 0000 04",
                "expect 1 00 0000 04",
                "counter_write In.counted 3 10 200",
                "counter_read In.counted 3",
                "check_counter In.counted(3) bytes == 200",
                "check_counter counted(1) packets == 2"))
        .isEmpty();
  }

  @Test
  void whatDoesNotComeOutIsReportedWithItsLine() {
    assertThat(
            run(
                "setdefault exacts go(port:2)",
                "packet 0 55 00 01 03",
                "packet 0 56 00 01 03",
                "packet 0 57 00 01 03",
                "expect 2 55 ** 02",
                "expect 2 56 $",
                "expect 9 11",
                "check_counter counted(0) packets == 1"))
        .containsExactly(
            "line 8: counter 'counted' at 0 has 0 packets, not == 1",
            "line 5: packet 1 out of port 2 is 55000103, not 55**02",
            "line 6: packet 2 out of port 2 is 56000103, not 56$",
            "line 7: no packet 1 out of port 9",
            "port 2: 1 more packet than expected");
    assertThat(run("setdefault exacts go(port:0)", "packet 0 55 00 01 03"))
        .containsExactly("port 0: 1 more packet than expected");
  }

  @Test
  void everyRefusalNamesLineAndCause() {
    StringBuilder all = new StringBuilder();
    for (String line :
        List.of(
            "fly 1",
            "packet x 00",
            "packet 1",
            "packet 1 0",
            "packet 1 zz",
            "expect 1 5$5",
            "add",
            "add exacts a:0x1 go(port:2) extra",
            "add exacts a 0x1 go(port:2)",
            "add exacts a:x go(port:2)",
            "add exacts a:1 go(port:2",
            "add exacts a:1 go(port:2) = ",
            "add exacts a:1 ! go()",
            "add nowhere a:1 go(port:2)",
            "add s a:1 go(port:2)",
            "add exacts z:1 go(port:2)",
            "add exacts a:0x100 go(port:2)",
            "add exacts a:1 fly(port:2)",
            "add exacts a:1 go(q:2)",
            "add exacts a:1 go()",
            "add exacts a:1 go(port:512)",
            "add masks a:0x1 go(port:2)",
            "add masks 1 a:7 go(port:2)",
            "add masks 99999999999 a:0x7 go(port:2)",
            "add prefixes b:0x1/17 go(port:2)",
            "add ranges 1 a:0x1 go(port:2)",
            "setdefault exacts go(port:2) more",
            "remove entry",
            "check_counter counted[1]",
            "check_counter exacts($nobody) packets == 1",
            "check_counter counted(4)",
            "check_counter counted(1) apples == 1",
            "check_counter counted(1) packets = 1",
            "register_write cells 4 1",
            "register_write cells 1 0x100",
            "register_read cells",
            "register_read nothing 1",
            "counter_write counted 1 1",
            "packet 512 00",
            "expect -1 00",
            "mirroring_add 1",
            "mirroring_add 32768 1",
            "mirroring_add 1 512",
            "mirroring_add_mc 1 0",
            "mirroring_get 7",
            "mirroring_delete 7",
            "mc_mgrp_create 65536",
            "mc_mgrp_destroy 3",
            "mc_node_create 5",
            "mc_node_create 65536 1",
            "mc_node_create 5 1 x",
            "mc_node_create 5 1 | 2",
            "mc_node_update 0 1",
            "mc_node_associate 1 0",
            "mc_node_dissociate 1 0",
            "mc_node_destroy 0")) {
      all.append(line).append("\n    ").append(refusal(line)).append('\n');
    }
    assertThat(all.toString())
        .isEqualTo(new String(StfFiles.bytes("refusals.golden.txt"), StandardCharsets.UTF_8));
  }
}
