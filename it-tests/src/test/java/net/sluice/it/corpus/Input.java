package net.sluice.it.corpus;

import java.util.List;
import net.sluice.it.p4.PortFrame;
import p4.v1.P4RuntimeOuterClass.PacketOut;

/** Something that comes into a switch. */
interface Input {

  /** Gives it to a switch, and returns what left by the ports because of it. */
  List<PortFrame> into(AnySwitch given);

  /** A packet at a port. */
  record AtPort(PortFrame frame) implements Input {
    @Override
    public List<PortFrame> into(AnySwitch given) {
      return given.pass(List.of(frame)).get(0);
    }

    @Override
    public String toString() {
      return frame.toString();
    }
  }

  /** A packet from the controller. */
  record FromController(PacketOut packet) implements Input {
    @Override
    public List<PortFrame> into(AnySwitch given) {
      return given.packetOut(packet);
    }

    @Override
    public String toString() {
      return "from the controller " + Messages.line(packet);
    }
  }
}
