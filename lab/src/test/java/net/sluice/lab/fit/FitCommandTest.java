package net.sluice.lab.fit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import net.sluice.lab.LabMain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class FitCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir Path directory;

  private int run(String... arguments) {
    CommandLine line = LabMain.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    return line.execute(arguments);
  }

  @Test
  void saysWhatTheProgramTakesBesideThePaper() throws IOException {
    Path report = directory.resolve("fit.json");
    Path page = directory.resolve("fit.html");
    String[] arguments = {
      "profile", "fit", "stratum-tofino", "--report", report.toString(), "--page", page.toString()
    };
    assertThat(run(arguments)).isZero();
    assertThat(err.toString()).isEmpty();
    assertThat(out.toString())
        .contains("tofino-codel: 5 marker instances of 17,920 subscribers")
        .contains("tofino: 7 marker instances of 17,920 subscribers")
        .contains("SluiceIngress.instance7.SubscriberRate4")
        .endsWith("ok\n");
    JsonNode rows = new ObjectMapper().readTree(report.toFile()).get("rows");
    assertThat(rows.findValuesAsText("name"))
        .contains(
            "one.stages",
            "one.sramPercent",
            "one.mapRamPercent",
            "full.stages",
            "full.sramPercent",
            "full.mapRamPercent",
            "instances.pipe",
            "subscribers.pipe",
            "subscribers.switch",
            "codel.stages",
            "codel.instances",
            "codel.sramPercent",
            "codel.mapRamPercent",
            "two.instances",
            "two.stages");
    assertThat(Files.readString(page)).contains("full.sramPercent", "<svg");
  }

  @Test
  void aProfileWithoutACompiledProgramIsRefused() {
    assertThat(run("profile", "fit", "bmv2")).isEqualTo(2);
    assertThat(err).hasToString("sluice: NAME is 'bmv2'; allowed: stratum-tofino\n");
  }
}
