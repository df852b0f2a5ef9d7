package net.sluice.emulator.cli.live;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.sluice.cli.ListenAddress;
import net.sluice.cli.StartFailure;
import net.sluice.emulator.ports.NetworkPort;
import net.sluice.emulator.ports.PortRecording;

/** Captures of what passes the ports of a running switch, if they are wanted. */
final class Recordings implements AutoCloseable {
  private final Optional<Path> folder;
  private final List<PortRecording> open = new ArrayList<>();

  Recordings(Optional<Path> folder) {
    this.folder = folder;
  }

  /**
   * The captures of a port; null if there are to be none.
   *
   * @throws StartFailure if they cannot be written
   */
  PortRecording of(NetworkPort port) throws StartFailure {
    if (folder.isEmpty()) {
      return null;
    }
    try {
      PortRecording recording = PortRecording.create(folder.get(), port.name());
      open.add(recording);
      return recording;
    } catch (IOException e) {
      throw new StartFailure("--pcap " + folder.get() + ": " + ListenAddress.reason(e), e);
    }
  }

  @Override
  public void close() {
    open.forEach(PortRecording::close);
  }
}
