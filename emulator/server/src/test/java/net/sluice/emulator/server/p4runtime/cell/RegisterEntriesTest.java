package net.sluice.emulator.server.p4runtime.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Collectors;
import net.sluice.emulator.server.p4runtime.LoadedSwitch;
import org.junit.jupiter.api.Test;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Update.Type;

/** Registers over P4Runtime: cells of every type, one by one and all together. */
class RegisterEntriesTest {

  private final LoadedSwitch device = new LoadedSwitch("entities");

  private static String cell(String register, String index, String data) {
    return "register_entry { register_id: $In."
        + register
        + (index.isEmpty() ? "" : " index { index: " + index + " }")
        + (data.isEmpty() ? "" : " data { " + data + " }")
        + " }";
  }

  private String write(String register, String index, String data) {
    return device.write(Type.MODIFY, cell(register, index, data));
  }

  private List<String> read(String register) {
    return device.read(cell(register, "", "")).stream()
        .map(e -> hex(e.getRegisterEntry().getData().getBitstring().toByteArray()))
        .collect(Collectors.toList());
  }

  private static String hex(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (byte b : bytes) {
      text.append(String.format("%02x", b));
    }
    return text.toString();
  }

  @Test
  void aCellIsWrittenAndReadBack() {
    assertThat(write("narrow", "2", "bitstring: '\\x7f'")).isEqualTo("done");
    assertThat(read("narrow")).containsExactly("00", "00", "7f", "00");
    assertThat(device.read(cell("narrow", "2", "")))
        .containsExactly(device.entity(cell("narrow", "2", "bitstring: '\\x7f'")));
  }

  @Test
  void packetsSeeWhatWasWrittenAndItIsReadWhatTheyWrite() {
    write("narrow", "2", "bitstring: '\\x05'");
    write("signed", "2", "bitstring: '\\x00'");
    int[] packet = new int[32];
    packet[0] = 2;
    device.send(0, packet);
    device.send(0, packet);
    assertThat(read("narrow")).containsExactly("00", "00", "07", "00");
    assertThat(read("broad")).containsExactly("00", "00", "02");
    assertThat(read("signed")).containsExactly("00", "00", "fe");
  }

  @Test
  void wideCellsKeepAllTheirBits() {
    String wide = "\\xff".repeat(25);
    assertThat(write("broad", "1", "bitstring: '" + wide + "'")).isEqualTo("done");
    assertThat(write("broad", "0", "bitstring: '\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00'"))
        .isEqualTo("done");
    assertThat(read("broad")).containsExactly("010000000000000000", "ff".repeat(25), "00");
  }

  @Test
  void signedCellsAreInTwosComplement() {
    assertThat(write("signed", "0", "bitstring: '\\x08\\x00'"))
        .isEqualTo(
            "OUT_OF_RANGE: data of register 'In.signed': value 0x0800 needs 13 bits; at most 12"
                + " are allowed");
    assertThat(write("signed", "0", "bitstring: '\\xff\\xf8\\x00'")).isEqualTo("done");
    assertThat(write("signed", "1", "bitstring: '\\xff'")).isEqualTo("done");
    assertThat(write("signed", "2", "bitstring: '\\x07\\xff'")).isEqualTo("done");
    assertThat(read("signed")).containsExactly("f800", "ff", "07ff");
  }

  @Test
  void renamedTypesAreWhatTheyRename() {
    assertThat(write("ports", "1", "bitstring: '\\x01\\xff'")).isEqualTo("done");
    assertThat(read("ports")).containsExactly("00", "01ff");
  }

  @Test
  void enumsAreWrittenAsEnumValues() {
    assertThat(write("moods", "0", "enum_value: '\\x09'")).isEqualTo("done");
    assertThat(device.read(cell("moods", "0", "")))
        .containsExactly(device.entity(cell("moods", "0", "enum_value: '\\x09'")));
    assertThat(write("moods", "0", "bitstring: '\\x09'"))
        .isEqualTo(
            "INVALID_ARGUMENT: data of register 'In.moods' is BITSTRING; it must be a enum_value");
  }

  @Test
  void withoutAnIndexEveryCellIsWritten() {
    assertThat(write("narrow", "", "bitstring: '\\x2a'")).isEqualTo("done");
    assertThat(read("narrow")).containsOnly("2a");
    assertThat(write("broad", "", "bitstring: '" + "\\x81".repeat(25) + "'")).isEqualTo("done");
    assertThat(read("broad")).containsOnly("81".repeat(25)).hasSize(3);
  }

  @Test
  void allRegistersAreReadTogether() {
    List<Entity> all = device.read("register_entry { }");
    assertThat(all).hasSize(4 + 3 + 3 + 2 + 2);
    assertThatThrownBy(() -> device.read("register_entry { index { index: 1 } }"))
        .hasMessage(
            "INVALID_ARGUMENT: register_id is 0, which means every register; no index can go with"
                + " it");
  }

  @Test
  void refusalsNameRegisterFieldAndValue() {
    assertThat(
            List.of(
                write("narrow", "-1", "bitstring: '\\x01'"),
                write("narrow", "4", "bitstring: '\\x01'"),
                write("narrow", "0", "bitstring: ''"),
                write("narrow", "0", "bitstring: '\\x80'"),
                write("narrow", "0", "bool: true"),
                write("narrow", "0", ""),
                device.write(Type.INSERT, cell("narrow", "0", "bitstring: '\\x01'")),
                device.write(Type.DELETE, cell("narrow", "0", "")),
                device.write(Type.MODIFY, "register_entry { register_id: 4294967295 }")))
        .containsExactly(
            "INVALID_ARGUMENT: index -1 of register 'In.narrow' must be from 0 to 3",
            "OUT_OF_RANGE: index 4 of register 'In.narrow' must be from 0 to 3",
            "OUT_OF_RANGE: data of register 'In.narrow': the value is empty; at least one byte is"
                + " needed",
            "OUT_OF_RANGE: data of register 'In.narrow': value 0x80 needs 8 bits; at most 7 are"
                + " allowed",
            "INVALID_ARGUMENT: data of register 'In.narrow' is BOOL; it must be a bitstring",
            "INVALID_ARGUMENT: data of register 'In.narrow' is missing; a write needs it",
            "INVALID_ARGUMENT: a cell of register 'In.narrow' can only be modified, not the target"
                + " of INSERT",
            "INVALID_ARGUMENT: a cell of register 'In.narrow' can only be modified, not the target"
                + " of DELETE",
            "INVALID_ARGUMENT: there is no register with id 4294967295");
    assertThat(read("narrow")).containsOnly("00");
  }
}
