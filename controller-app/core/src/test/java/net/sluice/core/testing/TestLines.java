package net.sluice.core.testing;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import net.sluice.core.target.LinePackets;
import net.sluice.pipeconf.PacketCodec.Reason;

/** Lines of a switch: what is sent there is kept, and a test says what comes. */
public final class TestLines implements LinePackets {
  private final List<String> sent = new ArrayList<>();
  private Receiver receiver = (port, reason, frame) -> {};

  @Override
  public synchronized void send(int port, byte[] frame) {
    sent.add(port + " " + HexFormat.of().formatHex(frame));
  }

  @Override
  public synchronized void receive(Receiver next) {
    receiver = next;
  }

  /** A frame comes in, in hexadecimal. */
  public void come(int port, Reason reason, String frame) {
    receiver.receive(port, reason, HexFormat.of().parseHex(frame));
  }

  /** The frames sent since the last call, in hexadecimal behind their ports. */
  public synchronized List<String> takeSent() {
    List<String> taken = List.copyOf(sent);
    sent.clear();
    return taken;
  }
}
