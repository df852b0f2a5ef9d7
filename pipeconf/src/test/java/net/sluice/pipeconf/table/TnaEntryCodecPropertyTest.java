package net.sluice.pipeconf.table;

import net.sluice.pipeconf.CompiledProgram;
import net.sluice.pipeconf.testing.TnaDeviceConfig;

final class TnaEntryCodecPropertyTest extends EntryCodecPropertyTest {
  TnaEntryCodecPropertyTest() {
    super(CompiledProgram.TNA, TnaDeviceConfig.pipeline().p4Info());
  }
}
