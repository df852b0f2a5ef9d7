package net.sluice.emulator.ports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Load by a network interface. Needs root. */
class InterfaceLoadTest {
  private static byte[] frame(int number, int length) {
    byte[] frame = new byte[length];
    frame[0] = 2;
    frame[13] = (byte) number;
    return frame;
  }

  @Test
  void framesAreSentInTurns() throws Exception {
    try (LinuxNetwork linux = LinuxNetwork.open()) {
      String[] ends = linux.veth("l", 1_500);
      List<byte[]> frames = List.of(frame(1, 60), frame(2, 100), frame(3, 1_500));
      try (TestHost host = new TestHost(ends[0]);
          InterfaceLoad load = InterfaceLoad.open(ends[1], frames)) {
        assertThat(load.send(2)).isEqualTo(2);
        assertThat(load.send(64)).isEqualTo(1);
        assertThat(load.send(1)).isEqualTo(1);
        List<byte[]> expected = new ArrayList<>(frames);
        expected.add(frames.get(0));
        assertThat(host.receive(4))
            .usingElementComparator(java.util.Arrays::compare)
            .isEqualTo(expected);
      }
    }
  }

  @Test
  void anInterfaceThatIsNotThereIsRefused() {
    assertThatThrownBy(() -> InterfaceLoad.open("nosuch", List.of(frame(1, 60))))
        .isInstanceOf(PortException.class)
        .hasMessage("cannot open interface 'nosuch': there is no such interface");
    assertThatThrownBy(() -> InterfaceLoad.open("lo", List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("frames: there must be at least one");
  }
}
