package net.sluice.standalone.agent;

import java.io.IOException;
import java.nio.file.Path;
import net.sluice.fpga.LocalBus;
import net.sluice.fpga.MappedRegisters;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The registers of a card that may go and come back: after an access has failed they are mapped
 * anew for the next one.
 */
final class CardRegisters implements LocalBus {
  private static final Logger LOG = LoggerFactory.getLogger(CardRegisters.class);

  private final Path resource;
  private MappedRegisters mapped;
  private boolean lost;

  /** Nothing is mapped before the first access. */
  CardRegisters(Path resource) {
    this.resource = resource;
  }

  @Override
  public int readWord(int address) throws IOException {
    try {
      int word = mapped().readWord(address);
      answered();
      return word;
    } catch (IOException e) {
      throw lost(e);
    }
  }

  @Override
  public void writeWord(int address, int value) throws IOException {
    try {
      mapped().writeWord(address, value);
    } catch (IOException e) {
      throw lost(e);
    }
  }

  @Override
  public void flush() throws IOException {
    try {
      mapped().flush();
      answered();
    } catch (IOException e) {
      throw lost(e);
    }
  }

  private void answered() {
    if (lost) {
      LOG.info("{}: the card answers again", resource);
      lost = false;
    }
  }

  private MappedRegisters mapped() throws IOException {
    if (mapped == null) {
      mapped = MappedRegisters.map(resource);
    }
    return mapped;
  }

  private IOException lost(IOException cause) {
    close();
    if (!lost) {
      LOG.warn("{}: {}", resource, cause.toString());
      lost = true;
    }
    return cause;
  }

  @Override
  public void close() {
    if (mapped != null) {
      mapped.close();
      mapped = null;
    }
  }
}
