package net.sluice.emulator.v1model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.sluice.emulator.switching.CloneSession;
import net.sluice.emulator.switching.Replicas;
import net.sluice.emulator.switching.SwitchPacket;
import net.sluice.emulator.v1model.runtime.ProgramFailure;
import org.junit.jupiter.api.Test;

/**
 * Values known at run time only that bmv2 aborts on: negative widths, ports and checksums, unknown
 * field lists. The programs are those of the packet tests with other constants.
 */
class RuntimeValueErrorsTest {

  private static LoadedProgram program(String name, String... changes) {
    try (InputStream in =
        RuntimeValueErrorsTest.class.getResourceAsStream("/stf/" + name + ".json")) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      for (int i = 0; i < changes.length; i += 2) {
        assertThat(text).contains(changes[i]);
        text = text.replace(changes[i], changes[i + 1]);
      }
      return LoadedProgram.load(text.getBytes(StandardCharsets.UTF_8), 1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The packet, and as many zeros as its headers need. */
  private static SwitchPacket pass(LoadedProgram program, int... bytes) {
    ByteBuffer all = ByteBuffer.allocate(64);
    for (int b : bytes) {
      all.put((byte) b);
    }
    SwitchPacket packet = program.pipeline().acquire();
    packet.setBytes(all.array(), 0, 64);
    program.pipeline().ingress(packet, 4, 0);
    program.pipeline().egress(packet, 0);
    return packet;
  }

  private static void fails(LoadedProgram program, String how, int... bytes) {
    assertThatThrownBy(() -> pass(program, bytes))
        .isInstanceOf(ProgramFailure.class)
        .hasMessageContaining(how);
  }

  @Test
  void aCastToAWidthBelowZero() {
    LoadedProgram program = program("casts", "0x100000000", "-0xa");
    assertThat(pass(program, 5, 10).dropped).isFalse();
    fails(program, "action 'k5': width -1, which is negative", 5, 9);
  }

  @Test
  void aFieldListThatTheProgramHasNot() {
    LoadedProgram program = program("lists", "\"0x10000\"", "\"0x10004\"", "\"0x50000\"", "\"5\"");
    Replicas replicas = Replicas.of(List.of(new Replicas.Replica(6, 0)));
    program.state().replication().setSession(5, new CloneSession(replicas, 0, 0, 0));
    fails(program, "field list 4, which the program has not", 2, 0, 0, 0);
    fails(program, "field list 7, which the program has not", 2, 0, 0, 3);
    fails(program, "field list 5, which the program has not", 1, 0, 0, 0);
    fails(program, "field list 6, which the program has not", 6, 0, 0, 2);
  }

  @Test
  void aListNumberBelowZero() {
    LoadedProgram program = program("lists", "\"0x50000\"", "\"-0x8\"");
    fails(program, "number of a list -8, which is negative", 1, 0, 0, 0);
  }

  @Test
  void aPortBelowZero() {
    LoadedProgram program = program("signs", "0x200000000", "-0x8");
    assertThat(pass(program, 0, 0, 8).egressPort).isZero();
    fails(program, "field 'standard_metadata.egress_spec': number -1, which is negative", 0, 0, 7);
  }
}
