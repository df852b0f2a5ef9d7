package net.sluice.emulator.server.p4runtime.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.sluice.emulator.server.p4runtime.LoadedSwitch;
import org.junit.jupiter.api.Test;
import p4.config.v1.P4InfoOuterClass.ControllerPacketMetadata;
import p4.config.v1.P4InfoOuterClass.Preamble;
import p4.config.v1.P4Types.P4NamedType;
import p4.v1.P4RuntimeOuterClass.Update.Type;

/** Where P4Info says nothing of a width, or the program has not what P4Info describes. */
class UntoldWidthsTest {

  /** As p4c does for enums without an underlying type. */
  @Test
  void aMatchFieldWithoutWidthHasTheProgramsOne() {
    LoadedSwitch device =
        new LoadedSwitch(
            "early", info -> info.getTablesBuilder(0).getMatchFieldsBuilder(0).setBitwidth(-1));
    String entry =
        "table_entry { table_id: $by_kind match { field_id: 1 exact { value: '%s' } } action {"
            + " action { action_id: $discard } } }";
    assertThat(device.write(Type.INSERT, String.format(entry, "\\377"))).isEqualTo("done");
    assertThat(device.write(Type.INSERT, String.format(entry, "\\001\\000")))
        .isEqualTo(
            "OUT_OF_RANGE: match field 'kind.kind' of table 'by_kind': value 0x0100 needs 9 bits;"
                + " at most 8 are allowed");
  }

  private static ControllerPacketMetadata.Builder packetIn(int bits) {
    return ControllerPacketMetadata.newBuilder()
        .setPreamble(Preamble.newBuilder().setId(7).setName("packet_in"))
        .addMetadata(
            ControllerPacketMetadata.Metadata.newBuilder()
                .setId(1)
                .setName("ingress_port")
                .setTypeName(P4NamedType.newBuilder().setName("port_id_t"))
                .setBitwidth(bits));
  }

  /** As in programs that leave packets to the controller to others. */
  @Test
  void aControllerHeaderThatTheProgramHasNotHasTheWidthsOfP4Info() {
    assertThat(
            new LoadedSwitch("early", info -> info.addControllerPacketMetadata(packetIn(9)))
                .binding)
        .isNotNull();
    assertThatThrownBy(
            () -> new LoadedSwitch("early", info -> info.addControllerPacketMetadata(packetIn(0))))
        .hasRootCauseMessage(
            "metadata 'ingress_port' of 'packet_in' has no bitwidth in P4Info, and no header of the"
                + " device config has the same fields");
  }
}
