package net.sluice.standalone;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import net.sluice.cli.StartFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Data directories of earlier releases. */
final class EarlierDataTest {
  @TempDir Path data;

  @Test
  void aDirectoryWithFilesOfAnEarlierReleaseIsRefusedWithWhatToDo() throws Exception {
    Files.createDirectory(data.resolve("events"));
    EarlierData.refuse(data);
    for (String name : List.of("webhooks", "audit")) {
      Files.writeString(Files.createDirectory(data.resolve(name)).resolve("file"), "x");
    }
    String words =
        data
            + " was kept by an earlier release, which had audit/, webhooks/ there; this one keeps"
            + " all of that in the store. Export with the earlier release (sluice export), import"
            + " into another directory with this one (sluice import), and declare webhooks again";
    assertThatThrownBy(
            () ->
                StandaloneController.start(
                        List.of(), data, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .close())
        .isInstanceOf(StartFailure.class)
        .hasMessage(words);
    assertThatThrownBy(() -> StandaloneController.check(Map.of(), data))
        .isInstanceOf(StartFailure.class)
        .hasMessage(words);
  }
}
