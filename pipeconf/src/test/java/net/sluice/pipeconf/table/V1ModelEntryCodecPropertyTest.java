package net.sluice.pipeconf.table;

import net.sluice.pipeconf.CompiledProgram;
import net.sluice.pipeconf.V1ModelPipeline;

final class V1ModelEntryCodecPropertyTest extends EntryCodecPropertyTest {
  V1ModelEntryCodecPropertyTest() {
    super(CompiledProgram.V1MODEL, V1ModelPipeline.load().p4Info());
  }
}
