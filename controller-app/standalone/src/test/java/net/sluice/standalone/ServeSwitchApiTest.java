package net.sluice.standalone;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import net.sluice.core.ControllerConfig.Comparing;
import net.sluice.intents.marker.csaqm.tables.RandomRates;
import net.sluice.intents.profile.MarkerSettings;
import net.sluice.rest.SwitchApiContract;
import net.sluice.standalone.http.HttpSettings;
import net.sluice.standalone.network.NetworkFile;
import net.sluice.standalone.network.RemoteSwitchOptions;
import org.junit.jupiter.api.io.TempDir;

/** Switches that are declared at {@code serve --network}. */
class ServeSwitchApiTest extends SwitchApiContract {
  @TempDir private Path folder;
  private StandaloneController standalone;

  @Override
  protected URI begin() throws Exception {
    Path file = folder.resolve("network.json");
    Files.writeString(
        file, "{\"switches\":[" + FIRST.replaceFirst("\\{", "{\"id\":\"bng1\",") + "]}");
    RemoteSwitchOptions options = new RemoteSwitchOptions();
    MarkerSettings marker = new MarkerSettings(1_000_000_000L, RandomRates.BITS_16);
    NetworkFile.Contents contents = NetworkFile.read(file.toString(), options, marker);
    standalone =
        StandaloneController.start(
            contents,
            NetworkFile.one(options, contents, marker),
            folder.resolve("data"),
            HttpSettings.on(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
            Comparing.DEFAULT);
    return standalone.api();
  }

  @Override
  protected void end() {
    standalone.close();
  }
}
