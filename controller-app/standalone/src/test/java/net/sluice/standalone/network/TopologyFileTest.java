package net.sluice.standalone.network;

import java.nio.file.Files;
import java.nio.file.Path;
import net.sluice.cli.StartFailure;
import net.sluice.testing.Golden;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file that says how the only switch is cabled. */
final class TopologyFileTest {
  @TempDir private Path folder;

  @Test
  void aFileThatCannotBeReadIsNamedAndThatOfNoTopologyIsRefused() throws Exception {
    Files.createDirectory(folder.resolve("folder"));
    Files.writeString(folder.resolve("empty.json"), "");
    Files.writeString(folder.resolve("array.json"), "[]");
    Files.writeString(folder.resolve("bad.json"), "{\"ports\": 1, \"colour\": 2}");
    Files.writeString(
        folder.resolve("trunk.json"),
        "{\"ports\": [{\"number\": 1, \"role\": \"trunk\", \"direction\": \"up\", \"rateBps\": 1000,"
            + " \"destinationMac\": \"02:00:00:01:00:01\"}],"
            + " \"trunks\": [{\"port\": 1, \"toSwitch\": \"agg\", \"toPort\": 1}]}");
    StringBuilder texts = new StringBuilder();
    for (String name :
        new String[] {
          "absent.json", "folder", "empty.json", "array.json", "bad.json", "trunk.json"
        }) {
      try {
        texts.append(TopologyFile.read(folder.resolve(name).toString())).append('\n');
      } catch (StartFailure e) {
        texts.append(e.getMessage().replace(folder.toString(), "FOLDER")).append('\n');
      }
    }
    Golden.check("topology-file-errors.txt", texts.toString());
  }
}
