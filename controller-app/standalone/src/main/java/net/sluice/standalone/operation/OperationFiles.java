package net.sluice.standalone.operation;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import net.sluice.cli.StartFailure;
import net.sluice.rest.operation.OperationStore;
import net.sluice.rest.operation.Operations;
import net.sluice.rest.problem.Incidents;
import net.sluice.standalone.files.FileDocuments;

/** A file an operation. */
public final class OperationFiles implements OperationStore {
  private final FileDocuments files;

  private OperationFiles(FileDocuments files) {
    this.files = files;
  }

  /**
   * The operations that are kept in a directory.
   *
   * @throws StartFailure if one cannot be read
   */
  public static Operations open(Path directory, Incidents incidents, Clock clock)
      throws StartFailure {
    try {
      return Operations.open(new OperationFiles(new FileDocuments(directory)), incidents, clock);
    } catch (IOException e) {
      throw new StartFailure(
          "the operations in " + directory + " cannot be read: " + e.getMessage(), e);
    }
  }

  @Override
  public List<byte[]> all() throws IOException {
    List<byte[]> all = new ArrayList<>();
    for (String name : files.names()) {
      all.add(files.read(name));
    }
    return all;
  }

  @Override
  public void put(String id, byte[] operation) throws IOException {
    files.put(id, operation);
  }

  @Override
  public void delete(String id) throws IOException {
    files.delete(id);
  }
}
