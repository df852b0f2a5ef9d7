package net.sluice.emulator.server.p4runtime.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import net.sluice.emulator.server.p4runtime.LoadedSwitch;
import net.sluice.emulator.trace.v1.TraceFilter;
import net.sluice.emulator.v1model.LoadedProgram;
import net.sluice.emulator.v1model.trace.TraceSession;
import net.sluice.emulator.v1model.trace.TraceText;
import net.sluice.emulator.v1model.trace.Tracing;
import org.junit.jupiter.api.Test;
import p4.v1.P4RuntimeOuterClass.Update.Type;

/** Traces of packets that met a member of an action profile. */
class TracedProfilesTest {

  private final LoadedSwitch device = new LoadedSwitch("profiles");

  private List<String> trace(String action) {
    String entry =
        "table_entry { table_id: $In.choose match { field_id: 1 exact { value: '\\5' } } action { "
            + action
            + " } }";
    assertThat(device.write(Type.INSERT, entry)).isEqualTo("done");
    Tracing tracing = new Tracing(new ReentrantLock());
    LoadedProgram program = device.binding.program();
    tracing.install(program.tracer(), program.pipeline());
    try (TraceSession session = tracing.open(TraceFilter.getDefaultInstance())) {
      device.send(0, 5, 0, 0, 0, 1, 0, 0);
      return TraceText.of(session.poll().orElseThrow())
          .lines()
          .map(line -> line.replaceAll(" +profiles\\.p4:\\d+$", "").strip())
          .dropWhile(line -> !line.equals("table In.choose"))
          .takeWhile(line -> !line.equals("table In.first"))
          .toList();
    } finally {
      assertThat(device.write(Type.DELETE, entry)).isEqualTo("done");
    }
  }

  @Test
  void membersGroupsAndEmptyGroups() {
    assertThat(
            device.write(
                Type.INSERT,
                "action_profile_member { action_profile_id: $In.picked member_id: 1 action {"
                    + " action_id: $In.set_r params { param_id: 1 value: '\\21' } } }"))
        .isEqualTo("done");
    String group = "action_profile_group { action_profile_id: $In.picked group_id: 7 ";
    assertThat(device.write(Type.INSERT, group + "members { member_id: 1 weight: 1 } }"))
        .isEqualTo("done");
    assertThat(trace("action_profile_member_id: 1"))
        .containsExactly(
            "table In.choose",
            "key h.h.key=0x05",
            "hit entry 1: h.h.key=0x05",
            "action profile In.picked, member 0",
            "action In.set_r(r=0x11)",
            "h.r: 0x00 -> 0x11",
            "do In.ran()",
            "h.ran: 0x00 -> 0x10");
    assertThat(trace("action_profile_group_id: 7"))
        .contains("action profile In.picked, of the group, member 0", "action In.set_r(r=0x11)");
    assertThat(device.write(Type.MODIFY, group + "}")).isEqualTo("done");
    assertThat(trace("action_profile_group_id: 7"))
        .containsExactly(
            "table In.choose",
            "key h.h.key=0x05",
            "hit entry 1: h.h.key=0x05",
            "action profile In.picked, of the group, no member");
  }
}
